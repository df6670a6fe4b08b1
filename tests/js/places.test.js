import assert from "node:assert/strict";
import { test } from "node:test";
import {
  allNodes,
  controllersText,
  majorityZone,
  merged,
  moved,
  moveText,
  nameProblem,
  nodesIn,
  placed,
  placesOf,
  racksOf,
  racksText,
  renamed,
  standing,
  withNodes,
  withoutZone,
  withPairs,
  withTieBreaker,
  withZone,
  zoneOf,
} from "../../static/js/import/places.js";

const node = (id, rack) => ({ id, rack });
const THREE = placesOf(
  [node(1, "az-a"), node(2, "az-b"), node(10, "az-c")],
  [node(100, "az-a"), node(101, "az-b"), node(102, "az-c")],
);
const TWO = placesOf(
  [node(1, "az-a"), node(2, "az-a"), node(3, "az-b")],
  [node(100, "az-a"), node(101, "az-b"), node(102, "az-a")],
);
const names = (places) => places.zones.map((zone) => zone.name);

test("AZs stand in the order that people expect, controllers before brokers, both by id", () => {
  const places = placesOf([node(10, "az-10"), node(9, "az-2"), node(2, "az-2"), node(7, null)], [node(100, "az-2")]);
  assert.deepEqual(names(places), ["az-2", "az-10", ""]);
  assert.deepEqual(allNodes(places), ["c100", "b2", "b9", "b10", "b7"]);
  assert.deepEqual(racksOf(places), { racks: { 2: "az-2", 9: "az-2", 10: "az-10" }, controllers: { 100: "az-2" } });
});

test("a move says what it did, and leaves the places before it as they were", () => {
  const after = moved(THREE, ["b1"], 2);
  assert.equal(moveText(THREE, ["b1"], 2), "Broker 1 moved from az-a to az-c.");
  assert.equal(moveText(THREE, ["c100", "b1", "b10"], 2), "2 moved to az-c.");
  assert.equal(moveText(THREE, ["b10"], 2), "");
  assert.deepEqual(nodesIn(after, 2), ["c102", "b1", "b10"]);
  assert.deepEqual(nodesIn(THREE, 2), ["c102", "b10"]);
});

test("nodes of one process move together", () => {
  assert.deepEqual(withPairs(["b1"], { c100: "b1", c101: "b2" }), ["b1", "c100"]);
  assert.deepEqual(withPairs(["c101"], { c100: "b1", c101: "b2" }), ["c101", "b2"]);
});

test("an AZ is added under the first free name, renamed, and removed once it is empty", () => {
  const { places, id } = withZone(THREE);
  assert.deepEqual(names(places), ["az-a", "az-b", "az-c", "az-d"]);
  assert.deepEqual(names(withoutZone(places, id)), ["az-a", "az-b", "az-c"]);
  assert.deepEqual(names(withoutZone(places, 0)), names(places), "az-a holds nodes");
  const named = renamed(places, 0, "eu-1a");
  assert.deepEqual(racksOf(named).racks, { 1: "eu-1a", 2: "az-b", 10: "az-c" });
  assert.match(nameProblem(places, 0, "az-b"), /already/);
  for (const wrong of ["a b", "a,b", "3", "", "a|b"])
    assert.match(nameProblem(places, 0, wrong), /1 to 60 characters/, wrong);
  assert.equal(nameProblem(places, 0, "az-a"), "");
});

test("one AZ with the majority of the controllers is told, and one of them can stand elsewhere", () => {
  assert.equal(majorityZone(THREE), undefined);
  assert.equal(majorityZone(TWO)?.name, "az-a");
  assert.equal(standing(TWO, 0), "2 brokers, 2 of 3 controllers: the majority");
  const apart = withTieBreaker(TWO);
  assert.deepEqual(names(apart.places), ["az-a", "az-b", "az-c"], "no AZ is free: a third one");
  assert.equal(zoneOf(apart.places, apart.to).name, "az-c");
  assert.equal(majorityZone(apart.places), undefined);
  assert.equal(withTieBreaker(THREE), null);
  assert.equal(
    majorityZone(placesOf([node(1, "a")], [node(100, "a")])),
    undefined,
    "a single controller is no quorum to spread",
  );
});

test("brokers are placed by id in turn, in blocks, or in one AZ", () => {
  const places = placesOf(
    [1, 2, 3, 4, 5, 6].map((id) => node(id, "az-a")),
    [],
    ["az-b", "az-c"],
  );
  const of = (how) =>
    Object.values(racksOf(placed(places, how)).racks)
      .map((name) => name.at(-1))
      .join("");
  assert.deepEqual([of("turn"), of("blocks"), of("one")], ["abcabc", "aabbcc", "aaaaaa"]);
});

test("what the server tells keeps the order of the AZs and those that are empty", () => {
  const { places } = withZone(THREE);
  const told = [{ name: "az-a", brokers: [1, 2], controllers: [100, 101, 102, 103, 104], down: [10] }];
  const next = merged(places, told);
  assert.deepEqual(names(next), ["az-a", "az-b", "az-c", "az-d"]);
  assert.deepEqual(nodesIn(next, 0), ["c100", "c101", "c102", "c103", "c104", "b1", "b2", "b10"]);
  assert.deepEqual(merged(null, told).zones, [{ id: 0, name: "az-a" }]);
});

test("a paste that has changed keeps who was placed by hand", () => {
  const byHand = moved(THREE, ["b1", "c100"], 1);
  const brokers = [node(1, "az-a"), node(2, "az-b"), node(4, "az-x")],
    controllers = [node(100, "az-a"), node(101, "az-b")];
  const kept = withNodes(byHand, brokers, controllers, true);
  assert.deepEqual(racksOf(kept), {
    racks: { 1: "az-b", 2: "az-b", 4: "az-x" },
    controllers: { 100: "az-b", 101: "az-b" },
  });
  assert.deepEqual(racksOf(withNodes(byHand, brokers, controllers, false)).controllers, { 100: "az-a", 101: "az-b" });
  assert.deepEqual(racksOf(withNodes(null, brokers, controllers, false)).racks, { 1: "az-a", 2: "az-b", 4: "az-x" });
});

test("places are told in a few characters", () => {
  assert.equal(racksText(THREE), "3 AZs, 1·1·1");
  assert.equal(controllersText(THREE), "3 in 3 AZs");
  assert.equal(controllersText(TWO), "3 in 2 AZs");
  assert.equal(racksText(placesOf([node(1, "a"), node(2, null)], [])), "1 AZ, 1, 1 in none");
  assert.equal(racksText(placesOf([node(1, null)], [])), "none");
});
