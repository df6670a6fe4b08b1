/** The moment in an address, in every form that a page ever wrote (tests/links). */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { hashTime, momentOf } from "../../static/js/page/moment.js";

const { fragments } = JSON.parse(readFileSync(new URL("../links/manifest.json", import.meta.url), "utf8"));

test("every fragment that a page ever wrote leads to its moment", () => {
  assert.ok(fragments.length > 0);
  for (const { fragment, us } of fragments) assert.equal(momentOf(fragment), us, fragment);
});

test("what a page writes today leads back to the same microsecond", () => {
  for (const us of [0, 1, 999, 1_000, 21_160_000, 700_001]) assert.equal(momentOf(`#t=${hashTime(us)}`), us);
});
