// A second cluster, flows of MirrorMaker and the distance between clusters, added to a document.
import assert from "node:assert/strict";
import { test } from "node:test";
import { missingFlows, startsLater, withCluster, withDistance, withFlow } from "../../static/js/run/pairs.js";

const IDENTITY = "org.apache.kafka.connect.mirror.IdentityReplicationPolicy";
const east = (brokers = [1, 2, 3]) => ({
  profile: "4.1",
  cluster: { brokers, controllers: [100], active: 100, config: { "min.insync.replicas": 2 } },
  topics: [{ name: "orders", assignment: [[1]] }],
  producers: [{ id: "app", topic: "orders" }],
});
const THERE = { source: "east", target: "west" };
const BACK = { source: "west", target: "east" };

test("a second cluster has the brokers and settings of the first, and runs at the start", () => {
  const first = east([/** @type {any} */ ({ id: 1, rack: "az-a", state: "down" }), 2]);
  const two = withCluster({ clusters: { east: first } }, "west", "40ms");
  assert.deepEqual(two.clusters.east, first);
  assert.deepEqual(two.clusters.west, {
    profile: "4.1",
    cluster: { brokers: [{ id: 1, rack: "az-a" }, 2], controllers: [100], config: { "min.insync.replicas": 2 } },
  });
  assert.equal(two.network.latency, "40ms");
  assert.throws(() => withCluster(two, "west", "40ms"), /there is a cluster west already/);
});

test("a flow can be added for each pair that has none", () => {
  const two = { clusters: { east: east(), west: east() } };
  assert.deepEqual(missingFlows(two), [THERE, BACK]);
  const one = withFlow(two, THERE);
  assert.deepEqual(one.mirrors, [{ ...THERE, config: {} }]);
  assert.deepEqual(missingFlows(one), [BACK]);
  assert.deepEqual(missingFlows({}), []);
});

test("a flow back has the settings of the flow there, and is down at first where copies keep their names", () => {
  const config = { "sync.group.offsets.enabled": "true" };
  const two = { clusters: { east: east(), west: east() }, mirrors: [{ ...THERE, config }] };
  assert.deepEqual(withFlow(two, BACK).mirrors[1], { ...BACK, process: "mirror-back", config });
  const same = { ...two, mirrors: [{ ...THERE, config: { "replication.policy.class": IDENTITY } }] };
  assert.equal(startsLater(same, BACK), true);
  assert.equal(withFlow(same, BACK).mirrors[1].state, "down");
});

test("MirrorMaker's topics have no more replicas than a cluster has brokers", () => {
  const { mirrors } = withFlow({ clusters: { east: east(), west: east([1]) } }, THERE);
  assert.equal(mirrors[0].config["offset-syncs.topic.replication.factor"], 1);
  assert.equal(mirrors[0].config["replication.factor"], 1);
});

test("another distance leaves the rest of the network", () => {
  assert.deepEqual(withDistance({ network: { latency: "1ms", jitter: "1ms" } }, "9ms").network, {
    latency: "9ms",
    jitter: "1ms",
  });
});
