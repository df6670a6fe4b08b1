/**
 * Runs of records of one epoch, and the epochs of a log. Pure.
 *
 * @import {Run} from "../facts/types.js"
 */

/** Runs of acknowledged and of lost records kept per partition. */
export const RUNS_MAX = 64;

/**
 * Notes that records from `start` on carry `epoch` (LOG-2, LOG-3).
 * @param {[number, number][]} epochs
 * @param {number} epoch
 * @param {number} start
 */
export function startEpoch(epochs, epoch, start) {
  const last = epochs[epochs.length - 1];
  if (last && last[0] === epoch && last[1] <= start) return;
  for (let newest = last; newest && (newest[0] >= epoch || newest[1] >= start); newest = epochs[epochs.length - 1])
    epochs.pop();
  epochs.push([epoch, start]);
}

/**
 * Adds a run, joined with the last one where it continues it; keeps the newest RUNS_MAX.
 * @param {Run[]} runs
 * @param {number} base
 * @param {number} count
 * @param {number} epoch
 */
export function addRun(runs, base, count, epoch) {
  const last = runs[runs.length - 1];
  if (last && last[2] === epoch && last[0] + last[1] === base) last[1] += count;
  else runs.push([base, count, epoch]);
  if (runs.length > RUNS_MAX) runs.shift();
}

/**
 * The runs without the records base .. base+count-1 of the epoch.
 * @param {Run[]} runs
 * @param {number} base
 * @param {number} count
 * @param {number} epoch
 * @returns {Run[]}
 */
export function removeRun(runs, base, count, epoch) {
  const end = base + count;
  return runs.flatMap(
    /** @returns {Run[]} */ ([from, n, e]) => {
      if (e !== epoch || from >= end || from + n <= base) return [[from, n, e]];
      /** @type {Run[]} */ const rest = [];
      if (from < base) rest.push([from, base - from, e]);
      if (from + n > end) rest.push([end, from + n - end, e]);
      return rest;
    },
  );
}
