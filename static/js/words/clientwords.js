/**
 * Decisive facts about clients and about single messages as sentences, for the event log and the captions. Pure.
 *
 * @import {ClientChanged, MessageHandled, RequestRefused, RequestWaits, WriteFailed} from "../facts/decisive.js"
 * @import {Event, Narrator, Sentences} from "./narrate.js"
 */
import { inside } from "./actionwords.js";
import { ERROR_NAMES, HAND, KIND, MSG_NAMES, REFUSED_BECAUSE, RESET_NAMES, WAIT_NAMES } from "../facts/facts.js";
import { perSecond } from "../kit/wording.js";

/** Errors that a coordinator refuses commits with. */
const OF_COMMITS = [
  "GROUP_ID_NOT_FOUND",
  "ILLEGAL_GENERATION",
  "UNKNOWN_MEMBER_ID",
  "REBALANCE_IN_PROGRESS",
  "COORDINATOR_NOT_AVAILABLE",
];

/** Kafka spells it with a capital inside. */
const OWN_SPELLING = /^[A-Z][a-z]+[A-Z]/;

/**
 * A message as people call it: "the fetch of orders-0 from broker 3 to broker 1".
 * @param {{msg: number, src: number, dst: number, p: number}} message
 * @param {{node: (id: number) => string, partition: (p: number) => string}} words
 */
export function messageWords({ msg, src, dst, p }, words) {
  return (
    `the ${messageKind(msg)}${p >= 0 ? ` of ${words.partition(p)}` : ""} from ${words.node(src)} to ` +
    `${words.node(dst)}`
  );
}

/** @param {number} msg */
function messageKind(msg) {
  const name = MSG_NAMES[msg] ?? "message";
  return OWN_SPELLING.test(name) ? name : name.charAt(0).toLowerCase() + name.slice(1);
}

/** @type {Sentences} */
export const CLIENT_SENTENCES = {
  [KIND.CLIENT_CHANGED]: clientChanged,
  [KIND.CLIENT_JOINED]: (_, { text }) => {
    const [name, kind, topics = "", group] = text.split(" ");
    return {
      icon: "next",
      marker: "other",
      rule: "MM-9",
      text: `${name} starts as a ${kind} of ${topics.split(",").join(" and ")}${group ? ` in group ${group}` : ""}`,
    };
  },
  [KIND.WRITE_FAILED]: writeFailed,
  [KIND.MESSAGE_HANDLED]: messageHandled,
  [KIND.REQUEST_REFUSED]: requestRefused,
  [KIND.REQUEST_WAITS]: requestWaits,
  [KIND.CONSUMER_RESET]: ({ words }, { client, p, old, new: now, why }) =>
    old < 0
      ? {
          icon: "next",
          p,
          minor: true,
          rule: "CON-5",
          text:
            `${words.partition(p)}: consumer ${words.client(client)} starts at ` +
            `${now}${RESET_NAMES[why] ? `, ${RESET_NAMES[why]}` : ""}`,
        }
      : {
          icon: "prev",
          p,
          marker: "other",
          rule: "CON-4",
          grave: now < old,
          text:
            `${words.partition(p)}: consumer ${words.client(client)} goes from ${old} to ${now}, ` +
            `${RESET_NAMES[why]}`,
        },
  [KIND.CONSUMER_ERROR]: ({ words }, { client, p, error }) => {
    const name = ERROR_NAMES[error] ?? "";
    const isCommit = OF_COMMITS.includes(name);
    return {
      icon: "warning",
      p,
      marker: "other",
      grave: true,
      rule: isCommit ? "CON-9" : "CON-4",
      text:
        `${words.partition(p)}: ` +
        `${isCommit ? `a commit of ${words.client(client)} fails,` : `poll() of ${words.client(client)} throws`} ` +
        `${name}`,
    };
  },
};

/** @param {Narrator} n @param {ClientChanged} fact @returns {Partial<Event> | null} */
function clientChanged({ words }, { t, client, state, acks, rate_milli: rate }) {
  if (t === 0) return null;
  const settings = words.isConsumer(client) ? " opens" : `: acks=${acks < 0 ? "all" : acks}, ${perSecond(rate / 1000)}`;
  const text =
    state === 1
      ? `${words.client(client)}${settings}`
      : `${words.client(client)} ${state === 2 ? "crashes" : "closes"}`;
  return { icon: "pen", marker: "other", text, rule: state === 1 ? "PROD-4" : "" };
}

/**
 * The request of an administrator in words; the owner of a setting stands in the action alone.
 * @param {Narrator} n
 * @param {number} cause
 * @param {number} p
 * @param {string} text
 */
function asked({ words, actions }, cause, p, text) {
  const action = actions.get(cause);
  if (action?.verb === "config") return inside(action.text, { host: words.host, message: () => "" });
  return p >= 0 ? `${words.partition(p)}: ${text}`.trim() : text;
}

/** @param {Narrator} n @param {RequestRefused} fact @returns {Partial<Event>} */
function requestRefused(n, { cause, p, error, text }) {
  const what = asked(n, cause, p, text);
  const name = ERROR_NAMES[error] ?? "";
  const call = text === "reassign cancel" ? text : text.split(" ")[0];
  const why = REFUSED_BECAUSE[`${call} ${name}`] ?? REFUSED_BECAUSE[name] ?? "";
  return {
    icon: "stop",
    p,
    marker: "other",
    text: `${what} refused, ${name}${why ? `: ${why}` : ""}`.trim(),
    caption: {
      lead: `The controller refuses: ${what}.`,
      rest: why ? `${why.charAt(0).toUpperCase()}${why.slice(1)} (${name}).` : `${name}.`,
    },
  };
}

/** @param {Narrator} n @param {RequestWaits} fact @returns {Partial<Event>} */
function requestWaits(n, { cause, p, broker, why, text }) {
  const what = asked(n, cause, p, text);
  const where = broker < 0 ? "" : ` at ${n.words.node(broker)}`;
  const until =
    broker < 0
      ? "The administrator's client tries again, for a minute at most."
      : "It is carried out when that ends; after 30 s the administrator's client asks another broker.";
  return {
    icon: "stop",
    p,
    marker: "other",
    rule: "QUO-7",
    text: `${what} waits${where}: ${WAIT_NAMES[why]}`,
    caption: { lead: `${what} waits${where}: ${WAIT_NAMES[why]}.`, rest: until },
  };
}

/** The meaning of a refused write, where it is the servers' word. @type {Record<string, string>} */
const REFUSALS = {
  NOT_ENOUGH_REPLICAS: "Fewer replicas are in sync than min.insync.replicas asks for; the producer keeps trying.",
  NOT_ENOUGH_REPLICAS_AFTER_APPEND: "It was written, but too few replicas are in sync; the producer keeps trying.",
};

/** @param {Narrator} n @param {WriteFailed} fact @returns {Partial<Event>} */
function writeFailed({ words }, { client, p, error: code, ended }) {
  const [name, who, error] = [words.partition(p), words.client(client), ERROR_NAMES[code] ?? ""];
  if (ended) {
    return {
      icon: "warning",
      p,
      marker: "other",
      grave: true,
      rule: "PC-3",
      text: `${name}: records of ${who} fail, ${error}`,
      caption: {
        lead: `${who} gives up records of ${name}.`,
        rest: `Their calls end with ${error}; the application is told.`,
      },
    };
  }
  const why = REFUSALS[error];
  return {
    icon: "warning",
    p,
    marker: why ? "other" : "",
    minor: !why,
    part: why ? "refused" : "",
    rule: why ? "PROD-2" : "PC-3",
    text: `${name}: ${who} gets ${error}, tries again`,
    caption: why ? { lead: `A write to ${name} is refused.`, rest: why } : null,
  };
}

/** @param {Narrator} n @param {MessageHandled} fact @returns {Partial<Event>} */
function messageHandled({ words }, { how, msg, src, dst, p }) {
  const { verb, rest, ...look } = HANDS[how] ?? HANDS[HAND.HOLDS];
  return {
    ...look,
    p,
    text: `T${messageWords({ msg, src, dst, p }, words).slice(1)} ${verb}`,
    caption: {
      lead: `The ${messageKind(msg)} ${verb}.`,
      rest: `${p >= 0 ? `${words.partition(p)}, f` : "F"}rom ${words.node(src)} to ${words.node(dst)}. ${rest}`,
    },
  };
}

/** @typedef {{icon: string, marker: import("./narrate.js").Marker, rule: string, verb: string, rest: string}} Hand */
const HANDS = /** @type {Record<number, Hand> & {1: Hand}} */ ({
  [HAND.HOLDS]: {
    icon: "pause",
    marker: "",
    rule: "TCP-1",
    verb: "is held",
    rest: "What is sent behind it waits too.",
  },
  [HAND.DELIVERS]: {
    icon: "play",
    marker: "",
    rule: "TCP-1",
    verb: "arrives now",
    rest: "What was sent before it arrives first.",
  },
  [HAND.LOSES]: {
    icon: "x",
    marker: "fault",
    rule: "PC-7",
    verb: "is lost",
    rest: "TCP loses no single message: the connection breaks.",
  },
});
