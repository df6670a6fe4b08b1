/**
 * A document's own captions: each stands at its time, or at the first fact of its kind after the caption before it.
 * Pure.
 *
 * @import {Row} from "../facts/types.js"
 */
import { KIND, KIND_NAMES } from "../facts/facts.js";
import { kindOf, timeOf } from "../facts/row.js";

const UNITS = { us: 1, ms: 1000, s: 1e6, m: 6e7, h: 3.6e9 };

/** @typedef {{t: number, text: string, until?: number}} Told  until: the moment from which a hint is over, us */
/** @typedef {{t: number, text: string}} Step  of a real cluster */

/**
 * The captions whose moment is known, in the document's order.
 * @param {{at?: string | number | null, on?: string | null, before?: string | number | null, kind?: string,
 *   text: string}[]} captions  before: no fact from then on brings it: a branch began there
 * @param {Row[]} decisive  decisive facts, oldest first
 * @returns {Told[]}
 */
export function toldCaptions(captions, decisive) {
  /** @type {Told[]} */ const told = [];
  let after = -1;
  for (const { at, on, before, kind, text } of captions) {
    // what a real cluster did has a lane of its own; what it comes to is told before it is played
    if (kind === "real" || kind === "outcome") continue;
    const end = before === undefined || before === null ? Infinity : seconds(before);
    const isNext = (/** @type {Row} */ row) =>
      timeOf(row) > after && timeOf(row) < end && KIND_NAMES[kindOf(row)] === on;
    const found = on ? decisive.find(isNext) : undefined;
    if (on && !found) continue;
    after = found ? timeOf(found) : seconds(at ?? 0);
    told.push({ t: after, text: String(text), ...(kind === "hint" ? { until: firstAction(decisive, after) } : {}) });
  }
  return told;
}

/**
 * The moment of the first action after another moment, us; Infinity without one.
 * @param {Row[]} decisive
 * @param {number} t
 */
function firstAction(decisive, t) {
  const found = decisive.find((row) => timeOf(row) > t && kindOf(row) === KIND.ACTION_DONE);
  return found ? timeOf(found) : Infinity;
}

/**
 * The caption at a moment: the last one that has come and is not over.
 * @param {Told[]} told
 * @param {number} t
 * @returns {Told | null}
 */
export function captionAt(told, t) {
  return told.reduce(
    (/** @type {Told | null} */ found, entry) => (entry.t <= t && t < (entry.until ?? Infinity) ? entry : found),
    null,
  );
}

/** words that are bold at the start of a caption, at most */
const LEAD_WORDS = 6;

/**
 * A caption in its two parts: what happens, a short first sentence, and why it matters. lead: "" without one.
 * @param {string} text
 */
export function partsOf(text) {
  const [, lead = "", rest = ""] = /^(.*?[.!?])\s+(.*)$/s.exec(text) ?? [];
  return lead && lead.split(/\s+/).length <= LEAD_WORDS ? { lead, rest } : { lead: "", rest: text };
}

/**
 * Of the captions of several runs at one moment the one that came last, and the run that it is of.
 * @param {(Told | null)[]} captions
 */
export function newestCaption(captions) {
  const t = Math.max(-1, ...captions.map((told) => told?.t ?? -1));
  const side = captions.findIndex((told) => told?.t === t);
  return side < 0 ? null : { side, text: captions[side]?.text ?? "" };
}

/**
 * A duration of the document in us: "12s", "250ms", 3 (seconds) or 12000000 under at_us.
 * @param {string | number} text
 */
export function seconds(text) {
  if (typeof text === "number") return text * 1e6;
  const match = /^([\d.]+)\s*(us|ms|s|m|h)?$/.exec(String(text).trim());
  return match ? Number(match[1]) * UNITS[/** @type {keyof typeof UNITS} */ (match[2] ?? "s")] : 0;
}

/**
 * The real steps of a document, oldest first; none where it is no recording's script.
 * @param {{captions?: {at?: string | number | null, kind?: string, text: string}[]} | null} document
 * @returns {Step[]}
 */
export function realSteps(document) {
  return (document?.captions ?? [])
    .filter((caption) => caption.kind === "real")
    .map(({ at, text }) => ({ t: seconds(at ?? 0), text: String(text) }))
    .sort((a, b) => a.t - b.t);
}
