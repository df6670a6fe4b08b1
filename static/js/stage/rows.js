/**
 * The order of the rows, and who has a cell in one.
 *
 * @import {Model} from "../run/model.js"
 */

/**
 * Partitions in the order of the rows: by topic as the document lists them, then number.
 * @param {Model} model
 * @returns {number[]}
 */
export function rowsOf(model) {
  const partitions = model.view?.partitions ?? [];
  return partitions
    .map((_, p) => p)
    .filter((p) => partitions[p] && !model.isImplicit(partitions[p]?.topic ?? -1))
    .sort(
      (a, b) =>
        (partitions[a]?.topic ?? 0) - (partitions[b]?.topic ?? 0) ||
        (partitions[a]?.number ?? 0) - (partitions[b]?.number ?? 0),
    );
}

/**
 * Brokers that have, or are to have, a copy.
 * @param {import("../facts/types.js").Partition} partition
 * @returns {Set<number>}
 */
export const holdersOf = (partition) => new Set([...partition.replicas, ...Object.keys(partition.copies).map(Number)]);
