import assert from "node:assert/strict";
import { test } from "node:test";
import { captionAt, toldCaptions } from "../../static/js/run/captions.js";
import { KIND } from "../../static/js/facts/facts.js";

/** @type {any[]} */ const FACTS = [
  [1, 0, KIND.LEADER_ACTIVATED, 0],
  [2, 2e6, KIND.TRUNCATED, 0],
  [3, 8e6, KIND.TRUNCATED, 2],
  [4, 9e6, KIND.PARTITION_CHANGED, 0],
];

test("a caption stands at its time, or at the first fact of its kind after the one before it", () => {
  const told = toldCaptions(
    [
      { at: "5s", text: "five" },
      { on: "Truncated", text: "cut" },
      { on: "Truncated", text: "never" },
      { at: "20s", text: "twenty" },
    ],
    FACTS,
  );
  assert.deepEqual(told, [
    { t: 5e6, text: "five" },
    { t: 8e6, text: "cut" },
    { t: 20e6, text: "twenty" },
  ]);
  assert.equal(captionAt(told, 4e6), null);
  assert.equal(captionAt(told, 8e6)?.text, "cut");
  assert.equal(captionAt(told, 19e6)?.text, "cut");
});

test("a first caption may wait for a fact of the start", () => {
  assert.deepEqual(toldCaptions([{ on: "LeaderActivated", text: "it leads" }], FACTS), [{ t: 0, text: "it leads" }]);
});
