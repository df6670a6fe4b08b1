/**
 * When a broker that started, or went on after a pause, is back in the ISR of all its partitions, and how long it took.
 * Pure.
 *
 * @import {Event, Known, Words} from "./narrate.js"
 * @import {PartitionChanged, ProcessChanged} from "./facts/decisive.js"
 */
import { PROCESS } from "./facts.js";
import { capital, plural } from "./wording.js";

const SMALL = "Logs are small here: real ones take size ÷ network rate.";

/**
 * @typedef {{t: number, from: string, isBehind: boolean}} Back  since when a broker runs again, and whether it left an
 *   ISR
 */

export class Rejoining {
  /** @type {Map<number, Back>} */ running = new Map();

  /** @param {ProcessChanged} fact @param {number | undefined} before  state of its process */
  process({ t, node, state }, before) {
    if (state === PROCESS.STARTING && t > 0) this.running.set(node, { t, from: "its start", isBehind: false });
    else if (state === PROCESS.RUNNING && before === PROCESS.PAUSED)
      this.running.set(node, { t, from: "its pause", isBehind: false });
    else if (state === PROCESS.DOWN || state === PROCESS.PAUSED || state === PROCESS.STOPPING)
      this.running.delete(node);
  }

  /**
   * The broker that a change of an ISR brought back to the last of its partitions.
   * @param {PartitionChanged} fact
   * @param {Map<number, Known>} known  partitions before the change
   * @param {Words} words
   * @returns {Partial<Event> | null}
   */
  partition({ t, p, isr }, known, words) {
    const was = known.get(p)?.isr ?? [];
    for (const [node, back] of this.running) {
      if (!isr.includes(node) || was.includes(node)) continue;
      const others = [...known].filter(([other, { replicas }]) => other !== p && replicas.includes(node));
      if (!others.every(([, other]) => other.isr.includes(node))) continue;
      this.running.delete(node);
      return told(node, others.length + 1, t - back.t, back.from, words);
    }
    return null;
  }

  forget() {
    this.running.clear();
  }
}

/**
 * @param {number} node
 * @param {number} count partitions
 * @param {number} took us
 * @param {string} from
 * @param {Words} words
 * @returns {Partial<Event>}
 */
function told(node, count, took, from, words) {
  const name = capital(words.node(node));
  const after = `${(took / 1e6).toFixed(3)} s after ${from}`;
  const where = count === 1 ? "of its partition" : `of all its ${plural(count, "partition")}`;
  return {
    part: "rejoined",
    node,
    amount: took,
    text: `${name} is back in the ISR ${where}, ${after}`,
    caption: { lead: `${name} is in sync ${after}.`, rest: `In the ISR ${where}. ${SMALL}` },
    changes: [{ name: `${name} in the ISR again`, from: "", to: after }],
  };
}

/**
 * What a broker's fields say of its return: null where it has not started since the run began.
 * @param {Event[]} events
 * @param {number} node
 * @param {number} t
 */
export function returnOf(events, node, t) {
  const last = events.findLast(
    (event) => event.t <= t && event.node === node && ["starting", "resumed", "rejoined", "death"].includes(event.part),
  );
  return last?.part === "rejoined" ? (last.changes.find(({ to }) => to.includes(" after "))?.to ?? null) : null;
}
