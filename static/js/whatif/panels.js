/** Which figures of an experiment are drawn with their intervals. Pure: runs under node. */
import { hasMoves } from "./sitefigures.js";
import { millis, percent, records, seconds } from "./words.js";

/** A tick of round figures, without the decimals that an estimate has. @param {number} v @param {string} unit */
const tick = (v, unit) => (v ? `${Number(v.toPrecision(9)).toLocaleString("en")}${unit}` : "0");
/** @param {number} v ms */
const tickMillis = (v) => (v < 1000 ? tick(v, " ms") : tick(v / 1000, " s"));

/**
 * @typedef {{key: string, title: string, sub: string, words: (v: number) => string, tick: (v: number) => string}}
 *   FigurePanel
 */

/** @type {FigurePanel[]} */
const PANELS = [
  {
    key: "loses",
    title: "Share of such runs",
    sub: "that lose an acknowledged record",
    words: percent,
    tick: (v) => tick(v * 100, " %"),
  },
  { key: "lost_median", title: "Records lost", sub: "median of losing runs", words: records, tick: (v) => tick(v, "") },
  {
    key: "down",
    title: "No response",
    sub: "to the application, median run",
    words: seconds,
    tick: (v) => tick(v, " s"),
  },
  {
    key: "rpo_records",
    title: "RPO",
    sub: "records not mirrored, median run",
    words: records,
    tick: (v) => tick(v, ""),
  },
  { key: "rto", title: "RTO", sub: "of failovers that were over, median", words: seconds, tick: (v) => tick(v, " s") },
  {
    key: "not_mirrored",
    title: "Not mirrored",
    sub: "records at the end, median run",
    words: records,
    tick: (v) => tick(v, ""),
  },
  {
    key: "group_skips",
    title: "Groups skip",
    sub: "records on the target, median run",
    words: records,
    tick: (v) => tick(v, ""),
  },
  {
    key: "group_rereads",
    title: "Groups read again",
    sub: "records on the target, median run",
    words: records,
    tick: (v) => tick(v, ""),
  },
  { key: "latency_p50", title: "Produce latency p50", sub: "median run", words: millis, tick: tickMillis },
  { key: "latency_p99", title: "Produce latency p99", sub: "median run", words: millis, tick: tickMillis },
];

const NOTHING = /** @type {import("./words.js").Triple} */ ([null, null, null]);

/**
 * The figure of a configuration that a panel draws.
 * @param {any} v
 * @param {string} key
 * @returns {import("./words.js").Triple}
 */
export const figureOf = (v, key) => v[key] ?? v.sites?.[key] ?? NOTHING;

/**
 * What stands in the place of a figure that a configuration does not have: a latency that might be too far off is left
 * out of a run (`restedWords`).
 * @param {any} v
 * @param {string} key
 */
export const absent = (v, key) => (key.startsWith("latency") && v.acked ? "left out" : "none");

/**
 * The panels of a result: of what MirrorMaker and failovers came to, those that say something.
 * @param {any} result
 */
export function panelsOf(result) {
  const moves = hasMoves(result);
  return PANELS.filter(({ key }) => {
    if (key === "down" && moves) return false; // RTO says it
    if (key === "not_mirrored" && moves) return false; // RPO says it
    if (key in result.variants[0]) return true;
    return result.variants.some(
      (/** @type {any} */ v) =>
        figureOf(v, key)[0] || (figureOf(v, key)[0] === 0 && ["rpo_records", "not_mirrored"].includes(key)),
    );
  });
}
