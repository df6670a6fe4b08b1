import assert from "node:assert/strict";
import { test } from "node:test";
import { evenly, labelled, linearTicks, logTicks, roundDown, roundUp } from "../../static/js/whatif/axes.js";

const isRound = (/** @type {number} */ value) => /^[125]0*$/.test(String(value).replace(/^0\.0*/, ""));

test("round numbers are 1, 2 or 5 times a power of ten, and stay what they are", () => {
  assert.deepEqual([0.07, 0.1, 3, 13.2, 51, 999].map(roundUp), [0.1, 0.1, 5, 20, 100, 1000]);
  assert.deepEqual([0.07, 0.1, 3, 13.2, 51, 999].map(roundDown), [0.05, 0.1, 2, 10, 50, 500]);
  for (const round of [0.001, 0.002, 0.005, 0.2, 1, 5, 1000, 2e6])
    assert.deepEqual([roundUp(round), roundDown(round)], [round, round]);
});

test("a linear axis has equal round steps from 0 and holds its data", () => {
  assert.deepEqual(linearTicks(0.137, 4), [0, 0.05, 0.1, 0.15]);
  assert.deepEqual(linearTicks(12.4, 4), [0, 5, 10, 15]);
  assert.deepEqual(linearTicks(0, 4), [0, 0.5, 1]);
  for (const most of [0.0031, 0.3, 1, 2.2, 7, 16.7, 183, 12345]) {
    const ticks = linearTicks(most, 4);
    assert.ok(ticks.length <= 5 && Number(ticks.at(-1)) >= most && isRound(Number(ticks[1])), `${most}: ${ticks}`);
  }
});

test("a log axis begins and ends at round numbers around its data", () => {
  assert.deepEqual(logTicks(0.8, 13.2), [0.5, 1, 2, 5, 10, 20]);
  assert.deepEqual(logTicks(1, 1000), [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]);
  assert.deepEqual(logTicks(5, 5), [5, 10]);
});

test("the ends of an axis keep their labels however narrow it is, and no two labels touch", () => {
  const ticks = logTicks(1, 1000);
  for (const width of [80, 200, 900]) {
    const x = (/** @type {number} */ v) => (width * Math.log10(v)) / 3;
    const kept = labelled(ticks, x, String);
    assert.equal(kept[0], 1);
    assert.equal(kept.at(-1), 1000);
    for (let i = 1; i < kept.length; i++)
      assert.ok(x(Number(kept[i])) - x(Number(kept[i - 1])) >= 6.5, `${width}: ${kept}`);
  }
});

test("labels of a linear axis stand equally far apart", () => {
  const ticks = [0, 100, 200, 300, 400];
  const at = (/** @type {number} */ width) =>
    evenly(
      ticks,
      (v) => (v * width) / 400,
      (v) => `${v} ms`,
    );
  assert.deepEqual(at(400), ticks);
  assert.deepEqual(at(175), [0, 200, 400]);
  assert.deepEqual(at(90), [0, 400]);
  assert.deepEqual(
    evenly(
      [0, 5, 10, 15],
      (v) => v * 6,
      (v) => `${v} s`,
    ),
    [0, 15],
  );
  for (let width = 40; width < 500; width += 7) {
    const kept = at(width);
    assert.equal(new Set(kept.slice(1).map((v, i) => v - Number(kept[i]))).size, 1, `${width}: ${kept}`);
  }
});
