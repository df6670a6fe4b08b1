/**
 * The losses at stake before anything is decided: records on dead brokers alone, records that nobody can read, a quorum
 * that is gone. Pure.
 *
 * @import {View} from "../facts/types.js"
 */
import { countInRuns, isUnderMin } from "./layout.js";
import { listed, range, together } from "../kit/wording.js";

/**
 * Acknowledged records that stand only on brokers that are down: what is at stake before anything is decided.
 * @param {View} view
 * @param {number[]} partitions
 * @returns {{p: number, base: number, count: number, brokers: number[]} | null} the first such run
 */
export function atStake(view, partitions) {
  for (const p of partitions) {
    const partition = view.partitions[p];
    if (!partition) continue;
    const copies = Object.entries(partition.copies).map(([id, copy]) => ({ id: Number(id), copy }));
    const alive = copies.filter(({ id }) => view.brokers[id]?.process !== "down");
    const safe = Math.max(0, ...alive.map(({ copy }) => copy.leo));
    const dead = copies.filter(({ id, copy }) => view.brokers[id]?.process === "down" && copy.leo > safe);
    const best = dead.sort((a, b) => b.copy.leo - a.copy.leo)[0];
    if (!best) continue;
    const count = countInRuns(partition.acked, safe, best.copy.leo, best.copy.epoch, partition.lost);
    if (count) return { p, base: safe, count, brokers: dead.map(({ id }) => id) };
  }
  return null;
}

/**
 * Records above high watermarks that stand still, beside the acknowledged ones, which are told as hidden: the ISR is
 * smaller than min ISR (HW-2) or one of its members does not fetch (HW-3). Of a leader that is down nothing is known.
 * @param {View} view
 * @param {number[]} partitions
 * @param {number} minIsr
 */
export function unreadOf(view, partitions, minIsr) {
  let unread = 0;
  const runs = (/** @type {number} */ id) => view.brokers[id]?.process === "running";
  for (const partition of partitions.flatMap((p) => view.partitions[p] ?? [])) {
    const { leader, isr, copies, acked, lost } = partition;
    const copy = copies[leader];
    const isOpen = !isUnderMin(partition, minIsr) && isr.every(runs);
    if (!copy || view.brokers[leader]?.process === "down" || isOpen) continue;
    const epochs = new Set(acked.map(([, , epoch]) => epoch));
    unread += [...epochs].reduce(
      (left, epoch) => left - countInRuns(acked, copy.hw, copy.leo, epoch, lost),
      copy.leo - copy.hw,
    );
  }
  return Math.max(0, unread);
}

/**
 * That nobody can elect leaders, as most controllers are down (QUO-3), in the engine's words; "" where somebody can.
 * @param {View} view
 */
export function quorumText({ active, controllers }) {
  const all = Object.values(controllers);
  const down = all.filter(({ process }) => process === "down").length;
  if (active >= 0 || down * 2 < all.length) return "";
  return `${
    down < all.length
      ? `${down} of ${all.length} controllers ${down === 1 ? "is" : "are"} gone`
      : "Every controller is gone"
  }: nobody can elect a leader.`;
}

/** @param {{base: number, count: number, brokers: number[]}} stake @param {(node: number) => string} name */
export const stakeText = (stake, name) =>
  `${range(stake.base, stake.count)} ${stake.count === 1 ? "exists" : "exist"} only on ` +
  `${listed(together(stake.brokers.map(name)))}.`;
