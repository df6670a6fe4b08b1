import assert from "node:assert/strict";
import { test } from "node:test";
import { azsOf, csv, nextOrder, ROWS_DRAWN_MAX, rowsInView, sorted, tabbed } from "../../static/js/partitions/rows.js";

const part = (topic, partition, azs, why = "", us = null, step = 2) => ({
  topic,
  partition,
  step,
  us,
  why,
  azs: Object.entries(azs).map(([az, ids]) => ({
    az,
    brokers: ids.map((id, index) => ({ id, leads: index === 0 && az === "az-a", lost: az === "az-a" })),
  })),
});
const ITEMS = [
  part("orders", 10, { "az-a": [1], "az-b": [2], "": [] }, "1 left, min ISR 2"),
  part("orders", 2, { "az-a": [1, 4], "az-b": [], "": [] }, 'none left, says "rule"', 30_400_000, 3),
  part("audit", 0, { "az-a": [], "az-b": [2, 5], "": [] }, "1 left, min ISR 2"),
];
const names = (items) => items.map((one) => `${one.topic}-${one.partition}`);

test("partitions are ordered by topic and number, by replicas in an AZ, by why with the worst first", () => {
  assert.deepEqual(names(sorted(ITEMS, { by: "partition", isDown: false })), ["audit-0", "orders-2", "orders-10"]);
  assert.deepEqual(names(sorted(ITEMS, { by: "partition", isDown: true })), ["orders-10", "orders-2", "audit-0"]);
  assert.deepEqual(names(sorted(ITEMS, { by: "az:az-b", isDown: false })), ["audit-0", "orders-10", "orders-2"]);
  assert.deepEqual(names(sorted(ITEMS, { by: "why", isDown: false })), ["orders-2", "audit-0", "orders-10"]);
  assert.deepEqual(sorted(ITEMS, { by: "", isDown: false }), ITEMS);
});

test("a click on a head orders up, then down, then as given; another head begins anew", () => {
  const up = nextOrder({ by: "", isDown: false }, "why"),
    down = nextOrder(up, "why");
  assert.deepEqual(
    [up, down, nextOrder(down, "why")],
    [
      { by: "why", isDown: false },
      { by: "why", isDown: true },
      { by: "", isDown: false },
    ],
  );
  assert.deepEqual(nextOrder(down, "partition"), { by: "partition", isDown: false });
});

test("an AZ in which no partition of the list has a replica has no column", () => {
  assert.deepEqual(azsOf(ITEMS), ["az-a", "az-b"]);
  assert.deepEqual(azsOf([]), []);
});

test("CSV and text hold the whole list, with quotes where a field needs them", () => {
  const lines = csv(ITEMS).split("\r\n");
  assert.equal(lines[0], "topic,partition,replicas_by_az,leader,lost_replicas,out_for,why");
  assert.equal(lines[1], 'orders,10,az-a: 1; az-b: 2,1,1,until it is back,"1 left, min ISR 2"');
  assert.equal(lines[2], 'orders,2,az-a: 1 4,1,1 4,30.4 s,"none left, says ""rule"""');
  assert.equal(lines[3], 'audit,0,az-b: 2 5,none,,until it is back,"1 left, min ISR 2"');
  assert.equal(lines.length, 5, "the last line is ended");
  assert.equal(tabbed(ITEMS).split("\n")[3], "audit\t0\taz-b: 2 5\tnone\t\tuntil it is back\t1 left, min ISR 2");
});

test("a name that begins as a formula does stays a text in a sheet", () => {
  const item = { ...ITEMS[0], topic: "=1+1" };
  assert.ok(csv([item]).split("\r\n")[1].startsWith("'=1+1,"));
  assert.ok(tabbed([item]).split("\n")[1].startsWith("'=1+1\t"));
});

test("up to 200 rows are all drawn, of more only those in view and some beside them", () => {
  assert.deepEqual(rowsInView(ROWS_DRAWN_MAX, 30, 3000, 300), { from: 0, to: 200 });
  assert.deepEqual(rowsInView(5000, 30, 0, 300), { from: 0, to: 22 });
  assert.deepEqual(rowsInView(5000, 30, 60_000, 300), { from: 1988, to: 2022 });
  assert.deepEqual(rowsInView(5000, 30, 1e9, 300), { from: 4988, to: 5000 });
});
