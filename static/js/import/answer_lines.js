/** The lines of the AZ answer folded into what the page shows: old figures stay until new ones have come. Pure. */

/**
 * @typedef {{step: number, word: string, text: string, more: string, list: number}} Figure
 * @typedef {{row: string, acks: string, step: number, lost: Figure, write: Figure, read: Figure, outcome: string}} Cell
 * @typedef {{key: string, count: number, step: number, title: string, note: string, internal: boolean}} Cause
 * @typedef {{key: string, kind: string, label: string, note: string, azs: string[], has_majority: boolean, pick:
 *   string}} Row
 * @typedef {{name: string, brokers: number[], controllers: number[], down: number[], has_majority: boolean, is_dark:
 *   boolean}} Az
 * @typedef {{key: string, label: string, value: any, unit: string, said: string, from: string, why: string,
 * choices: [any, string][] | null, min?: number, max?: number, step?: number, lines?: boolean, hint?: string, decides:
 * boolean | null}} Field
 * @typedef {{label: string, standing: string, moments: number, dies: string, disks: string, kill_us: number,
 *   horizon_us: number, acks: string[], azs: Az[], combined?:
 *   Record<string, number>, rows: Row[], basis: Field[],
 *   counts: {brokers: number, topics: number, partitions: number, coordinators: number}}} Outline
 * @typedef {{key: string, step: number, word: string, title: string, text: string, small: string}} Fact
 * @typedef {{headline: string, worst: string, same: boolean, order?: string[], facts: Fact[]}} Answer
 * @typedef {{key: string, decides: boolean | null, tried: string, headline: string, why: string}} Decides
 * @typedef {{outline: Outline | null, cells: Record<string, Cell>, causes: Record<string, Cause[]>, answer: Answer |
 *   null, decides: Record<string, Decides>,
 *   fresh: string[], hasAnswer: boolean, isWaiting: boolean, isDone: boolean, error: string}} Shown
 */

/** @type {Shown} */
export const NOTHING = {
  outline: null,
  cells: {},
  causes: {},
  answer: null,
  decides: {},
  fresh: [],
  hasAnswer: false,
  isWaiting: false,
  isDone: false,
  error: "",
};

/** @param {string} row @param {string} acks */
export const cellKey = (row, acks) => `${row} ${acks}`;

/** Before another answer is asked: all that is shown stays, and counts as old. @param {Shown} shown @returns {Shown} */
export const asked = (shown) => ({ ...shown, fresh: [], hasAnswer: false, isWaiting: false, isDone: false, error: "" });

/** The shown answer with one more line. @param {Shown} shown @param {any} line @returns {Shown} */
export function withLine(shown, line) {
  const next = { ...shown, isWaiting: false };
  if (line.waiting) return { ...next, isWaiting: true };
  if (line.outline) return withOutline(next, line.outline);
  if (line.cell) return withCell(next, line.cell);
  if (line.causes) return withCauses(next, line.causes.row, line.causes.causes);
  if (line.answer) return { ...next, answer: line.answer, hasAnswer: true };
  if (line.decides) return { ...next, decides: { ...next.decides, [line.decides.key]: line.decides } };
  if (line.done) return { ...next, isDone: true };
  return line.error ? { ...next, error: line.error } : next;
}

/**
 * Rows that are gone take their figures along. What a value decides is asked anew.
 * @param {Shown} shown
 * @param {Outline} outline
 * @returns {Shown}
 */
function withOutline(shown, outline) {
  const keys = outline.rows.map((row) => row.key);
  const kept = Object.entries(shown.cells).filter(([, cell]) => keys.includes(cell.row));
  const causes = Object.entries(shown.causes).filter(([row]) => keys.includes(row));
  return { ...shown, outline, cells: Object.fromEntries(kept), causes: Object.fromEntries(causes) };
}

/** @param {Shown} shown @param {string} row @param {Cause[]} causes @returns {Shown} */
const withCauses = (shown, row, causes) => ({
  ...shown,
  causes: { ...shown.causes, [row]: causes },
  fresh: [...shown.fresh, causesKey(row)],
});

/** @param {Shown} shown @param {Cell} cell @returns {Shown} */
function withCell(shown, cell) {
  const key = cellKey(cell.row, cell.acks);
  return { ...shown, cells: { ...shown.cells, [key]: cell }, fresh: [...shown.fresh, key] };
}

export const FIGURES = /** @type {const} */ (["lost", "write", "read"]);
/** @typedef {typeof FIGURES[number]} FigureKey */

/** True if a row is as it was asked last: its causes come after its cells. @param {Shown} shown @param {string} row */
export const isFresh = (shown, row) => shown.fresh.includes(causesKey(row));
/** @param {string} row */
const causesKey = (row) => `${row} causes`;

/** True if the headline may be older than the newest question. @param {Shown} shown */
export const isComputing = (shown) => !shown.error && !shown.isDone && !shown.hasAnswer;

/**
 * The number of runs of the table that have come, and the number of all its runs.
 * @param {Shown} shown
 * @returns {{count: number, total: number}}
 */
export const progressOf = (shown) => ({
  count: shown.fresh.filter((key) => key in shown.cells).length,
  total: shown.outline ? shown.outline.rows.length * shown.outline.acks.length : 0,
});

/**
 * The rows of the table: the AZs first, the worst at the top. The order changes when an answer has come, not before.
 * @param {Shown} shown @returns {Row[]}
 */
export function rowsOf(shown) {
  const order = shown.answer?.order ?? [];
  const placeOf = (/** @type {Row} */ row) =>
    row.kind !== "az" ? Infinity : order.includes(row.key) ? order.indexOf(row.key) : order.length;
  const placed = (shown.outline?.rows ?? []).map((row) => ({ row, place: placeOf(row) }));
  return placed.sort((one, other) => (one.place === other.place ? 0 : one.place - other.place)).map(({ row }) => row);
}

/**
 * True if a field can change the headline: as tried for this answer, else as the outline has it.
 * @param {Shown} shown
 * @param {Field} field
 * @returns {boolean | null}
 */
export const decidesOf = (shown, field) => shown.decides[field.key]?.decides ?? field.decides;

/**
 * The text of a field: what was typed, else its value; of no value an empty text, but where it is one of the choices.
 * @param {Pick<Field, "value" | "choices">} field
 * @param {string | undefined} typed
 */
export const shownText = ({ value, choices }, typed) => typed ?? String(choices ? value : (value ?? ""));

/** The AZs in which nothing runs and that have no row, as a sentence; "" if there are none. @param {Outline} outline */
export function darkText(outline) {
  const dark = outline.azs.filter((az) => az.is_dark && az.name);
  return dark
    .map(
      (az) =>
        `${az.name} is dark already${
          az.down.length
            ? `: ${az.down.length === 1 ? `broker ${az.down[0]} is` : `brokers ${az.down.join(", ")} are`} down`
            : ""
        }.`,
    )
    .join(" ");
}

/**
 * The list that a fact opens; null if nothing stands behind it.
 * @param {Fact} fact
 * @returns {{of: string, acks: string} | null}
 */
export const listOf = ({ key, step }) =>
  step > 0 && !NO_LIST.includes(key)
    ? { of: key === "risk" ? "lost" : key, acks: OF_FAST.includes(key) ? "1" : "all" }
    : null;

const OF_FAST = ["hidden", "risk"]; // facts about acks=1
const NO_LIST = ["one_az", "beside", "next"]; // no partition is in this state yet
