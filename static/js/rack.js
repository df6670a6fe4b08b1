/**
 * What is known of an AZ as a whole. Pure.
 *
 * @import {Names, View} from "./types.js"
 */

/** Whether no broker and no controller of a rack runs. @param {Names} names @param {View | null | undefined} view @param {string} rack */
export function isRackDown(names, view, rack) {
  const inside = [...names.brokers, ...names.controllers].filter((entry) => entry.rack === rack);
  return inside.every(({ id }) => (view?.brokers[id] ?? view?.controllers[id])?.process === "down");
}
