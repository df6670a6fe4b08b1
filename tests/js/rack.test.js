import assert from "node:assert/strict";
import { test } from "node:test";
import { isRackDown } from "../../static/js/rack.js";

const NAMES = { topics: [], partitions: [], clients: [], brokers: [{ id: 1, rack: "a" }, { id: 2, rack: "b" }], controllers: [{ id: 100, rack: "a" }] };

test("a rack is down when nothing in it runs, its controllers included", () => {
  const view = { brokers: { 1: { process: "down" }, 2: { process: "running" } }, controllers: { 100: { process: "running" } } };
  assert.equal(isRackDown(NAMES, view, "a"), false);
  view.controllers[100].process = "down";
  assert.equal(isRackDown(NAMES, view, "a"), true);
  assert.equal(isRackDown(NAMES, view, "b"), false);
  assert.equal(isRackDown(NAMES, null, "b"), false);
});
