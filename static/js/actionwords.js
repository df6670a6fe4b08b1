/** Actions of the timeline's grammar in words, wherever the page tells of one. Pure; `action_words.py` is its twin. */

import { capital, listed, together } from "./wording.js";

/**
 * @typedef {{host: (ref: string) => string, message: (seq: number) => string}} Names  host: what an action names,
 *   "broker 1" of "1"
 */
// an article before a verb is a name: rack "a" loses power
const OWN_WORDS =
  /^((broker|controller)s? ([A-Za-z][\w-]*\/)?\d|(the|all|an|a) (?!(and|is|loses|goes|sends|commits) |crashes))/;
const NO_TIME = /^0[a-zµ]*$/;

/** @param {string} action such as "kill 2" @param {Names} names */
export function sentence(action, names) {
  const text = inside(action, names);
  return `${OWN_WORDS.test(text) ? capital(text) : text}.`; // a topic's or a rack's name stays as it is
}

/** One action as a clause inside a sentence: "broker 2 is killed". @param {string} action @param {Names} names */
export function inside(action, names) {
  const [verb = "", ...words] = action.split(" ");
  return CLAUSES[verb]?.(words, words.join(" "), (ids = "") => hosts(ids, names.host), names.message) ?? action;
}

/**
 * Actions of one moment, "kill 1, kill 2", as clauses without the last stop.
 * @param {string} actions
 * @param {Names} names
 */
export const clauses = (actions, names) =>
  actions
    .split(", ")
    .map((action) => sentence(action, names))
    .join(" ")
    .replace(/\.$/, "");

/**
 * One action as it is asked for: "kill broker 2"; other than of a node, as the timeline writes it.
 * @param {string} action
 * @param {Names} names
 */
export function asked(action, names) {
  const [verb = "", ids, ...rest] = action.split(" ");
  return NODE_VERBS.has(verb) && ids ? [verb, hosts(ids, names.host), ...rest].join(" ") : action;
}

/** How many actions of which kind, in the order of the first of each: "2 kills, 1 start". @param {string[]} actions */
export function counted(actions) {
  /** @type {Map<readonly string[], number>} */ const numbers = new Map();
  for (const action of actions) {
    const kind = KINDS[action.split(" ", 1)[0] ?? ""] ?? OTHER;
    numbers.set(kind, (numbers.get(kind) ?? 0) + 1);
  }
  return [...numbers].map(([[one, many], number]) => `${number} ${number === 1 ? one : many}`).join(", ");
}

const NODE_VERBS = new Set(["kill", "stop", "start", "pause", "resume"]);
const OTHER = ["other action", "other actions"];
/** @type {Record<string, readonly string[]>} */
const KINDS = {
  kill: ["kill", "kills"],
  stop: ["clean stop", "clean stops"],
  start: ["start", "starts"],
  pause: ["pause", "pauses"],
  resume: ["resume", "resumes"],
  "kill-rack": ["rack taken down", "racks taken down"],
  "start-rack": ["rack brought back", "racks brought back"],
  "kill-site": ["cluster taken down", "clusters taken down"],
  "start-site": ["cluster brought back", "clusters brought back"],
  "power-loss": ["power loss", "power losses"],
  cut: ["cut", "cuts"],
  heal: ["heal", "heals"],
  acks: ["change of acks", "changes of acks"],
  rate: ["change of rate", "changes of rate"],
  config: ["change of a setting", "changes of settings"],
  reassign: ["reassignment", "reassignments"],
  elect: ["requested election", "requested elections"],
  create: ["new topic", "new topics"],
  delete: ["deleted topic", "deleted topics"],
  partitions: ["change of partitions", "changes of partitions"],
  move: ["move", "moves"],
};

/**
 * Nodes as they are called: "2" is broker 2, "az-a" a rack, "1,2" brokers 1 and 2.
 * @param {string} ids
 * @param {Names["host"]} name
 */
const hosts = (ids, name) => listed(together(ids.split(",").map(name)));

/** "1000.5" with separators: "1,000.5". @param {string} number */
const figure = (number = "") => number.replace(/^\d+/, (whole) => Number(whole).toLocaleString("en"));

/** "1,000.5 records/s", "1 record/s". @param {string} [rate] */
const aSecond = (rate) => `${figure(rate)} ${rate === "1" ? "record/s" : "records/s"}`;

/**
 * A selection of links: "0|1,2" both ways, "0>1" one way.
 * @param {string} links
 * @param {(ids: string) => string} who
 */
function between(links, who) {
  const [a = "", b = ""] = links.split(/[|>]/);
  if (!b) return `from ${who(a)}`;
  return links.includes(">") ? `from ${who(a)} to ${who(b)}` : `between ${who(a)} and ${who(b)}`;
}

/**
 * Brokers by the ids of the cluster that a partition is of: "east/1,east/2" for "east/orders-0".
 * @param {string} [partition]
 * @param {string} [ids]
 */
const besides = (partition = "", ids = "") =>
  ids
    .split(",")
    .map((id) => `${partition.slice(0, partition.lastIndexOf("/") + 1)}${id}`)
    .join(",");

const OF_BROKER = /^([A-Za-z][\w-]*\/)?broker\.\d+$/;

/** What became of the disk before a start. @type {Record<string, string>} */
const DISK = { empty: " with an empty disk", wiped: " with its data wiped" };

/**
 * @type {Record<string, (words: string[], rest: string, who: (ids?: string) => string, message: Names["message"]) =>
 *   string>}
 */
const CLAUSES = {
  kill: ([node], _, who) => `${who(node)} is killed`,
  stop: ([node], _, who) => `${who(node)} shuts down cleanly`,
  start: ([node, ...how], _, who) =>
    `${who(node)} starts${DISK[how[0] ?? ""] ?? ""}${how.at(-2) === "after" ? `, which takes ${how.at(-1)}` : ""}`,
  pause: ([node], _, who) => `${who(node)} is paused`,
  resume: ([node], _, who) => `${who(node)} goes on`,
  "kill-rack": ([rack]) => `${rack} is taken down`,
  "power-loss": ([ids = "", lost], _, who) =>
    lost === "0"
      ? ids === "all"
        ? "all brokers go dark"
        : `${who(ids)} ${ids.includes(",") ? "go" : "goes"} dark`
      : ids === "all"
        ? "all brokers lose their power"
        : `${who(ids)} ${ids.includes(",") ? "lose" : "loses"} power`,
  "start-rack": ([rack]) => `${rack} is brought back`,
  "kill-site": ([cluster]) => `${cluster} is taken down`,
  "start-site": ([cluster]) => `${cluster} is brought back`,
  cut: (_, rest, who) => `the links ${between(rest, who)} are cut`,
  heal: (_, rest, who) => (rest ? `the links ${between(rest, who)} are healed` : "all links are healed"),
  "slow-link": ([links = "", by = ""], _, who) =>
    NO_TIME.test(by)
      ? `the links ${between(links, who)} are at full speed`
      : `the links ${between(links, who)} are slower by ${by}`,
  slow: ([node, rate, served = ""], _, who) =>
    rate === "serving"
      ? `${who(node)} serves fetches ${served === "off" ? "at full speed" : `with at most ${aSecond(served)}`}`
      : rate === "off"
        ? `${who(node)} fetches at full speed`
        : `${who(node)} fetches at most ${aSecond(rate)}`,
  acks: ([topic, acks]) => `${topic} is now written with acks=${acks}`,
  config: ([subject = "", key, value], _, who) =>
    `${
      subject === "cluster"
        ? "the cluster"
        : subject.endsWith("/cluster")
          ? `cluster ${subject.slice(0, -8)}`
          : OF_BROKER.test(subject)
            ? who(subject.replace("broker.", ""))
            : subject
    }: ${key} = ${value}`,
  rate: ([producer, rate, partition]) => `${producer} sends ${aSecond(rate)}${partition ? ` to ${partition}` : ""}`,
  send: ([producer, partition, count = "1"]) =>
    `${producer} sends ${figure(count)} ${count === "1" ? "record" : "records"} to ${partition}`,
  resend: ([producer, partition, first = "", count = "1"]) =>
    `${producer} sends ${
      count === "1"
        ? `the record of call ${first}`
        : `the records of calls ` + `${first}–${Number(first) + Number(count) - 1}`
    } to ${partition} again`,
  hold: ([seq], _, __, message) => `${message(Number(seq))} is held`,
  deliver: ([seq], _, __, message) => `${message(Number(seq))} arrives now`,
  drop: ([seq], _, __, message) => `${message(Number(seq))} is lost with its connection`,
  reassign: ([partition, replicas], _, who) =>
    replicas === "cancel"
      ? `the reassignment of ${partition} is cancelled`
      : `${partition} is to be on ${who(besides(partition, replicas))}`,
  elect: ([kind, what]) =>
    `${kind === "unclean" ? "an unclean" : "a preferred"} election is requested for ` +
    `${what === "all" ? "all partitions" : what?.endsWith("/all") ? `all partitions of ${what.slice(0, -4)}` : what}`,
  create: ([topic]) => `topic ${topic} is created`,
  delete: ([topic]) => `topic ${topic} is deleted`,
  partitions: ([topic, count = ""]) => `topic ${topic} is to have ${figure(count)} partitions`,
  open: ([client]) => `${client} is opened`,
  close: ([client]) => `${client} is closed`,
  crash: ([client]) => `${client} crashes`,
  intercept: ([, producer, partition, call, how, late]) =>
    how === "hold-request"
      ? `the request with call ${call} of ${producer} to ${partition} will be held`
      : `the answer to call ${call} of ${producer} to ${partition} will be ` +
        `${how === "drop-response" ? "lost" : `late by ${late}`}`,
  release: () => "a held request goes on",
  "late-heartbeat": ([node], _, who) => `a heartbeat that ${who(node)} had sent arrives after all`,
  move: ([client, cluster, topics]) => `${client} moves to ${cluster}${topics ? ` (${topics})` : ""}`,
  commit: ([consumer, partition, offset]) =>
    `${consumer} commits ${offset ? `${offset} of ${partition}` : "what it has read"}`,
};
