// Applications that can move to another cluster, those that have moved, and the topics that producers need there.
import assert from "node:assert/strict";
import { test } from "node:test";
import { applicationsOf, missingTopics } from "../../static/js/run/applications.js";
import { Model } from "../../static/js/run/model.js";

const client = (id, kind, more = {}) => ({
  id,
  kind,
  state: "open",
  acks: "all",
  rate_milli: 0,
  queued: {},
  inflight: {},
  acked: 0,
  failed: 0,
  position: {},
  committed: {},
  ...more,
});

/** East with a producer P and a group g, west with their copies: and what else the view has. */
function modelOf(clients, westTopics = ["east.orders"]) {
  const model = new Model();
  model.names = {
    topics: ["orders", ...westTopics],
    topic_clusters: [0, ...westTopics.map(() => 1)],
    partitions: [],
    clusters: [
      { name: "east", base: 0 },
      { name: "west", base: 1000 },
    ],
    clients: [
      { id: "east/P", kind: "producer", topic: "orders", rack: "" },
      { id: "east/C", kind: "consumer", group: "g", rack: "" },
    ],
    brokers: [
      { id: 1, rack: null },
      { id: 1001, rack: null },
      { id: 1002, rack: null },
    ],
    controllers: [],
  };
  model.document = {
    clusters: {
      east: { producers: [{ id: "P", topic: "orders" }], consumers: [{ id: "C", topics: ["orders"], group: "g" }] },
      west: {},
    },
  };
  const topics = ["orders", ...westTopics].map((name, i) => ({ name, config: {}, cluster: i ? 1 : 0 }));
  model.cursor = { view: { topics, clients, partitions: topics.map((_, topic) => ({ topic, number: 0 })) } };
  return model;
}
const AT_HOME = [client("east/P", "producer"), client("east/C", "consumer")];

test("open producers and groups can move, each group once", () => {
  assert.deepEqual(applicationsOf(modelOf(AT_HOME), "east"), { producers: ["east/P"], groups: ["east/g"] });
  assert.deepEqual(applicationsOf(modelOf(AT_HOME), "west"), { producers: [], groups: [] });
});

test("a topic that producers need is created with the partitions it has here", () => {
  assert.deepEqual(missingTopics(modelOf(AT_HOME), "east", "west"), [
    { name: "west/orders", action: "create west/orders 2 1" },
  ]);
  assert.deepEqual(missingTopics(modelOf(AT_HOME, ["orders"]), "east", "west"), []);
});

test("clients that joined the run are applications of their cluster, with their topics", () => {
  const gone = [
    client("east/P", "producer", { state: "closed" }),
    client("east/C", "consumer", { state: "closed" }),
    client("", "mirror", { state: "closed" }),
    client("west/P", "producer", { topics: ["orders"], group: "" }),
    client("west/C", "consumer", { topics: ["orders", "east.orders"], group: "g" }),
  ];
  const model = modelOf(gone, ["orders", "east.orders"]);
  model.names.clients.push({ id: "west/mirror", kind: "mirror", rack: "" });
  assert.deepEqual(applicationsOf(model, "west"), { producers: ["west/P"], groups: ["west/g"] });
  assert.deepEqual(model.producersOf(1), [3]);
  assert.equal(model.isRead(2), true);
  assert.equal(model.nodeName(-1 - 4), "west/C");
  assert.deepEqual(missingTopics(model, "west", "east"), []);
});
