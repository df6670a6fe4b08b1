/**
 * The Share dialog: the link of the live run beside a short link to an unchanging copy of this moment, and the run as
 * text. The copy is stored when somebody takes it, not before.
 *
 * @import {App} from "../app/app.js"
 */
import { signal } from "@preact/signals";
import { render } from "preact";
import { must } from "../kit/dom.js";
import { html, Icon } from "../kit/html.js";
import { copy, openDialog, request } from "../kit/kit.js";
import { embedLine } from "./embedline.js";
import { pictureAddress, savePng } from "./picture.js";
import { logTime } from "../words/narrate.js";

/** @typedef {{state: "none" | "making" | "made" | "failed", link: string, at: number, problem: string}} Shared */
const shared = signal(/** @type {Shared} */ ({ state: "none", link: "", at: -1, problem: "" }));
const neutral = signal(false);
/** the server's title of a copy under neutral names */
const NEUTRAL_TITLE = "A cluster under neutral names";
let asked = 0; // which request the dialog waits for: the answer to an earlier one has other names

/** @param {App} app */
export function startShare(app) {
  render(html`<${ShareDialog} app=${app} />`, must("share-body"));
  for (const button of document.querySelectorAll("[data-testid=share]")) {
    button.addEventListener("click", () => {
      forget(Math.max(0, Math.round(app.model.moment)));
      openDialog("share-dialog");
    });
  }
}

/** No copy has been made of this moment. @param {number} at us */
function forget(at) {
  asked++;
  shared.value = { state: "none", link: "", at, problem: "" };
}

/** Store a copy, and copy its link. @param {App} app */
async function make(app) {
  const { at } = shared.value;
  const mine = ++asked;
  shared.value = { state: "making", link: "", at, problem: "" };
  try {
    const answer = await request(`/s/${app.boot.scenario}/share`, {
      method: "POST",
      json: { at_us: at, neutral: neutral.value },
    });
    const link = new URL((await answer.json()).url, location.href).href;
    if (mine !== asked) return;
    shared.value = { state: "made", link, at, problem: "" };
    copy(link, "Copy made, its link is copied.");
  } catch (problem) {
    if (mine === asked)
      shared.value = { state: "failed", link: "", at, problem: /** @type {Error} */ (problem).message };
  }
}

/** @param {{app: App}} props */
function ShareDialog({ app }) {
  const { at } = shared.value;
  const base = `/s/${app.boot.scenario}`;
  return html`<h2 id="share-title">Share this run</h2>
    ${!app.boot.frozen && html`<${Live} app=${app} />`}
    <${Frozen} app=${app} />
    <h3 class="share-sub">As a picture</h3>
    <div class="row">
      <a class="btn sm" href=${pictureAddress(base, Math.max(0, at))} data-testid="picture-svg"
        download=${`highwater-${app.boot.scenario}.svg`}><${Icon} name="download" />Picture, SVG</a>
      <button type="button" class="btn sm" data-testid="picture-png" onClick=${() =>
        savePng(pictureAddress(base, Math.max(0, at)), `highwater-${app.boot.scenario}.png`)}><${Icon}
        name="download" />Picture, PNG</button>
    </div>
    <h3 class="share-sub">As text</h3>
    <div class="row">
      <a class="btn sm" href=${`${base}.yaml?at_us=${Math.max(0, at)}`} data-testid="download-yaml" download=""><${Icon}
        name="download" />Document, YAML</a>
      <a class="btn sm" href=${`${base}.json?at_us=${Math.max(0, at)}`} download=""><${Icon} name="download"
        />Document, JSON</a>
      <a class="btn sm" href=${`${base}/describe?at_us=${Math.max(0, at)}`} data-testid="describe" target="_blank"
        rel="noopener"><${Icon} name="list" />kafka-topics.sh --describe</a>
      <a class="btn sm" href=${`${base}/report?at_us=${Math.max(0, at)}`} data-testid="report" target="_blank"
        rel="noopener"><${Icon} name="flag" />Report, to print</a>
      <button type="button" class="btn sm" data-testid="copy-describe" onClick=${() => copyDescribe(base, at)}><${Icon}
        name="copy" />Copy describe text</button>
    </div>`;
}

/** @param {{app: App}} props */
function Live({ app }) {
  const link = `${location.origin}${app.boot.link}`;
  const mine = app.model.owner.value;
  return html`<h3 class="share-sub">The live room</h3>
    <p class="soft">Whoever opens it watches this run together with
      you. ${mine ? "Only you act in it and move its clock" : "Only its owner acts in it and moves its clock"}; what
        others do makes a copy of their own.</p>
    <div class="share-row"><input class="input num" readonly data-testid="live-link" aria-label="Link of the live room"
      value=${link} onFocus=${(/** @type {any} */ event) => event.currentTarget.select()} />
      <button type="button" class="btn" data-testid="copy-live"
        onClick=${() => copy(link, "Link of the live room copied.")}><${Icon} name="copy" />Copy</button></div>
    ${
      mine &&
      html`<p class="help">To let another browser act in it as well, use its edit link: it stands on the <a
      href=${app.aboutUrl}>page about this run</a>.</p>`
    }`;
}

/** @param {{app: App}} props */
function Frozen({ app }) {
  const { state, link, problem, at } = shared.value;
  return html`<h3 class="share-sub">A copy that never changes</h3>
    <p class="soft">The run as it is at <span class="num">${logTime(Math.max(0, at))} s</span>, with everything that led
      there. Whoever opens it can play on from there in a copy of their own. It is stored when you make it, and stands
        in My runs.</p>
    <label class="check"><input type="checkbox" checked=${neutral.value} onChange=${(/** @type {any} */ event) => {
      neutral.value = event.currentTarget.checked;
      forget(at);
    }} />Neutral names for topics, clients and racks</label>
    <div class="share-row">
      <input class="input num" readonly data-testid="share-link" aria-label="Link of the copy" value=${link}
        placeholder=${state === "making" ? "Making the copy…" : "No copy yet"}
          onFocus=${(/** @type {any} */ event) => event.currentTarget.select()} />
      ${
        link
          ? html`<button type="button" class="btn pri" data-testid="copy-link"
            onClick=${() => copy(link, "Link copied.")}><${Icon} name="copy" />Copy</button>`
          : html`<button type="button" class="btn pri" data-testid="make-copy" disabled=${state === "making"}
            onClick=${() => make(app)}><${Icon} name="share" />Make a copy</button>`
      }
    </div>
    ${link && html`<${Embed} line=${embedLine([idOf(link)], neutral.value ? NEUTRAL_TITLE : app.title)} />`}
    ${state === "failed" && html`<p class="error" role="alert">No copy could be made: ${problem}</p>`}`;
}

/** The id of a copy in its link. @param {string} link */
const idOf = (link) => new URL(link).pathname.split("/").pop() ?? "";

/** @param {{line: string}} props */
function Embed({ line }) {
  return html`<p class="soft">On another page: a frame that shows the copy and plays it. Add <code>?theme=dark</code>,
      <code>?t=12.5</code> (a moment in seconds) or <code>?autoplay=1</code> to its address.</p>
    <div class="share-row"><input class="input num" readonly data-testid="embed-line" aria-label="HTML line to embed"
      value=${line} onFocus=${(/** @type {any} */ event) => event.currentTarget.select()} />
      <button type="button" class="btn" data-testid="copy-embed"
        onClick=${() => copy(line, "HTML line copied.")}><${Icon} name="copy" />Copy</button></div>`;
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
