/**
 * The order of the rows, and who has a cell in one.
 *
 * @import {Model} from "../run/model.js"
 */

import { shortened } from "../kit/wording.js";

/** the letters of a name among many brokers, and on a phone beside two clusters */
const MANY_LETTERS = 18;
const PAIR_LETTERS = 20;

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

/**
 * The name of a partition beside its chips: without its cluster, cut where there is little room.
 * @param {Model} model
 * @param {number} p
 * @param {string} name with the cluster
 * @param {boolean} isMany
 * @param {boolean} isTight
 */
export function shownName(model, p, name, isMany, isTight) {
  const partition = model.view?.partitions[p];
  const shown = partition ? `${model.localName(partition.topic)}-${partition.number}` : name;
  if (isMany) return shortened(shown, MANY_LETTERS);
  return isTight ? shortened(shown, PAIR_LETTERS) : shown;
}
