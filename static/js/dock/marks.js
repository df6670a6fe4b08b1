/**
 * What the timeline shows of the events: marks, merged where they would overlap, and bars of stopped writes. Pure.
 *
 * @import {Row} from "../types.js"
 * @import {Event, Marker} from "../narrate.js"
 */
import { KIND, KINDS } from "../facts.js";

export const MERGE_PX = 14;
/** The stronger shape stands for merged marks. @type {Marker[]} */
const STRENGTH = ["other", "isr", "flag", "election", "fault"];

/**
 * @typedef {{x: number, t: number, seq: number, shape: Marker, count: number, grave: boolean, text: string}} Mark
 * @param {Event[]} events
 * @param {(t: number) => number} xOf px of a moment
 * @returns {Mark[]}
 */
export function marksOf(events, xOf) {
  /** @type {Mark[]} */ const marks = [];
  for (const event of events) {
    if (!event.marker) continue;
    const x = xOf(event.t);
    const last = marks[marks.length - 1];
    if (last && x - last.x < MERGE_PX) {
      last.count++;
      if (STRENGTH.indexOf(event.marker) > STRENGTH.indexOf(last.shape)) {
        Object.assign(last, { shape: event.marker, seq: event.seq, t: event.t, text: event.text });
      }
      last.grave ||= event.grave;
    } else {
      marks.push({ x, t: event.t, seq: event.seq, shape: event.marker, count: 1, grave: event.grave, text: event.text });
    }
  }
  return marks;
}

/**
 * Times in which writes to some topic were down, as the engine's figures grew.
 * @param {Row[]} decisive
 * @param {(topic: number) => boolean} waitsForAll whether the topic is written with acks=all
 * @returns {[from: number, to: number][]} us, in order, joined
 */
export function downTimes(decisive, waitsForAll) {
  const values = KINDS[KIND.VERDICT_CHANGED]?.values ?? [];
  const all = 4 + values.indexOf("write_down_all_us");
  const one = 4 + values.indexOf("write_down_1_us");
  /** @type {Map<number, number>} */ const known = new Map();
  /** @type {[number, number][]} */ const bars = [];
  for (const row of decisive) {
    if (row[2] !== KIND.VERDICT_CHANGED) continue;
    const down = row[waitsForAll(row[4]) ? all : one];
    const grown = down - (known.get(row[4]) ?? 0);
    known.set(row[4], down);
    if (grown > 0) bars.push([Math.max(0, row[1] - grown), row[1]]);
  }
  return join(bars.sort((a, b) => a[0] - b[0]));
}

/** @param {[number, number][]} bars @returns {[number, number][]} */
function join(bars) {
  /** @type {[number, number][]} */ const joined = [];
  for (const [from, to] of bars) {
    const last = joined[joined.length - 1];
    if (last && from <= last[1] + 50_000) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

/** Lengths that the whole timeline may have, in us. */
const SPANS = [10, 20, 30, 45, 60, 90, 120, 180, 240, 300, 450, 600, 900, 1200, 1800, 2700, 3600, 5400, 7200, 10800, 14400, 28800, 86400].map((s) => s * 1e6);

/** End of the axis: room for a tenth beyond what is known, in steps, so that it seldom moves. @param {number} end us */
export function axisEnd(end) {
  return SPANS.find((span) => span >= end * 1.08) ?? end * 1.1;
}
