/** The figures of an experiment that are drawn with their intervals. Pure: runs under node. */
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
    key: "warned",
    title: "Alert before the loss",
    sub: "share of losing runs",
    words: percent,
    tick: (v) => tick(v * 100, " %"),
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
  { key: "latency_p50", title: "Produce latency p50", sub: "median of whole runs", words: millis, tick: tickMillis },
  { key: "latency_p99", title: "Produce latency p99", sub: "median of whole runs", words: millis, tick: tickMillis },
];

/** Told also where they are 0. */
const ALWAYS = ["warned", "rpo_records", "not_mirrored"];

const NOTHING = /** @type {import("./words.js").Triple} */ ([null, null, null]);

/**
 * The figure of a configuration that a panel draws.
 * @param {any} v
 * @param {string} key
 * @returns {import("./words.js").Triple}
 */
export const figureOf = (v, key) => v[key] ?? v.pager?.[key] ?? v.sites?.[key] ?? NOTHING;

/**
 * The panels of a result: those of which some configuration has a figure; of what MirrorMaker and failovers came to,
 * those that say something.
 * @param {any} result
 */
export function panelsOf(result) {
  const moves = hasMoves(result);
  return PANELS.filter(({ key }) => {
    if (key === "down" && moves) return false; // RTO says it
    if (key === "not_mirrored" && moves) return false; // RPO says it
    const told = result.variants.map((/** @type {any} */ v) => figureOf(v, key)[0]);
    if (key in result.variants[0] || ALWAYS.includes(key)) return told.some((/** @type {any} */ v) => v !== null);
    return told.some(Boolean);
  });
}
