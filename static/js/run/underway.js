/**
 * Messages that were sent before a snapshot and are still under way: a snapshot has none, so the facts just before it
 * are asked for, and those around each moment at which a person stopped a message that is still held. Pure.
 *
 * @import {Row} from "../facts/types.js"
 */
import { KIND } from "../facts/facts.js";
import { readActionDone } from "../facts/decisive.js";
import { kindOf, seqOf, timeOf } from "../facts/row.js";
import { isOfFlight } from "../fold/trace.js";

/** A message is seldom under way for longer. */
export const BEFORE_US = 500_000;

/** @typedef {{from: number, to: number}} Span  us */

/**
 * Times whose traffic may still be under way at a moment, the newest first.
 * @param {Row[]} decisive
 * @param {number} t
 * @returns {Span[]}
 */
export function spansBefore(decisive, t) {
  /** @type {Map<string, number>} */ const held = new Map();
  for (const row of decisive) {
    const at = timeOf(row);
    if (at > t) break;
    if (kindOf(row) !== KIND.ACTION_DONE) continue;
    const { verb, args } = readActionDone(row);
    const [number = ""] = args;
    if (verb === "hold") held.set(number, at);
    else if (verb === "deliver" || verb === "drop") held.delete(number);
    else if (verb === "heal" && !args.length) held.clear();
  }
  const from = Math.max(0, t - BEFORE_US);
  const old = [...held.values()]
    .filter((at) => at < from)
    .map((at) => ({ from: Math.max(0, at - BEFORE_US), to: Math.min(at + 1, from) }));
  return [...(t > 0 ? [{ from, to: t }] : []), ...old];
}

/**
 * Of facts around a snapshot, those of messages sent before it.
 * @param {Row[]} rows
 * @param {number} seq the last fact that the snapshot knows
 */
export const sentBefore = (rows, seq) =>
  rows.filter((row) => seqOf(row) <= seq && isOfFlight(row)).sort((a, b) => seqOf(a) - seqOf(b));
