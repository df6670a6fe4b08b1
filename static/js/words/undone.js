/** The outcome of an undo, in words. Pure. */
import { clauses } from "./actionwords.js";

/**
 * @typedef {{url: string, is_new: boolean, at_us: number, actions: string[], later: {brief: string, problems: string[]}
 *   | null}} Undone  as the
 * server says it, empty where there was nothing to undo; later: what became of the actions that came after the undone
 * ones
 * @param {Undone} undone
 * @param {string} moment of the undone actions
 * @param {import("./actionwords.js").Names} names
 */
export function undoneText({ is_new: isNew, actions, later }, moment, names) {
  const where = isNew ? `New branch from ${moment}` : `Back in the run that this branch left at ${moment}`;
  const rest = later
    ? ` It goes on ${later.brief}${later.problems.length ? ` (${later.problems.join("; ")})` : ""}.`
    : "";
  return `${where}, without: ${clauses(actions.join(", "), names)}.${rest}`;
}
