/**
 * The time that copies of whole logs take: size ÷ rate, by what the document tells of both (FET-18). Pure.
 *
 * @import {Event} from "./narrate.js"
 * @import {Partition, View} from "../facts/types.js"
 */

/** @typedef {{log_mb?: number, copy_mb_per_s?: number}} Sizes  of each replica, and at which a broker copies */

/**
 * True if a partition begins the run with records, which have the size that the document tells. Internal topics are
 * small, and so are logs that begin empty or in the run.
 * @param {any} document of its cluster
 * @param {string} topic its name in the cluster
 * @param {number} number
 */
export function hasOldLog(document, topic, number) {
  const entry = (document.topics ?? []).find((/** @type {any} */ one) => one.name === topic);
  const state = entry?.initial?.[number];
  return !topic.startsWith("__") && Boolean(state?.leo || Object.keys(state?.logs ?? {}).length);
}

/**
 * @param {Sizes} sizes as the document tells them
 * @param {number} count of replicas
 * @param {number} takers brokers that copy them
 */
export function copyTime({ log_mb: each, copy_mb_per_s: rate }, count, takers = 1) {
  if (!each || !rate) return "Logs are small here: real ones take size ÷ network rate.";
  const mb = count * each;
  return mb ? `${sizeOf(mb)} take at least ${spanOf(mb / (rate * takers))} at ${rate} MB/s.` : "";
}

/**
 * The logs that a broker still copies from nothing: "35 % of 120.0 GB, at least 13 min more"; "" where it copies none.
 * @param {Sizes} sizes
 * @param {{start: View | null, events: Event[], view: View, isOld: (p: number) => boolean}} run  `start`: its
 *   beginning; `isOld`: of a partition that began with records
 * @param {number} id
 */
export function copyingOf({ log_mb: each, copy_mb_per_s: rate }, { start, events, view, isOld }, id) {
  if (!each || !rate || !start) return "";
  const emptied = new Set(events.filter(({ part, node }) => part === "emptied" && node === id).map(({ p }) => p));
  const shares = view.partitions.flatMap((partition, p) => {
    const began = start.partitions[p];
    const isFromNothing = emptied.has(p) || !began?.copies[id];
    return began && isFromNothing && isOld(p) ? shareOf(began, partition, id) : [];
  });
  const left = shares.reduce((sum, share) => sum + 1 - share, 0);
  if (!left) return "";
  const percent = Math.floor((100 * (shares.length - left)) / shares.length);
  return `${percent} % of ${sizeOf(shares.length * each)}, at least ${spanOf((left * each) / rate)} more`;
}

/**
 * The share of a partition's old log that a replica has; none where it has all of it, or is no replica.
 * @param {Partition} began @param {Partition} now @param {number} id @returns {number[]}
 */
function shareOf(began, now, id) {
  const logs = Object.values(began.copies).filter(({ leo, start }) => leo > start);
  const copy = now.copies[id];
  if (!logs.length || !copy || !now.replicas.includes(id) || now.isr.includes(id)) return [];
  const [from, to] = [Math.min(...logs.map((log) => log.start)), Math.max(...logs.map((log) => log.leo))];
  return [Math.min(1, Math.max(0, copy.leo - from) / (to - from))];
}

/** @param {number} mb */
const sizeOf = (mb) =>
  mb >= 1e6 ? `${(mb / 1e6).toFixed(1)} TB` : mb >= 1e3 ? `${(mb / 1e3).toFixed(1)} GB` : `${mb} MB`;

/** @param {number} seconds */
const spanOf = (seconds) =>
  seconds < 120
    ? `${Math.ceil(seconds)} s`
    : seconds < 7_200
      ? `${Math.round(seconds / 60)} min`
      : `${(seconds / 3_600).toFixed(1)} h`;
