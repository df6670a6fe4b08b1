import assert from "node:assert/strict";
import { test } from "node:test";
import {
  askedAgain,
  isHeadlineComing,
  momentOf,
  momentsIn,
  NO_MOMENTS,
  progressOfAll,
  withMomentLine,
} from "../../static/js/import/moments.js";

const outline = { acks: ["all", "1"], azs: [], basis: [], rows: [{ key: "az-a" }], moments: 2 };
const of = (moment, text) => [
  { moment, outline: { ...outline, label: moment } },
  { moment, cell: { row: "az-a", acks: "all", write: { text } } },
  { moment, cell: { row: "az-a", acks: "1", write: { text } } },
  { moment, answer: { headline: text } },
];
const read = (all, ...lines) => lines.reduce(withMomentLine, all);

test("the worst moment is shown until the reader chooses another", () => {
  const all = read(NO_MOMENTS, ...of("out", "stops"), ...of("back", "goes on"), { worst: "back" });
  assert.deepEqual(momentsIn(all), ["out", "back"]);
  assert.equal(momentOf(all, ""), "back");
  assert.equal(momentOf(all, "out"), "out");
  assert.equal(all.tables.out.cells["az-a all"].write.text, "stops");
});

test("the headline is coming until both moments have told theirs, and progress counts both tables", () => {
  const half = read(NO_MOMENTS, ...of("out", "stops"));
  assert.equal(isHeadlineComing(half), true);
  assert.deepEqual(progressOfAll(half), { count: 2, total: 4 });
  assert.equal(momentOf(half, ""), "out");
  const whole = read(half, ...of("back", "goes on"));
  assert.equal(isHeadlineComing(whole), false);
  assert.deepEqual(progressOfAll(whole), { count: 4, total: 4 });
});

test("a table of which nothing comes any more goes when the worst moment is known", () => {
  const both = read(NO_MOMENTS, ...of("out", "stops"), ...of("back", "goes on"), { worst: "out" }, { done: true });
  const again = askedAgain(both);
  assert.equal(isHeadlineComing(again), true);
  const one = { moment: "back", outline: { ...outline, label: "back", moments: 1 } };
  const healed = read(again, one, { moment: "back", answer: { headline: "goes on" } }, { worst: "back" });
  assert.deepEqual(momentsIn(healed), ["back"]);
  assert.equal(isHeadlineComing(healed), false);
});

test("a line without a moment is of all tables", () => {
  const all = read(NO_MOMENTS, ...of("out", "stops"), ...of("back", "goes on"), { error: "Too long." });
  assert.deepEqual([all.tables.out.error, all.tables.back.error], ["Too long.", "Too long."]);
  assert.equal(isHeadlineComing(all), false);
});
