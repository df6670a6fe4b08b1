/** Fields show what was asked for until the cluster has it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { askedFor } from "../../static/js/run/asked.js";
import { KIND } from "../../static/js/facts/facts.js";

const setting = { topic: 1, name: "payments", key: "min.insync.replicas" };
const done = (seq, t, text) => [seq, t, KIND.ACTION_DONE, 0, 0, text];
const changed = (seq, t, topic, text) => [seq, t, KIND.CONFIG_CHANGED, 1, topic, text];

test("what was asked for last counts, until it is in effect", () => {
  const rows = [done(1, 5e6, "config payments min.insync.replicas 1")];
  assert.equal(askedFor(rows, [], 5e6, setting), "1");
  assert.equal(
    askedFor(rows, ["config payments min.insync.replicas 3"], 5e6, setting),
    "3",
    "the room has not answered yet",
  );
  assert.equal(askedFor(rows, ["config orders min.insync.replicas 3"], 5e6, setting), "1");
  assert.equal(askedFor([...rows, changed(2, 5.1e6, 1, "min.insync.replicas=1")], [], 6e6, setting), null);
  assert.equal(
    askedFor([...rows, changed(2, 5.1e6, 0, "min.insync.replicas=1")], [], 6e6, setting),
    "1",
    "another topic's",
  );
});

test("before it was asked for, and long after, nothing is on its way", () => {
  const rows = [done(1, 5e6, "config payments min.insync.replicas 1")];
  assert.equal(askedFor(rows, [], 4e6, setting), null);
  assert.equal(askedFor(rows, [], 16e6, setting), null);
});
