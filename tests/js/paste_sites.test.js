/** The clusters of the import page: their names, and what is looked at after one comes or goes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { sitesFrom } from "../../static/js/import/kept_paste.js";
import { renaming, stateOf } from "../../static/js/import/mirror_words.js";
import { nameProblem, ofSite, withNames, withoutSite, withSite } from "../../static/js/import/sites.js";

const names = (kept) => kept.sites.map((one) => one.name);

test("a further site has the first free name and is looked at, and a site that goes leaves the one before it", () => {
  const three = withSite(withSite(sitesFrom(null)));
  assert.deepEqual([names(three), three.at], [["east", "west", "north"], 2]);
  const two = withoutSite({ ...three, at: 1 });
  assert.deepEqual([names(two), two.at], [["east", "north"], 0]);
  const again = withSite(two);
  assert.deepEqual(names(again), ["east", "north", "west"]);
  assert.equal(new Set(again.sites.map((one) => one.id)).size, 3);
});

test("a name is unique, short and plain", () => {
  const { sites } = withSite(sitesFrom(null));
  const named = (name) =>
    nameProblem(
      sites.map((one, index) => (index ? { ...one, name } : one)),
      { ...sites[1], name },
    );
  assert.equal(named("dr-1"), "");
  assert.match(named("east"), /already/);
  for (const wrong of ["", "1", "a b", "east/1", "x".repeat(33)]) assert.match(named(wrong), /^A name is a letter/);
});

test("a problem names the paste that it is of, once there are several", () => {
  assert.equal(ofSite({ id: "1", name: "west" }, "The request is not JSON."), "west: The request is not JSON.");
  assert.equal(ofSite(undefined, "The request is not JSON."), "The request is not JSON.");
});

test("the clusters get the names of MirrorMaker's configuration where they are as many and others", () => {
  assert.deepEqual(renaming({ clusters: ["primary", "backup"] }, ["east", "west"]), ["primary", "backup"]);
  for (const clusters of [["west", "east"], ["primary"], ["a", "b", "c"], ["primary", "1"]])
    assert.equal(renaming({ clusters }, ["east", "west"]), null);
  assert.deepEqual(names(withNames(withSite(sitesFrom(null)), ["primary", "backup"])), ["primary", "backup"]);
});

test("the state of MirrorMaker's configuration counts its flows, and what is not taken", () => {
  assert.equal(stateOf(" ", null), "none: nothing is copied");
  const told = { flows: ["a->b"], left: [{ flow: "b->a", reasons: [] }], unread: [{}, {}], unread_more: 3 };
  assert.equal(stateOf("clusters = a, b", told), "1 flow · 1 left out · 5 lines not taken over");
});
