/**
 * Actions of the timeline in words, by the clauses of the table of verbs. `action_words.py` does the same. Pure.
 *
 * @typedef {{kind?: string, text?: string, otherwise?: string}} Slot  a word of a form; text: what has to stand there,
 *   otherwise: where nothing stands there
 * @typedef {{slots: Slot[], clause: string, label?: string}} Form
 */

import { capital, listed, together } from "../kit/wording.js";
import { VERBS } from "./verbs.js";

/**
 * @typedef {{host: (ref: string) => string, message: (seq: number) => string}} Names  host: what an action names,
 *   "broker 1" of "1"
 */
// an article before a verb is a name: rack "a" loses power
const OWN_WORDS =
  /^((broker|controller)s? ([A-Za-z][\w-]*\/)?\d|(the|all|an|a) (?!(and|is|loses|goes|sends|commits) |crashes))/;
const TOKEN = /\{(\w+)(?:\+(\w+)|\?(\w+):(\w+))?\}/g;
const OTHER = ["other action", "other actions"];
const SLOT = /^<(\w+)(?::([^=>]+))?(?:=([^>]+))?>$/;

/** A word of a form: "<node>", "<records:0>", "<count=1>", "after". @param {string} word @returns {Slot} */
function slotOf(word) {
  const [, kind, text = "", otherwise = ""] = SLOT.exec(word) ?? [];
  return { ...(kind ? { kind } : { text: word }), ...(text && { text }), ...(otherwise && { otherwise }) };
}

/** @type {Record<string, Form[]>} */
const FORMS = Object.fromEntries(
  Object.entries(VERBS).map(([verb, { forms }]) => [
    verb,
    forms.map(([words, clause, label]) => ({
      slots: words.split(" ").filter(Boolean).map(slotOf),
      clause,
      ...(label && { label }),
    })),
  ]),
);

/** @param {string} action such as "kill 2" @param {Names} names */
export function sentence(action, names) {
  const text = inside(action, names);
  return `${OWN_WORDS.test(text) ? capital(text) : text}.`; // a topic's or a rack's name stays as it is
}

/** One action as a clause inside a sentence: "broker 2 is killed". @param {string} action @param {Names} names */
export function inside(action, names) {
  const form = formOf(action);
  return form ? filled(form.clause, form, action, names) : action;
}

/**
 * The label of a menu's item for an action: "Take all of az-a down"; "" where each menu has its own.
 * @param {string} action
 */
export function labelOf(action) {
  const form = formOf(action);
  return form?.label ? filled(form.label, form, action, AS_WRITTEN) : "";
}

/** @type {Names} */ const AS_WRITTEN = { host: (ref) => ref, message: String };

/** @param {string} action */
function formOf(action) {
  const [verb = "", ...words] = action.split(" ");
  return FORMS[verb]?.find((one) => fits(one, words));
}

/**
 * A clause or a label with the arguments of an action in it.
 * @param {string} template @param {Form} form @param {string} action @param {Names} names
 */
function filled(template, form, action, names) {
  const words = action.split(" ").slice(1);
  /** @type {Args} */ const args = {};
  for (const [place, { kind, otherwise = "" }] of form.slots.entries())
    if (kind) args[kind] = words[place] || otherwise;
  return template.replace(TOKEN, (_, kind, added, several, one) => {
    const arg = args[kind] ?? "";
    if (added) return String(Number(arg) + Number(args[added]) - 1);
    if (several) return arg.includes(",") ? several : one;
    return CALLED[kind]?.(arg, args, names) ?? arg;
  });
}

/** True if the words behind a verb fit a form. @param {Form} form @param {string[]} words */
const fits = ({ slots }, words) =>
  words.length <= slots.length &&
  slots.every(({ text, otherwise }, place) => {
    const word = words[place];
    return word === undefined ? otherwise !== undefined : text === undefined || text === word;
  });

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
  return subjectOf(verb) === "node" && ids ? [verb, hosts(ids, names.host), ...rest].join(" ") : action;
}

/** The kind of the first argument of a verb: "node", "rack". @param {string} verb */
export const subjectOf = (verb) => FORMS[verb]?.[0]?.slots[0]?.kind;

/** How many actions of which kind, in the order of the first of each: "2 kills, 1 start". @param {string[]} actions */
export function counted(actions) {
  /** @type {Map<readonly string[], number>} */ const numbers = new Map();
  for (const action of actions) {
    const kind = VERBS[action.split(" ", 1)[0] ?? ""]?.noun ?? OTHER;
    numbers.set(kind, (numbers.get(kind) ?? 0) + 1);
  }
  return [...numbers].map(([[one, many], number]) => `${number} ${number === 1 ? one : many}`).join(", ");
}

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
 * @param {string} link
 * @param {Names} names
 */
function between(link, names) {
  const [left = "", right = ""] = link.split(/[|>]/).map((side) => hosts(side, names.host));
  return link.includes(">") ? `from ${left} to ${right}` : `between ${left} and ${right}`;
}

/**
 * Brokers by the ids of the cluster that a partition is of: "east/1,east/2" for "east/orders-0".
 * @param {string} partition
 * @param {string} ids
 */
const besides = (partition, ids) =>
  ids
    .split(",")
    .map((id) => `${partition.slice(0, partition.lastIndexOf("/") + 1)}${id}`)
    .join(",");

/** Partitions that an election is for: "all", "east/all", "orders-0". @param {string} scope */
const partitions = (scope) =>
  scope === "all" ? "all partitions" : scope.endsWith("/all") ? `all partitions of ${scope.slice(0, -4)}` : scope;

const OF_BROKER = /^([A-Za-z][\w-]*\/)?broker\.\d+$/;

/** Whose setting it is, of "east/cluster", "broker.2", "orders". @param {string} subject @param {Names} names */
function owner(subject, names) {
  if (subject === "cluster") return "the cluster";
  if (subject.endsWith("/cluster")) return `cluster ${subject.slice(0, -8)}`;
  return OF_BROKER.test(subject) ? hosts(subject.replace("broker.", ""), names.host) : subject;
}

/** @typedef {Record<string, string>} Args  the arguments of an action, by kind */
/** @typedef {(arg: string, args: Args, names: Names) => string} Called */
/** @type {Called} */ const node = (arg, _, names) => hosts(arg, names.host);
/** @type {Called} */ const rate = (arg) => aSecond(arg);
/** @type {Called} */ const count = (arg) => figure(arg);

/** How an argument of a kind is called; others are called as they are written. @type {Record<string, Called>} */
const CALLED = {
  node,
  host: node,
  broker: node,
  hosts: node,
  rate,
  limit: rate,
  count,
  size: count,
  link: (link, _, names) => between(link, names),
  message: (seq, _, names) => names.message(Number(seq)),
  replicas: (ids, args, names) => hosts(besides(args["partition"] ?? "", ids), names.host),
  scope: partitions,
  subject: (subject, _, names) => owner(subject, names),
};
