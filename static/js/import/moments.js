/**
 * The tables of the AZ answer: one for each moment of the loss, now and when all are in sync. The worse one is the
 * headline, and is shown until the reader chooses. Pure.
 */
import { asked, NOTHING, progressOf, withLine } from "./answer_lines.js";

/**
 * @typedef {import("./answer_lines.js").Shown} Shown
 * @typedef {{tables: Record<string, Shown>, come: string[], worst: string}} Moments `come`: the moments of which lines
 *   have come since the answer was asked; `worst`: "" until it is known
 */

const NOW = "out"; // as the server calls it

/** @type {Moments} */
export const NO_MOMENTS = { tables: { [NOW]: NOTHING }, come: [], worst: "" };

/** Before another answer is asked. @param {Moments} all @returns {Moments} */
export const askedAgain = (all) => ({ ...all, tables: mapped(all.tables, asked), come: [] });

/**
 * The tables after one more line. A line without a moment is of all; a table of which nothing came goes at the end.
 * @param {Moments} all @param {any} line @returns {Moments}
 */
export function withMomentLine(all, line) {
  if (line.moment) {
    const table = withLine(all.tables[line.moment] ?? NOTHING, line);
    const come = [...new Set([...all.come, line.moment])];
    return { ...all, come, tables: { ...all.tables, [line.moment]: table } };
  }
  if (line.worst) return { ...all, worst: line.worst, tables: only(all.tables, all.come) };
  return { ...all, tables: mapped(all.tables, (table) => withLine(table, line)) };
}

/** The moment shown: the reader's, else the worst, else the first. @param {Moments} all @param {string} chosen */
export const momentOf = (all, chosen) =>
  [chosen, all.worst].find((key) => key in all.tables) ?? Object.keys(all.tables)[0] ?? NOW;

/** The moments in their order, now first. @param {Moments} all */
export const momentsIn = (all) =>
  Object.keys(all.tables).sort((one, other) => Number(other === NOW) - Number(one === NOW));

/**
 * The number of runs of all tables that have come, and the number of all runs.
 * @param {Moments} all @returns {{count: number, total: number}}
 */
export function progressOfAll(all) {
  const tables = Object.values(all.tables);
  const most = Math.max(1, ...tables.map((table) => table.outline?.moments ?? 1));
  return {
    count: tables.reduce((sum, table) => sum + progressOf(table).count, 0),
    total: most * Math.max(0, ...tables.map((table) => progressOf(table).total)),
  };
}

/** True if the headline may be older than the newest question. @param {Moments} all */
export const isHeadlineComing = (all) =>
  Object.values(all.tables).every((table) => !table.error && !table.isDone) &&
  !(all.come.length && all.come.every((key) => all.tables[key]?.hasAnswer) && isWhole(all));

/** @param {Moments} all */
const isWhole = (all) => all.come.length >= (all.tables[all.come[0] ?? NOW]?.outline?.moments ?? 1);

/** @param {Record<string, Shown>} tables @param {(table: Shown) => Shown} change */
const mapped = (tables, change) =>
  Object.fromEntries(Object.entries(tables).map(([key, table]) => [key, change(table)]));

/** @param {Record<string, Shown>} tables @param {string[]} keys */
const only = (tables, keys) => Object.fromEntries(Object.entries(tables).filter(([key]) => keys.includes(key)));
