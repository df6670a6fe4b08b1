// The price of an action before it is done: what would be gone, who would lead, what would stop.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  priceOfCopies,
  priceOfDisk,
  priceOfStop,
  priceOfUnclean,
  priceOfUncleanOn,
  replicasOn,
} from "../../static/js/run/price.js";
import { listsOf, reassignmentJson } from "../../static/js/run/reassignment.js";

/** @param {[epoch: number, start: number][]} epochs @param {number} leo @returns {any} */
const copy = (epochs, leo) => ({ epochs, leo });

/** @type {any} */
const LEADERLESS = {
  topic: 0,
  replicas: [1, 2, 3],
  leader: -1,
  isr: [1],
  elr: [],
  last_known: [],
  acked: [
    [0, 5_000, 0],
    [5_000, 3_000, 1],
  ],
  lost: [],
  copies: {
    1: copy(
      [
        [0, 0],
        [1, 5_000],
      ],
      8_000,
    ),
    2: copy(
      [
        [0, 0],
        [1, 5_000],
      ],
      7_500,
    ),
    3: copy([[0, 0]], 5_200),
  },
};

/** @param {any} partition @param {string[]} registrations from broker 1 on @param {number} minIsr @returns {any} */
const modelOf = (partition, registrations, minIsr = 1) => ({
  view: {
    brokers: ["", ...registrations].map((registration) => ({ registration })),
    partitions: [partition].flat(),
  },
  partitionsOf: () => [partition].flat().map((_, p) => p),
  nodeName: (/** @type {number} */ id) => `broker ${id}`,
  partitionName: (/** @type {number} */ p) => `t-${p}`,
  minIsr: () => minIsr,
  words: { basis: () => ({}), hasOldLog: () => true },
  siteOf: () => null,
  idOf: (/** @type {number} */ id) => id,
  documentOf: () => ({}),
  config: (/** @type {any} */ _topic, /** @type {string} */ _key, /** @type {any} */ fallback) => fallback,
  asked: [],
  asking: () => null,
  t: 0,
  trace: { decisive: [] },
});

test("an unclean election names who would lead, and what each choice loses (UNC-3, UNC-4)", () => {
  const of = (/** @type {string[]} */ registrations, some = {}) =>
    priceOfUnclean(modelOf(LEADERLESS, registrations), { ...LEADERLESS, ...some });
  assert.equal(
    of(["fenced", "active", "active"]),
    "Broker 2 would lead: 500 acknowledged records would be gone (broker 3: 3,000).",
  );
  assert.equal(of(["fenced", "fenced", "active"]), "Broker 3 would lead: 3,000 acknowledged records would be gone.");
  assert.equal(
    of(["fenced", "active", "fenced"], { lost: [[7_500, 499, 1]] }).includes(": 1 acknowledged record "),
    true,
  );
  assert.equal(of(["fenced", "fenced", "fenced"]), "");
  assert.equal(
    of(["fenced", "active", "active"], { isr: [], last_known: [3] }).startsWith("Broker 3 would lead"),
    true,
  );
  assert.equal(of(["fenced", "active", "active"], { observers: [2] }).startsWith("Broker 3 would lead"), true);
});

test("an empty disk names the records that no other replica has", () => {
  const model = modelOf(LEADERLESS, ["fenced", "active", "active"]);
  assert.equal(priceOfDisk(model, 1), "500 acknowledged records would be gone: no other replica has a copy.");
  assert.equal(priceOfDisk(model, 2), "");
  assert.equal(priceOfDisk(model, 3), "");
  model.words.basis = () => ({ log_mb: 10_000, copy_mb_per_s: 100 });
  assert.equal(priceOfDisk(model, 3), "Copies 1 replica. 10.0 GB take at least 100 s at 100 MB/s.");
});

test("a shutdown names what it hands over, what has no heir and what falls below min.insync.replicas", () => {
  const led = (/** @type {any} */ some) => ({ ...LEADERLESS, leader: 1, isr: [1, 2, 3], ...some });
  const alive = ["active", "active", "active"];
  const of = (/** @type {any[]} */ partitions, minIsr = 2) => priceOfStop(modelOf(partitions, alive, minIsr), 1);
  assert.equal(of([led({}), led({ leader: 2 })]), "Hands over 1 partition.");
  assert.equal(of([led({ isr: [1] })], 1), "No leader until it is back: t-0.");
  assert.equal(of([led({ isr: [1], elr: [2] })], 1), "Hands over 1 partition.");
  assert.equal(of([led({ leader: 2, isr: [1, 2] })]), "Below min.insync.replicas: t-0.");
  assert.equal(of([led({ leader: 2, isr: [2, 3] })]), "");
  const many = Array.from({ length: 5 }, () => led({ isr: [1] }));
  assert.equal(of(many, 1), "No leader until it is back: t-0, t-1, t-2 and 2 more.");
});

test("copies of a reassignment take size ÷ rate of those that receive them, where the document tells both", () => {
  const of = (/** @type {any} */ sizes, /** @type {number} */ count, isOld = true) => {
    const model = {
      ...modelOf(Array(count).fill({}), []),
      words: { basis: () => sizes, hasOldLog: () => isOld },
    };
    return priceOfCopies(model, [...Array(count).keys()], [1, 2]);
  };
  assert.equal(of({}, 3), "Copies 3 replicas. Logs are small here: real ones take size ÷ network rate.");
  assert.equal(
    of({ log_mb: 200_000, copy_mb_per_s: 80 }, 12),
    "Copies 12 replicas. 2.4 TB take at least 4.2 h at 80 MB/s.",
  );
  assert.equal(of({ log_mb: 500, copy_mb_per_s: 100 }, 1), "Copies 1 replica. 500 MB take at least 5 s at 100 MB/s.");
  assert.equal(of({ log_mb: 500, copy_mb_per_s: 100 }, 3, false), of({}, 3), "none began with records");
});

test("copies are priced at the throttled rate where each topic lists them (FET-19)", () => {
  const of = (/** @type {string} */ listed, /** @type {any} */ set, own = {}, /** @type {string[]} */ asked = []) => {
    const model = modelOf([led(0), led(1)], []);
    model.view.broker_configs = set;
    model.asked = asked;
    model.asking = (/** @type {any} */ topic, /** @type {string} */ key) =>
      asked.find((one) => one.startsWith(`config t${topic} ${key} `))?.split(" ")[3] ?? null;
    model.documentOf = () => ({ cluster: { brokers: [3, { id: 1, config: own }] } });
    model.words.basis = () => ({ log_mb: 10_000, copy_mb_per_s: 100 });
    model.config = (/** @type {any} */ topic, /** @type {string} */ key) => (topic === 0 && key === LIST ? listed : "");
    return /(\d+ MB\/s)/.exec(priceOfCopies(model, [0, 1], [1]))?.[1];
  };
  const led = (/** @type {number} */ number) => ({ ...LEADERLESS, number });
  const LIST = "follower.replication.throttled.replicas";
  const rate = (/** @type {string} */ broker, /** @type {string} */ bytes) => ({
    [broker]: { "follower.replication.throttled.rate": bytes },
  });
  assert.equal(of("*", rate("", "10000000")), "10 MB/s");
  assert.equal(of("0:1,1:1", rate("1", "20000000")), "20 MB/s");
  assert.equal(of("*", {}, { "follower.replication.throttled.rate": 30_000_000 }), "30 MB/s");
  const tenAsked = "config cluster follower.replication.throttled.rate 10000000";
  assert.equal(of("*", {}, {}, [tenAsked]), "10 MB/s", "while time stands");
  assert.equal(of("", {}, {}, [tenAsked, `config t0 ${LIST} *`]), "10 MB/s");
  assert.equal(of("*", rate("", "10000000"), {}, [`config t0 ${LIST} none`]), "100 MB/s");
  for (const listed of ["", "none", "0:1", "0:2,1:2"]) assert.equal(of(listed, rate("", "10000000")), "100 MB/s");
  assert.equal(of("*", rate("", "9223372036854775807")), "100 MB/s");
  assert.equal(of("*", rate("", "500000000")), "100 MB/s");
});

test("only replicas that an active broker without one can take may move off a broker", () => {
  const partitions = [
    { replicas: [1, 2], removing: [] },
    { replicas: [1, 3], removing: [1] },
    { replicas: [2, 3], removing: [] },
  ];
  const of = (/** @type {string[]} */ registrations) => {
    const model = modelOf(partitions, registrations);
    return replicasOn({ ...model, brokerIds: [1, 2, 3], siteOf: () => null }, 1);
  };
  assert.deepEqual(of(["active", "active", "active"]), { all: 1, movable: [0], takers: [2, 3] });
  assert.deepEqual(of(["active", "active", "fenced"]), { all: 1, movable: [], takers: [2] });
});

test("the replica lists are the file of Kafka's own tool, as a reassignment under way is to end", () => {
  /** @type {any} */ const model = {
    view: { partitions: [{ number: 4, replicas: [12, 13, 11], removing: [11] }] },
    partitionsOf: () => [0],
    localName: () => "t",
    idOf: (/** @type {number} */ id) => String(id - 10),
  };
  const lists = listsOf(model, 0);
  assert.deepEqual(JSON.parse(reassignmentJson(lists)), {
    version: 1,
    partitions: [{ topic: "t", partition: 4, replicas: [2, 3] }],
  });
});

test("unclean election on: who would lead each partition without a leader, and the records gone", () => {
  const led = { ...LEADERLESS, leader: 1 };
  const two = [LEADERLESS, { ...LEADERLESS, isr: [2] }, led];
  const model = modelOf(two, ["fenced", "active", "active"]);
  assert.equal(
    priceOfUncleanOn(model, 0),
    "Would lead: broker 2 t-0 and broker 2 t-1. 1,000 acknowledged records would be gone.",
  );
  assert.match(priceOfUncleanOn(modelOf(led, ["active"]), 0), /each partition has a leader/);
  assert.match(priceOfUncleanOn(modelOf(LEADERLESS, ["fenced", "fenced", "fenced"]), 0), /Elects nobody now/);
});
