import assert from "node:assert/strict";
import { test } from "node:test";
import {
  axis,
  epochOf,
  healthOf,
  inRuns,
  isFolded,
  levelFor,
  namedEvery,
  namedOnPhone,
  offsetLabel,
  stripFor,
  windowOf,
  xOf,
} from "../../static/js/run/layout.js";
import { mapData, mapRows } from "../../static/js/run/mapdata.js";
import { emptyView } from "./generator.js";

/** A partition whose copies have these high watermarks and log ends. */
const partition = (...marks) => ({
  ...emptyView().partitions[0],
  copies: Object.fromEntries(marks.map(([hw, leo], i) => [i + 1, { hw, leo, start: 0 }])),
});

test("a row in step shows its newest offsets", () => {
  assert.deepEqual(windowOf(partition([44, 44], [44, 44]), 5), [39, 40, 41, 42, 43]);
});

test("an old high watermark is kept in sight, with the whole end of its copy where that fits", () => {
  const tokens = windowOf(partition([10, 14], [300, 300]), 10);
  assert.deepEqual(tokens.slice(0, 5), [9, 10, 11, 12, 13]);
  assert.deepEqual(tokens[5], { from: 14, to: 296 });
  assert.deepEqual(tokens.slice(6), [296, 297, 298, 299]);
});

test("lost records that a dead broker still has stay in sight", () => {
  const row = partition([0, 10], [300, 300]);
  row.lost = [[8, 2, 0]];
  for (const copy of Object.values(row.copies)) copy.epochs = [[0, 0]];
  row.copies[2].epochs = [
    [0, 0],
    [1, 8],
  ];
  assert.deepEqual(windowOf(row, 8).slice(0, 4), [7, 8, 9, { from: 10, to: 296 }]);
});

test("the window never has more than its slots, and no offset twice", () => {
  for (let slots = 3; slots <= 15; slots++) {
    for (const [hw, leo, end] of [
      [0, 0, 0],
      [0, 5, 9],
      [3, 90, 100],
      [99, 100, 100],
      [0, 0, 1000],
      [40, 44, 60],
    ]) {
      const tokens = windowOf(partition([hw, leo], [end, end]), slots);
      assert.ok(tokens.length <= Math.max(slots, 5), `${slots} slots, ${JSON.stringify(tokens)}`);
      const offsets = tokens.filter((token) => typeof token === "number");
      assert.equal(new Set(offsets).size, offsets.length);
    }
  }
});

test("an offset inside a fold stands inside the fold", () => {
  const strip = stripFor(240, 100, false, 3);
  const tokens = [1, 2, { from: 3, to: 90 }, 90, 91];
  assert.equal(xOf(tokens, strip, 3), strip.pad + 2 * strip.pitch);
  assert.equal(xOf(tokens, strip, 50), strip.pad + 2.5 * strip.pitch);
  assert.equal(xOf(tokens, strip, 92), strip.pad + 5 * strip.pitch);
  assert.equal(xOf(tokens, strip, 0), strip.pad);
});

test("a strip in a tall cell stands in its middle, one in a low cell at its top", () => {
  const middle = ({ top, height, water }) => top + (height + water + 24) / 2;
  const tall = stripFor(240, 250, false, 3);
  assert.ok(Math.abs(middle(tall) - 125) <= 3, String(middle(tall)));
  assert.ok(tall.height > 84 && tall.height <= 120);
  assert.equal(stripFor(240, 100, false, 3).top, 4);
  for (const height of [60, 100, 160, 250, 400]) {
    const { top, height: record, water } = stripFor(240, height, false, 3);
    assert.ok(top + record + water + 24 <= Math.max(height, 66), String(height));
  }
});

test("the digits of an offset never touch the frame of their record", () => {
  for (const digits of [3, 4])
    for (const phone of [false, true]) {
      const strip = stripFor(phone ? 112 : 216, 100, phone, digits);
      const text = digits * (phone ? 6.4 : 6.7);
      assert.ok(strip.pitch - 2 - text >= 4, `${digits} digits leave ${strip.pitch - 2 - text} px`);
    }
});

test("a high watermark inside a fold is known to be there", () => {
  const tokens = [1, 2, { from: 3, to: 90 }, 90, 91];
  assert.deepEqual(
    [3, 50, 90, 92].map((offset) => isFolded(tokens, offset)),
    [false, true, false, false],
  );
});

test("where there is little room the window begins with the first lost record, so that all of them stand in it", () => {
  const partition = {
    lost: [[211, 2, 0]],
    copies: {
      1: { leo: 213, hw: 208, start: 0, epochs: [[0, 0]] },
      2: {
        leo: 864,
        hw: 860,
        start: 0,
        epochs: [
          [0, 0],
          [1, 211],
        ],
      },
    },
  };
  assert.deepEqual(windowOf(/** @type {any} */ (partition), 6).slice(0, 2), [211, 212]);
  assert.equal(windowOf(/** @type {any} */ (partition), 9)[0], 210);
});

test("where all other copies end before the lost records, the window begins with the record before them", () => {
  const epochs = [[0, 0]];
  const partition = {
    lost: [[95, 5, 0]],
    copies: { 0: { leo: 100, hw: 95, start: 0, epochs }, 1: { leo: 95, hw: 95, start: 0, epochs } },
  };
  assert.deepEqual(windowOf(/** @type {any} */ (partition), 4), [94, 95, { from: 96, to: 99 }, 99]);
  assert.deepEqual(windowOf(/** @type {any} */ (partition), 3), [94, { from: 95, to: 99 }, 99]);
});

test("the newest record stands in every window that folds, however few fit", () => {
  const partition = {
    lost: [],
    copies: {
      1: { leo: 213, hw: 208, start: 0, epochs: [[0, 0]] },
      2: { leo: 864, hw: 860, start: 0, epochs: [[0, 0]] },
    },
  };
  for (const slots of [3, 4, 5, 9]) {
    const tokens = windowOf(/** @type {any} */ (partition), slots);
    assert.equal(tokens.length, slots);
    assert.equal(tokens.at(-1), 863);
  }
});

test("longer offsets get wider records, and very long ones show their end", () => {
  assert.ok(stripFor(300, 100, false, 4).pitch > stripFor(300, 100, false, 3).pitch);
  assert.equal(offsetLabel(1234), "1234");
  assert.equal(offsetLabel(1234567), "…567");
});

test("the epoch of an offset is the last that began at or before it", () => {
  assert.deepEqual(
    [0, 4, 5, 9].map((offset) =>
      epochOf(
        [
          [0, 0],
          [6, 5],
        ],
        offset,
      ),
    ),
    [0, 0, 6, 6],
  );
  assert.equal(epochOf([], 3), -1);
  assert.equal(inRuns([[5, 2, 6]], 6, 6), true);
  assert.equal(inRuns([[5, 2, 6]], 6, 5), false);
});

test("three brokers are drawn as logs, twenty as chips, sixty as a map", () => {
  const room = (brokers, rows) => ({ width: 1092, height: 680, brokers, rows, phone: false });
  assert.equal(levelFor(room(3, 4), null), "logs");
  assert.equal(levelFor(room(20, 30), null), "chips");
  assert.equal(levelFor(room(60, 2000), null), "map");
  assert.equal(levelFor({ width: 390, height: 470, brokers: 3, rows: 4, phone: true }, null), "logs");
});

test("a level stays while the cell misses its size by less than 15 %", () => {
  const room = { width: 276 + 3 * 125, height: 680, brokers: 3, rows: 4, phone: false };
  assert.equal(levelFor(room, "logs"), "logs");
  assert.notEqual(levelFor(room, null), "logs");
});

test("a partition's health is the gravest that is true", () => {
  const base = emptyView().partitions[0];
  assert.equal(healthOf(base, 2), "healthy");
  assert.equal(healthOf({ ...base, isr: [1, 2] }, 2), "under-replicated");
  assert.equal(healthOf({ ...base, isr: [1] }, 2), "under-min");
  assert.equal(healthOf({ ...base, leader: -1 }, 2), "offline");
  assert.equal(healthOf({ ...base, replicas: [1], isr: [1] }, 2), "healthy");
  assert.equal(healthOf({ ...base, isr: [1, 2], observers: [3] }, 3), "healthy", "OBS-1: no observer is in the ISR");
});

test("the map counts states, leaders and replicas in sync per broker", () => {
  const view = emptyView();
  view.partitions[0].isr = [1];
  const data = mapData(
    view,
    [1, 2, 3],
    () => 2,
    (topic) => view.topics[topic].name,
  );
  assert.equal(data.counts["under-min"], 1);
  assert.deepEqual(data.load, [1, 0, 0]);
  assert.deepEqual(data.rows[0].inSync, [1, 0, 0]);
  assert.deepEqual(data.rows[0].worst, ["under-min", "under-min", "under-min"]);
});

test("more than forty topics are grouped by prefix", () => {
  const names = Array.from({ length: 60 }, (_, i) => `${i % 3 ? "orders" : "billing"}.${i}`);
  assert.deepEqual(
    mapRows(names).map((row) => row.topics.length),
    [20, 40],
  );
  assert.equal(mapRows(names.slice(0, 5)).length, 5);
});

test("the axis has round ticks that keep their distance", () => {
  const { step, ticks } = axis(0, 20_000_000, 1280, 90);
  assert.equal(step, 2_000_000);
  assert.deepEqual([ticks[0], ticks.at(-1)], [0, 20_000_000]);
});

test("names of rows that are too low for them stand beside every second or third row only", () => {
  assert.deepEqual([24, 13, 12, 10.1, 6, 4].map(namedEvery), [1, 1, 1, 2, 2, 3]);
  for (let height = 3; height < 30; height += 0.7) assert.ok(namedEvery(height) * height >= 12, String(height));
  assert.deepEqual(
    [...namedOnPhone([true, false, true, true, false, false, true], 4)],
    [0, 3, 6],
    "on a phone those in trouble",
  );
  assert.deepEqual([...namedOnPhone([false, true, true], 13)], [1, 2]);
});

test("in a low cell neither water nor triangle reaches the labels below them", () => {
  for (let height = 36; height < 56; height++) {
    const strip = stripFor(220, height, false, 4);
    assert.ok(strip.low, String(height));
    const foot = strip.top + strip.height + 1 + strip.water;
    const baseline = Math.min(height - 2, foot + 10);
    assert.ok(baseline - 8 >= foot - 2, `${height}: letters begin at ${baseline - 8}, water ends at ${foot}`);
  }
  assert.equal(stripFor(220, 100, false, 4).low, false);
});
