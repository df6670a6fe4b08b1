import assert from "node:assert/strict";
import { test } from "node:test";
import { realSteps, toldCaptions } from "../../static/js/run/captions.js";
import { realMarks, tooltip } from "../../static/js/dock/real.js";

const DOCUMENT = {
  captions: [
    { at: "12s", kind: "real", text: "t-0: no leader" },
    { at: "10s", text: "A note." },
    { at: "11.5s", kind: "real", text: "t-0: leader 1" },
    { at: "30s", kind: "real", text: "t-0: leader 0" },
  ],
};

test("real steps are the captions of that kind, oldest first, and are no captions to tell", () => {
  assert.deepEqual(realSteps(DOCUMENT), [
    { t: 11.5e6, text: "t-0: leader 1" },
    { t: 12e6, text: "t-0: no leader" },
    { t: 30e6, text: "t-0: leader 0" },
  ]);
  assert.deepEqual(realSteps(null), []);
  assert.deepEqual(toldCaptions(DOCUMENT.captions, []), [{ t: 10e6, text: "A note." }]);
});

test("real steps that would overlap share a mark, whose tooltip tells each with its time", () => {
  const marks = realMarks(realSteps(DOCUMENT), (t) => t / 1e5);
  assert.deepEqual(
    marks.map(({ x, t }) => [x, t]),
    [
      [115, 11.5e6],
      [300, 30e6],
    ],
  );
  assert.equal(tooltip(marks[0]), "The real cluster:\n11.50 s  t-0: leader 1\n12.00 s  t-0: no leader");
});

test("a tooltip tells ten steps and counts the others", () => {
  const steps = Array.from({ length: 13 }, (_, i) => ({ t: i, text: `step ${i}` }));
  const lines = tooltip(realMarks(steps, () => 0)[0]).split("\n");
  assert.equal(lines.length, 12);
  assert.equal(lines[11], "and 3 more");
});
