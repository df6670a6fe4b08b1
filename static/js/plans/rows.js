/** Rows of the table of plans, and what is asked for. Pure. */
import { plural } from "../wording.js";

/**
 * @typedef {{from: string, to: string, rto_us: number, rpo_records: number, rpo_us: number, detect_and_decide_us:
 *   number, switch_us: number, catch_up_us: number, sentence: string}} Failover
 */
/**
 * @typedef {{plan: string, title: string, about: string, written: number, unread: number, doubled: number,
 *   out_of_order: number, writes_down_us: number, reads_down_us: number, ack_us: number, failovers: Failover[], idle:
 *   string[], scenario: any}} Row
 */
/** @typedef {{plan: string, title: string, about: string}} Plan */
/** @typedef {{plans: Plan[], rows: Row[], error: string, isDone: boolean}} Shown */
/**
 * @typedef {{clusters: string[], flows: [string, string][], times: Record<string, number>, seconds_max: number}} Head
 */

/** @type {Shown} */
export const NOTHING = { plans: [], rows: [], error: "", isDone: false };

/** What the page compares: the key, the words of the choice, the head of the table's first column. */
export const COMPARED = /** @type {const} */ ([
  ["ways-back", "ways back", "Way back"],
  ["setups", "setups", "Setup"],
]);

/** Times of the way back: setups are compared up to the failover. */
const OF_THE_WAY_BACK = ["repair", "copy_back", "drain"];

/** Fields of the form for what is compared. @param {string} compare */
export const timesOf = (compare) => TIMES.filter(([key]) => compare === "ways-back" || !OF_THE_WAY_BACK.includes(key));

/** Fields of the form, in the order of what happens. */
export const TIMES = /** @type {const} */ ([
  ["lost", "Lost at"],
  ["detect", "Detect"],
  ["decide", "Decide"],
  ["switch", "Switch"],
  ["repair", "Until it is repaired"],
  ["copy_back", "Until clients go back"],
  ["drain", "Groups after producers"],
]);

/** Columns of the table: the key, its head, and what it counts. */
export const COLUMNS = /** @type {const} */ ([
  ["unread", "Not read", "Acknowledged records that a group has not read by the end"],
  ["doubled", "Doubled", "Deliveries of a record beyond its first"],
  ["out_of_order", "Out of order", "Records delivered after a later one of the same partition number"],
  ["writes_down_us", "Writes down", "All times without a successful write that are longer than 1 s"],
  ["reads_down_us", "Reads down", "All times without a delivery that are longer than 1 s"],
  ["ack_us", "Ack", "Median time of an acknowledgement before the loss"],
]);

/** @param {Shown} shown @param {any} line @returns {Shown} */
export function withLine(shown, line) {
  if (line.error) return { ...shown, error: line.error };
  if (line.plans) return { ...shown, plans: line.plans };
  return line.plan ? { ...shown, rows: [...shown.rows, line] } : shown;
}

/**
 * "12", "1 min 5 s", "9 ms": a figure of a row as it stands in its column.
 * @param {string} key
 * @param {number} value
 */
export function figure(key, value) {
  if (key === "ack_us") return `${Math.round(value / 1000)} ms`;
  return key.endsWith("_us") ? minutes(value) : value.toLocaleString("en");
}

/** @param {number} us */
export function minutes(us) {
  if (us < 59_950_000) return `${(us / 1e6).toFixed(1)} s`;
  const seconds = Math.round(us / 1e6);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * The parts of a failover. The run knows when somebody acted; how much of the time before was needed to notice, the
 * plan says.
 * @param {Failover} failover @param {Record<string, number>} times seconds
 */
export function partsOf(failover, times) {
  const before = failover.detect_and_decide_us;
  const detect = Math.min(before, (times["detect"] ?? 0) * 1e6);
  return [
    { name: "detect", us: detect },
    { name: "decide", us: before - detect },
    { name: "switch", us: failover.switch_us },
    { name: "catch up", us: failover.catch_up_us },
  ];
}

/** @param {Failover} failover */
export const rpoText = (failover) =>
  failover.rpo_records < 0
    ? "nothing is mirrored"
    : failover.rpo_records
      ? `${plural(failover.rpo_records, "record")} (${minutes(failover.rpo_us)})`
      : "0 records";

/**
 * Whether a row shows the least figure of a column in which figures differ.
 * @param {Row[]} rows
 * @param {Row} row
 * @param {string} key
 */
export function isBest(rows, row, key) {
  const numberOf = (/** @type {Row} */ one) => Number(/** @type {any} */ (one)[key]);
  const least = figure(key, Math.min(...rows.map(numberOf)));
  return figure(key, numberOf(row)) === least && rows.some((one) => figure(key, numberOf(one)) !== least);
}
