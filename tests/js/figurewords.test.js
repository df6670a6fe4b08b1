import assert from "node:assert/strict";
import { test } from "node:test";
import { figureName, figureText, isEmpty } from "../../static/js/panel/figurewords.js";

test("figures of the verdict are told in words, with units, and without what is zero", () => {
  assert.equal(figureName("lost_all"), "lost with acks=all");
  assert.equal(figureText("latency_p50_us", 84_480), "84.5 ms");
  assert.equal(figureText("latency_p50_us", -1), "none");
  assert.equal(figureText("calls", 1200), "1,200");
  assert.equal(
    figureText("partitions", [
      { partition: 0, calls: 5, lost: 0, stalled_us: 2_500_000, on_disk_of: [], clients: { P: { calls: 5 } } },
    ]),
    "partition 0, 5 sent, acks=all waits: a member of the ISR is out: 2.500 s, clients: P: 5 sent",
  );
  assert.equal(
    figureText("deciding", { seq: 9, t: 29_655_872, text: "broker 3 became leader of orders-1" }),
    "29.656 s broker 3 became leader of orders-1",
  );
  assert.deepEqual([0, null, "", [], false, 1, [1]].map(isEmpty), [true, true, true, true, false, false, false]);
});
