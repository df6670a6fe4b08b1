/**
 * The return of a broker, after a start or a pause, to the ISRs of all its partitions: the time it took, and the
 * partitions that have no leader to be in sync with. Pure.
 *
 * @import {Event, Known, Words} from "./narrate.js"
 * @import {BrokerRegistration, PartitionChanged, ProcessChanged} from "../facts/decisive.js"
 */
import { PROCESS, REG } from "../facts/facts.js";
import { capital, listed, plural } from "../kit/wording.js";
import { copyTime } from "./copytime.js";

/** partitions without a leader that are named */
const NAMES_MAX = 2;

/**
 * @typedef {{t: number, from: string, isUnfenced: boolean}} Back  since when a broker runs again, and whether it was
 *   unfenced since: before that the ISRs are those of its last incarnation (REG-4)
 */

export class Rejoining {
  /** @type {Map<number, Back>} */ running = new Map();
  /** brokers that lost a log, and copy it anew */ emptied = new Set();

  /**
   * @param {ProcessChanged} fact
   * @param {number | undefined} before  state of its process
   * @param {Map<number, Known>} known
   */
  process({ t, node, state }, before, known) {
    if (state === PROCESS.STARTING && t > 0) this.running.set(node, { t, from: "its start", isUnfenced: false });
    else if (state === PROCESS.RUNNING && before === PROCESS.PAUSED) {
      this.running.set(node, { t, from: "its pause", isUnfenced: true });
      this.settle(known);
    } else if (state === PROCESS.DOWN || state === PROCESS.PAUSED || state === PROCESS.STOPPING)
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
      const others = hostedBy(node, known).filter(([other]) => other !== p);
      if (!others.every(([, other]) => other.isr.includes(node))) continue;
      this.running.delete(node);
      const orphans = others.filter(([, { leader }]) => leader < 0);
      const after = `${((t - back.t) / 1e6).toFixed(3)} s after ${back.from}`;
      const isCopied = this.emptied.delete(node);
      return told(node, { count: others.length + 1, orphans, isCopied }, after, words);
    }
    return null;
  }

  /** @param {BrokerRegistration} fact @param {Map<number, Known>} known */
  registration({ broker, state }, known) {
    const back = this.running.get(broker);
    if (back && state === REG.ACTIVE) back.isUnfenced = true;
    this.settle(known);
  }

  /**
   * Forgets brokers that are in all their ISRs though none grew: they never left one, or were elected (ELR-4).
   * @param {Map<number, Known>} known
   */
  settle(known) {
    for (const [node, { isUnfenced }] of this.running)
      if (isUnfenced && isInAll(node, known)) this.running.delete(node);
  }

  forget() {
    this.running.clear();
    this.emptied.clear();
  }
}

/** @param {number} node @param {Map<number, Known>} known */
function isInAll(node, known) {
  for (const { replicas, isr } of known.values()) if (replicas.includes(node) && !isr.includes(node)) return false;
  return true;
}

/** @param {number} node @param {Map<number, Known>} known */
const hostedBy = (node, known) => [...known].filter(([, { replicas }]) => replicas.includes(node));

/**
 * @param {number} node
 * @param {{count: number, orphans: [number, Known][], isCopied: boolean}} hosted  its partitions, those of them without
 *   a leader, and whether it had lost its logs
 * @param {string} after
 * @param {Words} words
 * @returns {Partial<Event>}
 */
function told(node, { count, orphans, isCopied }, after, words) {
  const small = isCopied && !words.basis(node).log_mb ? ` ${copyTime({}, count)}` : "";
  const name = capital(words.node(node));
  const led = count - orphans.length;
  const where = orphans.length
    ? `of its ${plural(led, "partition")} that ${led === 1 ? "has" : "have"} a leader`
    : count === 1
      ? "of its partition"
      : `of all its ${plural(count, "partition")}`;
  return {
    part: "rejoined",
    node,
    text: `${name} is back in the ISR ${where}, ${after}`,
    caption: orphans.length
      ? { lead: `${name} is in sync with every leader, ${after}.`, rest: orphansText(node, orphans, words) }
      : { lead: `${name} is in sync ${after}.`, rest: `In the ISR ${where}.${small}` },
    changes: [
      { name: `${name} in the ISR again`, from: "", to: `${after}${orphans.length ? ", where one leads" : ""}` },
    ],
  };
}

/**
 * "payments-1 has no leader, and its copy there is empty."
 * @param {number} node
 * @param {[number, Known][]} orphans
 * @param {Words} words
 */
function orphansText(node, orphans, words) {
  const empty = orphans.filter(([, { emptied }]) => emptied.includes(node)).length;
  const one = orphans.length === 1;
  const names =
    orphans.length > NAMES_MAX
      ? `${orphans.length} of its partitions`
      : listed(orphans.map(([p]) => words.partition(p)));
  const copies = one
    ? "its copy there is empty"
    : empty === orphans.length
      ? "its copies there are empty"
      : `${empty} of its copies there ${empty === 1 ? "is" : "are"} empty`;
  return `${names} ${one ? "has" : "have"} no leader${empty ? `, and ${copies}` : ""}.`;
}

/**
 * The return of a broker, for its fields; null where it has not started since the run began.
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
