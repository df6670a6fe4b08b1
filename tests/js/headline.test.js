// The headline of a verdict: whole sentences, and the rest of a long one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { headed } from "../../static/js/kit/wording.js";

test("a short sentence has no rest", () => {
  assert.deepEqual(headed("Nothing was lost. It took 1.5 s."), { lead: "Nothing was lost. It took 1.5 s.", rest: "" });
  assert.deepEqual(headed(""), { lead: "", rest: "" });
});

test("a long one ends at the end of a sentence, after at least one", () => {
  const long = `${"word ".repeat(40)}ends.`;
  assert.deepEqual(headed(`east is down. ${long} More.`), { lead: "east is down.", rest: `${long} More.` });
  assert.deepEqual(headed(`${long} More.`), { lead: long, rest: "More." });
});
