/**
 * Actions after a moment in a run, and the effect of an action at that moment on them: a branch keeps them or leaves
 * them out. Pure.
 */
import { asked, counted } from "../words/actionwords.js";
import { momentOf } from "./coming.js";
import { KIND } from "../facts/facts.js";
import { readActionDone } from "../facts/decisive.js";
import { kindOf, timeOf } from "../facts/row.js";
import { plural } from "../kit/wording.js";

/** Actions left out that are named one by one. */
const NAMED_MAX = 3;

/**
 * @typedef {{t: number, text: string}} Action
 * @typedef {"keep" | "drop"} Choice  what a branch does with later actions
 */

/**
 * The later actions of a run: those that happened and those that its script has still to bring, in the order of time.
 * What the fault model draws is none of them: it happens in every branch.
 * @param {any} document as it was when the page came
 * @param {import("../facts/types.js").Row[]} decisive
 * @param {import("./room.js").Drawn} drawn
 * @param {number} t us
 * @returns {Action[]}
 */
export function laterActions(document, decisive, drawn, t) {
  const scripted = (document?.timeline ?? []).map((/** @type {any} */ entry) => ({
    t: Math.round(momentOf(entry)),
    text: String(entry.do),
  }));
  const known = new Set([...scripted.map(keyOf), ...drawn.steps.map(([at, text]) => keyOf({ t: at, text }))]);
  const done = decisive
    .filter((row) => kindOf(row) === KIND.ACTION_DONE && timeOf(row) > t)
    .map((row) => ({ t: timeOf(row), text: readActionDone(row).text }));
  const all = [
    ...scripted.filter((/** @type {Action} */ action) => action.t > t),
    ...done.filter((action) => !known.has(keyOf(action))),
  ];
  return all.sort((a, b) => a.t - b.t);
}

/** @param {Action} action */
const keyOf = ({ t, text }) => `${t} ${text}`;

/** @param {Action[]} later */
export const keptText = (later) => `with what came after: ${counted(later.map((action) => action.text))}`;

/** The words of a start afresh. @param {Action[]} later @param {import("../words/actionwords.js").Names} names */
export function leftText(later, names) {
  const named = later.slice(0, NAMED_MAX).map(({ t, text }) => `${asked(text, names)} at ${shortTime(t)}`);
  const rest = later.length > named.length ? [`${later.length - named.length} more`] : [];
  return `leaves out ${plural(later.length, "later action")}: ${[...named, ...rest].join(", ")}`;
}

/** A moment without zeros at its end: 20 s, 3.621 s. @param {number} t us */
const shortTime = (t) => `${Number((t / 1e6).toFixed(3))} s`;
