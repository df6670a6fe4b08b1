/**
 * MirrorMaker in the verdict: a row for each flow. Enter opens what its topics have on the target, and for each group
 * where it starts there, drawn on the remote log.
 *
 * @import {App} from "../app/app.js"
 * @import {Account} from "./account.js"
 */
import { html, Icon } from "../kit/html.js";
import { behindOf, copiesOf, idleWords, markOf, stateWord } from "../run/mirrors.js";
import { count, secondsText } from "../words/verdictwords.js";

/** groups of a flow that have a card */
const GROUPS_MAX = 12;

/**
 * @typedef {{topic: string, remote: string, mirrored: number, not_mirrored: number, not_mirrored_us: number, doubled:
 *   number, skipped: number, disagree: number, sentence: string}} MirroredTopic
 */
/**
 * @typedef {{flow: string, process: string, state: string, sentence: string, topics: MirroredTopic[], groups:
 *   import("../run/mirrors.js").GroupCard[]}} FlowVerdict
 */

/** @param {{app: App, account: Account | null}} props  account: the engine's verdict of the moment shown */
export function Mirrors({ app, account }) {
  const { view, names } = app.model;
  const flows = names.mirrors?.flows ?? [];
  if (!view?.mirrors || !flows.length) return null;
  return html`<section class="tp-rows mirrors" aria-label="MirrorMaker" data-testid="mirrors"><div class="h"
    aria-hidden="true"><span></span><span>MirrorMaker</span><span>copies</span><span>to copy</span></div>
    ${flows.map(
      (flow, i) => html`<${Flow} key=${flow.name} app=${app} index=${i} told=${account?.["mirrors"]?.[i]}
      />`,
    )}</section>`;
}

/** @param {{app: App, index: number, told: FlowVerdict | undefined}} props */
function Flow({ app, index, told }) {
  app.model.pulse.value; // its props stay the same while it copies
  const { names } = app.model;
  const view = /** @type {import("../facts/types.js").View} */ (app.model.view);
  const flow = /** @type {import("../facts/types.js").FlowNames} */ (names.mirrors?.flows[index]);
  const id = `mirror-${flow.name}`;
  const open = app.page.opened.value.has(id);
  const behind = behindOf(view, flow, index);
  const state = stateWord(names, view, flow.process);
  const idle = state === "running" ? idleWords(view, index) : "";
  return html`<details data-testid=${id} open=${open}
    onToggle=${(/** @type {any} */ event) => app.page.open(id, event.currentTarget.open)}>
    <summary><${Icon} name="right"
      /><span><b>${flow.name.replace("->", " → ")}</b><small>${flow.process} · ${state}${
        idle &&
        html` · <span
        class="idle" data-testid=${`idle-${flow.name}`}>${idle}</span>`
      }</small></span>
      <span class="f" title="Copies that the target has acknowledged">${count(copiesOf(view, index))}</span><span
        class=${`f ${behind > 0 ? "stop" : ""}`}
          title="Records of the source after the newest acknowledged copy; those that are copied again are among them.
            records-lag of MirrorMaker's consumer can be lower: it leaves out what was read and is not written yet">
          ${count(behind)}</span></summary>
    ${
      open &&
      html`<div class="ex">${
        told
          ? html`<${Told} told=${told}
      />`
          : html`<p class="muted">Pause to see what each topic and group has on the target.</p>`
      }</div>`
    }</details>`;
}

/** @param {{told: FlowVerdict}} props */
function Told({ told }) {
  const rest = told.groups.length - GROUPS_MAX;
  return html`${told.topics.map((topic) => html`<${Topic} key=${topic.topic} topic=${topic} />`)}
    ${told.topics.length === 0 && html`<p>The flow copies no topic of an application.</p>`}
    ${told.groups.length > 0 && html`<h4>Where groups start on the target</h4>`}
    ${told.groups.slice(0, GROUPS_MAX).map(
      (group) => html`<${Group} key=${`${group.group} ${group.partition}`}
      group=${group} />`,
    )}
    ${rest > 0 && html`<p>and ${count(rest)} more.</p>`}`;
}

/** @param {{topic: MirroredTopic}} props */
function Topic({ topic }) {
  const line = (/** @type {string} */ name, /** @type {string} */ value, bad = false) =>
    html`<div><dt>${name}</dt><dd class=${bad ? "d" : ""}>${value}</dd></div>`;
  return html`<div data-testid=${`mirrored-${topic.topic}`}><p
    class="own">${topic.topic} → ${topic.remote}</p><p>${topic.sentence}</p>
    <dl class="vm">${line("Mirrored", count(topic.mirrored))}${line(
      "Not mirrored",
      topic.not_mirrored ? `${count(topic.not_mirrored)} (${secondsText(topic.not_mirrored_us)})` : "0",
      topic.not_mirrored > 0,
    )}
      ${line("Twice on the target", count(topic.doubled), topic.doubled > 0)}${
        topic.skipped > 0 && line("Left out for good", count(topic.skipped), true)
      }
      ${topic.disagree > 0 && line("On the target, no longer at the source", count(topic.disagree), true)}</dl></div>`;
}

/** A group's card. @param {{group: import("../run/mirrors.js").GroupCard}} props */
function Group({ group }) {
  const mark = markOf(group);
  return html`<div class="gcard" data-testid=${`group-${group.group}-${group.partition}`}><p
    class="own">${group.group} in ${group.partition}</p><p>${group.sentence}</p>
    ${
      mark &&
      html`<div class="rlog" role="img" aria-label=${mark.label}><span class=${mark.kind}
        style=${{ left: `${mark.from}%`, width: `${mark.to - mark.from}%` }}></span>
        <i class="at" style=${{ left: `${mark.continues}%` }}></i><i class="true"
          style=${{ left: `${mark.true}%` }}></i></div>
      <div class="ax"><span>starts at ${count(mark.start)}</span><span>true
        position ${count(group.true)}</span></div>`
    }</div>`;
}
