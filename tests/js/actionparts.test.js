// An action by its verb and its arguments.
import assert from "node:assert/strict";
import { test } from "node:test";
import { partsOf } from "../../static/js/facts/actionparts.js";
import { readActionDone } from "../../static/js/facts/decisive.js";
import { KIND } from "../../static/js/facts/facts.js";

test("an action is its verb and its arguments", () => {
  assert.deepEqual(partsOf("config orders min.insync.replicas 1"), {
    verb: "config",
    args: ["orders", "min.insync.replicas", "1"],
  });
  assert.deepEqual(partsOf("heal"), { verb: "heal", args: [] });
  assert.deepEqual(partsOf(""), { verb: "", args: [] });
});

test("the fact of an action has verb and arguments beside its text", () => {
  const { text, verb, args } = readActionDone([7, 5e6, KIND.ACTION_DONE, 0, 0, "cut 1|2"]);
  assert.deepEqual({ text, verb, args }, { text: "cut 1|2", verb: "cut", args: ["1|2"] });
});
