/**
 * Facts for the tests of pure modules: three brokers, one partition, a leader that dies, an election, a truncation.
 * Rows are built by the names that the readers of facts know, so a change of a kind's fields shows here.
 */
import { KIND, KIND_NAMES, MSG, PROCESS, REASON, ELECTION, REG } from "../../static/js/facts/facts.js";
import { DECISIVE_READERS } from "../../static/js/facts/decisive.js";
import { TRAFFIC_READERS } from "../../static/js/facts/traffic.js";

const READERS = { ...DECISIVE_READERS, ...TRAFFIC_READERS };
const POSITIONS = Array.from({ length: 64 }, (_, at) => String(at));

/** The names of a kind's fields in the order of its row: read from a row of which each value is its own position. */
export function fieldsOf(kind) {
  const { seq, t, cause, kind: _, verb, args, ...fields } = READERS[kind](POSITIONS); // the parts of a text stand in it
  return Object.keys(fields).sort((a, b) => fields[a] - fields[b]);
}

export const EMPTY_COPY = {
  role: "none",
  epoch: -1,
  leader: -1,
  hw: 0,
  leo: 0,
  start: 0,
  epochs: [],
  isr: [],
  maximal: [],
};

/** A view of three brokers and orders-0 (min.insync.replicas 2), led by broker 1 in epoch 0, empty. */
export function emptyView() {
  const copy = (role) => ({
    ...EMPTY_COPY,
    role,
    epoch: 0,
    leader: 1,
    epochs: [[0, 0]],
    isr: [1, 2, 3],
    maximal: [1, 2, 3],
  });
  const broker = () => ({ process: "running", left: false, registration: "active", be: 1, heartbeat: 0 });
  return {
    t: 0,
    seq: 0,
    brokers: { 1: broker(), 2: broker(), 3: broker() },
    controllers: { 100: { process: "running" } },
    active: 100,
    controller_epoch: 1,
    metadata_offset: 4,
    links: {},
    broker_configs: {},
    topics: [{ name: "orders", config: { "min.insync.replicas": "2" } }],
    partitions: [
      {
        topic: 0,
        number: 0,
        replicas: [1, 2, 3],
        leader: 1,
        epoch: 0,
        pe: 0,
        isr: [1, 2, 3],
        elr: [],
        last_known: [],
        adding: [],
        removing: [],
        copies: { 1: copy("leader"), 2: copy("follower"), 3: copy("follower") },
        acked: [],
        lost: [],
      },
    ],
    clients: [
      {
        id: "P",
        kind: "producer",
        state: "open",
        acks: "1",
        rate_milli: 10000,
        queued: {},
        inflight: {},
        acked: 0,
        failed: 0,
        position: {},
        committed: {},
      },
      {
        id: "C",
        kind: "consumer",
        state: "open",
        acks: "",
        rate_milli: 0,
        queued: {},
        inflight: {},
        acked: 0,
        failed: 0,
        position: {},
        committed: {},
      },
    ],
    verdict: {},
    sentence: "",
  };
}

/** Collects rows: `say(t, KIND.X, {name: value})`. */
export class Teller {
  constructor() {
    this.rows = [];
  }

  /** @returns {number} the fact's number */
  say(t, kind, values, cause = 0) {
    const seq = this.rows.length + 1;
    const names = fieldsOf(kind);
    for (const name of Object.keys(values))
      if (!names.includes(name)) throw new Error(`${KIND_NAMES[kind]} has no ${name}`);
    this.rows.push([seq, t, kind, cause, ...names.map((name) => values[name] ?? (name === "isr" ? [] : 0))]);
    return seq;
  }
}

/**
 * Broker 1 leads, takes `count` records of which followers get `copied`, dies; broker 2 is elected; broker 1 returns
 * and cuts.
 */
export function leaderDies({ count = 5, copied = 3 } = {}) {
  const teller = new Teller();
  for (let i = 0; i < count; i++) {
    const t = 1000 * (i + 1);
    teller.say(t - 500, KIND.FLIGHT, { msg: MSG.PRODUCE, src: -1, dst: 1, arrive: t, p: 0, count: 1, mark: 0 });
    teller.say(t, KIND.APPENDED, { broker: 1, p: 0, base: i, count: 1, epoch: 0, client: 0, n: i });
    teller.say(t + 1, KIND.CALLS_SETTLED, { client: 0, p: 0, n: i, count: 1, offset: i, epoch: 0, error: 0 });
    if (i < copied)
      for (const broker of [2, 3])
        teller.say(t + 2, KIND.APPENDED, { broker, p: 0, base: i, count: 1, epoch: 0, client: 0, n: i });
  }
  for (const broker of [1, 2, 3]) teller.say(9000, KIND.HW_MOVED, { broker, p: 0, hw: copied });
  const action = teller.say(10_000, KIND.ACTION_DONE, { index: 0, text: "kill 1" });
  const death = teller.say(10_000, KIND.PROCESS_CHANGED, { node: 1, state: PROCESS.DOWN }, action);
  const fenced = teller.say(9_000_000, KIND.BROKER_REGISTRATION, { broker: 1, be: 1, state: REG.FENCED }, death);
  const election = teller.say(
    9_000_000,
    KIND.PARTITION_CHANGED,
    {
      p: 0,
      leader: 2,
      epoch: 1,
      pe: 1,
      reason: REASON.FENCED,
      election: ELECTION.CLEAN,
      replicas: [1, 2, 3],
      isr: [2, 3],
      elr: [],
      last_known: [],
      adding: [],
      removing: [],
    },
    fenced,
  );
  teller.say(
    9_001_000,
    KIND.LEADER_ACTIVATED,
    { broker: 2, p: 0, epoch: 1, pe: 1, start: copied, hw: copied, leo: copied, isr: [2, 3] },
    election,
  );
  teller.say(9_002_000, KIND.APPENDED, { broker: 2, p: 0, base: copied, count: 1, epoch: 1, client: 0, n: count });
  const lost = teller.say(
    9_002_000,
    KIND.RECORDS_LOST,
    { p: 0, base: copied, count: count - copied, epoch: 0, acks: 1, client: 0 },
    election,
  );
  teller.say(
    9_002_000,
    KIND.VERDICT_CHANGED,
    {
      topic: 0,
      acked: count,
      lost: count - copied,
      write_down_1_us: 8_990_000,
      write_down_all_us: 8_990_000,
      read_down_us: 0,
      deciding: election,
    },
    lost,
  );
  teller.say(20_000_000, KIND.TRUNCATED, { broker: 1, p: 0, old: count, new: copied, hw: copied });
  return teller.rows;
}

export const WORDS = {
  partition: (p) => `orders-${p}`,
  hasPartition: (p) => p < 9,
  topic: () => "orders",
  topicNamed: (_, name) => name,
  node: (id) => (id < 0 ? "P" : id < 100 ? `broker ${id}` : `controller ${id}`),
  client: (i) => ["P", "C"][i],
  isConsumer: (i) => i === 1,
  process: () => "mirror-maker",
  flow: () => "east → west",
  id: (id) => id,
  cluster: () => 0,
  site: () => "",
  host: (ref) => (/^\d+$/.test(ref) ? `${ref < 100 ? "broker" : "controller"} ${ref}` : ref),
  nodeOf: (ref) => (/^\d+$/.test(ref) ? Number(ref) : -1),
  basis: () => ({}),
  hasOldLog: () => true,
};
