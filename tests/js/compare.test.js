/** What a comparison says on the page: partitions that differ, the next difference, the figures as table and CSV. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { apartMarks } from "../../static/js/dock/marks.js";
import {
  asCsv,
  asText,
  goesTo,
  leftOut,
  marksOf,
  markText,
  nextDifference,
  SAME,
  settingsOf,
  tablesOf,
  whereText,
} from "../../static/js/compare/apart.js";
import { namesOf, titleOf } from "../../static/js/compare/names.js";
import { partitionOf } from "../../static/js/compare/going.js";
import {
  otherAcks,
  readSetting,
  withAcks,
  withElr,
  withSeed,
  withTopicSetting,
  withVersion,
} from "../../static/js/run/variants.js";

const side = (/** @type {number} */ lost, /** @type {number} */ stopped) => ({
  title: "Run",
  digest: "d",
  sentence: lost ? `${lost} acknowledged records are gone.` : "Nothing acknowledged was lost.",
  severity: lost ? "bad" : "ok",
  lost,
  writes_stopped_s: stopped,
  topics: [{ topic: "orders", sentence: "", lost, writes_stopped_s: stopped }],
});

/** @type {any} */
const FOUND = {
  until_us: 20_000_000,
  sides: [side(1234, 9), side(0, 9)],
  first_difference: {
    t_us: 5_000_000,
    lead: "They part at 5.000 s.",
    sentence: "They part at 5.000 s. A: gone. Not in B.",
  },
  parting: "They part at 5.000 s. A: gone. Not in B.",
  differences: [
    { t_us: 5_000_000, sides: [0], text: "gone." },
    { t_us: 9_000_000, sides: [1], text: "back." },
  ],
  settings: [
    { path: "producers.writer.acks", values: ["1", "all"] },
    { path: "topics.orders.config.min.insync.replicas", values: [null, 2] },
    { path: "profile", values: ["4.0", "4.2"] },
    { path: "producers.late", values: [{ topic: "orders" }, null] },
  ],
  figures: [
    { key: "lost", label: "Lost", unit: "records" },
    { key: "writes_stopped_s", label: "Writes stood still", unit: "s" },
  ],
};

/** @param {object} partition @returns {any} */
const model = (partition) => ({
  view: {
    partitions: [
      { topic: 0, leader: 1, epoch: 2, isr: [1, 2], lost: [], copies: { 1: { hw: 8, leo: 9 } }, ...partition },
    ],
  },
  isImplicit: () => false,
  partitionName: () => "orders-0",
  idOf: (/** @type {number} */ id) => id,
});

test("equal partitions have no mark", () => {
  assert.deepEqual(marksOf([model({}), model({})]), []);
});

test("a partition is marked by everything that differs in it", () => {
  const [mark] = marksOf([model({}), model({ leader: 2, epoch: 3, isr: [2], copies: { 2: { hw: 8, leo: 12 } } })]);
  assert.deepEqual(mark?.keys, ["leader", "epoch", "isr", "leo"]);
  assert.equal(
    markText(/** @type {any} */ (mark)),
    "orders-0: leader A 1, B 2; epoch A 2, B 3; ISR A 1 2, B 2; LEO A 9, B 12",
  );
});

test("lost records and a missing leader are told", () => {
  const [mark] = marksOf([model({ lost: [[4, 3, 0]] }), model({ leader: -1 })]);
  assert.equal(
    markText(/** @type {any} */ (mark)),
    "orders-0: leader A 1, B none; HW A 8, B none; LEO A 9, B none; lost records A 3, B 0",
  );
});

test("a partition that one run lacks is told, and nothing is called the same but what is compared", () => {
  const [mark, ...others] = marksOf([model({}), { ...model({}), view: { partitions: [] } }]);
  assert.equal(markText(/** @type {any} */ (mark)), "orders-0: not in B");
  assert.deepEqual(others, []);
  assert.equal(SAME, "The same now in all runs: leader, epoch, ISR, HW, LEO and lost records of every partition.");
});

test("the next difference comes after the playhead", () => {
  assert.equal(nextDifference(FOUND, 0)?.text, "gone.");
  assert.equal(nextDifference(FOUND, 5_000_000)?.text, "back.");
  assert.equal(nextDifference(FOUND, 9_000_000), null);
  assert.equal(nextDifference(null, 0), null);
});

test("each run has its own settings in words", () => {
  assert.deepEqual(settingsOf(FOUND, 0), [
    "writer acks=1",
    "without orders min.insync.replicas",
    "Kafka 4.0",
    "with late",
  ]);
  assert.deepEqual(settingsOf(FOUND, 1), [
    "writer acks=all",
    "orders min.insync.replicas=2",
    "Kafka 4.2",
    "without late",
  ]);
});

test("the table says which rows differ", () => {
  const [all, orders] = tablesOf(FOUND);
  assert.deepEqual(all?.rows, [
    { label: "Lost", cells: ["1,234", "0"], differs: true },
    { label: "Writes stood still", cells: ["9.0 s", "9.0 s"], differs: false },
  ]);
  assert.equal(orders?.title, "orders");
});

test("the text has the sentence and a mark at what differs", () => {
  const lines = asText(FOUND, ["acks=1", "acks=all"]).split("\n");
  assert.equal(lines[0], "A: acks=1: 1234 acknowledged records are gone.");
  assert.ok(lines.includes("They part at 5.000 s. A: gone. Not in B."));
  assert.ok(lines.some((line) => /^Lost +1,234 +0 {2}\*$/.test(line)));
});

test("CSV has plain numbers and quoted names", () => {
  const lines = asCsv(FOUND, ['a "b"', "c"]).split("\n");
  assert.equal(lines[0], '"topic","figure","unit","A a ""b""","B c"');
  assert.equal(lines[1], '"","lost",records,1234,0');
  assert.equal(lines[3], '"orders","lost",records,1234,0');
});

test("diamonds that would overlap are one", () => {
  const at = (/** @type {number} */ t) => ({ t, text: String(t) });
  const marks = apartMarks([at(0), at(10), at(100)], (t) => t);
  assert.deepEqual(
    marks.map(({ t, texts }) => [t, texts.length]),
    [
      [0, 2],
      [100, 1],
    ],
  );
});

const DOCUMENT = {
  seed: 3,
  topics: [{ name: "orders" }, { name: "late", config: { "min.insync.replicas": 2 } }],
  producers: [
    { id: "a", topic: "orders" },
    { id: "b", topic: "late", acks: "1" },
  ],
  timeline: [
    { at: "1s", do: "acks orders 1" },
    { at: "2s", do: "kill 1" },
    { at: "3s", do: "config late min.insync.replicas 1" },
  ],
  expect: [{ verdict: "orders", lost: 0 }],
};

test("the same run with other acks has them from the start, and no action sets them back", () => {
  const changed = withAcks(DOCUMENT, "orders", "0");
  assert.deepEqual(changed.producers, [
    { id: "a", topic: "orders", acks: "0" },
    { id: "b", topic: "late", acks: "1" },
  ]);
  assert.deepEqual(
    changed.timeline.map((/** @type {any} */ entry) => entry.do),
    ["kill 1", "config late min.insync.replicas 1"],
  );
  assert.equal(changed.expect, undefined);
  assert.equal(DOCUMENT.timeline.length, 3, "the document stays");
});

test("the same run with another setting of a topic keeps everything else", () => {
  const changed = withTopicSetting(DOCUMENT, "late", "min.insync.replicas", 1);
  assert.deepEqual(changed.topics[1], { name: "late", config: { "min.insync.replicas": 1 } });
  assert.equal(changed.timeline.length, 2);
});

test("a topic of a named cluster is changed in its cluster", () => {
  const document = { clusters: { east: { producers: [{ id: "a", topic: "orders" }] }, west: { producers: [] } } };
  assert.equal(withAcks(document, "east/orders", "1").clusters.east.producers[0].acks, "1");
});

test("other modes of acks are offered, the safest first, and none without a producer", () => {
  assert.deepEqual(otherAcks("1"), ["all", "0"]);
  assert.deepEqual(otherAcks("mixed"), ["all", "1", "0"]);
  assert.deepEqual(otherAcks(null), []);
  assert.equal(withSeed(DOCUMENT, 4).seed, 4);
  assert.equal(withVersion(DOCUMENT, "", "4.0", true).profile, "4.0");
});

test("a setting that no action changes leaves all actions, and stands beside the others", () => {
  const changed = withTopicSetting(DOCUMENT, "late", "unclean.leader.election.enable", true);
  assert.deepEqual(changed.topics[1].config, { "min.insync.replicas": 2, "unclean.leader.election.enable": true });
  assert.equal(changed.timeline.length, 3);
});

test("a version without ELR does not keep what the document says of it", () => {
  const on = withElr(DOCUMENT, "", true);
  assert.equal(on.elr, true);
  assert.equal(withVersion(on, "", "4.0", true).elr, true);
  assert.ok(!("elr" in withVersion(on, "", "3.7", false)));
  assert.ok(!("elr" in withVersion(DOCUMENT, "", "4.0", true)));
});

test("of several clusters one has another version, or eligible leader replicas, and the others stay", () => {
  const two = { clusters: { east: { profile: "4.2", elr: true }, west: { profile: "4.2" } } };
  assert.deepEqual(withVersion(two, "east", "3.7", false).clusters, {
    east: { profile: "3.7" },
    west: { profile: "4.2" },
  });
  assert.deepEqual(withElr(two, "west", true).clusters.west, { profile: "4.2", elr: true });
  assert.equal(two.clusters.east.profile, "4.2");
});

test("a setting is read as people write it", () => {
  assert.deepEqual(readSetting(" retention.ms = 60000 "), { key: "retention.ms", value: 60_000 });
  assert.deepEqual(readSetting("retention.bytes=-1"), { key: "retention.bytes", value: -1 });
  assert.deepEqual(readSetting("unclean.leader.election.enable=TRUE"), {
    key: "unclean.leader.election.enable",
    value: true,
  });
  assert.deepEqual(readSetting("cleanup.policy=compact,delete"), { key: "cleanup.policy", value: "compact,delete" });
  const large = "9223372036854775807";
  assert.deepEqual(readSetting(`flush.messages=${large}`), { key: "flush.messages", value: large });
  for (const text of ["", "acks", "acks=", "=1", "= 1", "two words=1"]) assert.equal(readSetting(text), null);
});

test("an action goes to all sides or to its own, and one on a message to its own", () => {
  assert.deepEqual(goesTo(1, "kill 2", true, 3), [0, 1, 2]);
  assert.deepEqual(goesTo(1, "kill 2", false, 3), [1]);
  assert.deepEqual(goesTo(1, "drop 17", true, 3), [1]);
});

test("an action of one side may be applied to those that lack it, and one on a message to none", () => {
  assert.deepEqual(leftOut([1], "kill 2", 3), [0, 2]);
  assert.deepEqual(leftOut([0, 1], "kill 2", 2), []);
  assert.deepEqual(leftOut([1], "drop 17", 2), []);
});

test("a menu says where an action goes", () => {
  assert.equal(whereText([0, 1], 1), "in B, and in A too");
  assert.equal(whereText([0, 1, 2], 0), "in A, and in B and C too");
  assert.equal(whereText([1], 1), "in B only");
});

test("a sentence names a partition by its whole name", () => {
  const names = ["orders-1", "orders-10", "east.orders-1"];
  assert.equal(partitionOf("orders-10: 5 acknowledged records are gone, offsets 1–5.", names), 1);
  assert.equal(partitionOf("Broker 2 leads east.orders-1.", names), 2);
  assert.equal(partitionOf("Broker 2 is fenced.", names), -1);
});

test("runs are named by the part of their titles that differs, by a few settings, or by what was changed", () => {
  const runs = (/** @type {string[]} */ titles, /** @type {string[]} */ changes = []) =>
    titles.map((title, i) => ({ title, change: changes[i] ?? "" }));
  assert.deepEqual(namesOf(runs(["Lost? acks=1", "Lost? acks=all"]), "Lost? ", null), ["acks=1", "acks=all"]);
  assert.deepEqual(namesOf(runs(["Lost? acks=1", "Sandbox", "Lost? acks=all"]), "Lost? ", null), [
    "acks=1",
    "Sandbox",
    "acks=all",
  ]);
  assert.deepEqual(namesOf(runs(["X", "X"], ["", "kill 1"]), "", null), ["Original run", "kill 1"]);
  assert.deepEqual(namesOf(runs(["X", "X"], ["", "kill 1"]), "", FOUND), ["writer acks=1", "writer acks=all"]);
  const forks = runs(["X", "X", "X"], ["", "kill 1", "kill 1"]);
  assert.deepEqual(
    namesOf(forks, "", null),
    ["Original run", "kill 1", "kill 1"],
    "the most telling, if none tells all",
  );
  assert.deepEqual(namesOf(runs(["X", "X"]), "", FOUND), ["writer acks=1", "writer acks=all"]);
  const found = {
    ...FOUND,
    settings: [
      { path: "seed", values: [5, 5, 6] },
      { path: "producers.P.acks", values: ["1", "all", "1"] },
    ],
  };
  assert.deepEqual(namesOf(runs(["X", "X", "X"]), "", found), [
    "seed=5, P acks=1",
    "seed=5, P acks=all",
    "seed=6, P acks=1",
  ]);
});

test("a title of several runs tells once what their titles share", () => {
  const runs = (/** @type {string[]} */ ...titles) => titles.map((title) => ({ title }));
  assert.equal(titleOf(runs("Lost? acks=1", "Lost? acks=all"), "Lost? "), "Lost? acks=1 or acks=all");
  assert.equal(titleOf(runs("One", "Two"), ""), "One or Two");
  assert.equal(titleOf(runs("Lost? 1", "Two", "Lost? 2"), "Lost? "), "Lost? 1 or Two or Lost? 2");
  assert.equal(titleOf(runs("X", "X"), ""), "X");
});
