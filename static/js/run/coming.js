/**
 * The content of a run that has not been played: its description, the next actions of its script, and its outcome
 * where that is known. Pure.
 */
import { seconds } from "./captions.js";
import { sentence } from "../words/actionwords.js";
import { plural } from "../kit/wording.js";

const STEPS_MAX = 6;

/**
 * @typedef {{t: number, text: string, drawn: boolean}} Step  drawn: by the fault model, from the seed
 * @typedef {{about: string, steps: Step[], rest: string, outcome: string, by: string, isOver: boolean}} Coming
 *   rest: how much more there is; by: the moment that the outcome is of, "" for the end; isOver: it has come
 * @param {any} document
 * @param {number} t us
 * @param {import("../words/actionwords.js").Names} names
 * @param {import("./room.js").Drawn} drawn
 * @param {boolean} [isSettled]  what was done has had its consequences
 * @returns {Coming}
 */
export function comingOf(document, t, names, drawn, isSettled = false) {
  const [about = ""] = String(document?.about ?? "").split("Assumed:\n");
  /** @type {Step[]} */ const scripted = (document?.timeline ?? []).map((/** @type {any} */ entry) => ({
    t: momentOf(entry),
    text: String(entry.do),
    drawn: false,
  }));
  const failures = drawn.steps.map(([at, text]) => ({ t: at, text, drawn: true }));
  const ahead = [...scripted, ...failures].filter((step) => step.t > t).sort((a, b) => a.t - b.t);
  const steps = ahead.slice(0, STEPS_MAX).map((step) => ({ ...step, text: sentence(step.text, names) }));
  const told = toldOutcome(document);
  return {
    about: unwrapped(about),
    steps,
    rest: restText(ahead.slice(STEPS_MAX), drawn.whole),
    outcome: told?.text ?? expectedOutcome(document),
    by: told ? momentText(told) : "",
    isOver: !steps.length && ((isSettled && !told) || t >= endOf(document, told)),
  };
}

/** The moment that the outcome is of, us. @param {any} document @param {any} told */
function endOf(document, told) {
  if (told && momentText(told)) return momentOf(told);
  return document?.until_us ?? (document?.until === undefined ? Infinity : Number(seconds(document.until)));
}

/** The number of further actions, and of drawn ones among them. @param {Step[]} rest @param {boolean} whole */
function restText(rest, whole) {
  if (!rest.length) return "";
  const failures = rest.filter((step) => step.drawn).length;
  const many = `${whole ? "" : "more than "}${plural(rest.length, "more action")}`;
  return failures ? `and ${many}, ${failures === rest.length ? "all" : failures} of them drawn` : `and ${many}`;
}

/** A text as paragraphs: a line break inside one is where its file was wide enough. @param {string} text */
const unwrapped = (text) =>
  text
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, " "))
    .join("\n");

/** @param {any} entry of the timeline */
export const momentOf = (entry) => (entry.at_us !== undefined ? Number(entry.at_us) : seconds(entry.at ?? 0));

/**
 * As somebody computed it before: a cell of a table, a row of an experiment.
 * @param {any} document
 * @returns {{text: string, at?: string, at_us?: number} | undefined}
 */
const toldOutcome = (document) =>
  (document?.captions ?? []).find((/** @type {any} */ caption) => caption.kind === "outcome");

/** @param {any} caption */
const momentText = (caption) =>
  caption.at === undefined && caption.at_us === undefined ? "" : `${(momentOf(caption) / 1e6).toFixed(1)} s`;

/** As the document expects it of every run. @param {any} document */
function expectedOutcome(document) {
  const told = (document?.expect ?? []).filter(
    (/** @type {any} */ entry) => entry.verdict && entry.lost !== undefined && entry.at === undefined,
  );
  return told
    .map((/** @type {any} */ entry) => `${told.length > 1 ? `${entry.verdict}: ` : ""}${fate(entry)}`)
    .join(" ");
}

/** @param {any} entry */
function fate(entry) {
  const parts = [
    ...amount(entry.lost, "acknowledged record", "gone"),
    ...amount(entry.duplicated, "record", "written more than once"),
  ];
  return parts.length ? `${parts.join(", ")}.` : "No acknowledged record is lost.";
}

/**
 * @param {number | [number, number | null] | undefined} wanted
 * @param {string} noun
 * @param {string} what
 * @returns {string[]}
 */
function amount(wanted, noun, what) {
  const [low, high] = Array.isArray(wanted) ? wanted : [wanted ?? 0, wanted ?? 0];
  if (high === 0) return [];
  if (high === null) return low ? [`at least ${plural(low, noun)} ${what}`] : [];
  return [low === high ? `${plural(low, noun)} ${what}` : `${low} to ${plural(high, noun)} ${what}`];
}
