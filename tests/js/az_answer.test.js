import assert from "node:assert/strict";
import { test } from "node:test";
import {
  asked,
  darkText,
  decidesOf,
  isComputing,
  isFresh,
  listOf,
  NOTHING,
  progressOf,
  rowsOf,
  shownText,
  withLine,
} from "../../static/js/import/answer_lines.js";
import { bodyOf, changesCluster, editsFrom, NO_EDITS, withField, withPlaces } from "../../static/js/import/edits.js";
import { NO_PASTE, sitesFrom, withText } from "../../static/js/import/kept_paste.js";
import { placesOf, withZone } from "../../static/js/import/places.js";

const outline = (...keys) => ({
  outline: { acks: ["all", "1"], azs: [], basis: [], rows: keys.map((key) => ({ key })) },
});
const cell = (row, acks, text = "0") => ({ cell: { row, acks, write: { text } } });
const read = (shown, ...lines) => lines.reduce(withLine, shown);
const FIRST = [
  outline("az-a", "az-b"),
  cell("az-a", "all"),
  cell("az-a", "1"),
  { causes: { row: "az-a", causes: [{ key: "c0" }] } },
  cell("az-b", "all"),
  cell("az-b", "1"),
  { causes: { row: "az-b", causes: [] } },
  { answer: { headline: "One." } },
];

test("old figures stay until new ones come, and the headline counts as old until it is told again", () => {
  const done = read(NOTHING, ...FIRST, { done: true });
  assert.equal(isComputing(done), false);
  const again = asked(done);
  assert.equal(isComputing(again), true);
  assert.deepEqual(
    [again.answer.headline, again.cells["az-a all"].write.text, isFresh(again, "az-a")],
    ["One.", "0", false],
  );
  const part = read(again, outline("az-a", "az-b"), cell("az-a", "all", "until back"));
  assert.deepEqual([part.cells["az-a all"].write.text, part.cells["az-b all"].write.text], ["until back", "0"]);
  assert.deepEqual(progressOf(part), { count: 1, total: 4 });
  assert.equal(isComputing(read(part, { answer: { headline: "Two." } })), false);
});

test("a row that is gone takes its figures and causes along", () => {
  const next = read(asked(read(NOTHING, ...FIRST)), outline("az-b"));
  assert.deepEqual(Object.keys(next.cells), ["az-b all", "az-b 1"]);
  assert.deepEqual(Object.keys(next.causes), ["az-b"]);
});

test("the worst AZ comes first; the order changes with an answer and not while its figures come", () => {
  const rows = (...azs) => ({
    outline: {
      ...outline().outline,
      rows: [
        ...azs.map((key) => ({ key, kind: "az" })),
        { key: "any-broker", kind: "broker" },
        { key: "any-two", kind: "azs" },
      ],
    },
  });
  const keys = (shown) => rowsOf(shown).map((row) => row.key);
  const coming = read(NOTHING, rows("az-a", "az-b", "az-c"), cell("az-a", "all"), cell("az-b", "all"));
  assert.deepEqual(keys(coming), ["az-a", "az-b", "az-c", "any-broker", "any-two"]);
  const told = read(coming, { answer: { headline: "One.", order: ["az-c", "az-a", "az-b"] } });
  assert.deepEqual(keys(told), ["az-c", "az-a", "az-b", "any-broker", "any-two"]);
  const again = read(asked(told), rows("az-b", "az-c", "az-d"), cell("az-b", "all"));
  assert.deepEqual(keys(again), ["az-c", "az-b", "az-d", "any-broker", "any-two"], "an AZ that is new follows");
  assert.deepEqual(keys(read(again, { answer: { headline: "Two.", order: ["az-d", "az-b", "az-c"] } })).slice(0, 3), [
    "az-d",
    "az-b",
    "az-c",
  ]);
  assert.deepEqual(keys(NOTHING), []);
});

test("waiting is over with the next line, an error ends the computing", () => {
  const waits = read(NOTHING, { waiting: true });
  assert.deepEqual([waits.isWaiting, read(waits, outline()).isWaiting], [true, false]);
  assert.equal(isComputing(read(waits, { error: "It broke." })), false);
});

test("what a field decides is as tried for this answer", () => {
  const field = { key: "version", decides: null };
  assert.equal(decidesOf(NOTHING, field), null);
  assert.equal(decidesOf(read(NOTHING, { decides: { key: "version", decides: true } }), field), true);
});

test("an AZ that is dark already is said with its brokers", () => {
  const az = (name, down, is_dark) => ({ name, down, is_dark, brokers: [], controllers: [] });
  assert.equal(
    darkText({ azs: [az("az-a", [], false), az("az-b", [3], true), az("az-c", [4, 5], true)] }),
    "az-b is dark already: broker 3 is down. az-c is dark already: brokers 4, 5 are down.",
  );
});

test("every fact opens the list behind it; one without partitions opens none", () => {
  assert.deepEqual(
    ["until_back", "hidden", "seconds", "lost", "risk", "disks"].map((key) => listOf({ key, step: 3 })),
    [
      { of: "until_back", acks: "all" },
      { of: "hidden", acks: "1" },
      { of: "seconds", acks: "all" },
      { of: "lost", acks: "all" },
      { of: "lost", acks: "1" },
      { of: "disks", acks: "all" },
    ],
  );
  assert.equal(listOf({ key: "lost", step: 0 }), null);
  assert.equal(listOf({ key: "beside", step: 1 }), null);
  assert.equal(listOf({ key: "next", step: 1 }), null);
});

test("what was changed is sent, an emptied field asks for the default, a refused one waits", () => {
  let edits = withField(withField(withField(NO_EDITS, "latency_ms", "25"), "log_gb", ""), "dies", "killed");
  assert.deepEqual(bodyOf(edits), { assumed: { latency_ms: "25" }, dies: "killed" });
  assert.deepEqual(bodyOf(edits, { latency_ms: "too much" }), { dies: "killed" });
  const before = placesOf(
    [
      { id: 1, rack: "az-a" },
      { id: 2, rack: "az-a" },
    ],
    [{ id: 100, rack: "az-a" }],
  );
  edits = withPlaces(
    edits,
    before,
    placesOf(
      [
        { id: 1, rack: "az-a" },
        { id: 2, rack: null },
      ],
      [{ id: 100, rack: "az-a" }],
    ),
  );
  assert.deepEqual(
    bodyOf(edits),
    { racks: { 1: "az-a", 2: "" }, assumed: { latency_ms: "25" }, dies: "killed" },
    "no controller was moved",
  );
});

test("another number of controllers is placed by the server, until one is moved", () => {
  const at = (rack) => placesOf([{ id: 1, rack: "az-a" }], [{ id: 100, rack }]);
  const moved = withPlaces(NO_EDITS, at("az-a"), at("az-b"));
  assert.deepEqual(bodyOf(moved), { controllers: { 100: "az-b" } });
  const five = withField(moved, "controllers", "5");
  assert.deepEqual(bodyOf(five), { assumed: { controllers: "5" } });
  assert.deepEqual(bodyOf(withPlaces(five, at("az-a"), at("az-b"))), { controllers: { 100: "az-b" } });
});

test("an empty AZ changes nothing that is sent", () => {
  const before = placesOf([{ id: 1, rack: "az-a" }], []);
  assert.deepEqual(bodyOf(withPlaces(NO_EDITS, before, withZone(before).places)), {});
});

test("which loss is meant is no change of the cluster", () => {
  assert.equal(changesCluster(withField(NO_EDITS, "disks", "gone")), false);
  assert.equal(changesCluster(withField(NO_EDITS, "log_gb", "40")), true);
});

test("what the browser kept is read, and anything else begins anew", () => {
  const edits = withField(NO_EDITS, "log_gb", "40");
  assert.deepEqual(editsFrom(JSON.stringify(edits)), edits);
  for (const wrong of [null, "", "x", "1", "{}"]) assert.deepEqual(editsFrom(wrong), NO_EDITS);
  const site = (id, name) => ({ id, name, paste: { ...NO_PASTE, text: "Topic: a" } });
  const two = { sites: [site("0", "east"), site("1", "west")], at: 1, between: "80", mirrors: "clusters = east, west" };
  assert.deepEqual(sitesFrom(JSON.stringify(two)), two);
  for (const wrong of [null, "", "x", "1", "{}", '{"sites":[]}', '{"sites":[{}]}'])
    assert.deepEqual(sitesFrom(wrong), {
      sites: [{ id: "0", name: "east", paste: NO_PASTE }],
      at: 0,
      between: "30",
      mirrors: "",
    });
});

test("a field that was given up shows what the server has, an emptied one stays empty", () => {
  assert.deepEqual(withField(withField(NO_EDITS, "log_gb", "4"), "log_gb", "").fields, { log_gb: "" });
  assert.deepEqual(withField(withField(NO_EDITS, "log_gb", "4"), "log_gb", undefined).fields, {});
});

test("a value set for one cluster stays while its text is edited or grows, and is not taken for another", () => {
  const places = /** @type {any} */ ({ zones: [{ id: "z" }], at: {} });
  const one = "Topic: orders Partition: 0 Leader: 1 Replicas: 1,2,3 Isr: 1,2,3";
  const paste = { ...NO_PASTE, text: one, places, assumed: { rate: 5 } };
  for (const text of [
    `${one}\nTopic: orders Partition: 1 Leader: 2`,
    `x=1\n${one}`,
    one.replace("orders", "bills"),
    one.slice(0, 20),
  ]) {
    assert.deepEqual(withText(paste, text), { ...paste, text });
  }
  assert.deepEqual(withText(paste, "node.id=1\nbroker.rack=az-a"), {
    ...NO_PASTE,
    text: "node.id=1\nbroker.rack=az-a",
  });
});

const paste = (topic, rows) =>
  rows
    .map(
      ([leader, replicas, isr], at) =>
        `\tTopic: ${topic}\tPartition: ${at}\tLeader: ${leader}\tReplicas: ${replicas}\tIsr: ${isr}`,
    )
    .join("\r\n");
const ORDERS = paste("orders", [
  [1, "1,2,3", "1,2,3"],
  [2, "2,3,1", "2,3,1"],
]);
const SET = {
  ...NO_PASTE,
  text: ORDERS,
  places: placesOf([{ id: 1, rack: "east" }], []),
  hasControllers: true,
  assumed: { acks: "1", states: { 3: "down" }, neutral_names: true },
};

test("a value set for one cluster does not stay for the paste of another, even after an empty text", () => {
  const other = paste("clicks", [
    [1, "1,2", "1,2"],
    [2, "2,1", "2,1"],
  ]);
  for (const from of [SET, withText(SET, ""), withText(withText(SET, ""), " ")]) {
    assert.deepEqual(withText(from, other), { ...NO_PASTE, text: other, assumed: { neutral_names: true } });
  }
});

test("a value stays while the same cluster is edited, pasted again later, or grown by another output", () => {
  const later = paste("orders", [
    [3, "1,2,3", "3"],
    ["none", "2,3,1", ""],
  ]);
  for (const next of [
    `${ORDERS}\nbroker.rack=east`,
    ORDERS.slice(0, -2),
    later,
    `$ kafka-topics.sh --describe\n${later}`,
  ]) {
    for (const from of [SET, withText(SET, "")]) assert.deepEqual(withText(from, next), { ...SET, text: next }, next);
  }
});

test("a field without a value is empty, a choice keeps its name, and what was typed stays", () => {
  const text = (value, choices = null, typed = undefined) => shownText({ value, choices }, typed);
  assert.deepEqual([text(null), text(undefined), text(0), text(2.5), text("a 1")], ["", "", "0", "2.5", "a 1"]);
  assert.deepEqual([text(null, [[null, "as it is"]]), text(false, [[false, "off"]])], ["null", "false"]);
  assert.deepEqual([text(null, null, ""), text(7, null, "8")], ["", "8"]);
});
