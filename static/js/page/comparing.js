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
import {
  comparedAddress,
  otherAcks,
  partOf,
  readSetting,
  withAcks,
  withElr,
  withSeed,
  withTopicSetting,
  withVersion,
} from "../run/variants.js";

const SETTINGS_MAX = 12;
const SEED_MAX = Number.MAX_SAFE_INTEGER;
const MIN_ISR = "min.insync.replicas";
const UNCLEAN = "unclean.leader.election.enable";
/** which choice is being made; "" while none is */
const making = signal("");
/** why the last choice made no run */
const problem = signal("");
/** how often the dialog was opened: what it offers is read then */
const opened = signal(0);

/** @param {App} app */
export function startComparing(app) {
  render(html`<${CompareDialog} app=${app} />`, must("compare-body"));
  for (const button of document.querySelectorAll("[data-testid=compare]"))
    button.addEventListener("click", () => {
      opened.value++;
      problem.value = "";
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
    )}</ul>
    <${OtherSetting} app=${app} key=${`setting ${opened.value}`} />
    <${OtherSeed} app=${app} key=${`seed ${opened.value}`} />
    ${problem.value && html`<p class="error" role="alert" data-testid="compare-problem">${problem.value}</p>`}`;
}

/** Any setting of any topic. @param {{app: App}} props */
function OtherSetting({ app }) {
  const { model } = app;
  const topics = topicsOf(app);
  if (!topics.length) return null;
  const send = (/** @type {any} */ event) => {
    event.preventDefault();
    const { topic, setting } = event.currentTarget.elements;
    const found = readSetting(setting.value);
    if (!found) {
      problem.value = `“${setting.value}” is no setting. Write one as ${UNCLEAN}=true.`;
      return;
    }
    const at = topics.find((one) => model.topicName(one) === topic.value) ?? 0;
    const change = (/** @type {any} */ plain) =>
      found.key === "acks" && model.acksOf(at) !== null
        ? withAcks(plain, topic.value, String(found.value))
        : withTopicSetting(plain, topic.value, found.key, found.value);
    void make(app, "setting", change);
  };
  return html`<form class="row other-way" onSubmit=${send}>
    <label>topic <select class="input" name="topic">${topics.map(
      (topic) => html`<option>${model.topicName(topic)}</option>`,
    )}</select></label>
    <label>with <input class="input" name="setting" list="compare-keys" required placeholder="retention.ms=60000"
      autocomplete="off" spellcheck=${false} data-testid="compare-setting" /></label>
    <datalist id="compare-keys">${["acks", ...app.boot.topic_keys].map(
      (key) => html`<option value=${`${key}=`} />`,
    )}</datalist>
    <button class="btn sm" disabled=${making.value !== ""} data-testid="compare-setting-button">${
      making.value === "setting" ? "Making the run…" : "Compare"
    }</button></form>`;
}

/** Another chance. @param {{app: App}} props */
function OtherSeed({ app }) {
  const send = (/** @type {any} */ event) => {
    event.preventDefault();
    const seed = Number(event.currentTarget.elements.seed.value);
    void make(app, "seed", (plain) => withSeed(plain, seed));
  };
  return html`<form class="row other-way" onSubmit=${send}>
    <label>another chance: seed <input class="input" name="seed" type="number" min="0" max=${SEED_MAX} required
      defaultValue=${Number(app.model.document?.seed ?? 0) + 1} data-testid="compare-seed" /></label>
    <button class="btn sm" disabled=${making.value !== ""} data-testid="compare-seed-button">${
      making.value === "seed" ? "Making the run…" : "Compare"
    }</button></form>`;
}

/** The topics that the document speaks of. @param {App} app @returns {number[]} */
const topicsOf = ({ model }) => (model.view?.topics ?? []).flatMap((_, i) => (model.isImplicit(i) ? [] : [i]));

/** The settings that can be another one: of each topic, then of the whole run. @param {App} app */
function variantsOf(app) {
  const { model } = app;
  const found = topicsOf(app).flatMap((topic) => {
    const name = model.topicName(topic);
    const replicas = Math.max(
      0,
      ...model.partitionsOf(topic).map((p) => model.view?.partitions[p]?.replicas.length ?? 0),
    );
    const least = model.minIsr(topic);
    const unclean = model.isUnclean(topic);
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
              text: `${name} with ${MIN_ISR}=${otherLeast}`,
              change: (/** @type {any} */ plain) => withTopicSetting(plain, name, MIN_ISR, otherLeast),
            },
          ]
        : []),
      {
        id: `unclean-${name}`,
        text: `${name} with ${UNCLEAN}=${!unclean}`,
        change: (/** @type {any} */ plain) => withTopicSetting(plain, name, UNCLEAN, !unclean),
      },
    ];
  });
  const sites = Object.keys(model.document?.clusters ?? { "": null });
  return [...found.slice(0, SETTINGS_MAX), ...sites.flatMap((site) => clusterVariantsOf(app, site))];
}

/**
 * Another version of Kafka in a cluster, and eligible leader replicas on or off.
 * @param {App} app
 * @param {string} site
 */
function clusterVariantsOf({ model, boot }, site) {
  const { elr, versions } = boot;
  const part = partOf(model.document, site);
  const profile = part?.profile ?? model.document?.profile;
  const isElr = part?.elr ?? elr[profile];
  const [end, before] = site ? [`-${site}`, `${site} with `] : ["", ""];
  const ofElr = {
    id: `elr${end}`,
    text: `${before}ELR ${isElr ? "off" : "on"}`,
    change: (/** @type {any} */ plain) => withElr(plain, site, !isElr),
  };
  return [
    ...(profile in elr ? [ofElr] : []),
    ...versions
      .filter((one) => one !== profile)
      .map((version) => ({
        id: `version-${version}${end}`,
        text: `${before}Kafka ${version}`,
        change: (/** @type {any} */ plain) => withVersion(plain, site, version, version in elr),
      })),
  ];
}

/** @param {App} app @param {string} id @param {(plain: any) => any} change */
async function make(app, id, change) {
  making.value = id;
  problem.value = "";
  const told = (/** @type {string} */ text) => {
    problem.value = text;
  };
  const pageOf = (/** @type {string} */ url) => addressOf(app, String(url.split("/").pop()));
  await startWith(app, change, "Two runs on one clock.", { pageOf, told });
  making.value = "";
}
