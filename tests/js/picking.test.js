import assert from "node:assert/strict";
import { test } from "node:test";
import { beside, clicked, NONE, pickedText } from "../../static/js/import/picking.js";

const ORDER = ["c100", "b1", "b4", "c101", "b2", "b5"];
const ALONE = { range: false, more: false },
  MORE = { range: false, more: true },
  RANGE = { range: true, more: false };

test("a click picks one chip, a second click lets it go", () => {
  const one = clicked(NONE, "b1", ALONE, ORDER);
  assert.deepEqual(one.keys, ["b1"]);
  assert.deepEqual(clicked(one, "b2", ALONE, ORDER).keys, ["b2"]);
  assert.deepEqual(clicked(one, "b1", ALONE, ORDER).keys, []);
});

test("Ctrl or a finger takes one more or one less, Shift all from the last one", () => {
  const two = clicked(clicked(NONE, "b1", ALONE, ORDER), "b5", MORE, ORDER);
  assert.deepEqual(two.keys, ["b1", "b5"]);
  assert.deepEqual(clicked(two, "b1", MORE, ORDER).keys, ["b5"]);
  assert.deepEqual(clicked(clicked(NONE, "b4", ALONE, ORDER), "c100", RANGE, ORDER).keys.toSorted(), [
    "b1",
    "b4",
    "c100",
  ]);
  assert.deepEqual(clicked(NONE, "b4", RANGE, ORDER).keys, ["b4"], "without a first one");
});

test("the arrow keys end at the first and the last chip", () => {
  assert.deepEqual([beside(ORDER, "b1", 1), beside(ORDER, "c100", -1), beside(ORDER, "b5", 1)], ["b4", "c100", "b5"]);
});

test("it is said how many are picked up", () => {
  assert.match(pickedText({ keys: ["b1", "b2"], anchor: "b1" }), /^2 picked up\. .*Escape lets go\.$/);
  assert.equal(pickedText(NONE), "Let go.");
});
