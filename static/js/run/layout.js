/**
 * The layout of the stage: level of detail from the room there is, the window of offsets of a row, the geometry of a
 * record strip. Pure: numbers in, numbers out.
 *
 * @import {Partition} from "../facts/types.js"
 */

/** Smallest cell that still shows a level, in px. */
export const CELL_LOGS = { width: 110, height: 66 };
export const CELL_CHIPS = { width: 24, height: 20 };
export const ROWS_LOGS_MAX = 12;
const HYSTERESIS = 0.15;
/** Below this width of the window the phone layout holds. */
export const PHONE_WIDTH = 720;
/** Below this height of the window there is no room for two halves of the panel. */
export const LOW_HEIGHT = 480;
/**
 * True if the panel has one row of tabs: on a phone, upright or on its side.
 * @param {number} width
 * @param {number} height
 */
export const hasOneRow = (width, height) => width <= PHONE_WIDTH || height <= LOW_HEIGHT;

/**
 * @typedef {"logs" | "chips" | "map"} Level
 * @typedef {{from: number, to: number}} Fold  offsets from .. to-1 are not drawn
 * @typedef {number | Fold} Token  a record's offset, or a fold
 */

/**
 * @param {{width: number, height: number, brokers: number, rows: number, phone: boolean}} room
 * @param {Level | null} current  with a level shown already, the cell must miss by 15 % before it changes
 * @returns {Level}
 */
export function levelFor(room, current) {
  const side = room.phone ? 0 : room.width > 1700 ? 330 : 276;
  const width = (room.width - side) / Math.max(1, room.brokers) - 20;
  const height = room.phone ? 92 : (room.height - 120) / Math.max(1, room.rows);
  const slack = (/** @type {Level} */ level) => (current === level ? 1 - HYSTERESIS : 1);
  const logs = slack("logs");
  if (width >= CELL_LOGS.width * logs && (height >= CELL_LOGS.height * logs || room.rows <= ROWS_LOGS_MAX))
    return "logs";
  const chips = slack("chips");
  const chipWidth = (room.width - (room.phone ? 70 : 150)) / Math.max(1, room.brokers) - 4;
  const chipHeight = (room.height - 90) / Math.max(1, room.rows);
  if (chipWidth >= CELL_CHIPS.width * chips && (chipHeight >= CELL_CHIPS.height * chips || room.rows <= 60))
    return "chips";
  return "map";
}

/** with fewer slots lost records begin the window, with more the one before them does; see `isAlone` */
const SLOTS_WIDE = 8;

/**
 * The offsets that a row shows, the same for all its copies: the newest of the furthest copy; where a copy's high
 * watermark is older, two to four records around it, a fold, and the tail. Lost records that a copy still has come
 * before an old watermark: they are what the row is about.
 * @param {Partition} partition
 * @param {number} slots
 * @returns {Token[]}
 */
export function windowOf(partition, slots) {
  const copies = Object.values(partition.copies);
  if (!copies.length) return [];
  const end = Math.max(...copies.map((copy) => copy.leo));
  const oldest = Math.min(...copies.map((copy) => Math.min(copy.hw, copy.leo)));
  const first = Math.max(0, Math.min(...copies.map((copy) => copy.start)));
  const from = Math.max(first, end - slots);
  const lost = lostInSight(partition, from);
  if (!lost && (from <= oldest - 1 || from <= first)) return range(from, end);
  const beginsWithLost = lost && slots < SLOTS_WIDE && !lost.isAlone;
  const headFrom = Math.max(first, beginsWithLost ? lost.from : (lost ? lost.from : oldest) - 1);
  const head = headLength(
    lost ? lost.to : (copies.find((copy) => Math.min(copy.hw, copy.leo) === oldest)?.leo ?? oldest),
    headFrom,
    slots,
  );
  const tailFrom = end - (slots - head - 1);
  if (tailFrom <= headFrom + head) return range(Math.max(headFrom, end - slots), end);
  return [...range(headFrom, headFrom + head), { from: headFrom + head, to: tailFrom }, ...range(tailFrom, end)];
}

/**
 * The first lost records that some copy still holds and that stand before the tail. `isAlone`: all other copies end
 * before them, so that a window of lost records alone shows a new leader as an empty log.
 * @param {Partition} partition
 * @param {number} tail
 */
function lostInSight(partition, tail) {
  for (const [base, count, epoch] of partition.lost) {
    const reaching = Object.values(partition.copies).filter((copy) => copy.leo > base);
    const holders = reaching.filter((copy) => epochOf(copy.epochs ?? [], base) === epoch);
    const [holder] = holders;
    if (!holder || base >= tail) continue;
    return { from: base, to: Math.min(holder.leo, base + count), isAlone: holders.length === reaching.length };
  }
  return null;
}

/**
 * The whole end of the old copy where it fits beside a tail, else two to four records.
 * @param {number} end
 * @param {number} from
 * @param {number} slots
 */
function headLength(end, from, slots) {
  const whole = end - from;
  if (slots < 4) return 1; // a fold and the newest record stand beside it
  return whole <= slots - 4 ? Math.max(2, whole) : Math.max(2, Math.min(4, slots - 4));
}

/** @param {number} from @param {number} to @returns {number[]} */
const range = (from, to) => Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);

/**
 * @typedef {object} Strip
 * @property {number} pad
 * @property {number} slots  how many records fit
 * @property {number} pitch  px from one record to the next
 * @property {number} top  y of the records
 * @property {number} height  of a record
 * @property {number} water  height of the water band
 * @property {boolean} phone
 * @property {boolean} low  no room for a full water band and the labels below it
 */

/** Widths of a digit of the mono face in a record: 11 px of type, 10.5 px on phones. */
export const LETTER_PX = 6.7;
const LETTER_PHONE_PX = 6.4;
/** a record is no taller than this; below the water stand the labels of its marks */
const RECORD_PX_MAX = 120;
/** in a side of a comparison too, where few partitions have tall cells */
const RECORD_PHONE_PX_MAX = 96;
const MARKS_PX = 24;
/** in a cell lower than this the labels alone stand there, close to a flat band of water */
const LOW_PX = 56;
const LABELS_PX = 14;
/**
 * cells of three brokers on a phone are narrower than this, px: their records stand closer, so that four of them fit
 */
const PHONE_CELL = 120;

/**
 * @param {number} width
 * @param {number} height
 * @param {boolean} phone
 * @param {number} digits  of the largest offset shown
 * @returns {Strip}
 */
export function stripFor(width, height, phone, digits) {
  const pad = phone ? 4 : 8;
  const letters = Math.min(digits, OFFSET_DIGITS);
  const record = phone
    ? Math.max(18, letters * LETTER_PHONE_PX + (width < PHONE_CELL ? 5 : 9))
    : Math.max(25, letters * LETTER_PX + 11);
  const slots = Math.min(15, Math.max(3, Math.floor((width - pad * 2) / record)));
  const low = !phone && height < LOW_PX;
  const water = phone ? 5 : low ? 4 : Math.round(Math.max(7, Math.min(20, height * 0.15)));
  const least = phone || low ? 2 : 4;
  const room = height - least - water - (low ? LABELS_PX : MARKS_PX);
  const records = phone
    ? Math.max(18, Math.min(RECORD_PHONE_PX_MAX, height - 32))
    : Math.max(low ? 14 : 18, Math.min(RECORD_PX_MAX, room));
  // a strip in a tall cell stands in its middle
  const top = phone ? least : least + Math.max(0, Math.floor((room - records) / 2));
  return { pad, slots, pitch: (width - pad * 2) / slots, top, height: Math.round(records), water, phone, low };
}

/**
 * x of the left edge of an offset; offsets before the window stand at its start, later ones at its end.
 * @param {Token[]} tokens
 * @param {Strip} strip
 * @param {number} offset
 */
export function xOf(tokens, strip, offset) {
  for (let k = 0; k < tokens.length; k++) {
    const token = /** @type {Token} */ (tokens[k]);
    if (typeof token === "number") {
      if (token === offset) return strip.pad + k * strip.pitch;
      if (token > offset) return strip.pad + k * strip.pitch;
    } else if (offset < token.to && offset >= token.from) {
      return strip.pad + (offset === token.from ? k : k + 0.5) * strip.pitch;
    }
  }
  return strip.pad + tokens.length * strip.pitch;
}

/**
 * True if an offset falls into a fold, and so has no place of its own.
 * @param {Token[]} tokens
 * @param {number} offset
 */
export const isFolded = (tokens, offset) =>
  tokens.some((token) => typeof token !== "number" && offset > token.from && offset < token.to);

/**
 * Leader epoch that wrote an offset of a copy, or -1.
 * @param {[number, number][]} epochs  epoch and first offset, rising
 * @param {number} offset
 */
export function epochOf(epochs, offset) {
  for (let i = epochs.length - 1; i >= 0; i--) {
    const [epoch, start] = /** @type {[number, number]} */ (epochs[i]);
    if (start <= offset) return epoch;
  }
  return -1;
}

/**
 * True if a record stands in one of the runs.
 * @param {[number, number, number][]} runs
 * @param {number} offset
 * @param {number} epoch
 */
export function inRuns(runs, offset, epoch) {
  for (let i = runs.length - 1; i >= 0; i--) {
    const [base, count, e] = /** @type {[number, number, number]} */ (runs[i]);
    if (e === epoch && offset >= base && offset < base + count) return true;
  }
  return false;
}

/**
 * The number of offsets from `from` up to `to` in runs of an epoch, and in none of `except`. By intervals: a log may
 * have more offsets than anybody can step through.
 * @param {[number, number, number][]} runs
 * @param {number} from
 * @param {number} to  not included
 * @param {number} epoch
 * @param {[number, number, number][]} [except]
 */
export function countInRuns(runs, from, to, epoch, except = []) {
  const gone = intervals(except, from, to, epoch);
  let count = 0;
  for (const [low, high] of intervals(runs, from, to, epoch)) {
    count += high - low;
    for (const [first, end] of gone) count -= Math.max(0, Math.min(end, high) - Math.max(first, low));
  }
  return count;
}

/**
 * The runs of an epoch between two offsets, joined where they meet.
 * @param {[number, number, number][]} runs @param {number} from @param {number} to @param {number} epoch
 */
function intervals(runs, from, to, epoch) {
  /** @type {[number, number][]} */ const joined = [];
  const ordered = runs.filter((run) => run[2] === epoch).sort((a, b) => a[0] - b[0]);
  for (const [base, count] of ordered) {
    const [low, high] = [Math.max(from, base), Math.min(to, base + count)];
    const last = joined[joined.length - 1];
    if (low >= high) continue;
    if (last && low <= last[1]) last[1] = Math.max(last[1], high);
    else joined.push([low, high]);
  }
  return joined;
}

/** Digits of an offset that a record has room for; longer ones show their end. */
export const OFFSET_DIGITS = 4;

/** @param {number} offset @returns {string} as it stands in a record */
export function offsetLabel(offset) {
  const text = String(offset);
  return text.length > OFFSET_DIGITS ? `…${text.slice(1 - OFFSET_DIGITS)}` : text;
}

/** a line of 12 px type needs this much, px */
const LINE_PX = 13;

/**
 * Of the rows of a map every how manieth has its name beside it, so that no two names touch.
 * @param {number} height of a row, px
 */
export const namedEvery = (height) => Math.max(1, Math.ceil((LINE_PX - 1) / height));

/**
 * The rows of the map that a phone names: those in trouble, from the top, as far as no name touches another.
 * @param {boolean[]} troubled by row
 * @param {number} height of a row
 * @returns {Set<number>}
 */
export function namedOnPhone(troubled, height) {
  const every = namedEvery(height);
  const named = /** @type {number[]} */ ([]);
  troubled.forEach((is, row) => is && row - (named.at(-1) ?? -every) >= every && named.push(row));
  return new Set(named);
}

/** @typedef {"healthy" | "under-replicated" | "under-min" | "offline" | "reassigning"} Health */

/**
 * @param {Partition} partition
 * @param {number} minIsr
 * @returns {Health}
 */
export function healthOf(partition, minIsr) {
  if (partition.epoch < 0) return "healthy"; // deleted, or not created yet: nothing is wrong with it
  if (partition.leader < 0) return "offline";
  if (isUnderMin(partition, minIsr)) return "under-min";
  if (partition.adding.length || partition.removing.length) return "reassigning";
  return partition.isr.length < membersOf(partition) ? "under-replicated" : "healthy";
}

/**
 * True if the ISR is smaller than min.insync.replicas asks for, which is never more than may be in it (HW-2, HW-3).
 * @param {Partition} partition
 * @param {number} minIsr
 */
export const isUnderMin = (partition, minIsr) => partition.isr.length < Math.min(minIsr, membersOf(partition));

/** The number of replicas that may be in the ISR: all but observers (OBS-1). @param {Partition} partition */
const membersOf = ({ replicas, observers }) => replicas.filter((id) => !observers?.includes(id)).length;

/**
 * A time axis: where ticks stand between two moments.
 * @param {number} from us
 * @param {number} to us
 * @param {number} width px
 * @param {number} gap px a tick wants at least
 * @returns {{step: number, ticks: number[]}} us
 */
export function axis(from, to, width, gap) {
  const span = Math.max(1, to - from);
  const wanted = span / Math.max(1, Math.floor(width / gap));
  const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500]
    .map((ms) => ms * 1000)
    .concat([1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 3600, 7200, 21600].map((s) => s * 1_000_000));
  const step = steps.find((candidate) => candidate >= wanted) ?? 86_400_000_000;
  const ticks = [];
  for (let t = Math.ceil(from / step) * step; t <= to; t += step) ticks.push(t);
  return { step, ticks };
}
