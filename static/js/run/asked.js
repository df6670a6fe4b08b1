/**
 * Settings that somebody asked for and that are not in effect yet: one takes a way through the controller, and while
 * time stands it takes none. Fields show the value that is asked for. Pure.
 *
 * @import {Row} from "../facts/types.js"
 */
import { KIND } from "../facts/facts.js";
import { readActionDone, readConfigChanged } from "../facts/decisive.js";
import { kindOf, timeOf } from "../facts/row.js";

/** after so long what was asked for and has not come is not on its way any more, us */
const WAITS_US = 10_000_000;

/**
 * The value that was asked for last of a topic's setting and is not in effect at a moment; null where none is.
 * @param {Row[]} decisive  oldest first
 * @param {string[]} sent  actions that the room has not answered yet, oldest first
 * @param {number} t us
 * @param {{topic: number, name: string, key: string}} setting
 * @returns {string | null}
 */
export function askedFor(decisive, sent, t, { topic, name, key }) {
  const prefix = `config ${name} ${key} `;
  const now = sent.findLast((action) => action.startsWith(prefix));
  if (now) return now.slice(prefix.length);
  for (let i = decisive.length - 1; i >= 0; i--) {
    const row = /** @type {Row} */ (decisive[i]);
    if (timeOf(row) > t) continue;
    if (timeOf(row) < t - WAITS_US) return null;
    if (kindOf(row) === KIND.CONFIG_CHANGED) {
      const set = readConfigChanged(row);
      if (set.topic === topic && set.text.startsWith(`${key}=`)) return null;
    }
    if (kindOf(row) === KIND.ACTION_DONE) {
      const { verb, args } = readActionDone(row);
      if (verb === "config" && args[0] === name && args[1] === key) return args[2] ?? null;
    }
  }
  return null;
}
