/** The moment in an address, in every form that a page ever wrote (tests/links). */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { hashOf, hashTime, levelOf, momentOf } from "../../static/js/page/moment.js";

const { fragments } = JSON.parse(readFileSync(new URL("../links/manifest.json", import.meta.url), "utf8"));

test("every fragment that a page ever wrote leads to its moment", () => {
  assert.ok(fragments.length > 0);
  for (const { fragment, us } of fragments) assert.equal(momentOf(fragment), us, fragment);
});

test("what a page writes today leads back to the same microsecond", () => {
  for (const us of [0, 1, 999, 1_000, 21_160_000, 700_001]) assert.equal(momentOf(`#t=${hashTime(us)}`), us);
});

test("a link has the level of detail that was chosen, and its moment as before", () => {
  assert.equal(hashOf(21_160_000, null), "#t=21.160");
  assert.equal(hashOf(21_160_000, "map"), "#t=21.160&level=map");
  assert.equal(momentOf("#t=21.160&level=map"), 21_160_000);
  assert.equal(levelOf("#t=21.160&level=map"), "map");
  for (const hash of ["", "#t=1.000", "#t=1.000&level=huge", "#level=", "#xlevel=map"])
    assert.equal(levelOf(hash), null);
});
