/** What an undo came to, in words. Pure. */
import { clauses } from "./actionwords.js";

/**
 * @typedef {{url: string, is_new: boolean, at_us: number, actions: string[], later: number}} Undone  as the server says it,
 *   empty where there was nothing to undo; later: actions that came after the undone ones
 * @param {Undone} undone
 * @param {string} moment of the undone actions
 * @param {import("./actionwords.js").Names} names
 */
export function undoneText({ is_new: isNew, actions, later }, moment, names) {
  const where = isNew ? `New branch from ${moment}` : `Back in the run that this branch left at ${moment}`;
  return `${where}, without: ${clauses(actions.join(", "), names)}.${later ? " What came after it is left out too." : ""}`;
}
