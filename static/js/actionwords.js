/** Actions of the timeline's grammar in words, for toasts and for what is coming. Pure; `action_words.py` is its twin. */

import { capital } from "./narrate.js";

/** @typedef {{node: (id: number) => string, message: (seq: number) => string}} Names */
const OWN_WORDS = /^((broker|controller) \d|(the|all|an|a) )/;

/** @param {string} action such as "kill 2" @param {Names} names */
export function sentence(action, names) {
  const [verb = "", ...words] = action.split(" ");
  const known = SENTENCES[verb];
  if (!known) return `${action}.`;
  const text = known(words, words.join(" "), (ids = "") => hosts(ids, names.node), names.message);
  return OWN_WORDS.test(text) ? capital(text) : text; // a topic's or a rack's name stays as it is
}

/** Actions of one moment, "kill 1, kill 2", as clauses without the last stop. @param {string} actions @param {Names} names */
export const clauses = (actions, names) => actions.split(", ").map((action) => sentence(action, names)).join(" ").replace(/\.$/, "");

/** Nodes as they are called: "2" is broker 2, "az-a" a rack, "1,2" both brokers. @param {string} ids @param {Names["node"]} name */
function hosts(ids, name) {
  const names = ids.split(",").map((id) => (/^\d+$/.test(id) ? name(Number(id)) : id));
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** A selection of links: "0|1,2" both ways, "0>1" one way. @param {string} links @param {(ids: string) => string} who */
function between(links, who) {
  const [a = "", b = ""] = links.split(/[|>]/);
  if (!b) return `from ${who(a)}`;
  return links.includes(">") ? `from ${who(a)} to ${who(b)}` : `between ${who(a)} and ${who(b)}`;
}

/** @type {Record<string, (words: string[], rest: string, who: (ids?: string) => string, message: Names["message"]) => string>} */
const SENTENCES = {
  kill: ([node], _, who) => `${who(node)} is killed.`,
  stop: ([node], _, who) => `${who(node)} shuts down cleanly.`,
  start: ([node, how], _, who) => `${who(node)} starts${how === "empty" ? " with an empty disk" : ""}.`,
  pause: ([node], _, who) => `${who(node)} is paused.`,
  resume: ([node], _, who) => `${who(node)} goes on.`,
  "kill-rack": ([rack]) => `${rack} is taken down.`,
  "power-loss": ([ids = ""], _, who) => (ids === "all" ? "all brokers lose their power." : `${who(ids)} ${ids.includes(",") ? "lose" : "loses"} power.`),
  "start-rack": ([rack]) => `${rack} is brought back.`,
  cut: (_, rest, who) => `the links ${between(rest, who)} are cut.`,
  heal: (_, rest, who) => (rest ? `the links ${between(rest, who)} are healed.` : "all links are healed."),
  "slow-link": ([links = "", by = ""], _, who) => (/^0/.test(by) ? `the links ${between(links, who)} are at full speed.` : `the links ${between(links, who)} are slower by ${by}.`),
  slow: ([node, rate], _, who) => (rate === "off" ? `${who(node)} fetches at full speed.` : `${who(node)} fetches at most ${rate} records/s.`),
  acks: ([topic, acks]) => `${topic} is now written with acks=${acks}.`,
  config: ([subject, key, value]) => `${subject}: ${key} = ${value}.`,
  rate: ([producer, rate, partition]) => `${producer} sends ${rate} records/s${partition ? ` to ${partition}` : ""}.`,
  send: ([producer, partition, count = "1"]) => `${producer} sends ${count} ${count === "1" ? "record" : "records"} to ${partition}.`,
  resend: ([producer, partition, first = "", count = "1"]) => `${producer} sends ${count === "1" ? `the record of call ${first}` : `the records of calls ${first}–${Number(first) + Number(count) - 1}`} to ${partition} again.`,
  hold: ([seq], _, __, message) => `${message(Number(seq))} is held.`,
  deliver: ([seq], _, __, message) => `${message(Number(seq))} arrives now.`,
  drop: ([seq], _, __, message) => `${message(Number(seq))} is lost with its connection.`,
  reassign: ([partition, replicas]) => (replicas === "cancel" ? `the reassignment of ${partition} is cancelled.` : `${partition} is to be on ${replicas}.`),
  elect: ([kind, what]) => `${kind === "unclean" ? "an unclean" : "a preferred"} election is asked for ${what}.`,
  create: ([topic]) => `topic ${topic} is created.`,
  open: ([client]) => `${client} is opened.`,
  close: ([client]) => `${client} is closed.`,
  crash: ([client]) => `${client} crashes.`,
  commit: ([consumer, partition, offset]) => `${consumer} commits ${offset ? `${offset} of ${partition}` : "what it has read"}.`,
};
