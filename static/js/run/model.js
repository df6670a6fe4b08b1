/**
 * One run as a page knows it: its names, what is known of it, the moment that is drawn, the clock of its room. The
 * drawing modules read it; the room, the transport and the keys change it. Signals carry what panels watch; the view
 * itself is read, never watched, and `pulse` says that it changed. What a person chose on the page is no part of it
 * (``pagestate.js``).
 *
 * @import {Names, RoomClock, View} from "../facts/types.js"
 */
import { signal } from "@preact/signals-core";
import { askedFor } from "./asked.js";
import { FollowClock, LooseClock, SPEED_NORMAL } from "./clock.js";
import { messageWords } from "../words/clientwords.js";
import { writerOf } from "./writers.js";
import { hasOldLog } from "../words/copytime.js";
import { KIND } from "../facts/facts.js";
import { readMessageHandled, readServingChanged, readSlowChanged } from "../facts/decisive.js";
import { kindOf, timeOf } from "../facts/row.js";
import {
  columnsOf,
  frameOf,
  idOf,
  inSite,
  joinedTo,
  nodeOf,
  partOf,
  rackOf,
  refOf,
  siteOf,
  sitesOf,
} from "../fold/sites.js";
import { Cursor, Trace } from "../fold/trace.js";
import { listed } from "../kit/wording.js";

/** The topic in which MirrorMaker keeps its positions: a worker makes it again where it is missing (MM-11). */
const STORED_OFFSETS = /^mm2-offsets\..+\.internal$/;

export const SESSION_TIMEOUT_US = 9_000_000;

export class Model {
  constructor() {
    /** @type {Names} */ this.names = { topics: [], partitions: [], clients: [], brokers: [], controllers: [] };
    /** @type {any} */ this.document = {};
    /** @type {import("./room.js").Drawn} */ this.drawn = { steps: [], whole: true };
    /** keys of the document that have no effect here, in words @type {string[]} */ this.notSimulated = [];
    this.docId = "";
    this.version = "";
    this.trace = new Trace();
    /** @type {Cursor | null} */ this.cursor = null;
    this.follow = new FollowClock();
    this.loose = new LooseClock(0, SPEED_NORMAL);
    /** drawn moment, us */ this.t = 0;
    /** when somebody first changed the run on this page, us */ this.changedUs = Infinity;
    /** @type {RoomClock} */ this.roomClock = { playing: false, speed: "auto", t: 0, true_speed: 0 };

    this.ready = signal(false);
    this.owner = signal(false);
    this.pulse = signal(0);
    this.clockSignal = signal(0);
    this.following = signal(true);
    this.playing = signal(false);
    this.waiting = signal("");
    this.connection = signal(
      /** @type {{state: import("./room.js").Connection, retryAt: number}} */ ({ state: "connecting", retryAt: 0 }),
    );
    /** why the run goes no further; kind: limit, failed, deleted, full, refused */
    this.ended = signal(/** @type {{kind: string, reason: string} | null} */ (null));
    /** actions that the room has not answered yet @type {string[]} */ this.asked = [];
    this.previous = /** @type {View | null} */ (null);
    /** records/s that a broker's fetches are held to @type {Map<number, number>} */ this.slow = new Map();
    /** records/s that its responses to fetches are held to @type {Map<number, number>} */ this.serving = new Map();
    /** how things are called in sentences */
    this.words = {
      partition: (/** @type {number} */ p) => this.partitionName(p),
      hasPartition: (/** @type {number} */ p) => Boolean(this.view?.partitions[p] ?? this.names.partitions[p]),
      topic: (/** @type {number} */ i) => this.topicName(i),
      topicNamed: (/** @type {number} */ i, /** @type {string} */ name) => inSite(this.siteOfTopic(i), name),
      node: (/** @type {number} */ id) => this.nodeName(id),
      id: (/** @type {number} */ id) => this.idOf(id),
      host: (/** @type {string} */ ref) => this.hostName(ref),
      nodeOf: (/** @type {string} */ ref) => nodeOf(this.names, ref) ?? -1,
      site: (/** @type {number} */ index) => this.sites[index]?.name ?? "",
      cluster: (/** @type {number} */ id) => this.siteOf(id)?.index ?? 0,
      client: (/** @type {number} */ i) => this.nodeName(-1 - i),
      isConsumer: (/** @type {number} */ i) => this.clientCalled(i)?.kind === "consumer",
      process: (/** @type {number} */ i) => this.names.mirrors?.processes[i]?.name ?? "MirrorMaker",
      flow: (/** @type {number} */ i) => this.names.mirrors?.flows[i]?.name.replace("->", " → ") ?? "MirrorMaker",
      message: (/** @type {number} */ seq) => this.messageName(seq),
      basis: (/** @type {number} */ id) => this.documentOf(this.siteOf(id)).basis ?? {},
      hasOldLog: (/** @type {number} */ p) => this.hasOldLog(p),
    };
  }

  /** The run ended before its first view: there is nothing to look at or to steer. */
  get isUnopened() {
    return Boolean(this.ended.value) && !this.ready.value;
  }

  /** @returns {View | null} */
  get view() {
    return this.cursor?.view ?? null;
  }

  /** The moment that a person means, us: where the playhead was put, though it may not be drawn yet. */
  get moment() {
    return this.following.value ? this.t : Math.round(this.loose.t);
  }

  /** The clusters that have names; none where the run has one cluster. */
  get sites() {
    return sitesOf(this.names);
  }

  /** The cluster of a node; null where clusters have no names. @param {number} node */
  siteOf(node) {
    return siteOf(this.names, node);
  }

  /** A node's Kafka id, in its cluster. @param {number} node */
  idOf(node) {
    return idOf(this.names, node);
  }

  /** A node as actions write it. @param {number} node */
  ref(node) {
    return refOf(this.names, node);
  }

  /** Nodes as actions write them. @param {number[]} nodes */
  refs(nodes) {
    return nodes.map((node) => this.ref(node)).join(",");
  }

  /** Nodes of one cluster by their Kafka ids: "1,2". @param {number[]} nodes */
  ids(nodes) {
    return nodes.map((node) => this.idOf(node)).join(",");
  }

  /** The rack of a node as actions write it; null without one. @param {number} node */
  rackOf(node) {
    return rackOf(this.names, node);
  }

  /** Brokers in the order of their columns: by cluster, rack and id. @returns {number[]} */
  get brokerIds() {
    return columnsOf(this.names);
  }

  /** The frame in which a broker's column stands: its rack, else its cluster. @param {number} broker */
  frameOf(broker) {
    return frameOf(this.names, broker);
  }

  /** Names of the frames, in the order of their columns. @returns {string[]} */
  get frames() {
    return [...new Set(this.brokerIds.map((id) => this.frameOf(id)))];
  }

  /** @param {number} p */
  partitionName(p) {
    const partition = this.view?.partitions[p];
    const [topic, number] = partition ? [partition.topic, partition.number] : (this.names.partitions[p] ?? [-1, -1]);
    return `${this.topicName(topic)}-${number}`;
  }

  /** True if a partition began the run with records. @param {number} p */
  hasOldLog(p) {
    const { topic, number } = this.view?.partitions[p] ?? { topic: -1, number: -1 };
    return hasOldLog(this.documentOf(this.siteOfTopic(topic)), this.localName(topic), number);
  }

  /** @param {number} topic */
  topicName(topic) {
    const name = this.view?.topics[topic]?.name ?? this.names.topics[topic] ?? `topic ${topic}`;
    return inSite(this.siteOfTopic(topic), name);
  }

  /** The cluster of a topic; null where clusters have no names. @param {number} topic */
  siteOfTopic(topic) {
    return this.sites[this.view?.topics[topic]?.cluster ?? this.names.topic_clusters?.[topic] ?? 0] ?? null;
  }

  /** Somebody acts on the run: it is no longer the one that its captions tell. @param {number} at us */
  noteChange(at) {
    this.changedUs = Math.min(this.changedUs, at);
  }

  /** The part of the document for a cluster. @param {{name: string} | null} site */
  documentOf(site) {
    return (site ? this.document?.clusters?.[site.name] : this.document) ?? {};
  }

  /** A topic's name in its own cluster. @param {number} topic */
  localName(topic) {
    const site = this.siteOfTopic(topic);
    return site ? this.topicName(topic).slice(site.name.length + 1) : this.topicName(topic);
  }

  /** Indices of a topic's partitions. @param {number} topic @returns {number[]} */
  partitionsOf(topic) {
    return (this.view?.partitions ?? []).flatMap((partition, p) => (partition?.topic === topic ? [p] : []));
  }

  /**
   * A topic's setting, else the cluster's, else Kafka's default.
   * @param {number} topic
   * @param {string} key
   * @param {string | number} fallback
   */
  config(topic, key, fallback) {
    return (
      this.view?.topics[topic]?.config?.[key] ??
      this.documentOf(this.siteOfTopic(topic)).cluster?.config?.[key] ??
      fallback
    );
  }

  /** True if a topic is Kafka's or MirrorMaker's own and the document does not speak of it. @param {number} topic */
  isImplicit(topic) {
    if (this.names.mirrors?.own.includes(topic)) return true;
    const name = this.localName(topic);
    if (this.names.mirrors && STORED_OFFSETS.test(name)) return true;
    return (
      name.startsWith("__") &&
      !(this.documentOf(this.siteOfTopic(topic)).topics ?? []).some((/** @type {any} */ entry) => entry.name === name)
    );
  }

  /** @param {number} topic */
  minIsr(topic) {
    return Number(this.config(topic, "min.insync.replicas", 1));
  }

  /** As it is asked for, though the cluster may not have it yet. @param {number} topic */
  minIsrAsked(topic) {
    return Number(this.asking(topic, "min.insync.replicas") ?? this.minIsr(topic));
  }

  /** @param {number} topic */
  isUnclean(topic) {
    return String(this.config(topic, "unclean.leader.election.enable", "false")).toLowerCase() === "true";
  }

  /** As it is asked for. @param {number} topic */
  isUncleanAsked(topic) {
    const asked = this.asking(topic, "unclean.leader.election.enable");
    return asked === null ? this.isUnclean(topic) : asked === "true";
  }

  /**
   * The value that is asked for and not in effect at the drawn moment.
   * @param {number} topic
   * @param {string} key
   * @returns {string | null}
   */
  asking(topic, key) {
    return askedFor(this.trace.decisive, this.asked, this.t, { topic, name: this.topicName(topic), key });
  }

  /** Producers that write to a topic, as indices of clients. @param {number} topic @returns {number[]} */
  producersOf(topic) {
    const [name, site] = [this.localName(topic), this.siteOfTopic(topic)];
    /** @type {any[]} */ const producers = this.documentOf(site).producers ?? [];
    const ids = new Set(producers.filter((entry) => entry.topic === name).map((entry) => inSite(site, entry.id)));
    return (this.view?.clients ?? []).flatMap((client, i) =>
      client.kind === "producer" && (ids.has(client.id) || joinedTo(client, site, name)) ? [i] : [],
    );
  }

  /**
   * The id, the kind and the group of a client. Those that joined the run are known by the view.
   * @param {number} i
   * @returns {{id: string, kind: string, group: string} | null}
   */
  clientCalled(i) {
    const found = this.names.clients[i] ?? this.view?.clients[i];
    return found ? { id: found.id, kind: found.kind, group: found.group ?? "" } : null;
  }

  /** True if a consumer reads a topic: one of the document, or one that joined the run. @param {number} topic */
  isRead(topic) {
    const [name, site] = [this.localName(topic), this.siteOfTopic(topic)];
    return (
      (this.documentOf(site).consumers ?? []).some((/** @type {any} */ entry) => (entry.topics ?? []).includes(name)) ||
      (this.view?.clients ?? []).some((client) => client.kind === "consumer" && joinedTo(client, site, name))
    );
  }

  /**
   * The one mode of all producers of a topic: "0", "1" or "all"; "mixed" where they differ, null without a producer.
   * @param {number} topic
   */
  acksOf(topic) {
    const [first, ...others] = new Set(this.producersOf(topic).map((i) => this.view?.clients[i]?.acks));
    return others.length ? "mixed" : (first ?? null);
  }

  /**
   * The acks of all producers of a topic, in words: "acks=all", "acks=all and 1"; they may differ. Else its writer.
   * @param {number} topic
   */
  acksWords(topic) {
    const found = new Set(this.producersOf(topic).map((i) => this.view?.clients[i]?.acks));
    return found.size ? `acks=${listed([...found].map(String))}` : writerOf(this, topic) || "no producer";
  }

  /** A node as it is called in sentences. @param {number} node */
  nodeName(node) {
    if (node < 0) return this.clientCalled(-1 - node)?.id ?? "a client";
    return `${this.names.brokers.some((entry) => entry.id === node) ? "broker" : "controller"} ${this.ref(node)}`;
  }

  /**
   * The name of an action's target, as sentences call it: a node, else a rack or a cluster by its own name.
   * @param {string} ref
   */
  hostName(ref) {
    const node = nodeOf(this.names, ref);
    return node === null ? ref : this.nodeName(node);
  }

  /** The part of the view that is a node's cluster's alone, at the drawn moment. @param {number} node */
  partOf(node) {
    return this.view ? partOf(this.view, node) : null;
  }

  /** A message as it is called in sentences: under way now, or taken in hand before. @param {number} seq of its fact */
  messageName(seq) {
    const handled = this.trace.decisive
      .filter((row) => kindOf(row) === KIND.MESSAGE_HANDLED)
      .map(readMessageHandled)
      .find(({ flight }) => flight === seq);
    const flight = handled ?? this.cursor?.flights.all.get(seq);
    return flight ? messageWords(flight, this.words) : "a message";
  }

  /** The time that the controller waits for a broker's heartbeat, us. @param {number} broker */
  sessionTimeoutUs(broker) {
    const ms = this.documentOf(this.siteOf(broker)).cluster?.config?.["broker.session.timeout.ms"];
    return ms ? Number(ms) * 1000 : SESSION_TIMEOUT_US;
  }

  /** Intake limits of brokers at the drawn moment. */
  takeSlow() {
    /** @type {Map<number, number>} */ const slow = new Map();
    /** @type {Map<number, number>} */ const serving = new Map();
    for (const row of this.trace.decisive) {
      if (timeOf(row) > this.t) break;
      const kind = kindOf(row);
      if (kind === KIND.SLOW_CHANGED) limit(slow, readSlowChanged(row));
      else if (kind === KIND.SERVING_CHANGED) limit(serving, readServingChanged(row));
    }
    this.slow = slow;
    this.serving = serving;
  }

  /** Puts the picture at a moment; false where nothing is known of it. @param {number} t */
  showAt(t) {
    if (this.cursor?.seek(t)) {
      this.t = t;
      return true;
    }
    const stretch = this.trace.stretchAt(t);
    if (!stretch) return false;
    this.adopt(new Cursor(stretch, t));
    this.t = t;
    return true;
  }

  /** @param {Cursor} cursor */
  adopt(cursor) {
    const before = this.cursor;
    if (before) {
      cursor.onRow = before.onRow;
      cursor.flights.lingerUs = before.flights.lingerUs;
    }
    cursor.dirty.all = true;
    this.cursor = cursor;
  }
}

/**
 * Notes what a broker may take at most, or that it may take all.
 * @param {Map<number, number>} limits
 * @param {{broker: number, per_s: number}} changed
 */
function limit(limits, { broker, per_s }) {
  if (per_s >= 0) limits.set(broker, per_s);
  else limits.delete(broker);
}
