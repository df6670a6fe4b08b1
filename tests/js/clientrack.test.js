// Reading from followers: what the document says of it, and the document with another client.rack.
import assert from "node:assert/strict";
import { test } from "node:test";
import { racksOf, readersOf, withClientRack } from "../../static/js/clientrack.js";

const KEY = "replica.selector.class";
const AWARE = "org.apache.kafka.common.replica.RackAwareReplicaSelector";
const part = (config = {}) => ({
  title: "Run",
  cluster: { brokers: [{ id: 1, rack: "az-b" }, { id: 2, rack: "az-a" }, 3], config },
  consumers: [
    { id: "c", topics: ["t"] },
    { id: "d", rack: "az-a" },
  ],
});

test("a client.rack counts only where brokers have the rack-aware selector", () => {
  assert.deepEqual(readersOf(part()), [
    { id: "c", rack: "" },
    { id: "d", rack: "" },
  ]);
  assert.deepEqual(readersOf(part({ [KEY]: AWARE })), [
    { id: "c", rack: "" },
    { id: "d", rack: "az-a" },
  ]);
  const own = part();
  own.cluster.brokers[0].config = { [KEY]: AWARE };
  assert.equal(readersOf(own)[1].rack, "az-a");
  assert.deepEqual(racksOf(part()), ["az-a", "az-b"]);
  assert.deepEqual([readersOf({}), racksOf({})], [[], []]);
});

test("another client.rack is a document with the selector, and taken back it leaves the consumer as it was", () => {
  const before = part({ "min.insync.replicas": 2 });
  const near = withClientRack(before, undefined, "c", "az-b");
  assert.deepEqual(near.cluster.config, { "min.insync.replicas": 2, [KEY]: AWARE });
  assert.deepEqual(near.consumers[0], { id: "c", topics: ["t"], rack: "az-b" });
  assert.equal(near.title, "Run, client.rack az-a and az-b");
  const back = withClientRack(withClientRack(near, undefined, "c", ""), undefined, "d", "");
  assert.deepEqual(back.consumers, [{ id: "c", topics: ["t"] }, { id: "d" }]);
  assert.equal(back.title, "Run");
  assert.deepEqual(before, part({ "min.insync.replicas": 2 }), "the document that was given is as it was");
});

test("of several clusters the one that is named is changed", () => {
  const both = { title: "Two", clusters: { east: part(), west: part() } };
  const near = withClientRack(both, "west", "c", "az-a");
  assert.equal(near.clusters.west.consumers[0].rack, "az-a");
  assert.deepEqual(near.clusters.east, part());
});
