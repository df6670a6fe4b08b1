/**
 * The received part of a run: all facts of recent stretches, decisive facts of the whole, and keyframes.
 * Pure: no page, no clock, no network.
 *
 * A stretch is a snapshot and every fact that follows it without a gap. Scrubbing inside a stretch is local; elsewhere
 * the page asks the server for a snapshot and puts it here as a stretch of its own.
 *
 * @import {Row, View} from "../facts/types.js"
 */
import { FIRST_TRAFFIC, FLIGHT, KIND } from "../facts/facts.js";
import { kindOf, seqOf, timeOf } from "../facts/row.js";
import { readFlight, readFlightEnded } from "../facts/traffic.js";
import { cloneView, Dirty, fold } from "./fold.js";

/** Rows kept over all stretches; beyond it the oldest stretch loses its beginning. */
export const ROWS_MAX = 300_000;
/** Rows folded between two keyframes, at least; large views are copied less often. */
export const KEYFRAME_ROWS = 2_000;
export const KEYFRAMES_MAX = 400;
/** Moments asked for that stay here; the oldest goes. */
export const STRETCHES_MAX = 24;
/** The reach of a scan back for messages still under way, in us and in rows. */
const FLIGHT_LOOKBACK_US = 60_000_000;
const FLIGHT_LOOKBACK_ROWS = 20_000;

/** A snapshot, the rows after it, and copies of the view along the way. */
export class Stretch {
  /** @param {View} view */
  constructor(view) {
    /** @type {Row[]} */ this.rows = [];
    /** rows already dropped from the front */ this.dropped = 0;
    /** @type {{index: number, view: View}[]} */ this.keyframes = [{ index: 0, view: cloneView(view) }];
    /** time up to which the rows are complete */ this.end = view.t;
    /** facts of messages that were sent before the snapshot and may be under way @type {Row[]} */ this.before = [];
  }

  get start() {
    return /** @type {{view: View}} */ (this.keyframes[0]).view.t;
  }

  /** @param {number} t */
  covers(t) {
    return t >= this.start && t <= this.end;
  }

  /** The last keyframe at or before t. @param {number} t */
  keyframeAt(t) {
    let found = this.keyframes[0];
    for (const frame of this.keyframes) {
      if (frame.view.t > t) break;
      found = frame;
    }
    return /** @type {{index: number, view: View}} */ (found);
  }

  /** A keyframe in the middle, where no cursor has come by to leave one. */
  foldHalf() {
    const view = cloneView(/** @type {{view: View}} */ (this.keyframes[0]).view);
    const half = this.rows.length >> 1;
    const dirty = new Dirty();
    for (const row of this.rows.slice(0, half)) {
      if (!isOfFlight(row)) fold(view, row, dirty);
    }
    this.keyframes.push({ index: this.dropped + half, view });
  }

  /** The run went back to a view: what followed it did not happen. @param {View} view */
  cutAfter(view) {
    const kept = this.rows.findIndex((row) => seqOf(row) > view.seq);
    if (kept >= 0) this.rows.length = kept;
    this.keyframes = this.keyframes.filter(({ index }) => index <= this.dropped + this.rows.length);
    this.end = Math.min(this.end, view.t);
  }

  /** Forget the rows before the second keyframe. @returns {number} rows forgotten */
  dropFront() {
    const second = this.keyframes[1];
    if (!second) return 0;
    const count = second.index - this.dropped;
    this.rows.splice(0, count);
    this.dropped += count;
    this.keyframes.shift();
    this.before = [];
    return count;
  }
}

/** A view that moves along a stretch, with the messages under way at its moment. */
export class Cursor {
  /** @param {Stretch} stretch @param {number} t */
  constructor(stretch, t) {
    this.stretch = stretch;
    this.dirty = new Dirty();
    this.flights = new Flights();
    const frame = stretch.keyframeAt(t);
    this.view = cloneView(frame.view);
    this.index = frame.index;
    this.t = frame.view.t;
    /** called with each fact as the picture passes it @type {(row: Row) => void} */
    this.onRow = () => {};
    this.rebuildFlights();
    this.forward(t);
  }

  /** @param {number} t @returns {boolean} whether the moment is in this stretch */
  seek(t) {
    if (!this.stretch.covers(t)) return false;
    if (t < this.t || this.index < this.stretch.dropped) this.restore(t);
    this.forward(t);
    return true;
  }

  /** @param {number} t */
  restore(t) {
    const frame = this.stretch.keyframeAt(t);
    this.view = cloneView(frame.view);
    this.index = frame.index;
    this.t = frame.view.t;
    this.dirty.all = true;
    this.rebuildFlights();
  }

  /** @param {number} t */
  forward(t) {
    const { rows, dropped } = this.stretch;
    for (let at = this.index - dropped; at < rows.length; at++) {
      const row = /** @type {Row} */ (rows[at]);
      if (timeOf(row) > t) break;
      if (isOfFlight(row)) this.flights.apply(row);
      else fold(this.view, row, this.dirty);
      this.index++;
      this.onRow(row);
      this.maybeKeyframe();
    }
    this.t = t;
    this.flights.prune(t);
  }

  maybeKeyframe() {
    const frames = this.stretch.keyframes;
    const last = /** @type {{index: number}} */ (frames[frames.length - 1]);
    const step = Math.max(KEYFRAME_ROWS, this.view.partitions.length * 20);
    if (this.index - last.index < step) return;
    frames.push({ index: this.index, view: cloneView(this.view) });
    if (frames.length > KEYFRAMES_MAX) thin(frames);
  }

  rebuildFlights() {
    this.flights = new Flights();
    const { rows, dropped } = this.stretch;
    const upTo = this.index - dropped;
    let from = upTo;
    while (
      from > 0 &&
      upTo - from < FLIGHT_LOOKBACK_ROWS &&
      timeOf(/** @type {Row} */ (rows[from - 1])) > this.t - FLIGHT_LOOKBACK_US
    )
      from--;
    if (!from) for (const row of this.stretch.before) this.flights.apply(row);
    for (let at = from; at < upTo; at++) {
      const row = /** @type {Row} */ (rows[at]);
      if (isOfFlight(row)) this.flights.apply(row);
    }
    this.flights.prune(this.t);
  }
}

/** Every second keyframe goes, except the first. @param {{index: number, view: View}[]} frames */
function thin(frames) {
  for (let i = frames.length - 2; i > 0; i -= 2) frames.splice(i, 1);
}

/**
 * @typedef {object} Flight  a message on a link
 * @property {number} seq  of its fact
 * @property {number} msg
 * @property {number} src
 * @property {number} dst
 * @property {number} sent  us
 * @property {number} arrive  us, or -1 while nobody can tell
 * @property {number} p
 * @property {number} count
 * @property {number} mark  leader epoch or error
 * @property {number} ended  us at which it was dropped or reset, or -1
 * @property {number} held  us at which a person stopped it, or -1
 */

/** True if a fact is of a message under way, which no view shows. @param {Row} row */
export function isOfFlight(row) {
  const kind = kindOf(row);
  return kind === KIND.FLIGHT || kind === KIND.FLIGHT_ENDED;
}

/** Messages under way, each under the number of its Flight fact. */
export class Flights {
  constructor() {
    /** @type {Map<number, Flight>} */ this.all = new Map();
  }

  /** @param {Row} row */
  apply(row) {
    if (kindOf(row) === KIND.FLIGHT) {
      const { seq, t, msg, src, dst, arrive, p, count, mark } = readFlight(row);
      this.all.set(seq, { seq, msg, src, dst, sent: t, arrive, p, count, mark, ended: -1, held: -1 });
      return;
    }
    const { t, flight: number, how, arrive } = readFlightEnded(row);
    const flight = this.all.get(number);
    if (!flight) return;
    flight.held = how === FLIGHT.HELD ? t : -1;
    if (arrive >= 0) flight.arrive = arrive;
    else if (flight.held < 0) flight.ended = t;
  }

  /** Forget what has arrived, and what ended long enough ago for its cross to be gone. @param {number} t */
  prune(t) {
    for (const [seq, flight] of this.all) {
      if (flight.held >= 0) continue;
      const over = flight.ended >= 0 ? t > flight.ended + this.lingerUs : flight.arrive >= 0 && t >= flight.arrive;
      if (over) this.all.delete(seq);
    }
  }

  /** simulated time for which a dropped message's cross stays; set from the speed */
  lingerUs = 40_000;
}

/** The whole of what is known about one run. */
export class Trace {
  constructor() {
    /** @type {Stretch | null} */ this.live = null;
    /** @type {Stretch[]} */ this.stretches = [];
    /** decisive facts by number, oldest first @type {Row[]} */ this.decisive = [];
    /** rises whenever `decisive` changes */ this.version = 0;
    this.rowCount = 0;
    /** the number of times that the run went back */ this.returns = 0;
  }

  /**
   * A snapshot came from the socket: later facts follow it.
   * @param {View} view
   * @param {boolean} isBack the run went back
   */
  startLive(view, isBack) {
    if (isBack) this.forgetAfter(view);
    this.live = new Stretch(view);
    this.stretches.push(this.live);
    this.trim();
  }

  longest() {
    return this.stretches.reduce((longest, other) => (other.rows.length > longest.rows.length ? other : longest));
  }

  /** The oldest moments go where there are too many; the live one stays. */
  trim() {
    while (this.stretches.length > STRETCHES_MAX) {
      const oldest = this.stretches.findIndex((other) => other !== this.live);
      for (const gone of this.stretches.splice(oldest, 1)) this.rowCount -= gone.rows.length;
    }
  }

  /**
   * The moment (us) of the newest action that a picture of `t` shows; a snapshot shows all that was before it.
   * @param {number} t
   */
  actionBefore(t) {
    const row = this.decisive.findLast((one) => kindOf(one) === KIND.ACTION_DONE && timeOf(one) <= t);
    return Math.max(this.live?.start ?? 0, row ? timeOf(row) : 0);
  }

  /** The run went back: what was received beyond the snapshot did not happen. @param {View} view */
  forgetAfter(view) {
    this.returns++;
    const before = this.decisive.length;
    for (let last = this.decisive.at(-1); last && seqOf(last) > view.seq; last = this.decisive.at(-1))
      this.decisive.pop();
    if (this.decisive.length !== before) this.version++;
    this.stretches = this.stretches.filter((stretch) => stretch.start <= view.t);
    for (const stretch of this.stretches) stretch.cutAfter(view);
    this.rowCount = this.stretches.reduce((sum, stretch) => sum + stretch.rows.length, 0);
  }

  /** @param {Row[]} rows @param {number} t the frame reaches to */
  append(rows, t) {
    if (!this.live) return;
    for (const row of rows) this.live.rows.push(row);
    this.live.end = Math.max(this.live.end, t);
    this.rowCount += rows.length;
    this.addDecisive(rows);
    while (this.rowCount > ROWS_MAX) {
      const stretch = this.stretches.find((other) => other.keyframes.length > 1) ?? this.longest();
      if (stretch.keyframes.length === 1) stretch.foldHalf();
      const gone = stretch.dropFront();
      if (!gone) break;
      this.rowCount -= gone;
    }
  }

  /** @param {Row[]} rows from the socket or of a range asked for; known ones are skipped */
  addDecisive(rows) {
    const last = this.decisive.at(-1);
    const fresh = rows.filter((row) => kindOf(row) < FIRST_TRAFFIC);
    const first = fresh[0];
    if (!first) return;
    this.version++;
    if (!last || seqOf(first) > seqOf(last)) {
      for (const row of fresh) this.decisive.push(row);
      return;
    }
    const known = new Map(this.decisive.map((row) => [seqOf(row), row]));
    for (const row of fresh) known.set(seqOf(row), row);
    this.decisive = [...known.values()].sort((a, b) => seqOf(a) - seqOf(b));
  }

  /** @param {View} view a snapshot of another moment @param {Row[]} rows that follow it @param {number} end */
  addStretch(view, rows, end) {
    const stretch = new Stretch(view);
    stretch.rows = rows;
    stretch.end = Math.max(view.t, end);
    this.rowCount += rows.length;
    this.stretches.push(stretch);
    this.trim();
    return stretch;
  }

  /** The stretch that can show t; the live one first. @param {number} t @returns {Stretch | null} */
  stretchAt(t) {
    if (this.live?.covers(t)) return this.live;
    return this.stretches.find((stretch) => stretch.covers(t)) ?? null;
  }

  /** Time up to which anything is known, us. */
  get end() {
    return this.live?.end ?? 0;
  }

  /** Index of the first decisive fact after t. @param {number} t */
  indexAfter(t) {
    let low = 0;
    let high = this.decisive.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (timeOf(/** @type {Row} */ (this.decisive[middle])) <= t) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
