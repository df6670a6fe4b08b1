import assert from "node:assert/strict";
import test from "node:test";
import { highest, inWords, lineOf, rowsOf } from "../../static/js/dock/plotlines.js";

const FOUND = {
  t_us: [1_000_000, 2_500_000],
  series: [
    { name: "broker 1", values: [0, 4] },
    { name: "broker 2", values: [null, 2] },
  ],
  left_out: 0,
  is_rate: false,
  rules: [{ name: "A", words: "LeaderCount > 10", figure: 10 }],
};

test("the rows of a plot: seconds, each series, and each rule as a level line", () => {
  assert.deepEqual(rowsOf(FOUND), [
    [1, 2.5],
    [0, 4],
    [null, 2],
    [10, 10],
  ]);
});

test("the top is above all values and figures, and never 0", () => {
  assert.equal(highest({ ...FOUND, series: [{ name: "a rate", values: [0.5, null] }], rules: [] }), 0.575);
  assert.equal(highest(FOUND), 11.5);
  assert.equal(highest({ ...FOUND, series: [], rules: [] }), 1);
});

test("the words: the least and the greatest value of each line; nobody reports it", () => {
  assert.equal(inWords(FOUND), "broker 1: 0 to 4; broker 2: 2 throughout");
  assert.equal(inWords({ ...FOUND, series: [] }), "No process reports it.");
});

test("the sixth line has the first colour and is dashed", () => {
  assert.deepEqual([lineOf(0).colour, lineOf(0).isDashed], [lineOf(5).colour, false]);
  assert.equal(lineOf(5).isDashed, true);
});
