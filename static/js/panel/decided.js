/**
 * The one cause, as one button: time, event, and what the same run does without it. Of a loss it is the action without
 * which the run loses nothing, once that was checked; of a stop the action that the check found. Until then it is what
 * the verdict's fact goes back to, and the words that it is unchecked.
 *
 * @import {App} from "../app/app.js"
 * @import {Card} from "./verdict.js"
 */
import { html, Icon } from "../kit/html.js";
import { forkAt } from "../page/actions.js";
import { clauses } from "../words/actionwords.js";
import { logTime } from "../words/narrate.js";
import { goesBack, keptUp, lossCheck, stopCheck, UNCHECKED, UNCHECKED_OF_SEVERAL } from "../words/verdictwords.js";

/** @typedef {{at: number, seq: number, icon: string, text: string, note: string, isChecked: boolean}} Cause */

/** @param {{app: App, card: Card}} props */
export function Deciding({ app, card }) {
  const cause = causeOf(app, card);
  if (!cause)
    return card.stake
      ? html`<p class="ca still"><${Icon} name="clock" /><span>Not decided yet: ${card.stake}</span></p>`
      : null;
  if (!cause.text)
    return html`<p class="ca still" role="status" data-testid="unchecked"><${Icon} name="check"
      /><span>${cause.note}</span></p>`;
  return html`<button type="button" class="ca" data-testid="deciding-event"
    data-checked=${cause.isChecked ? "yes" : "no"} data-at-us=${cause.at} data-seq=${cause.seq}
      onClick=${() => app.travel.goTo(cause.at, cause.seq)}>
    <${Icon} name=${cause.icon} /><span><span class="num">${logTime(cause.at)}</span> <b>${cause.text}</b><small
      role="status" data-testid=${cause.isChecked ? "checked" : "unchecked"}>${cause.note}</small></span><${Icon}
        name="right" /></button>`;
}

/**
 * The moment at which a fault that lost nothing by luck would have lost records, and a button that tries it.
 * @param {{app: App}} props
 */
export function ByLuck({ app }) {
  const { answer } = app.reading;
  if (!answer || answer.at_us !== Math.round(app.model.t)) return null;
  return html`${(answer.luck ?? []).map(
    (one) => html`<button type="button" class="ca" key=${one.at_us} data-testid="by-luck" data-at-us=${one.at_us}
      onClick=${() => forkAt(app, one.at_us, one.do)}>
    <${Icon} name="warning" /><span><span class="num">${logTime(one.at_us)}</span> ${one.words}<small>Try it: a new run
      with this action at that moment</small></span><${Icon} name="fork" /></button>`,
  )}`;
}

/**
 * The cause of a topic's loss or stop; without a text, no single action decided it.
 * @param {App} app
 * @param {Card} card
 * @returns {Cause | null}
 */
export function causeOf(app, { deciding, figures, loss, stop }) {
  const own = deciding ? rootOf(app, deciding) : null;
  if (figures.lost > 0) {
    if (loss?.decision) return ofAction(app, loss.decision.at_us, loss.decision.text, lossCheck(loss.decision));
    const note = loss?.undecided || progress(app);
    return own
      ? { ...own, note: [goesBack(figures), note].filter(Boolean).join(" ") }
      : { at: 0, seq: 0, icon: "", text: "", note, isChecked: false };
  }
  if (stop?.text) return ofAction(app, stop.at_us, stop.text, stopCheck(stop) + keptUp(stop));
  if (!own) return null;
  const isRead = app.reading.answer?.at_us === Math.round(app.model.t); // and nothing was found of this topic
  return { ...own, note: stop ? stop.words + keptUp(stop) : isRead ? "" : progress(app), isChecked: Boolean(stop) };
}

/** @param {App} app @param {number} at @param {string} text @param {string} note @returns {Cause} */
const ofAction = (app, at, text, note) => ({
  at,
  seq: app.story.actionAt(at, text),
  icon: "zap",
  text: `${clauses(text, app.model.words)}.`,
  note,
  isChecked: true,
});

/**
 * The action that a fact goes back to ("az-a is taken down", not one of its brokers), else the fact itself.
 * @param {App} app
 * @param {import("../words/narrate.js").Event} event
 * @returns {Cause}
 */
function rootOf(app, event) {
  const roots = app.story.rootsOf(event);
  const [{ t, seq, icon }] = roots;
  return { at: t, seq, icon, text: roots.map((root) => `${root.text}.`).join(" "), note: "", isChecked: false };
}

/** @param {App} app */
function progress(app) {
  if (app.model.sites.length) return UNCHECKED_OF_SEVERAL;
  const { busy, problem } = app.reading.state.value;
  if (problem) return `Not checked: ${problem}`;
  return busy ? "Checking which action decided it: running it without one after the other…" : UNCHECKED;
}
