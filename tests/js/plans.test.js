/** Plans for the loss of a cluster: rows as they come, a failover in parts, the steps that a menu offers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  byGroup,
  detail,
  figure,
  isBest,
  lagText,
  NOTHING,
  partsOf,
  rangeText,
  rpoText,
  timesOf,
  withLine,
} from "../../static/js/plans/rows.js";

const FAILOVER = {
  from: "east",
  to: "west",
  rto_us: 50e6,
  rpo_records: 12,
  rpo_us: 600_000,
  detect_and_decide_us: 40e6,
  switch_us: 7e6,
  catch_up_us: 3e6,
  sentence: "",
};

test("lines fill the table: first the plans, then a row each, then what went wrong", () => {
  const lines = [
    { waiting: true },
    { plans: [{ plan: "swap", title: "Swap", about: "", refused: "" }], sample: "12 of 150 topics run." },
    { plan: "swap", unread: 3 },
    { error: "Too long." },
  ];
  const shown = lines.reduce(withLine, NOTHING);
  assert.equal(shown.plans.length, 1);
  assert.equal(shown.sample, "12 of 150 topics run.");
  assert.deepEqual(shown.rows, [{ plan: "swap", unread: 3 }]);
  assert.equal(shown.error, "Too long.");
});

test("the parts of a failover add up to its RTO, whatever the plan says of noticing", () => {
  for (const detect of [0, 10, 40, 90]) {
    const parts = partsOf(FAILOVER, { detect, decide: 5 });
    assert.equal(
      parts.reduce((sum, { us }) => sum + us, 0),
      FAILOVER.rto_us,
    );
    assert.ok(parts.every(({ us }) => us >= 0));
  }
  assert.deepEqual(
    partsOf(FAILOVER, { detect: 10 }).map(({ us }) => us / 1e6),
    [10, 30, 7, 3],
  );
});

test("figures stand as people read them", () => {
  assert.equal(figure("unread", 1234), "1,234");
  assert.equal(figure("writes_down_us", 15_346_000), "15.3 s");
  assert.equal(figure("writes_down_us", 125_000_000), "2 min 5 s");
  assert.equal(figure("reads_down_us", 119_700_000), "2 min 0 s");
  assert.equal(figure("ack_us", 88_576), "89 ms");
  assert.equal(figure("reads_down_us", null), "–");
  assert.equal(rpoText(FAILOVER), "12 records (0.6 s)");
  assert.equal(rpoText({ ...FAILOVER, rpo_records: 0 }), "0 records");
  assert.equal(rpoText({ ...FAILOVER, rpo_records: -1 }), "nothing is mirrored");
  assert.equal(lagText(FAILOVER), "");
  const lag = { lag_us: [0, 41_264, 2_300_000], lag_records: [0, 1, 23] };
  assert.equal(lagText({ ...FAILOVER, ...lag }), "0 ms, 41 ms, 2.3 s (0, 1, 23 records)");
});

test("setups are compared up to the failover", () => {
  assert.deepEqual(
    timesOf("setups").map(([key]) => key),
    ["lost", "detect", "decide", "switch"],
  );
  assert.equal(timesOf("ways-back").length, 7);
});

test("the best of a column is marked only where the plans differ, and in each row that shows it", () => {
  /** @type {any[]} */ const rows = [
    { unread: 3, doubled: 5, writes_down_us: 15_120_000 },
    { unread: 0, doubled: 5, writes_down_us: 15_140_000 },
    { unread: 0, doubled: 5, writes_down_us: 16_000_000 },
  ];
  const marked = (/** @type {any} */ key) => rows.map((row) => isBest(rows, row, key));
  assert.deepEqual(marked("unread"), [false, true, true]);
  assert.deepEqual(marked("doubled"), [false, false, false]);
  assert.deepEqual(marked("writes_down_us"), [true, true, false]);
});

test("no plan is best at doubles while records stand twice in its log, nor where nobody reads", () => {
  /** @type {any[]} */ const rows = [
    { doubled: 0, standing: 1200, reads_down_us: null },
    { doubled: 29, standing: 0, reads_down_us: 5e6 },
    { doubled: 40, standing: 0, reads_down_us: 9e6 },
  ];
  const marked = (/** @type {any} */ key) => rows.map((row) => isBest(rows, row, key));
  assert.deepEqual(marked("doubled"), [false, true, false]);
  assert.deepEqual(marked("standing"), [false, true, true]);
});

test("a plan that did not end is best at nothing, and the others are compared without it", () => {
  /** @type {any[]} */ const rows = [
    { unread: 0, doubled: 0, left: 0, ack_us: 8000, not_over: "The way from west to east did not end." },
    { unread: 3, doubled: 5, left: 0, ack_us: 9000, not_over: "" },
    { unread: 7, doubled: 5, left: 0, ack_us: 9000, not_over: "" },
  ];
  const marked = (/** @type {any} */ key) => rows.map((row) => isBest(rows, row, key));
  assert.deepEqual(marked("unread"), [false, true, false]);
  assert.deepEqual(marked("left"), [false, false, false]);
  assert.deepEqual(marked("ack_us"), [false, true, true]);
  const open = rows.slice(0, 1);
  assert.equal(isBest(open, open[0], "unread"), false);
});

test("a setup without a mirror is best at nothing that it does without the records", () => {
  /** @type {any[]} */ const rows = [
    { left: 2, left_range: [0, 3, 31], doubled: 90, reads_down_us: 16_000_000, ack_us: 9000 },
    { left: 1200, left_range: null, doubled: 0, reads_down_us: 15_000_000, ack_us: 8000 },
    { left: 0, left_range: null, doubled: 20, reads_down_us: 17_000_000, ack_us: 88_000 },
  ];
  const marked = (/** @type {any} */ key) => rows.map((row) => isBest(rows, row, key));
  assert.deepEqual(marked("left"), [false, false, true]);
  assert.deepEqual(marked("doubled"), [false, false, true]);
  assert.deepEqual(marked("reads_down_us"), [true, false, false]);
  assert.deepEqual(marked("ack_us"), [false, true, false]);
  assert.equal(rangeText(rows[0]), "0, 3, 31 at p50, p99, worst");
  assert.equal(rangeText(rows[1]), "");
});

test("figures stand by group where groups differ, or one stays where it is", () => {
  const group = (/** @type {string} */ name, unread = 0, stays_on = "") => ({
    group: name,
    stays_on,
    unread,
    reads_down_us: unread * 1e6,
  });
  const row = (/** @type {any[]} */ ...groups) => /** @type {any} */ ({ left_range: [0, 1, 2], groups });
  const standby = group("standby", 20_030, "hq.orders");
  const both = byGroup(row(group("app", 30), standby), "unread");
  assert.equal(both, "20,030 of standby, which stays on hq.orders; 30 of app");
  assert.equal(byGroup(row(group("app"), standby), "reads_down_us").split(";").length, 1);
  assert.equal(byGroup(row(standby), "unread"), "20,030 of standby, which stays on hq.orders");
  assert.equal(byGroup(row(group("a", 3), group("b", 3)), "unread"), "");
  assert.equal(byGroup(row(group("a", 3)), "unread"), "");
  assert.equal(byGroup(row(), "unread"), "");
  const many = row(...[1, 2, 3, 4, 5].map((n) => group(`g${n}`, n)));
  assert.equal(byGroup(many, "unread"), "5 of g5; 4 of g4; 3 of g3; 2 more groups");
  assert.equal(byGroup(many, "doubled"), "");
  assert.equal(detail(many, "left"), "0, 1, 2 at p50, p99, worst");
});
