/**
 * Decisive facts as sentences: what the event log, the timeline's marks and the captions say. Kafka's words; the rule
 * of the rule book (docs/rules) that a fact follows stands at its end. Pure.
 *
 * @import {ActionDone, Decisive, DecisiveOf} from "../facts/decisive.js"
 * @import {Row} from "../facts/types.js"
 */
import { clauses } from "./actionwords.js";
import { ofAction } from "./actionevents.js";
import { CLIENT_SENTENCES } from "./clientwords.js";
import { configChanged } from "./configevents.js";
import { echoOf } from "./echo.js";
import { ERROR_NAMES, KIND } from "../facts/facts.js";
import { DECISIVE_READERS } from "../facts/decisive.js";
import { kindOf, seqOf } from "../facts/row.js";
import { list } from "./isrevents.js";
import { linkChanged } from "./linkevents.js";
import { MIRROR_SENTENCES } from "./narratemirrors.js";
import { partitionChanged, recordsBack, recordsLost, truncated } from "./partitionevents.js";
import { controllerChanged, processChanged, registrationChanged } from "./processevents.js";
import { Rejoining } from "./rejoined.js";
import { capital, perSecond, plural, range } from "../kit/wording.js";

/**
 * The sentence of each kind of fact, by the kind's number; a kind that is not in it says nothing.
 * @typedef {{[K in Decisive["kind"]]?: (n: Narrator, fact: DecisiveOf<K>) => Partial<Event> | null}} Sentences
 *
 * @typedef {"fault" | "election" | "isr" | "flag" | "other" | ""} Marker  shape on the timeline; "" has none
 *
 * @typedef {"" | "rack" | "death" | "fenced" | "elected" | "unclean" | "leaderless" | "shrunk" | "grown" | "rejoined" |
 *   "lost" | "truncated" | "emptied" | "active" | "starting" | "resumed" | "set" | "cut" | "healed" | "refused"} Part
 * @typedef {object} Event
 * @property {number} seq
 * @property {number} t
 * @property {number} cause
 * @property {string} icon
 * @property {string} text
 * @property {string} rule
 * @property {boolean} grave
 * @property {Marker} marker
 * @property {boolean} minor  of the kind that only accompanies another
 * @property {Part} part  of what happens at its instant
 * @property {number} amount  of records; of losses that go on, with those before
 * @property {number[]} ends  of a link
 * @property {number} p  partition, or -1
 * @property {number} node  broker or controller, or -1
 * @property {number} echo  number of the action that says the same, or 0
 * @property {{lead: string, rest: string} | null} caption
 * @property {{name: string, from: string, to: string}[]} changes
 *
 * @typedef {object} Words  names of things
 * @property {(p: number) => string} partition
 * @property {(p: number) => boolean} hasPartition  whether its name is known
 * @property {(topic: number) => string} topic
 * @property {(topic: number, name: string) => string} topicNamed  a name that the topic had
 * @property {(node: number) => string} node  "broker 1", "broker east/1"
 * @property {(node: number) => number} id  in its cluster
 * @property {(node: number) => number} cluster  place of its cluster
 * @property {(cluster: number) => string} site  name of a cluster, "" where it has none
 * @property {(ref: string) => string} host  what an action names: "broker 1" of "1", a rack as it is
 * @property {(ref: string) => number} nodeOf  the node that an action names, -1: it names something else
 * @property {(index: number) => string} client
 * @property {(index: number) => boolean} isConsumer
 * @property {(index: number) => string} process  of MirrorMaker
 * @property {(index: number) => string} flow  of MirrorMaker: "east → west"
 * @property {(node: number) => import("./copytime.js").Sizes} basis  sizes that the document tells of its cluster
 * @property {(p: number) => boolean} hasOldLog  true of a partition that began the run with records
 */

/**
 * @typedef {{leader: number, epoch: number, isr: number[], replicas: number[], last: number, emptied: number[],
 *   was?: {t: number, leader: number, isr: number[]} | undefined}} Known  was: before the instant t of its last change
 *   last: who led it last, or -1; emptied: while nobody leads it, brokers whose copies lost all records
 */
/**
 * @typedef {{t: number, base: number, end: number, epoch: number}} Series  offsets lost so far, and when the newest
 *   were
 */

export class Narrator {
  /** @param {Words} words */
  constructor(words) {
    /** partitions that a fact created, by the name in it: the view may not have them yet @type {Map<number, string>} */
    this.created = new Map();
    /** topics of such partitions @type {Map<number, string>} */ this.topics = new Map();
    const named = (/** @type {number} */ p) => (words.hasPartition(p) ? undefined : this.created.get(p));
    this.words = {
      ...words,
      partition: (/** @type {number} */ p) => named(p) ?? words.partition(p),
      topic: (/** @type {number} */ topic) => this.topics.get(topic) ?? words.topic(topic),
    };
    /** @type {Event[]} */ this.events = [];
    /** @type {Map<number, Known>} */ this.known = new Map();
    /** @type {Map<number, number>} */ this.processes = new Map();
    /** @type {Map<number, {be: number, state: number}>} */ this.registrations = new Map();
    /** the active controller of each cluster, -1: none @type {number[]} */ this.active = [];
    /** the losses of each partition that go on, one acknowledgement after the other @type {Map<number, Series>} */
    this.losses = new Map();
    /**
     * the facts by which a log was cut or deleted: a loss by one of them needs no leader
     * @type {Map<number, boolean>}
     */
    this.cuts = new Map();
    /** what somebody did and when, by the numbers of their facts @type {Map<number, ActionDone>} */
    this.actions = new Map();
    this.rejoining = new Rejoining();
    this.read = 0;
    this.lastSeq = 0;
  }

  /** Take over the state before the first fact. @param {import("../facts/types.js").View} view of the run's start */
  seed(view) {
    this.start = view;
    this.forget();
    this.active = (view.clusters ?? [view]).map(({ active }) => active);
    view.partitions.forEach(({ leader, epoch, isr, replicas }, p) =>
      this.known.set(p, { leader, epoch, isr, replicas, last: leader, emptied: [] }),
    );
  }

  /** @type {import("../facts/types.js").View | null} */ start = null;

  /** Takes in the decisive facts that it has not seen. @param {Row[]} rows all of them, oldest first */
  take(rows) {
    const start = this.startOf(rows);
    for (let i = start; i < rows.length; i++) {
      const row = /** @type {Row} */ (rows[i]);
      const fact = DECISIVE_READERS[kindOf(row)]?.(row);
      this.lastSeq = seqOf(row);
      if (!fact) continue;
      const { seq, t, cause, kind } = fact;
      const part = BY_NUMBER[kind]?.(this, fact);
      this.remember(fact);
      if (part) this.events.push({ ...BLANK, seq, t, cause, echo: echoOf(this, fact, part), ...part });
    }
    this.read = rows.length;
  }

  /** Older facts came in, or newer ones were taken back: begin again. @param {Row[]} rows */
  startOf(rows) {
    const last = rows[this.read - 1];
    if (this.read <= rows.length && (!last || seqOf(last) === this.lastSeq)) return this.read;
    this.forget();
    if (this.start) this.seed(this.start);
    return 0;
  }

  /** Nothing has been read. */
  forget() {
    this.read = 0;
    this.events = [];
    for (const map of [
      this.known,
      this.created,
      this.topics,
      this.processes,
      this.registrations,
      this.actions,
      this.losses,
      this.cuts,
    ])
      map.clear();
    this.rejoining.forget();
    this.active = [];
  }

  /** @param {Decisive} fact */
  remember(fact) {
    switch (fact.kind) {
      case KIND.PARTITION_CHANGED: {
        const { p, leader, epoch, isr, replicas } = fact;
        const before = this.known.get(p);
        const last = leader < 0 ? (before?.last ?? -1) : leader;
        const emptied = leader < 0 ? (before?.emptied ?? []) : [];
        const old = before && { t: fact.t, leader: before.leader, isr: before.isr };
        const was = before?.was?.t === fact.t ? before.was : old;
        this.known.set(p, { leader, epoch, isr, replicas, last, emptied, was });
        this.rejoining.settle(this.known);
        break;
      }
      case KIND.PROCESS_CHANGED:
        this.rejoining.process(fact, this.processes.get(fact.node), this.known);
        this.processes.set(fact.node, fact.state);
        break;
      case KIND.CONTROLLER_CHANGED: {
        const { controller } = fact;
        const cluster = controller < 0 ? -1 - controller : this.words.cluster(controller);
        this.active[cluster] = Math.max(controller, -1);
        break;
      }
      case KIND.TRUNCATED: {
        this.cuts.set(fact.seq, true);
        if (fact.new === 0) this.rejoining.emptied.add(fact.broker);
        const cut = this.known.get(fact.p);
        if (fact.new === 0 && cut && cut.leader < 0) cut.emptied = [...cut.emptied, fact.broker];
        break;
      }
      case KIND.REPLICA_GONE:
        this.cuts.set(fact.seq, true);
        break;
      case KIND.ACTION_DONE:
        this.actions.set(fact.seq, fact);
        break;
      case KIND.BROKER_REGISTRATION:
        this.registrations.set(fact.broker, { be: fact.be, state: fact.state });
        this.rejoining.registration(fact, this.known);
        break;
    }
  }

  /** The active controller of a node's cluster, -1: none. @param {number} node */
  activeOf(node) {
    return this.active[this.words.cluster(node)] ?? -1;
  }
}

/** @type {Omit<Event, "seq" | "t" | "cause">} */
const BLANK = {
  icon: "ring",
  text: "",
  rule: "",
  grave: false,
  marker: "",
  minor: false,
  part: "",
  amount: 0,
  ends: [],
  p: -1,
  node: -1,
  echo: 0,
  caption: null,
  changes: [],
};

/** @type {Sentences} */
const SENTENCES = {
  ...CLIENT_SENTENCES,
  ...MIRROR_SENTENCES,
  [KIND.ACTION_DONE]: ({ words }, action) => ({
    icon: "zap",
    text: clauses(action.text, { host: words.host, message: () => "a message" }),
    marker: "other",
    ...ofAction(action, words),
  }),
  [KIND.PROCESS_CHANGED]: processChanged,
  [KIND.BROKER_REGISTRATION]: registrationChanged,
  [KIND.CONTROLLER_CHANGED]: controllerChanged,
  [KIND.PARTITION_CHANGED]: partitionChanged,
  [KIND.LEADER_ACTIVATED]({ words }, { t, broker, p, epoch, start, leo }) {
    if (t === 0) return null;
    const name = words.partition(p);
    return {
      icon: "flag",
      p,
      node: broker,
      rule: "LOG-2",
      minor: true,
      text: `${name}: ${words.node(broker)} leads epoch ${epoch} from offset ${start}`,
      changes: [
        { name: `${name} leads from`, from: "", to: String(start) },
        { name: "LEO", from: "", to: String(leo) },
      ],
    };
  },
  [KIND.FOLLOWER_STARTED]: ({ words }, { t, broker, p, epoch, leader }) =>
    t === 0
      ? null
      : {
          icon: "right",
          p,
          node: broker,
          rule: "FET-3",
          minor: true,
          text:
            `${words.partition(p)}: ${words.node(broker)} follows ` +
            `${leader < 0 ? "nobody" : words.node(leader)}, epoch ${epoch}`,
        },
  [KIND.ISR_PROPOSED]: ({ words }, { broker, p, isr }) => ({
    icon: "isr",
    p,
    node: broker,
    rule: "AP-1",
    minor: true,
    text: `${words.partition(p)}: ${words.node(broker)} asks for ISR ${list(isr, words)}`,
  }),
  [KIND.ISR_ADOPTED]: ({ words }, { broker, p, isr }) => ({
    icon: "isr",
    p,
    node: broker,
    rule: "AP-4",
    minor: true,
    text: `${words.partition(p)}: ${words.node(broker)} now counts with ISR ${list(isr, words)}`,
  }),
  [KIND.ISR_REFUSED]: ({ words }, { broker, p, error }) => ({
    icon: "stop",
    p,
    node: broker,
    rule: "AP-5",
    text: `${words.partition(p)}: the controller refuses ${words.node(broker)}'s ISR, ${ERROR_NAMES[error]}`,
  }),
  [KIND.TRUNCATED]: truncated,
  [KIND.LINK_CHANGED]: linkChanged,
  [KIND.CONFIG_CHANGED]: configChanged,
  [KIND.REPLICA_GONE]: ({ words }, { broker, p }) => ({
    icon: "trash",
    p,
    node: broker,
    rule: "REA-4",
    text: `${words.partition(p)}: ${words.node(broker)} deletes its copy`,
  }),
  [KIND.RECORDS_LOST]: recordsLost,
  [KIND.RECORDS_BACK]: recordsBack,
  [KIND.DUPLICATE_WRITTEN]: ({ words }, { p, base, count, epoch }) => ({
    icon: "copy",
    p,
    marker: "flag",
    grave: true,
    rule: "PC-10",
    text:
      `${words.partition(p)}: ${plural(count, "record")} written a second time at ${range(base, count)}, epoch ` +
      `${epoch}`,
    caption: {
      lead: "The same records again.",
      rest: `${words.partition(p)} holds ${range(base, count)} again: the producer retried without idempotence.`,
    },
  }),
  [KIND.PARTITION_CREATED]: ({ words, created, topics }, { t, p, topic, number, replicas, text }) => {
    if (t === 0) return null;
    const site = words.site(words.cluster(replicas[0]));
    const name = `${site ? `${site}/` : ""}${text}`;
    created.set(p, `${name}-${number}`);
    topics.set(topic, name);
    const told = `${words.partition(p)} created on brokers ${list(replicas, words)}`;
    return { icon: "plus", p, marker: "other", text: told };
  },
  [KIND.TOPIC_DELETED]: ({ words }, { topic, text: name }) => ({
    icon: "trash",
    marker: "other",
    text: `Topic ${words.topicNamed(topic, name)} is deleted, and its records with it`,
    caption: {
      lead: `${words.topicNamed(topic, name)} is gone.`,
      rest:
        "The brokers delete their copies as they learn of it. Clients learn of it by an error and a metadata " +
        "refresh.",
    },
  }),
  [KIND.RECORDS_EXPIRED]: ({ words }, { broker, p, old, start }) => ({
    icon: "trash",
    p,
    node: broker,
    marker: "other",
    rule: "LOG-7",
    text: `${words.partition(p)}: retention removes ${range(old, start - old)}, the log begins at ${start}`,
  }),
  [KIND.OFFSETS_EXPIRED]: (_, { broker, count, text: group }) => ({
    icon: "trash",
    node: broker,
    marker: "other",
    rule: "CON-10",
    text: `Group ${group}: ${plural(count, "committed offset")} ${count === 1 ? "has" : "have"} expired`,
    caption: {
      lead: `The committed offsets of group ${group} have expired.`,
      rest: "A consumer that joins it begins by auto.offset.reset.",
    },
  }),
  [KIND.SERVING_CHANGED]: ({ words }, { broker, per_s: rate }) => ({
    icon: "clock",
    node: broker,
    marker: rate >= 0 ? "fault" : "other",
    rule: "FLT-9",
    text:
      rate >= 0
        ? `${capital(words.node(broker))} serves fetches with at most ${perSecond(rate)}`
        : `${capital(words.node(broker))} serves fetches at full speed`,
  }),
  [KIND.SLOW_CHANGED]: ({ words }, { broker, per_s: rate }) => ({
    icon: "clock",
    node: broker,
    marker: rate >= 0 ? "fault" : "other",
    rule: "FLT-1",
    text:
      rate >= 0
        ? `${capital(words.node(broker))} fetches at most ${perSecond(rate)}`
        : `${capital(words.node(broker))} fetches at full speed again`,
  }),
};

/** @type {Record<number, ((n: Narrator, fact: any) => Partial<Event> | null) | undefined>} */
const BY_NUMBER = SENTENCES;

/** Seconds with three decimals, as the log shows times. @param {number} t us */
export const logTime = (t) => (t / 1e6).toFixed(3);
