/**
 * The words on an ISR that changed without an election. Pure.
 *
 * @import {Event, Known, Words} from "./narrate.js"
 * @import {PartitionChanged} from "../facts/decisive.js"
 */
import { REASON, REASON_NAMES } from "../facts/facts.js";
import { capital, listed, together } from "../kit/wording.js";

export const ISR_RULES = {
  [REASON.FENCED]: "ISR-8",
  [REASON.SHUTDOWN]: "ISR-8",
  [REASON.REGISTRATION]: "REG-4",
  [REASON.ALTER_PARTITION]: "AP-3",
  [REASON.REASSIGNMENT]: "REA-2",
};

/** @param {number[]} nodes @param {Words} words */
export const list = (nodes, words) => (nodes.length ? nodes.map(words.id).join(",") : "nobody");

/**
 * @param {string} name
 * @param {Known} before
 * @param {PartitionChanged} fact
 * @param {Words} words
 * @returns {Partial<Event> | null}
 */
export function isrChanged(name, before, { p, leader, reason, replicas, isr }, words) {
  const [was, now] = [list(before.isr, words), list(isr, words)];
  if (was === now) {
    if (reason === REASON.DIRECTORY && leader < 0) return onNewDisk(name, p);
    if (reason === REASON.DIRECTORY)
      return {
        icon: "ring",
        p,
        minor: true,
        rule: "DIR-2",
        text: `${name}: a copy is assigned to its broker's replaced disk`,
      };
    if (list(before.replicas, words) === list(replicas, words))
      return { icon: "ring", p, minor: true, text: `${name}: ${REASON_NAMES[reason]}` };
    return {
      icon: "right",
      p,
      marker: "other",
      rule: "REA-2",
      text: `${name}: replicas ${list(before.replicas, words)} → ${list(replicas, words)}`,
    };
  }
  const shrunk = isr.length < before.isr.length;
  const rule = ISR_RULES[/** @type {keyof typeof ISR_RULES} */ (reason)] ?? "ISR-8";
  const gone = before.isr.filter((/** @type {number} */ id) => !isr.includes(id));
  return {
    icon: "isr",
    marker: "isr",
    part: shrunk ? "shrunk" : "grown",
    p,
    rule,
    text: `${name}: ISR ${was} → ${now}`,
    changes: [{ name: `${name} ISR`, from: was, to: now }],
    caption: shrunk
      ? {
          lead: `${name}: ISR shrinks to ${now}.`,
          rest:
            `${capital(listed(together(gone.map(words.node))))} no longer ${gone.length > 1 ? "have" : "has"} ` +
            `to have a record before acks=all is answered.`,
        }
      : { lead: `${name}: ISR grows to ${now}.`, rest: "From now on acks=all waits for the newcomer too." },
  };
}

/**
 * DIR-3: a replaced disk may lead from now on, and nobody is elected yet.
 * @param {string} name
 * @param {number} p
 * @returns {Partial<Event>}
 */
function onNewDisk(name, p) {
  return {
    icon: "ring",
    p,
    marker: "other",
    rule: "DIR-3",
    text: `${name}: a copy is assigned to its broker's replaced disk, and nobody is elected by it`,
    caption: {
      lead: `${name} still has no leader.`,
      rest:
        "The copy on the new disk may lead from now on: with the next election, which comes when somebody asks " +
        "for one or any broker is unfenced. Until then a broker with the records can still be brought back.",
    },
  };
}
