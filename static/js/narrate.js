/**
 * Decisive facts as sentences: what the event log, the timeline's marks and the captions say. Kafka's words; the rule
 * of
 * the semantics document that a fact follows stands at its end. Pure.
 *
 * @import {Row} from "./types.js"
 */
import { clauses } from "./actionwords.js";
import { ofAction, settingOf } from "./actionevents.js";
import { CLIENT_SENTENCES } from "./clientwords.js";
import { echoOf } from "./echo.js";
import { ELECTION, ERROR_NAMES, KIND, PROCESS, PROCESS_NAMES, REASON, REASON_NAMES, REG } from "./facts.js";
import { ISR_RULES, isrChanged, list } from "./isrevents.js";
import { MIRROR_SENTENCES } from "./narratemirrors.js";
import { Rejoining } from "./rejoined.js";
import { capital, perSecond, plural, range } from "./wording.js";

/**
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
 */

/**
 * @typedef {{leader: number, epoch: number, isr: number[], replicas: number[], last: number}} Known  last: who led it
 *   last, or -1
 */
/**
 * @typedef {{t: number, base: number, end: number, epoch: number}} Series  offsets lost so far, and when the newest
 *   were
 */

/** A former leader acknowledges record by record: losses no further apart than this are one, us */
const SERIES_US = 1_000_000;

export class Narrator {
  /** @param {Words} words */
  constructor(words) {
    this.words = words;
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
    /** what somebody did and when, by the numbers of their facts @type {Map<number, {text: string, t: number}>} */
    this.actions = new Map();
    this.rejoining = new Rejoining();
    this.read = 0;
    this.lastSeq = 0;
  }

  /** What was so before the first fact. @param {import("./types.js").View} view of the run's start */
  seed(view) {
    this.start = view;
    this.forget();
    this.active = (view.clusters ?? [view]).map(({ active }) => active);
    view.partitions.forEach(({ leader, epoch, isr, replicas }, p) =>
      this.known.set(p, { leader, epoch, isr, replicas, last: leader }),
    );
  }

  /** @type {import("./types.js").View | null} */ start = null;

  /** Takes in the decisive facts that it has not seen. @param {Row[]} rows all of them, oldest first */
  take(rows) {
    const start = this.startOf(rows);
    for (let i = start; i < rows.length; i++) {
      const row = /** @type {Row} */ (rows[i]);
      const part = SENTENCES[row[2]]?.(this, row);
      this.remember(row);
      if (part)
        this.events.push({ ...BLANK, seq: row[0], t: row[1], cause: row[3], echo: echoOf(this, row, part), ...part });
      this.lastSeq = row[0];
    }
    this.read = rows.length;
  }

  /** Older facts came in, or newer ones were taken back: begin again. @param {Row[]} rows */
  startOf(rows) {
    if (this.read <= rows.length && (this.read === 0 || rows[this.read - 1]?.[0] === this.lastSeq)) return this.read;
    this.forget();
    if (this.start) this.seed(this.start);
    return 0;
  }

  /** Nothing has been read. */
  forget() {
    this.read = 0;
    this.events = [];
    for (const map of [this.known, this.processes, this.registrations, this.actions, this.losses, this.cuts])
      map.clear();
    this.rejoining.forget();
    this.active = [];
  }

  /** @param {Row} row */
  remember(row) {
    const [, , kind, , p, leader, epoch, , , , replicas, isr] = row;
    if (kind === KIND.PARTITION_CHANGED)
      this.known.set(p, { leader, epoch, isr, replicas, last: leader < 0 ? (this.known.get(p)?.last ?? -1) : leader });
    if (kind === KIND.PROCESS_CHANGED) {
      this.rejoining.process(row, this.processes.get(p));
      this.processes.set(p, leader);
    }
    if (kind === KIND.CONTROLLER_CHANGED) this.active[p < 0 ? -1 - p : this.words.cluster(p)] = Math.max(p, -1);
    if (kind === KIND.TRUNCATED || kind === KIND.REPLICA_GONE) this.cuts.set(row[0], true);
    if (kind === KIND.ACTION_DONE) this.actions.set(row[0], { text: String(leader), t: row[1] });
    if (kind === KIND.BROKER_REGISTRATION) this.registrations.set(p, { be: leader, state: epoch });
  }

  /** The active controller of a node's cluster, -1: none. @param {number} node */
  activeOf(node) {
    return this.active[this.words.cluster(node)] ?? -1;
  }
}

/** What is said of dead brokers that no controller misses. */
export const UNNOTICED = "No controller is active: nobody notices, and nobody is elected.";
/** What is said of a broker that had been fenced before it died. */
export const MISSED = "It was fenced already: nobody leads or waits for it any more.";
/** What is said of a broker that runs again and had been fenced (FLT-2, LIVE-5). */
const FENCED_MEANWHILE = "It was fenced meanwhile and does not know it: to itself it leads what it led before.";
/** What is said of a broker that starts while nobody could register it. */
export const UNREGISTERED = "No controller is active: it waits for one to register with.";
/** What is said of a broker that starts. */
const STARTS = "It reads its logs, then registers with the controller.";
/** What is said when a majority of the controllers is gone. */
export const NO_MAJORITY = "Most controllers are down: nothing can be committed until they are back.";

/** Whether a broker has no session that could run out. @param {Narrator} n @param {number} node */
const isFenced = (n, node) =>
  (n.registrations.get(node)?.state ??
    (n.start?.brokers[node]?.registration === "fenced" ? REG.FENCED : REG.ACTIVE)) === REG.FENCED;

/**
 * What a broker leaves behind that has shut down: nobody in sync may have been left to hand a leadership to.
 * @param {Narrator} n
 * @param {number} broker
 */
function afterLeaving(n, broker) {
  const orphans = [...n.known.values()].filter(({ leader, last }) => leader < 0 && last === broker).length;
  return orphans
    ? `Nobody in sync was left to lead ${plural(orphans, "partition")} after it.`
    : "It has handed its leaderships over and leaves.";
}

/** What follows when a dead or paused broker is fenced. @param {Narrator} n @param {number} broker */
function afterFencing(n, broker) {
  const known = [...n.known.values()];
  if (known.some((partition) => partition.leader === broker))
    return "The controller picks new leaders from the replicas still in sync.";
  return known.some((partition) => partition.isr.includes(broker))
    ? "It led nothing; the ISRs that it was in go on without it."
    : "It led nothing and was in no ISR: nothing else changes.";
}

/**
 * What follows from the death of a broker or controller.
 * @param {Narrator} n
 * @param {number} node
 * @param {boolean} broker
 */
function afterDeath(n, node, broker) {
  if (broker && isFenced(n, node)) return MISSED;
  if (broker) return n.activeOf(node) < 0 ? UNNOTICED : "Nobody has noticed yet: its controller session still runs.";
  const voters = Object.entries(n.start?.controllers ?? {}).filter(
    ([id]) => n.words.cluster(Number(id)) === n.words.cluster(node),
  );
  const left = voters.filter(
    ([id, voter]) =>
      Number(id) !== node &&
      (n.processes.get(Number(id)) ?? (voter.process === "down" ? PROCESS.DOWN : PROCESS.RUNNING)) !== PROCESS.DOWN,
  );
  if (voters.length && left.length * 2 <= voters.length) return NO_MAJORITY;
  return node === n.activeOf(node)
    ? "It was the active one; the others elect another."
    : "The quorum goes on as long as most controllers live.";
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

/** @type {Record<number, (narrator: Narrator, row: Row) => Partial<Event> | null>} */
const SENTENCES = {
  ...CLIENT_SENTENCES,
  ...MIRROR_SENTENCES,
  [KIND.ACTION_DONE]: ({ words }, row) => ({
    icon: "zap",
    text: clauses(String(row[5] ?? ""), { host: words.host, message: () => "a message" }),
    marker: "other",
    ...ofAction(String(row[5] ?? ""), words),
  }),
  [KIND.PROCESS_CHANGED]: processChanged,
  [KIND.BROKER_REGISTRATION]: registrationChanged,
  [KIND.CONTROLLER_CHANGED]: controllerChanged,
  [KIND.PARTITION_CHANGED]: partitionChanged,
  [KIND.LEADER_ACTIVATED]({ words }, [, t, , , broker, p, epoch, , start, , leo]) {
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
  [KIND.FOLLOWER_STARTED]: ({ words }, [, t, , , broker, p, epoch, leader]) =>
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
  [KIND.ISR_PROPOSED]: ({ words }, [, , , , broker, p, , , isr]) => ({
    icon: "isr",
    p,
    node: broker,
    rule: "AP-1",
    minor: true,
    text: `${words.partition(p)}: ${words.node(broker)} asks for ISR ${list(isr, words)}`,
  }),
  [KIND.ISR_ADOPTED]: ({ words }, [, , , , broker, p, , , isr]) => ({
    icon: "isr",
    p,
    node: broker,
    rule: "AP-4",
    minor: true,
    text: `${words.partition(p)}: ${words.node(broker)} now counts with ISR ${list(isr, words)}`,
  }),
  [KIND.ISR_REFUSED]: ({ words }, [, , , , broker, p, error]) => ({
    icon: "stop",
    p,
    node: broker,
    rule: "AP-5",
    text: `${words.partition(p)}: the controller refuses ${words.node(broker)}'s ISR, ${ERROR_NAMES[error]}`,
  }),
  [KIND.TRUNCATED]: truncated,
  [KIND.LINK_CHANGED]: linkChanged,
  [KIND.CONFIG_CHANGED]({ words }, [, , , , topic, text]) {
    const subject = topic < 0 ? settingOf(topic, words) : words.topic(topic);
    const [key = "", value = ""] = String(text).split("=");
    const why = value === "false" && key === UNCLEAN ? WAITS : EFFECTS[key];
    return {
      icon: "gear",
      marker: "other",
      part: "set",
      text: `${subject}: ${key} = ${value}`,
      caption: why ? { lead: `${subject}: ${key} is ${value}.`, rest: why } : null,
      changes: [{ name: `${subject} ${key}`, from: "", to: String(value) }],
    };
  },
  [KIND.REPLICA_GONE]: ({ words }, [, , , , broker, p]) => ({
    icon: "trash",
    p,
    node: broker,
    rule: "REA-4",
    text: `${words.partition(p)}: ${words.node(broker)} deletes its copy`,
  }),
  [KIND.RECORDS_LOST]: recordsLost,
  [KIND.RECORDS_BACK]: ({ words }, [, , , , p, base, count]) => ({
    icon: "check",
    p,
    marker: "flag",
    text: `${words.partition(p)}: ${range(base, count)}, counted lost, ${count === 1 ? "is" : "are"} back`,
  }),
  [KIND.DUPLICATE_WRITTEN]: ({ words }, [, , , , p, base, count, epoch]) => ({
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
      rest: `${words.partition(p)} holds ${range(base, count)} twice: the producer retried without idempotence.`,
    },
  }),
  [KIND.PARTITION_CREATED]: ({ words }, [, t, , , p, , , replicas]) =>
    t === 0
      ? null
      : { icon: "plus", p, marker: "other", text: `${words.partition(p)} created on brokers ${list(replicas, words)}` },
  [KIND.TOPIC_DELETED]: ({ words }, [, , , , topic, name]) => ({
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
  [KIND.RECORDS_EXPIRED]: ({ words }, [, , , , broker, p, old, start]) => ({
    icon: "trash",
    p,
    node: broker,
    marker: "other",
    rule: "LOG-7",
    text: `${words.partition(p)}: retention removes ${range(old, start - old)}, the log begins at ${start}`,
  }),
  [KIND.SERVING_CHANGED]: ({ words }, [, , , , broker, rate]) => ({
    icon: "clock",
    node: broker,
    marker: rate >= 0 ? "fault" : "other",
    rule: "FLT-9",
    text:
      rate >= 0
        ? `${capital(words.node(broker))} serves fetches with at most ${perSecond(rate)}`
        : `${capital(words.node(broker))} serves fetches at full speed`,
  }),
  [KIND.SLOW_CHANGED]: ({ words }, [, , , , broker, rate]) => ({
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

const UNCLEAN = "unclean.leader.election.enable";
/** What a setting means, in captions. @type {Record<string, string>} */
const EFFECTS = {
  "min.insync.replicas": "So many have to be in sync for acks=all to be accepted.",
  [UNCLEAN]: "A replica that lacks records may lead where nobody in sync is left.",
};
const WAITS = "Without anybody in sync a partition waits.";

/** @param {Narrator} n @param {Row} row @returns {Partial<Event> | null} */
function processChanged(n, [, t, , , node, state, left]) {
  const before = n.processes.get(node);
  if (t === 0 && state === PROCESS.RUNNING) return null;
  const name = capital(n.words.node(node));
  const broker = n.words.node(node).startsWith("broker");
  if (before === PROCESS.PAUSED && state !== PROCESS.DOWN)
    return {
      icon: "check",
      marker: "other",
      part: "resumed",
      node,
      text: `${name} goes on`,
      rule: "FLT-2",
      changes: [{ name, from: "paused", to: PROCESS_NAMES[state] ?? "" }],
      caption: {
        lead: `${name} goes on.`,
        rest: broker && isFenced(n, node) ? FENCED_MEANWHILE : "It knows nothing of its pause.",
      },
    };
  switch (state) {
    case PROCESS.DOWN: {
      const clean = Boolean(left);
      return {
        icon: clean ? "stop" : "x",
        part: clean ? "" : "death",
        grave: !clean,
        marker: "fault",
        node,
        rule: clean ? "SHUT-3" : broker && n.activeOf(node) < 0 ? "QUO-6" : "FLT-3",
        text: clean ? `${name} has stopped` : `${name} dies`,
        caption: clean ? null : { lead: `${name} dies.`, rest: afterDeath(n, node, broker) },
        changes: [{ name, from: PROCESS_NAMES[before ?? PROCESS.RUNNING] ?? "", to: "down" }],
      };
    }
    case PROCESS.REGISTERING:
      return { icon: "clock", node, minor: true, rule: "REG-1", text: `${name} asks to be registered` };
    case PROCESS.STARTING:
      return {
        icon: "play",
        marker: "other",
        node,
        rule: "REG-1",
        text: `${name} is starting`,
        changes: [{ name, from: "down", to: "starting" }],
        part: "starting",
        caption: {
          lead: `${name} starts.`,
          rest: !broker ? "It joins the quorum again." : n.activeOf(node) < 0 ? UNREGISTERED : STARTS,
        },
      };
    case PROCESS.RECOVERING:
      return { icon: "clock", node, minor: true, rule: "LOG-10", text: `${name} recovers its logs` };
    case PROCESS.STOPPING:
      return {
        icon: "stop",
        marker: "fault",
        node,
        rule: "SHUT-1",
        text: `${name} shuts down cleanly`,
        caption: {
          lead: `${name} shuts down.`,
          rest:
            broker && n.activeOf(node) < 0
              ? "No controller is active: it waits for one that moves its leaderships."
              : broker
                ? "It first hands its leaderships over, then leaves."
                : "The quorum goes on as long as most controllers live.",
        },
        changes: [{ name, from: "running", to: "stopping" }],
      };
    case PROCESS.PAUSED:
      return {
        icon: "pause",
        marker: "fault",
        grave: true,
        node,
        rule: "FLT-2",
        text: `${name} is paused`,
        caption: {
          lead: `${name} stands still.`,
          rest: "It neither fetches nor answers nor heartbeats, and does not know it.",
        },
        changes: [{ name, from: "running", to: "paused" }],
      };
    default:
      return {
        icon: "check",
        marker: "other",
        node,
        text: `${name} is up`,
        rule: "REG-1",
        changes: [{ name, from: "", to: "running" }],
      };
  }
}

/** @param {Narrator} n @param {Row} row @returns {Partial<Event> | null} */
function registrationChanged(n, [, t, , , broker, be, state]) {
  if (t === 0) return null;
  const name = n.words.node(broker);
  const changes = [
    {
      name: capital(name),
      from: "",
      to: state === REG.FENCED ? "fenced" : state === REG.ACTIVE ? "active" : "shutting down",
    },
  ];
  if (state === REG.FENCED) {
    const isNew = be !== (n.registrations.get(broker)?.be ?? n.start?.brokers[broker]?.be);
    if (isNew && n.processes.get(broker) === PROCESS.REGISTERING)
      return {
        icon: "check",
        minor: true,
        node: broker,
        rule: "REG-1",
        text: `Controller registers ${name}, fenced until it has caught up`,
        changes,
      };
    if (n.registrations.get(broker)?.state === REG.FENCED)
      return {
        icon: "clock",
        minor: true,
        node: broker,
        rule: "SHUT-4",
        text: `${capital(name)}'s session has run out; it had left already`,
        changes: [],
      };
    const leaves = n.processes.get(broker) === PROCESS.STOPPING;
    const running = n.processes.get(broker) === undefined || n.processes.get(broker) === PROCESS.RUNNING;
    return {
      icon: "stop",
      grave: true,
      marker: "other",
      part: "fenced",
      node: broker,
      rule: "LIVE-4",
      text: `Controller fences ${name}`,
      changes,
      caption: {
        lead: `${capital(name)} is fenced.`,
        rest: leaves
          ? afterLeaving(n, broker)
          : running
            ? "It may neither lead nor be in an ISR; it is not told."
            : afterFencing(n, broker),
      },
    };
  }
  if (state === REG.ACTIVE)
    return {
      icon: "check",
      marker: "other",
      node: broker,
      rule: "LIVE-6",
      text: `Controller unfences ${name}`,
      changes,
    };
  if (state === REG.SHUTTING_DOWN)
    return { icon: "stop", node: broker, rule: "SHUT-1", text: `${capital(name)} is marked as shutting down`, changes };
  return { icon: "ring", node: broker, rule: "REG-1", text: `${capital(name)} is no longer registered`, changes };
}

/** @param {Narrator} n @param {Row} row @returns {Partial<Event> | null} */
function controllerChanged(n, [, t, , , controller, epoch]) {
  if (t === 0) return null;
  const site = n.words.site(controller < 0 ? -1 - controller : n.words.cluster(controller));
  const none = site ? `${site}: no controller is active` : "No controller is active";
  const name = capital(n.words.node(controller));
  if (controller < 0)
    return {
      icon: "x",
      grave: true,
      marker: "fault",
      rule: "QUO-6",
      text: none,
      caption: {
        lead: `${capital(none)}.`,
        rest: "Leaders, ISRs and metadata are frozen until the quorum elects one.",
      },
    };
  return {
    icon: "crown",
    marker: "election",
    part: "active",
    node: controller,
    rule: "QUO-1",
    text: `${name} becomes active, epoch ${epoch}`,
    caption:
      n.activeOf(controller) < 0
        ? { lead: `${name} is active.`, rest: "Metadata changes again; every broker's session begins anew." }
        : null,
    changes: [{ name: "active controller", from: "", to: String(n.words.id(controller)) }],
  };
}

const ELECTION_RULES = {
  [ELECTION.CLEAN]: "ELEC-3",
  [ELECTION.ELR]: "ELR-4",
  [ELECTION.LAST_KNOWN]: "ELR-6",
  [ELECTION.UNCLEAN]: "UNC-1",
  [ELECTION.OFFLINE]: "ELEC-7",
};
const ELECTION_HOW = {
  [ELECTION.ELR]: " from the ELR",
  [ELECTION.LAST_KNOWN]: " as last known leader",
  [ELECTION.UNCLEAN]: " uncleanly",
};

/** @param {Narrator} n @param {Row} row @returns {Partial<Event> | null} */
function partitionChanged(n, row) {
  const [, t, , , p, leader, epoch, , reason, election, , isr] = row;
  const before = n.known.get(p);
  if (!before && t === 0) return null;
  const name = n.words.partition(p);
  // a commit says itself whether it elected anybody; of what was before it this page may not know all yet
  if (leader >= 0 && before?.leader !== leader && election === ELECTION.NONE && reason !== REASON.CREATED)
    return {
      icon: "isr",
      p,
      rule: ISR_RULES[/** @type {keyof typeof ISR_RULES} */ (reason)] ?? "ISR-8",
      text: `${name}: ISR is ${list(isr, n.words)}`,
    };
  if (before && before.leader === leader && before.epoch === epoch) {
    const event = isrChanged(name, before, row, n.words);
    const back = event && n.rejoining.partition(row, n.known, n.words);
    return back ? { ...event, ...back, p: -1, changes: [...(back.changes ?? []), ...(event.changes ?? [])] } : event;
  }
  const changes = [
    { name: `${name} leader`, from: before ? nobody(before.leader, n.words) : "", to: nobody(leader, n.words) },
    { name: "epoch", from: before ? String(before.epoch) : "", to: String(epoch) },
  ];
  if (before && list(before.isr, n.words) !== list(isr, n.words))
    changes.push({ name: "ISR", from: list(before.isr, n.words), to: list(isr, n.words) });
  if (leader < 0) return leaderless(name, row, changes);
  return elected(n.words, before, row, changes, REASON_NAMES[reason] ?? "");
}

/** @param {number} leader @param {Words} words */
const nobody = (leader, words) => (leader < 0 ? "none" : String(words.id(leader)));

/** @param {string} name @param {Row} row @param {Event["changes"]} changes @returns {Partial<Event>} */
function leaderless(name, row, changes) {
  return {
    icon: "x",
    grave: true,
    marker: "fault",
    part: "leaderless",
    p: row[4],
    rule: "ELEC-7",
    text: `${name}: no leader, epoch ${row[6]}`,
    changes,
    caption: {
      lead: `${name} has no leader.`,
      rest: "No replica that may lead is alive; it can be neither written nor read.",
    },
  };
}

/**
 * @param {Words} words
 * @param {Known | undefined} before
 * @param {Row} row
 * @param {Event["changes"]} changes
 * @param {string} why
 * @returns {Partial<Event>}
 */
function elected(words, before, row, changes, why) {
  const [, , , , p, leader, epoch, , reason, election] = row;
  const [name, who] = [words.partition(p), words.node(leader)];
  const how = ELECTION_HOW[/** @type {keyof typeof ELECTION_HOW} */ (election)] ?? "";
  const rule =
    reason === REASON.PREFERRED
      ? "PREF-2"
      : (ELECTION_RULES[/** @type {keyof typeof ELECTION_RULES} */ (election)] ?? "ELEC-3");
  const epochs = before ? `epoch ${before.epoch} → ${epoch}` : `epoch ${epoch}`;
  const same = before?.leader === leader;
  const unclean = election === ELECTION.UNCLEAN;
  return {
    icon: "crown",
    grave: unclean,
    marker: "election",
    part: unclean ? "unclean" : same ? "" : "elected",
    p,
    node: leader,
    rule,
    changes,
    text: same ? `${name}: ${who} stays leader, ${epochs}` : `${name}: ${who} elected${how}, ${epochs}`,
    caption: unclean
      ? {
          lead: "Unclean election.",
          rest: `${capital(who)} leads ${name} without being in sync; what only others had is cut off.`,
        }
      : same
        ? null
        : {
            lead: `${capital(who)} is elected for ${name}.`,
            rest: `${capital(why)}; ${epochs}. Records beyond its log end are not part of the partition.`,
          },
  };
}

/** @param {Narrator} n @param {Row} row @returns {Partial<Event>} */
function truncated({ words, actions, known }, [, , , cause, broker, p, old, now]) {
  const [name, who] = [words.partition(p), words.node(broker)];
  const disk = /^start \S+ (empty|wiped)\b/.exec(actions.get(cause)?.text ?? "")?.[1];
  if (disk)
    return {
      icon: "trash",
      grave: true,
      marker: "flag",
      part: "emptied",
      amount: old,
      p,
      node: broker,
      rule: "STATE-7",
      text: `${name}: ${who}'s ${disk === "empty" ? "new" : "wiped"} disk has none of ${range(now, old - now)}`,
      changes: [{ name: `${name} LEO on ${words.id(broker)}`, from: String(old), to: String(now) }],
      caption: {
        lead: disk === "empty" ? `${capital(who)} has a new disk.` : `${capital(who)}'s disk was wiped.`,
        rest:
          `Its copy of ${name} is gone${disk === "empty" ? " with the old one" : ""}; ` +
          `${
            isLast(known.get(p), broker) ? "nobody in sync is left to fetch it from" : "it fetches what the leader has"
          }.`,
      },
    };
  const cut = range(now, old - now);
  return {
    icon: "cut",
    grave: true,
    marker: "flag",
    part: "truncated",
    amount: old - now,
    p,
    node: broker,
    rule: "TRUNC-3",
    text: `${name}: ${who} cuts off ${cut}`,
    changes: [{ name: `${name} LEO on ${words.id(broker)}`, from: String(old), to: String(now) }],
    caption: {
      lead: `${capital(who)} cuts its log.`,
      rest:
        `${cut} of ${name} ${old - now === 1 ? "differs" : "differ"} from the leader's history and ` +
        `${old - now === 1 ? "goes" : "go"}.`,
    },
  };
}

/**
 * Whether no other replica has what a broker's copy of a partition had to have.
 * @param {Known | undefined} partition
 * @param {number} broker
 */
const isLast = (partition, broker) =>
  Boolean(
    partition && (partition.leader < 0 || (partition.leader === broker && partition.isr.every((id) => id === broker))),
  );

/** @param {Narrator} n @param {Row} row @returns {Partial<Event>} */
function linkChanged({ words }, [, , , , src, dst, cut, slow]) {
  const names = `${words.node(src)} → ${words.node(dst)}`;
  const text = cut
    ? `Link ${names} is cut`
    : slow
      ? `Link ${names} is slower by ${Math.round(slow / 1000)} ms`
      : `Link ${names} is healthy`;
  return {
    icon: cut ? "cut" : "link",
    part: cut ? "cut" : slow ? "" : "healed",
    ends: [src, dst],
    grave: Boolean(cut),
    marker: cut || slow ? "fault" : "other",
    rule: cut ? "FLT-4" : "",
    text,
    caption: cut
      ? {
          lead: `${capital(words.node(src))} cannot reach ${words.node(dst)}.`,
          rest: "Nothing tells either side; what was on the way is gone.",
        }
      : slow
        ? null
        : {
            lead: `${capital(words.node(src))} reaches ${words.node(dst)} again.`,
            rest: src < 0 || dst < 0 ? "Requests between them go on." : "Fetches and heartbeats between them go on.",
          },
    changes: [
      { name: `link ${names}`, from: "", to: cut ? "cut" : slow ? `+${Math.round(slow / 1000)} ms` : "healthy" },
    ],
  };
}

/** @param {Narrator} n @param {Row} row @returns {Partial<Event>} */
function recordsLost({ words, losses, cuts }, [, t, , cause, p, base, count, epoch, acks]) {
  const name = words.partition(p);
  const last = losses.get(p);
  const from = last && last.epoch === epoch && last.end === base && t - last.t <= SERIES_US ? last.base : base;
  const goesOn = from < base;
  losses.set(p, { t, base: from, end: base + count, epoch });
  const so = base + count - from;
  const verb = count === 1 ? "is" : "are";
  return {
    icon: "x",
    grave: true,
    marker: goesOn ? "" : "flag",
    minor: goesOn,
    part: "lost",
    amount: so,
    p,
    rule: cuts.has(cause) ? "STATE-7" : "LOG-1",
    text:
      `${name}: ${range(base, count)} of epoch ${epoch}, acknowledged with acks=${acks < 0 ? "all" : acks}, ` +
      `${verb} lost`,
    changes: [{ name: `${name} lost`, from: "", to: plural(so, "record") }],
    caption: {
      lead: `${plural(so, "acknowledged record")} of ${name} ${so === 1 ? "is" : "are"} gone.`,
      rest: cuts.has(cause)
        ? `No broker has ${range(from, so)} of epoch ${epoch} in its log or on its disk any more.`
        : `The leader's log does not have ${range(from, so)} of epoch ${epoch}.`,
    },
  };
}

/** Seconds with three decimals, as the log shows times. @param {number} t us */
export const logTime = (t) => (t / 1e6).toFixed(3);
