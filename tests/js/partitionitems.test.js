/** The list behind a figure of the map: replicas by AZ, the worst first, each with its reason. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { itemsOf } from "../../static/js/run/partitionitems.js";

const names = {
  frames: ["a", "b"],
  frameOf: (id) => (id < 3 ? "a" : "b"),
  idOf: (id) => id,
  minIsr: () => 2,
  topicName: () => "t",
};
const partition = (number, leader, isr, replicas = [1, 2, 3]) => ({
  topic: 0,
  number,
  leader,
  isr,
  replicas,
  adding: [],
  removing: [],
});
const view = {
  brokers: { 1: { process: "down" }, 2: { process: "running" }, 3: { process: "running" } },
  partitions: [partition(0, 2, [2, 3]), partition(1, 3, [3]), partition(2, -1, [], [1]), partition(3, 2, [1, 2, 3])],
};

test("the worst partition comes first, with the reason in figures", () => {
  const items = itemsOf(view, [0, 1, 2, 3], names);
  assert.deepEqual(
    items.map((item) => [item.partition, item.why]),
    [
      [2, "no leader: 0 of 1 replicas up, none to elect"],
      [1, "1 of 3 in sync, 2 wanted"],
      [0, "2 of 3 in sync"],
      [3, "3 of 3 in sync"],
    ],
  );
});

test("replicas stand in their AZ, the leader and the dead ones marked", () => {
  const [item] = itemsOf(view, [0], names);
  assert.deepEqual(item?.azs, [
    {
      az: "a",
      brokers: [
        { id: 1, leads: false, lost: true },
        { id: 2, leads: true, lost: false },
      ],
    },
    { az: "b", brokers: [{ id: 3, leads: false, lost: false }] },
  ]);
});
