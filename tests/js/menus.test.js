// Items of menus: their labels are those of the table of verbs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { labelOf } from "../../static/js/words/actionwords.js";

test("an action has the label of its form, with its arguments as they are written", () => {
  assert.equal(labelOf("kill-rack az-a"), "Take all of az-a down");
  assert.equal(labelOf("start 2 wiped"), "Start with its data wiped");
  assert.equal(labelOf("power-loss az-a 0"), "Go dark: no answer, and no connection closes");
  assert.equal(labelOf("slow east/2 serving 1000"), "At most 1,000 records/s");
  assert.equal(labelOf("config orders min.insync.replicas 2"), "min.insync.replicas = 2");
  assert.equal(labelOf("heal"), "Heal all links");
});

test("an action that each menu words by itself has no label", () => {
  assert.equal(labelOf("cut 1|2"), "");
  assert.equal(labelOf("no such action"), "");
});
