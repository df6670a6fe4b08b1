// What came after a moment, and what an action there does with it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { KIND } from "../../static/js/facts/facts.js";
import { keptText, laterActions, leftText } from "../../static/js/run/later.js";

const names = { host: (id) => `broker ${id}`, message: () => "a message" };
const done = (seq, t, text) => [seq, t, KIND.ACTION_DONE, 0, 0, text];
const drawn = { steps: [[6e6, "kill 3"]], whole: true };

test("later actions are those of the script and those done since, each once, without the fault model's", () => {
  const document = {
    timeline: [
      { at: "2s", do: "kill 1" },
      { at: "20s", do: "start 1" },
    ],
  };
  const decisive = [done(1, 2e6, "kill 1"), done(2, 4e6, "kill 2"), done(3, 6e6, "kill 3")];
  assert.deepEqual(
    laterActions(document, decisive, drawn, 1e6).map(({ t, text }) => [t / 1e6, text]),
    [
      [2, "kill 1"],
      [4, "kill 2"],
      [20, "start 1"],
    ],
  );
  assert.deepEqual(
    laterActions(document, decisive, drawn, 4e6).map(({ text }) => text),
    ["start 1"],
  );
  assert.deepEqual(laterActions({}, [], drawn, 0), []);
});

test("they are counted by kind where they stay, and named where they are left out", () => {
  const later = [
    { t: 2e6, text: "kill 1" },
    { t: 4e6, text: "kill 2" },
    { t: 5.5e6, text: "acks orders 1" },
    { t: 20e6, text: "start 1" },
  ];
  assert.equal(keptText(later), "with what came after: 2 kills, 1 change of acks, 1 start");
  assert.equal(
    leftText(later, names),
    "leaves out 4 later actions: kill broker 1 at 2 s, kill broker 2 at 4 s, acks orders 1 at 5.5 s, 1 more",
  );
  assert.equal(leftText(later.slice(0, 1), names), "leaves out 1 later action: kill broker 1 at 2 s");
});
