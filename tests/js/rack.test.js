import assert from "node:assert/strict";
import { test } from "node:test";
import { firstLeader, isRackDown } from "../../static/js/run/rack.js";

const NAMES = {
  topics: [],
  partitions: [],
  clients: [],
  brokers: [
    { id: 1, rack: "a" },
    { id: 2, rack: "b" },
  ],
  controllers: [{ id: 100, rack: "a" }],
};

test("a rack is down when nothing in it runs, its controllers included", () => {
  const view = {
    brokers: { 1: { process: "down" }, 2: { process: "running" } },
    controllers: { 100: { process: "running" } },
  };
  assert.equal(isRackDown(NAMES, view, "a"), false);
  view.controllers[100].process = "down";
  assert.equal(isRackDown(NAMES, view, "a"), true);
  assert.equal(isRackDown(NAMES, view, "b"), false);
  assert.equal(isRackDown(NAMES, null, "b"), false);
});

test("where nobody chose a broker the leader of the first partition is meant, else the first that runs", () => {
  const view = {
    brokers: { 1: { process: "down" }, 2: { process: "running" }, 3: { process: "running" } },
    partitions: [{ leader: 1 }, { leader: 3 }, { leader: -1 }],
  };
  assert.equal(firstLeader(view, [0, 1, 2], [1, 2, 3]), 3);
  assert.equal(firstLeader(view, [2], [1, 2, 3]), 2);
  view.brokers[2].process = view.brokers[3].process = "down";
  assert.equal(firstLeader(view, [0, 1], [1, 2, 3]), 1, "one that K starts");
  assert.equal(firstLeader(null, [], []), null);
});
