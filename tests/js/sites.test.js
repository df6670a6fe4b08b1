// Several clusters in one run: nodes by cluster, their names in actions and sentences, the WAN between them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Model } from "../../static/js/run/model.js";
import { Narrator } from "../../static/js/words/narrate.js";
import { KIND } from "../../static/js/facts/facts.js";
import {
  columnsOf,
  frameOf,
  isCut,
  isSiteCut,
  nodeOf,
  partOf,
  rackNameOf,
  rackOf,
  refOf,
  siteLink,
  toldByWan,
} from "../../static/js/fold/sites.js";
import { clauses } from "../../static/js/words/actionwords.js";

const names = {
  topics: ["orders", "orders"],
  topic_clusters: [0, 1],
  partitions: [
    [0, 0],
    [1, 0],
  ],
  clients: [
    { id: "east/P", kind: "producer" },
    { id: "west/P", kind: "producer" },
  ],
  clusters: [
    { name: "east", base: 0 },
    { name: "west", base: 1000 },
  ],
  brokers: [
    { id: 1002, rack: null },
    { id: 2, rack: "b" },
    { id: 1, rack: "a" },
    { id: 1001, rack: null },
  ],
  controllers: [
    { id: 100, rack: null },
    { id: 1100, rack: null },
  ],
};
const part = (active) => ({ active, controller_epoch: 1, metadata_offset: 5, broker_configs: {}, sentence: "" });
const view = {
  t: 0,
  links: {},
  brokers: { 1: {}, 2: {}, 1001: {}, 1002: {} },
  controllers: { 100: { process: "running" }, 1100: { process: "running" } },
  clusters: [
    { name: "east", base: 0, ...part(100) },
    { name: "west", base: 1000, ...part(-1) },
  ],
  topics: [
    { name: "orders", config: {}, cluster: 0 },
    { name: "orders", config: {}, cluster: 1 },
  ],
  partitions: [
    { topic: 0, number: 0, leader: 1, epoch: 0, isr: [1, 2], replicas: [1, 2] },
    { topic: 1, number: 0, leader: 1001, epoch: 0, isr: [1001, 1002], replicas: [1001, 1002] },
  ],
  clients: [
    { id: "east/P", kind: "producer", acks: "all" },
    { id: "west/P", kind: "producer", acks: "1" },
  ],
};

function modelOf() {
  const model = new Model();
  model.names = names;
  model.document = {
    clusters: {
      east: { producers: [{ id: "P", topic: "orders" }] },
      west: { cluster: { config: { "min.insync.replicas": 2 } }, producers: [{ id: "P", topic: "orders" }] },
    },
  };
  model.cursor = { view };
  return model;
}

test("columns stand by cluster, then rack, then id; a broker without a rack stands in its cluster's frame", () => {
  assert.deepEqual(columnsOf(names), [1, 2, 1001, 1002]);
  assert.deepEqual(
    columnsOf(names).map((id) => frameOf(names, id)),
    ["east/a", "east/b", "west", "west"],
  );
});

test("nodes are named as actions write them, and found by these names", () => {
  assert.deepEqual(
    [2, 1001, 1100].map((id) => refOf(names, id)),
    ["east/2", "west/1", "west/100"],
  );
  assert.deepEqual(
    ["east/2", "west/1", "north/1", "east/a"].map((ref) => nodeOf(names, ref)),
    [2, 1001, null, null],
  );
  assert.equal(refOf({ ...names, clusters: undefined }, 2), "2");
});

test("topics, producers, settings and controllers are those of the cluster", () => {
  const model = modelOf();
  assert.deepEqual([model.topicName(0), model.partitionName(1)], ["east/orders", "west/orders-0"]);
  assert.deepEqual([model.acksOf(0), model.acksOf(1)], ["all", "1"]);
  assert.deepEqual([model.minIsr(0), model.minIsr(1)], [1, 2]);
  assert.deepEqual([partOf(view, 2).active, partOf(view, 1002).active], [100, -1]);
});

test("sentences say the cluster, and brokers of one kind stand together", () => {
  const { words } = modelOf();
  assert.equal(words.node(1001), "broker west/1");
  assert.equal(
    clauses("kill west/1, cut east/1|east/2,west/1", words),
    "Broker west/1 is killed. The links between broker east/1 and brokers east/2 and west/1 are cut",
  );
  const narrator = new Narrator(words);
  narrator.seed(view);
  narrator.take([
    [1, 5e6, KIND.CONTROLLER_CHANGED, 0, -1, 2],
    [2, 6e6, KIND.PARTITION_CHANGED, 0, 1, 1002, 1, 1, 0, 1, [1001, 1002], [1002]],
  ]);
  assert.deepEqual(
    narrator.events.map((event) => event.text),
    ["east: no controller is active", "west/orders-0: broker west/2 elected, epoch 0 → 1"],
  );
});

test("the WAN is cut when every link between the clusters is, and as slow as the slowest", () => {
  const cut = (pairs) => Object.fromEntries(pairs.map(([a, b]) => [`${a}>${b}`, { cut: 1, slow_us: 0 }]));
  const east = [1, 2, 100];
  const west = [1001, 1002, 1100];
  const all = east.flatMap((a) =>
    west.flatMap((b) => [
      [a, b],
      [b, a],
    ]),
  );
  assert.deepEqual(siteLink(names, view, "east", "west"), { cut: "none", slowUs: 0 });
  assert.equal(siteLink(names, { ...view, links: cut(all) }, "east", "west").cut, "both");
  assert.equal(siteLink(names, { ...view, links: cut(all.slice(1)) }, "east", "west").cut, "some");
  assert.equal(
    siteLink(names, { ...view, links: { "1>1001": { cut: 0, slow_us: 200_000 } } }, "east", "west").slowUs,
    200_000,
  );
});

test("a link that is as its whole WAN draws no arc of its own; one within a cluster does", () => {
  const slow = { ...view, links: { "1>1001": { cut: 0, slow_us: 200_000 } } };
  assert.equal(toldByWan(names, slow)({ a: 1, b: 1001, cut: "none", slowUs: 200_000 }), true);
  assert.equal(toldByWan(names, slow)({ a: 1, b: 1001, cut: "both", slowUs: 0 }), false);
  assert.equal(toldByWan(names, slow)({ a: 1, b: 2, cut: "none", slowUs: 200_000 }), false);
});

test("a part of a cut that is there already is known by all its links, one way and both", () => {
  const cut = (...pairs) => ({
    ...view,
    links: Object.fromEntries(pairs.map((pair) => [pair, { cut: true, slow_us: 0 }])),
  });
  assert.equal(isCut(cut("1>2"), [1], [2]), true);
  assert.equal(isCut(cut("1>2"), [1], [2, 1001]), false);
  const [east, west] = [
    [1, 2, 100],
    [1001, 1002, 1100],
  ];
  const oneWay = cut(...east.flatMap((a) => west.map((b) => `${a}>${b}`)));
  assert.deepEqual([isSiteCut(names, oneWay, "east", "west"), isSiteCut(names, oneWay, "west", "east")], [true, false]);
});

test("an AZ whose name holds a slash is named after its cluster, and its head is without the cluster", () => {
  const slashed = {
    ...names,
    brokers: [
      { id: 1, rack: "rack/1" },
      { id: 1001, rack: "a/b" },
    ],
  };
  assert.deepEqual(
    [1, 1001].map((id) => [rackOf(slashed, id), rackNameOf(slashed, id)]),
    [
      ["east/rack/1", "rack/1"],
      ["west/a/b", "a/b"],
    ],
  );
  assert.equal(rackNameOf({ ...slashed, clusters: undefined }, 1), "rack/1");
  assert.equal(rackNameOf(names, 1001), "");
});
