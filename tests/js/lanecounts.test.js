import assert from "node:assert/strict";
import { test } from "node:test";
import { KIND } from "../../static/js/facts/facts.js";
import { COMMON, COUNT_MS, LaneCounts } from "../../static/js/stage/lanecounts.js";

const flight = (p) => [1, 0, KIND.FLIGHT, 0, 1, 1, 2, 500, p, 1, 0];

test("each lane says how many messages were sent in it, once a quarter of a second", () => {
  const lanes = new LaneCounts();
  for (const p of [3, 3, 5, -1, -1, -1]) lanes.note(flight(p));
  lanes.note([2, 0, KIND.APPENDED, 0, 1, 3, 0, 1, 0, 0, 0]);
  assert.deepEqual(
    [...(lanes.due(COUNT_MS) ?? [])],
    [
      [3, 2],
      [5, 1],
      [COMMON, 3],
    ],
  );
  assert.equal(lanes.due(COUNT_MS + 100), null);
  assert.deepEqual([...(lanes.due(2 * COUNT_MS) ?? [])], []);
});
