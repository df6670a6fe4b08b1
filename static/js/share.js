/**
 * The Share dialog: a short link to an unchanging copy of this run at this moment, the edit link, and the run as text.
 *
 * @import {App} from "./app.js"
 */
import { signal } from "@preact/signals";
import { render } from "preact";
import { must } from "./dom.js";
import { html, Icon } from "./html.js";
import { copy, openDialog, request } from "./kit.js";

/** @typedef {{state: "none" | "making" | "made" | "failed", link: string, at: number, problem: string}} Shared */
const shared = signal(/** @type {Shared} */ ({ state: "none", link: "", at: -1, problem: "" }));
const neutral = signal(false);
const opened = signal(0);
let asked = 0;  // which request the dialog waits for: the answer to an earlier one has other names

/** @param {App} app */
export function startShare(app) {
  render(html`<${ShareDialog} app=${app} />`, must("share-body"));
  for (const button of document.querySelectorAll("[data-testid=share]")) {
    button.addEventListener("click", () => {
      shared.value = { state: "none", link: "", at: -1, problem: "" };
      opened.value++;
      openDialog("share-dialog");
      make(app);
    });
  }
}

/** @param {App} app */
async function make(app) {
  const at = Math.round(app.model.moment);
  const mine = ++asked;
  shared.value = { state: "making", link: "", at, problem: "" };
  try {
    const answer = await request(`/s/${app.boot.scenario}/share`, { method: "POST", json: { at_us: at, neutral: neutral.value } });
    const { url } = await answer.json();
    if (mine === asked) shared.value = { state: "made", link: new URL(url, location.href).href, at, problem: "" };
  } catch (problem) {
    if (mine === asked) shared.value = { state: "failed", link: "", at, problem: /** @type {Error} */ (problem).message };
  }
}

/** @param {{app: App}} props */
function ShareDialog({ app }) {
  opened.value;
  const { state, link, problem, at } = shared.value;
  const moment = (Math.max(0, at) / 1e6).toFixed(3);
  const base = `/s/${app.boot.scenario}`;
  return html`<h2 id="share-title">Share this run</h2>
    <p class="soft">A copy as it is at <span class="num">${moment} s</span>, with everything that led there. It never changes; whoever opens it can play on from there in a copy of their own.</p>
    <div class="share-row">
      <input class="input num" readonly data-testid="share-link" aria-label="Link" value=${link} placeholder=${state === "making" ? "Making the link…" : ""} onFocus=${(/** @type {any} */ event) => event.currentTarget.select()} />
      <button type="button" class="btn pri" data-testid="copy-link" disabled=${!link} onClick=${() => copy(link, "Link copied.")}><${Icon} name="copy" />Copy</button>
    </div>
    ${state === "failed" && html`<p class="error" role="alert">No link could be made: ${problem} <button type="button" class="link" onClick=${() => make(app)}>Try again</button></p>`}
    <label class="check"><input type="checkbox" checked=${neutral.value} onChange=${(/** @type {any} */ event) => { neutral.value = event.currentTarget.checked; make(app); }} />Neutral names for topics, clients and racks</label>
    <h3 class="share-sub">As text</h3>
    <div class="row">
      <a class="btn sm" href=${`${base}.yaml?at_us=${Math.max(0, at)}`} data-testid="download-yaml" download><${Icon} name="download" />Document, YAML</a>
      <a class="btn sm" href=${`${base}.json?at_us=${Math.max(0, at)}`} download><${Icon} name="download" />Document, JSON</a>
      <a class="btn sm" href=${`${base}/describe?at_us=${Math.max(0, at)}`} data-testid="describe" target="_blank" rel="noopener"><${Icon} name="list" />kafka-topics.sh --describe</a>
      <button type="button" class="btn sm" data-testid="copy-describe" onClick=${() => copyDescribe(base, at)}><${Icon} name="copy" />Copy describe text</button>
    </div>
    <p class="help share-foot">${app.model.owner.value ? html`To let another browser act on this very run, use its edit link: it stands on the <a href=${app.aboutUrl}>page about this run</a>.` : html`This run belongs to another browser. What you do makes a run of your own.`}</p>`;
}

/** @param {string} base @param {number} at */
async function copyDescribe(base, at) {
  try {
    const answer = await request(`${base}/describe?at_us=${Math.max(0, at)}`);
    copy(await answer.text(), "Describe text copied.");
  } catch (problem) {
    shared.value = { ...shared.value, state: "failed", problem: /** @type {Error} */ (problem).message };
  }
}
