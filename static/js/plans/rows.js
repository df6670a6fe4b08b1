/** Rows of the table of plans, and what is asked for. Pure. */
import { plural } from "../kit/wording.js";

/**
 * @typedef {{from: string, to: string, rto_us: number, rpo_records: number, rpo_us: number, detect_and_decide_us:
 *   number, switch_us: number, catch_up_us: number, lag_us?: number[], lag_records?: number[],
 *   sentence: string}} Failover
 */
/**
 * @typedef {"left" | "unread" | "doubled" | "standing" | "out_of_order" | "writes_down_us" | "reads_down_us" |
 *   "ack_us"} Column
 */
/**
 * What a group adds to a row. stays_on: the topics that it reads where others move and it does not; "" otherwise.
 * @typedef {{group: string, stays_on: string, unread: number, reads_down_us: number}} GroupPrice
 */
/**
 * A figure is null where nobody does what it counts. not_over: sentences on failovers that did not end, or "".
 * @typedef {{plan: string, title: string, about: string, written: number, left_range: number[] | null,
 *   groups: GroupPrice[], failovers: Failover[], not_over: string, idle: string[], scenario: any
 *   } & Record<Column, number | null>} Row
 */
/** @typedef {{plan: string, title: string, about: string, refused: string}} Plan refused: why it has no row, or "" */
/** @typedef {{plans: Plan[], sample: string, rows: Row[], error: string, isDone: boolean}} Shown */
/**
 * @typedef {{clusters: string[], flows: [string, string][], times: Record<string, number>, seconds_max: number}} Head
 */

/** @type {Shown} */
export const NOTHING = { plans: [], sample: "", rows: [], error: "", isDone: false };

/** The comparisons of the page: the key, the words of the choice, the head of the table's first column. */
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
  [
    "left",
    "Left behind",
    "Records that only the lost cluster has when clients go on: gone until it is back, and for good if its disks are",
  ],
  ["unread", "Not read", "Acknowledged records of what a group reads in this run that it has not read by the end"],
  ["doubled", "Doubled", "Deliveries of a record beyond its first to a group; one that reads in both clusters is two"],
  [
    "standing",
    "Stand twice",
    "Records that stand a second time in the log at the end: every new reader gets them twice",
  ],
  ["out_of_order", "Out of order", "Records delivered after a later one of the same application and partition number"],
  [
    "writes_down_us",
    "Writes down",
    "All times over 1 s in which a send() call waits, until it or a later one is acknowledged",
  ],
  ["reads_down_us", "Reads down", "All times over 1 s in which a record waits, until a group gets it or a later one"],
  ["ack_us", "Ack", "Median time of an acknowledgement before the loss"],
]);

/** @param {Shown} shown @param {any} line @returns {Shown} */
export function withLine(shown, line) {
  if (line.error) return { ...shown, error: line.error };
  if (line.plans) return { ...shown, plans: line.plans, sample: line.sample };
  return line.plan ? { ...shown, rows: [...shown.rows, line] } : shown;
}

/**
 * "12", "1 min 5 s", "9 ms", "–": a figure of a row as it stands in its column.
 * @param {string} key
 * @param {number | null} value
 */
export function figure(key, value) {
  if (value === null) return "–";
  if (key === "ack_us") return `${Math.round(value / 1000)} ms`;
  return key.endsWith("_us") ? minutes(value) : value.toLocaleString("en");
}

/** "0, 1, 23 at p50, p99, worst": what a loss at other moments leaves behind; "" where it is always the same. */
export const rangeText = (/** @type {Row} */ { left_range }) =>
  left_range && new Set(left_range).size > 1
    ? `${left_range.map((n) => n.toLocaleString("en")).join(", ")} at p50, p99, worst`
    : "";

const GROUPS_MAX = 3;

/**
 * "20,030 of standby, which stays on hq.orders; 30 of app": a figure by group, the worst first; "" where all groups
 * have the same and none stays.
 * @param {Row} row
 * @param {string} key
 */
export function byGroup({ groups }, key) {
  if (key !== "unread" && key !== "reads_down_us") return "";
  if (new Set(groups.map((one) => one[key])).size < 2 && !groups.some((one) => one.stays_on)) return "";
  const words = groups
    .filter((one) => one[key])
    .sort((a, b) => b[key] - a[key])
    .map((one) => `${figure(key, one[key])} of ${one.group}${one.stays_on && `, which stays on ${one.stays_on}`}`);
  const more = words.length > GROUPS_MAX ? [`${words.length - GROUPS_MAX} more groups`] : [];
  return [...words.slice(0, GROUPS_MAX), ...more].join("; ");
}

/** What stands below a figure: its range, or the figure of each group. @param {Row} row @param {string} key */
export const detail = (row, key) => (key === "left" ? rangeText(row) : byGroup(row, key));

/** Figures that are a loss where they are not 0. */
export const LOSSES = /** @type {readonly Column[]} */ (["left", "unread", "standing"]);

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
 * "0 ms, 41 ms, 2.3 s (0, 1, 23 records)": the lag of the mirror at p50, p99 and the worst moment; "" without one.
 * @param {Failover} failover
 */
export const lagText = ({ lag_us, lag_records }) =>
  lag_us && lag_records
    ? `${lag_us.map(short).join(", ")} (${lag_records.map((n) => n.toLocaleString("en")).join(", ")} records)`
    : "";

const short = (/** @type {number} */ us) => (us < 1e6 ? `${Math.round(us / 1000)} ms` : minutes(us));

/**
 * True if a row shows the least figure of a column in which figures differ. No row is best at what was read twice while
 * records stand twice in its log. A row that leaves clients without their records is best at no service to them. A
 * plan that did not end is best at nothing.
 * @param {Row[]} rows
 * @param {Row} row
 * @param {Column} key
 */
export function isBest(rows, row, key) {
  const numberOf = (/** @type {Row} */ one) => (one[key] ?? 0) + (key === "doubled" ? (one.standing ?? 0) : 0);
  const ended = rows.filter((one) => !one.not_over);
  const compared = key === "left" || key === "ack_us" ? ended : ended.filter((one) => !leavesMore(rows, one));
  const least = figure(key, Math.min(...compared.map(numberOf)));
  const shown = (/** @type {Row} */ one) => figure(key, numberOf(one));
  const isLeast = compared.includes(row) && row[key] !== null && shown(row) === least;
  return isLeast && rows.some((one) => shown(one) !== least);
}

/**
 * True if a row without a mirror leaves behind more than any row with one, at its worst moment.
 * @param {Row[]} rows
 * @param {Row} row
 */
function leavesMore(rows, row) {
  const worst = Math.max(...rows.flatMap((one) => one.left_range ?? []));
  return !row.left_range && worst >= 0 && (row.left ?? 0) > worst;
}
