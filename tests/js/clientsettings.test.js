// Settings of clients: what the document says of them, and the document with another value.
import assert from "node:assert/strict";
import { test } from "node:test";
import { clientsOf, defaultOf, flowsOf, racksOf, withSetting } from "../../static/js/run/clientsettings.js";

const KEY = "replica.selector.class";
const AWARE = "org.apache.kafka.common.replica.RackAwareReplicaSelector";
const part = (config = {}) => ({
  title: "Run",
  profile: "3.7",
  cluster: { brokers: [{ id: 1, rack: "az-b" }, { id: 2, rack: "az-a" }, 3], config },
  producers: [{ id: "p", topic: "t", acks: 1 }],
  consumers: [
    { id: "c", topics: ["t"] },
    { id: "d", rack: "az-a" },
  ],
});
const C = /** @type {const} */ ({ kind: "consumers", id: "c" });
const D = /** @type {const} */ ({ kind: "consumers", id: "d" });
const racks = (/** @type {any} */ of) => clientsOf(of).map(({ rack }) => rack);

test("a client.rack counts only where brokers have the rack-aware selector", () => {
  assert.deepEqual(racks(part()), ["", "", ""]);
  assert.deepEqual(racks(part({ [KEY]: AWARE })), ["", "", "az-a"]);
  const own = part();
  own.cluster.brokers[0].config = { [KEY]: AWARE };
  assert.equal(racks(own)[2], "az-a");
  assert.deepEqual(racksOf(part()), ["az-a", "az-b"]);
  assert.deepEqual([clientsOf({}), racksOf({})], [[], []]);
});

test("another client.rack is a document with the selector, and taken back it leaves the consumer as it was", () => {
  const before = part({ "min.insync.replicas": 2 });
  const near = withSetting(before, undefined, C, "client.rack", "az-b");
  assert.deepEqual(near.cluster.config, { "min.insync.replicas": 2, [KEY]: AWARE });
  assert.deepEqual(near.consumers[0], { id: "c", topics: ["t"], rack: "az-b" });
  assert.equal(near.title, "Run, c: client.rack az-b");
  const back = withSetting(withSetting(near, undefined, C, "client.rack", ""), undefined, D, "client.rack", "");
  assert.deepEqual(back.consumers, [{ id: "c", topics: ["t"] }, { id: "d" }]);
  assert.equal(back.title, "Run");
  assert.deepEqual(before, part({ "min.insync.replicas": 2 }), "the document that was given is as it was");
});

test("another setting stands in the client's config, and the default takes it out again", () => {
  const quick = withSetting(part(), undefined, C, "session.timeout.ms", "6000");
  const both = withSetting(quick, undefined, C, "enable.auto.commit", "false");
  assert.deepEqual(both.consumers[0].config, { "session.timeout.ms": "6000", "enable.auto.commit": "false" });
  assert.equal(both.title, "Run, c: session.timeout.ms 6000, c: enable.auto.commit false");
  const other = withSetting(both, undefined, C, "session.timeout.ms", "9000");
  assert.equal(other.title, "Run, c: enable.auto.commit false, c: session.timeout.ms 9000");
  const usual = withSetting(quick, undefined, C, "session.timeout.ms", "");
  assert.deepEqual(usual, part());
});

test("a default is that of the client's own acks and Kafka profile", () => {
  const [producer, consumer] = clientsOf(part());
  const defaults = { 3.7: { "linger.ms": 0 } };
  const of = (/** @type {string} */ name, /** @type {any} */ usual, /** @type {any} */ client) =>
    defaultOf({ name, default: usual, unit: "", choices: [] }, client, defaults);
  assert.equal(of("linger.ms", 5, producer), 0);
  assert.equal(of("enable.idempotence", true, producer), false);
  assert.equal(of("enable.idempotence", true, { ...producer, acks: "all" }), true);
  assert.equal(of("session.timeout.ms", 45_000, consumer), 45_000);
});

test("of several clusters the one that is named is changed", () => {
  const both = { title: "Two", clusters: { east: part(), west: part() } };
  const near = withSetting(both, "west", C, "client.rack", "az-a");
  assert.equal(near.clusters.west.consumers[0].rack, "az-a");
  assert.deepEqual(near.clusters.east, part());
});

test("a flow of MirrorMaker is changed as a client is", () => {
  const document = {
    title: "Two",
    mirrors: [
      { source: "east", target: "west" },
      { source: "west", target: "east" },
    ],
  };
  const [flow] = flowsOf(document);
  assert.deepEqual([flow?.id, flow?.config], ["east->west", {}]);
  const changed = withSetting(document, undefined, { kind: "mirrors", id: "east->west" }, "offset.lag.max", "0");
  assert.deepEqual(changed.mirrors, [
    { source: "east", target: "west", config: { "offset.lag.max": "0" } },
    { source: "west", target: "east" },
  ]);
  assert.equal(changed.title, "Two, east->west: offset.lag.max 0");
});
