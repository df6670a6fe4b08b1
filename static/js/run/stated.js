/**
 * When the engine stated figures last: it does once a second, and where something happens. Pure.
 *
 * @import {Model} from "./model.js"
 */
import { readVerdictChanged } from "../facts/decisive.js";
import { KIND } from "../facts/facts.js";
import { kindOf, timeOf } from "../facts/row.js";

/**
 * When the figures of each topic were stated last before the moment shown, us by topic.
 * @param {Model} model
 */
export function lastStated({ trace, t: shown }) {
  /** @type {Map<number, number>} */ const stated = new Map();
  for (const row of trace.decisive) {
    if (timeOf(row) > shown) break;
    if (kindOf(row) !== KIND.VERDICT_CHANGED) continue;
    const { topic, t } = readVerdictChanged(row);
    stated.set(topic, t);
  }
  return stated;
}
