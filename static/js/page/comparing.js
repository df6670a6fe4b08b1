/**
 * The Compare dialog: this run beside its parent, a branch of it, or the same run with one setting changed. The second
 * run is stored when somebody chooses it, not before.
 *
 * @import {App} from "../app/app.js"
 */
import { signal } from "@preact/signals";
import { render } from "preact";
import { startWith } from "./actions.js";
import { hashTime } from "./moment.js";
import { must } from "../kit/dom.js";
import { html, Icon } from "../kit/html.js";
import { openDialog } from "../kit/kit.js";
import { comparedAddress, otherAcks, withAcks, withMinIsr, withSeed, withVersion } from "../run/variants.js";

const SETTINGS_MAX = 12;
/** which choice is being made; "" while none is */
const making = signal("");
/** how often the dialog was opened: what it offers is read then */
const opened = signal(0);

/** @param {App} app */
export function startComparing(app) {
  render(html`<${CompareDialog} app=${app} />`, must("compare-body"));
  for (const button of document.querySelectorAll("[data-testid=compare]"))
    button.addEventListener("click", () => {
      opened.value++;
      openDialog("compare-dialog");
    });
}

/** @param {App} app @param {string} other its id */
const addressOf = (app, other) => `${comparedAddress(app.boot.scenario, other)}#t=${hashTime(app.model.moment)}`;

/** @param {{app: App}} props */
function CompareDialog({ app }) {
  opened.value;
  const runs = app.lanes;
  return html`<h2 id="compare-title">Compare this run</h2>
    ${
      runs.length > 0 &&
      html`<h3 class="share-sub">With a run that exists</h3>
      <ul class="ways">${runs.map(
        (lane) => html`<li><a class="btn sm" data-testid=${`compare-with-${lane.id}`}
          href=${addressOf(app, lane.id)}><${Icon} name="fork" />${
            lane.isParent ? `Its parent: ${lane.title}` : `Its branch: ${lane.change || lane.title}`
          }</a></li>`,
      )}</ul>`
    }
    <h3 class="share-sub">With the same run, but</h3>
    <p class="soft">What was done in this run is done in the other one too, at the same moments, under the same
      chance.</p>
    <ul class="ways">${variantsOf(app).map(
      ({ id, text, change }) => html`<li><button type="button" class="btn sm" data-testid=${`compare-${id}`}
        disabled=${making.value !== ""} onClick=${() => make(app, id, change)}>${
          making.value === id ? "Making the run…" : text
        }</button></li>`,
    )}</ul>`;
}

/** The settings that can be another one: of each topic, then of the whole run. @param {App} app */
function variantsOf(app) {
  const { model } = app;
  const topics = (model.view?.topics ?? []).flatMap((_, i) => (model.isImplicit(i) ? [] : [i]));
  const found = topics.flatMap((topic) => {
    const name = model.topicName(topic);
    const replicas = Math.max(
      0,
      ...model.partitionsOf(topic).map((p) => model.view?.partitions[p]?.replicas.length ?? 0),
    );
    const least = model.minIsr(topic);
    const otherLeast = least > 1 ? 1 : 2;
    return [
      ...otherAcks(model.acksOf(topic)).map((acks) => ({
        id: `acks-${acks}-${name}`,
        text: `${name} with acks=${acks}`,
        change: (/** @type {any} */ plain) => withAcks(plain, name, acks),
      })),
      ...(otherLeast <= replicas
        ? [
            {
              id: `min-isr-${otherLeast}-${name}`,
              text: `${name} with min.insync.replicas=${otherLeast}`,
              change: (/** @type {any} */ plain) => withMinIsr(plain, name, otherLeast),
            },
          ]
        : []),
    ];
  });
  const seed = Number(model.document?.seed ?? 0) + 1;
  const versions = model.sites.length ? [] : app.boot.versions.filter((one) => one !== model.document?.profile);
  return [
    ...found.slice(0, SETTINGS_MAX),
    ...versions.map((version) => ({
      id: `version-${version}`,
      text: `Kafka ${version}`,
      change: (/** @type {any} */ plain) => withVersion(plain, version),
    })),
    { id: "seed", text: `another chance: seed ${seed}`, change: (/** @type {any} */ plain) => withSeed(plain, seed) },
  ];
}

/** @param {App} app @param {string} id @param {(plain: any) => any} change */
async function make(app, id, change) {
  making.value = id;
  const pageOf = (/** @type {string} */ url) => addressOf(app, String(url.split("/").pop()));
  await startWith(app, change, "Two runs on one clock.", { pageOf });
  making.value = "";
}
