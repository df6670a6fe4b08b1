/**
 * The fold: facts in, view out. It repeats what facts say and decides nothing, so that the view after any fact equals
 * the snapshot that the engine takes there. Pure: no page, no clock.
 *
 * @import {DecisiveOf} from "../facts/decisive.js"
 * @import {TrafficOf} from "../facts/traffic.js"
 * @import {Row, View, Partition, Copy, Client} from "../facts/types.js"
 */
import { CLIENT_NAMES, KIND, PROCESS_NAMES, REG_NAMES } from "../facts/facts.js";
import { DECISIVE_READERS } from "../facts/decisive.js";
import { kindOf, seqOf, timeOf } from "../facts/row.js";
import { TRAFFIC_READERS } from "../facts/traffic.js";
import { MIRROR_HANDLERS } from "./foldmirrors.js";
import { addRun, removeRun, startEpoch } from "./runs.js";
import { clusterAt, clusterOf, SETTINGS_STEP } from "./sites.js";

/** The parts that changed since they were last drawn; keys are "p:broker" for copies. */
export class Dirty {
  constructor() {
    /** @type {Set<string>} */ this.copies = new Set();
    /** @type {Set<number>} */ this.partitions = new Set();
    /** @type {Set<number>} */ this.brokers = new Set();
    /** @type {Set<number>} */ this.clients = new Set();
    /** @type {Set<number>} */ this.topics = new Set();
    this.control = false;
    this.links = false;
    this.verdict = false;
    this.all = true;
  }

  clear() {
    for (const set of [this.copies, this.partitions, this.brokers, this.clients, this.topics]) set.clear();
    this.control = this.links = this.verdict = this.all = false;
  }
}

/**
 * Applies one fact to the view in place.
 * @param {View} view
 * @param {Row} row
 * @param {Dirty} dirty
 */
export function fold(view, row, dirty) {
  view.seq = seqOf(row);
  view.t = timeOf(row);
  const kind = kindOf(row);
  const handle = BY_NUMBER[kind];
  if (handle) handle(view, /** @type {(row: Row) => any} */ (READERS[kind])(row), dirty);
}

/** @param {View} view @returns {View} a copy that shares nothing */
export const cloneView = (view) => structuredClone(view);

/** @type {Record<number, (row: Row) => any>} */
const READERS = { ...DECISIVE_READERS, ...TRAFFIC_READERS };

/**
 * The change that each kind of fact makes to a view, by the kind's number; a kind that is not in it changes nothing.
 * @typedef {{
 *   [K in DecisiveOf<any>["kind"]]?: (view: View, fact: DecisiveOf<K>, dirty: Dirty) => void
 * } & {
 *   [K in TrafficOf<any>["kind"]]?: (view: View, fact: TrafficOf<K>, dirty: Dirty) => void
 * }} Handlers
 */
/** @type {Handlers} */
const HANDLERS = {
  ...MIRROR_HANDLERS,
  [KIND.PROCESS_CHANGED](view, { node, state, left }, dirty) {
    const holder = view.brokers[node] ?? view.controllers[node];
    if (holder && "left" in holder) holder.left = Boolean(left);
    if (holder) holder.process = PROCESS_NAMES[state] ?? "";
    dirty.brokers.add(node);
    dirty.control = true;
  },
  [KIND.BROKER_REGISTRATION](view, { broker, be, state }, dirty) {
    const holder = view.brokers[broker];
    if (!holder) return;
    holder.registration = REG_NAMES[state] ?? "";
    holder.be = be;
    dirty.brokers.add(broker);
  },
  [KIND.CONTROLLER_CHANGED](view, { t, controller, epoch }, dirty) {
    const index = controller >= 0 ? clusterOf(view, controller) : -1 - controller;
    Object.assign(clusterAt(view, index), { active: Math.max(controller, -1), controller_epoch: epoch });
    if (controller >= 0) {
      // QUO-4: it begins every session anew
      for (const [number, broker] of Object.entries(view.brokers))
        if (clusterOf(view, Number(number)) === index) broker.heartbeat = t;
    }
    dirty.control = true;
  },
  [KIND.PARTITION_CHANGED](view, fact, dirty) {
    const { p, leader, epoch, pe, replicas, isr, elr, last_known, adding, removing } = fact;
    const partition = partitionAt(view, p);
    Object.assign(partition, { leader, epoch, pe, replicas, isr, elr, last_known, adding, removing });
    dirty.partitions.add(p);
    for (const broker of replicas) dirty.brokers.add(broker);
  },
  [KIND.LEADER_ACTIVATED](view, { broker, p, epoch, start, hw, leo, isr }, dirty) {
    const copy = copyAt(view, p, broker, dirty);
    Object.assign(copy, {
      role: "leader",
      epoch,
      leader: broker,
      hw,
      leo,
      isr,
      maximal: [...isr].sort((a, b) => a - b),
    });
    startEpoch(copy.epochs, epoch, start);
    dirty.brokers.add(broker);
  },
  [KIND.FOLLOWER_STARTED](view, { broker, p, epoch, leader, hw, leo }, dirty) {
    Object.assign(copyAt(view, p, broker, dirty), { role: "follower", epoch, leader, hw, leo });
    dirty.brokers.add(broker);
  },
  [KIND.ISR_PROPOSED](view, { broker, p, maximal }, dirty) {
    copyAt(view, p, broker, dirty).maximal = maximal;
  },
  [KIND.ISR_ADOPTED](view, { broker, p, isr }, dirty) {
    Object.assign(copyAt(view, p, broker, dirty), { isr, maximal: [...isr].sort((a, b) => a - b) });
  },
  [KIND.TRUNCATED](view, { broker, p, new: leo, hw }, dirty) {
    const copy = copyAt(view, p, broker, dirty);
    Object.assign(copy, { leo, hw, start: Math.min(copy.start, leo) });
    copy.epochs = copy.epochs.filter(([, start]) => start < leo);
  },
  [KIND.REPLICA_GONE](view, { broker, p }, dirty) {
    delete partitionAt(view, p).copies[broker];
    dirty.copies.add(`${p}:${broker}`);
    dirty.partitions.add(p);
  },
  [KIND.LINK_CHANGED](view, { src, dst, cut, slow_us: slow }, dirty) {
    if (cut || slow) view.links[`${src}>${dst}`] = { cut, slow_us: slow };
    else delete view.links[`${src}>${dst}`];
    dirty.links = true;
  },
  [KIND.CONFIG_CHANGED](view, { topic, text }, dirty) {
    const [key, value] = splitOnce(text);
    if (topic < 0) {
      const isOfAll = topic === -1 || topic <= -SETTINGS_STEP; // of the whole cluster: ""
      const broker = isOfAll ? "" : String(-2 - topic);
      const index = isOfAll ? Math.floor(-(topic + 1) / SETTINGS_STEP) : clusterOf(view, -2 - topic);
      (clusterAt(view, index).broker_configs[broker] ??= {})[key] = value;
      return;
    }
    const holder = view.topics[topic];
    if (holder) holder.config[key] = value;
    dirty.topics.add(topic);
  },
  [KIND.CLIENT_CHANGED](view, { client: index, state, acks, rate_milli: rate }, dirty) {
    const client = clientAt(view, index, dirty);
    if (!client) return;
    client.state = CLIENT_NAMES[state] ?? "";
    client.rate_milli = rate;
    if (client.kind === "producer") client.acks = acks < 0 ? "all" : String(acks);
  },
  [KIND.CLIENT_JOINED](view, { client: index, text }, dirty) {
    // MirrorMaker's, which a view does not show
    while (view.clients.length < index) view.clients.push(newClient("", "mirror"));
    const [name = "", kind = "", topics = "", group = ""] = text.split(" ");
    if (view.clients.length === index)
      view.clients.push({ ...newClient(name, kind), topics: topics.split(","), group });
    dirty.all = true;
  },
  [KIND.RECORDS_LOST](view, { p, base, count, epoch }, dirty) {
    const partition = partitionAt(view, p);
    addRun(partition.lost, base, count, epoch);
    dirty.partitions.add(p);
  },
  [KIND.RECORDS_BACK](view, { p, base, count, epoch }, dirty) {
    const partition = partitionAt(view, p);
    partition.lost = removeRun(partition.lost, base, count, epoch);
    dirty.partitions.add(p);
  },
  [KIND.VERDICT_CHANGED](view, { seq, t, kind, cause, topic, ...figures }, dirty) {
    view.verdict[topic] = figures;
    dirty.verdict = true;
  },
  [KIND.CLUSTER_VERDICT_CHANGED](view, { sentence }, dirty) {
    view.sentence = sentence;
    dirty.verdict = true;
  },
  [KIND.SITE_VERDICT_CHANGED](view, { cluster, sentence }, dirty) {
    clusterAt(view, cluster).sentence = sentence;
    dirty.verdict = true;
  },
  [KIND.PARTITION_CREATED](view, { p, topic, number, replicas, text: name }, dirty) {
    // one before it may wait to be created
    while (view.topics.length <= topic) view.topics.push({ name: "", config: {} });
    Object.assign(view.topics[topic] ?? {}, {
      name,
      ...(view.clusters && { cluster: clusterOf(view, replicas[0]) }),
    });
    while (view.partitions.length < p) view.partitions.push(newPartition(-1, -1));
    view.partitions[p] = newPartition(topic, number);
    dirty.all = true;
  },
  [KIND.TOPIC_DELETED](view, { topic, text: name }, dirty) {
    const holder = view.topics[topic];
    if (holder) Object.assign(holder, { name: deletedTitle(view, holder, name), deleted: true });
    for (const partition of view.partitions) {
      if (partition?.topic === topic)
        Object.assign(partition, {
          leader: -1,
          epoch: -1,
          pe: -1,
          replicas: [],
          isr: [],
          elr: [],
          last_known: [],
          adding: [],
          removing: [],
        });
    }
    dirty.all = true;
  },
  [KIND.APPENDED](view, { broker, p, base, count, epoch }, dirty) {
    const copy = copyAt(view, p, broker, dirty);
    startEpoch(copy.epochs, epoch, base);
    copy.leo = base + count;
  },
  [KIND.HW_MOVED](view, { broker, p, hw }, dirty) {
    copyAt(view, p, broker, dirty).hw = hw;
  },
  [KIND.CALLS_SETTLED](view, { client: index, p, count, offset, epoch, error }, dirty) {
    const client = clientAt(view, index, dirty);
    if (client) client[error ? "failed" : "acked"] += count;
    if (error || offset < 0) return;
    addRun(partitionAt(view, p).acked, offset, count, epoch);
    dirty.partitions.add(p);
  },
  [KIND.CONSUMER_MOVED](view, { client: index, p, position }, dirty) {
    const client = clientAt(view, index, dirty);
    if (client) client.position[p] = position;
  },
  [KIND.PRODUCER_QUEUE](view, { client: index, p, queued, inflight }, dirty) {
    const client = clientAt(view, index, dirty);
    if (!client) return;
    client.queued[p] = queued;
    client.inflight[p] = inflight;
  },
  [KIND.HEARTBEAT_NOTED](view, { t, broker }, dirty) {
    const holder = view.brokers[broker];
    if (!holder) return;
    holder.heartbeat = t;
    dirty.brokers.add(broker);
  },
  [KIND.START_MOVED](view, { broker, p, start }, dirty) {
    const copy = copyAt(view, p, broker, dirty);
    copy.start = start;
    copy.leo = Math.max(copy.leo, start);
    const later = copy.epochs.findLastIndex(([, from]) => from <= start);
    if (later > 0) copy.epochs.splice(0, later);
    const first = copy.epochs[0];
    if (first) first[1] = Math.max(first[1], start);
  },
  [KIND.METADATA_MOVED](view, { offset, cluster }, dirty) {
    clusterAt(view, cluster).metadata_offset = offset;
    dirty.control = true;
  },
  [KIND.OFFSET_COMMITTED](view, { client: index, p, offset }, dirty) {
    const client = clientAt(view, index, dirty);
    if (client) client.committed[p] = offset;
  },
  [KIND.EPOCH_CACHED](view, { broker, p, epoch, start }, dirty) {
    startEpoch(copyAt(view, p, broker, dirty).epochs, epoch, start);
  },
  [KIND.EPOCHS_DROPPED](view, { broker, p, end }, dirty) {
    const copy = copyAt(view, p, broker, dirty);
    copy.epochs = copy.epochs.filter(([, start]) => start < end);
  },
};
/** @type {Record<number, ((view: View, fact: any, dirty: Dirty) => void) | undefined>} */
const BY_NUMBER = HANDLERS;

/** @param {View} view @param {number} p */
function partitionAt(view, p) {
  return (view.partitions[p] ??= newPartition(-1, -1));
}

/**
 * The title of a topic that is deleted now: the second one of its name and later ones have a number.
 * @param {any} view @param {any} holder the topic @param {string} name
 */
function deletedTitle(view, holder, name) {
  const isSame = (/** @type {any} */ one) => one.deleted && one.cluster === holder.cluster;
  const names = view.topics.filter(isSame).map((/** @type {any} */ one) => one.name.split(" (deleted")[0]);
  const number = 1 + names.filter((/** @type {string} */ one) => one === name).length;
  return number === 1 ? `${name} (deleted)` : `${name} (deleted, no. ${number})`;
}

/** @param {number} topic @param {number} number @returns {Partition} */
function newPartition(topic, number) {
  return {
    topic,
    number,
    replicas: [],
    leader: -1,
    epoch: -1,
    pe: -1,
    isr: [],
    elr: [],
    last_known: [],
    adding: [],
    removing: [],
    copies: {},
    acked: [],
    lost: [],
  };
}

/** A client of which nothing is known yet. @param {string} id @param {string} kind @returns {Client} */
const newClient = (id, kind) => ({
  id,
  kind,
  state: "closed",
  acks: "",
  rate_milli: 0,
  queued: {},
  inflight: {},
  acked: 0,
  failed: 0,
  position: {},
  committed: {},
});

/** @param {View} view @param {number} p @param {number} broker @param {Dirty} dirty @returns {Copy} */
function copyAt(view, p, broker, dirty) {
  dirty.copies.add(`${p}:${broker}`);
  return (partitionAt(view, p).copies[broker] ??= {
    role: "none",
    epoch: -1,
    leader: -1,
    hw: 0,
    leo: 0,
    start: 0,
    epochs: [],
    isr: [],
    maximal: [],
  });
}

/** @param {View} view @param {number} index index of the client @param {Dirty} dirty @returns {Client | undefined} */
function clientAt(view, index, dirty) {
  dirty.clients.add(index);
  return view.clients[index];
}

/** @param {string} text @returns {[string, string]} */
function splitOnce(text) {
  const at = text.indexOf("=");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
