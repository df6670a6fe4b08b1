/**
 * The events on the timeline: marks, merged where they would overlap, and bars of stopped writes. Pure.
 *
 * @import {Row} from "../facts/types.js"
 * @import {Event, Marker} from "../words/narrate.js"
 */
import { KIND } from "../facts/facts.js";
import { readVerdictChanged } from "../facts/decisive.js";
import { kindOf } from "../facts/row.js";

export const MERGE_PX = 14;
/** The stronger shape stands for merged marks. @type {Marker[]} */
const STRENGTH = ["other", "isr", "flag", "election", "fault"];

/** The reach of a mark to either side of its moment, px: a pill has room for its count. @param {number} count */
export function reachOf(count) {
  if (count === 1) return { left: MERGE_PX / 2, right: MERGE_PX / 2 };
  return { left: 16, right: count > 99 ? 26 : count > 9 ? 20 : 14 };
}

/**
 * @typedef {{x: number, t: number, seq: number, shape: Marker, count: number, grave: boolean, text: string}} Mark
 * @param {Event[]} events
 * @param {(t: number) => number} xOf px of a moment
 * @returns {Mark[]} none overlaps the next
 */
export function marksOf(events, xOf) {
  /** @type {Mark[]} */ const marks = [];
  for (const event of events) {
    if (!event.marker) continue;
    /** @type {Mark} */ let mark = {
      x: xOf(event.t),
      t: event.t,
      seq: event.seq,
      shape: event.marker,
      count: 1,
      grave: event.grave,
      text: event.text,
    };
    // a mark that grows into a pill may reach the one before it
    for (let last = marks.at(-1); last && overlap(last, mark); last = marks.at(-1)) {
      mark = merged(last, mark);
      marks.pop();
    }
    marks.push(mark);
  }
  return marks;
}

/** @param {Mark} one @param {Mark} next */
const overlap = (one, next) => next.x - one.x < reachOf(one.count).right + reachOf(next.count).left;

/**
 * Two marks as one: it stands where the first does and looks like the stronger.
 * @param {Mark} one
 * @param {Mark} next
 * @returns {Mark}
 */
function merged(one, next) {
  const strong = STRENGTH.indexOf(next.shape) > STRENGTH.indexOf(one.shape) ? next : one;
  return { ...strong, x: one.x, count: one.count + next.count, grave: one.grave || next.grave };
}

/**
 * @typedef {{t: number, text: string}} Apart  an event of one run that the others do not have
 * @param {Apart[]} events in the order of time
 * @param {(t: number) => number} xOf px of a moment
 * @returns {{x: number, t: number, texts: string[]}[]} those that would overlap are one, at the first of them
 */
export function apartMarks(events, xOf) {
  /** @type {{x: number, t: number, texts: string[]}[]} */ const marks = [];
  for (const { t, text } of events) {
    const x = xOf(t);
    const last = marks.at(-1);
    if (last && x - last.x < MERGE_PX) last.texts.push(text);
    else marks.push({ x, t, texts: [text] });
  }
  return marks;
}

/**
 * Times in which producers of some topic got no response, as the engine's figures grew.
 * @param {Row[]} decisive
 * @returns {[from: number, to: number][]} us, in order, joined
 */
export function downTimes(decisive) {
  /** @type {Map<number, number>} */ const known = new Map();
  /** @type {[number, number][]} */ const bars = [];
  const stated = decisive.filter((row) => kindOf(row) === KIND.VERDICT_CHANGED).map(readVerdictChanged);
  for (const { t, topic, write_down_client_us: down } of stated) {
    const grown = down - (known.get(topic) ?? 0);
    known.set(topic, down);
    if (grown > 0) bars.push([Math.max(0, t - grown), t]);
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
const SPANS = [
  10, 20, 30, 45, 60, 90, 120, 180, 240, 300, 450, 600, 900, 1200, 1800, 2700, 3600, 5400, 7200, 10800, 14400, 28800,
  86400,
].map((s) => s * 1e6);

/** End of the axis: room for a tenth beyond what is known, in steps, so that it seldom moves. @param {number} end us */
export function axisEnd(end) {
  return SPANS.find((span) => span >= end * 1.08) ?? end * 1.1;
}
