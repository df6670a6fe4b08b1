/**
 * The state of an AZ as a whole, and the broker that is meant where nobody chose one. Pure.
 *
 * @import {Names, View} from "../facts/types.js"
 */
import { rackOf } from "../fold/sites.js";

/**
 * True if every broker and every controller of a rack is down.
 * @param {Names} names
 * @param {View | null | undefined} view
 * @param {string} rack
 */
export function isRackDown(names, view, rack) {
  const inside = [...names.brokers, ...names.controllers].filter(({ id }) => rackOf(names, id) === rack);
  return inside.every(({ id }) => (view?.brokers[id] ?? view?.controllers[id])?.process === "down");
}

/**
 * The broker that leads the first partition with a leader that runs, else the first that runs; null without any.
 * @param {View | null | undefined} view
 * @param {number[]} partitions in the order of the rows
 * @param {number[]} brokers in the order of the columns
 * @returns {number | null}
 */
export function firstLeader(view, partitions, brokers) {
  const runs = (/** @type {number} */ id) => view?.brokers[id] !== undefined && view.brokers[id]?.process !== "down";
  const led = partitions.find((p) => runs(view?.partitions[p]?.leader ?? -1));
  return view?.partitions[led ?? -1]?.leader ?? brokers.find(runs) ?? brokers[0] ?? null;
}
