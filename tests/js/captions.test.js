import assert from "node:assert/strict";
import { test } from "node:test";
import { captionAt, newestCaption, partsOf, toldCaptions } from "../../static/js/run/captions.js";
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

test("no fact from the beginning of a branch on brings a caption of the run before it", () => {
  const caption = { on: "LeaderActivated", text: "it leads" };
  assert.deepEqual(toldCaptions([{ ...caption, before: "1s" }], FACTS), [{ t: 0, text: "it leads" }]);
  assert.deepEqual(toldCaptions([{ ...caption, before: "0s" }], FACTS), []);
});

test("a short first sentence of a caption is its lead", () => {
  assert.deepEqual(partsOf("Nobody can copy. The leader is cut off."), {
    lead: "Nobody can copy.",
    rest: "The leader is cut off.",
  });
  const long = "The leader of this partition is cut off. It goes on.";
  for (const text of [long, "One sentence.", "at 1.5 s it dies", ""])
    assert.deepEqual(partsOf(text), { lead: "", rest: text });
});

test("of several runs the caption that came last is told, of equals that of the first run", () => {
  const a = { t: 1e6, text: "a" };
  const b = { t: 2e6, text: "b" };
  assert.equal(newestCaption([null, null]), null);
  assert.deepEqual(newestCaption([a, b]), { side: 1, text: "b" });
  assert.deepEqual(newestCaption([a, { ...a, text: "b" }]), { side: 0, text: "a" });
  assert.deepEqual(newestCaption([null, b]), { side: 1, text: "b" });
});

test("a hint is over as soon as something is done, and stands again before that", () => {
  const captions = [{ at: "0s", kind: "hint", text: "Kill broker 1." }];
  const at = (facts, t) => captionAt(toldCaptions(captions, facts), t)?.text ?? null;
  /** @type {any[]} */ const killed = [...FACTS, [5, 20e6, KIND.ACTION_DONE, 0]];
  assert.deepEqual([at(FACTS, 30e6), at(killed, 19e6), at(killed, 20e6)], ["Kill broker 1.", "Kill broker 1.", null]);
  const noted = [...captions, { at: "10s", text: "It goes on." }];
  assert.equal(captionAt(toldCaptions(noted, killed), 30e6)?.text, "It goes on.");
});
