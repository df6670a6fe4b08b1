import assert from "node:assert/strict";
import { test } from "node:test";
import { darkText, headOf, tintOf } from "../../static/js/import/az_heads.js";

const cell = (/** @type {object} */ of) => /** @type {any} */ ({ lost: 0, by: "rule", duplicated: 0, hidden: 0, write_us: 0, write_until_back: 0, read_us: 0, read_until_back: 0, cause: "failover", tint: "risk", ...of });

test("a failover is told as what it comes to, and a stop that ends by itself is no warning", () => {
  assert.deepEqual(headOf(cell({ write_us: 12_700_000 })), { tone: "calm", icon: "clock", words: "writes stop for 12.7 s" });
  assert.deepEqual(headOf(cell({ read_us: 900_000 })), { tone: "calm", icon: "clock", words: "reads stop for 0.9 s" });
  assert.deepEqual(headOf(cell({ by: "luck", write_us: 7_800_000 })), { tone: "warn", icon: "warning", words: "newest records at risk" });
  assert.deepEqual(headOf(cell({ lost: 3, by: "", tint: "bad" })), { tone: "danger", icon: "x", words: "3 records lost" });
  assert.equal(headOf(cell({ cause: "RF 1", tint: "bad" })).words, "RF 1");
});

test("red stands wherever something is out until it is back; else the worse of two cells has its tint", () => {
  const out = cell({ tint: "bad", write_until_back: 1 }), outAndLuck = cell({ tint: "bad", write_until_back: 1, by: "luck" });
  assert.deepEqual([tintOf(out, outAndLuck), tintOf(outAndLuck, out)], ["bad", "bad"]);
  const rule = cell({ write_us: 12_700_000 }), luck = cell({ by: "luck", write_us: 7_800_000 });
  assert.deepEqual([tintOf(rule, luck), tintOf(luck, rule)], ["", "risk"]);
});

test("an AZ whose brokers are down may still hold controllers", () => {
  assert.equal(darkText({ label: "az-c", dead: [9], controllers: 0 }), "Dark already: broker 9, its only broker, is down. Losing az-c changes nothing. The other rows count without that broker.");
  assert.equal(darkText({ label: "az-c", dead: [3, 9], controllers: 1 }),
    "Dark already: its brokers 3, 9 are down. Losing az-c takes 1 controller along; most controllers go on, and no partition changes. The other rows count without those brokers.");
});
