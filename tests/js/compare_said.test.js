/** What a run of a comparison comes to in words. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { saidOf } from "../../static/js/compare/said.js";
import { figuresOf } from "../../static/js/words/verdictwords.js";

const topic = (/** @type {string} */ name, /** @type {Record<string, any>} */ counted) => ({
  name,
  isOwn: name.startsWith("__"),
  counted,
  figures: figuresOf(/** @type {any} */ (counted)),
});
const UNREAD = { unreadable: 95, severity: 1, sentence: "95 acknowledged records cannot be read." };
const HIDDEN = { hidden: 5, unreadable: 100, severity: 1, sentence: "100 acknowledged records cannot be read." };
const WELL = { acked: 9, severity: 0, sentence: "Nothing was lost and nothing stopped." };
const OUT = {
  coordinators: 1,
  groups_down: 1,
  waits_all_us: 7_000_000,
  severity: 2,
  sentence: "No group can join or commit.",
};

const LOST = { lost: 5, severity: 2, sentence: "5 acknowledged records are gone." };

test("groups that are out are told as in a run's verdict: behind lost records, before all else", () => {
  for (const counted of [UNREAD, HIDDEN, WELL]) {
    const said = saidOf([topic("t", counted), topic("__consumer_offsets", OUT)]);
    assert.equal(said.sentence, `No group can join or commit. ${counted.sentence}`);
    assert.equal(said.severity, "danger");
  }
  const said = saidOf([topic("__consumer_offsets", OUT), topic("t", LOST)]);
  assert.equal(said.sentence, "5 acknowledged records are gone. No group can join or commit.");
});

test("groups that are well, or were out before, are not told", () => {
  for (const counted of [
    { ...OUT, groups_down: 0 },
    { ...OUT, waits_all_us: 0 },
  ])
    assert.equal(saidOf([topic("t", UNREAD), topic("__consumer_offsets", counted)]).sentence, UNREAD.sentence);
});

test("the worst of several topics is named, unless all have the same sentence", () => {
  assert.equal(saidOf([topic("t", WELL), topic("u", HIDDEN)]).sentence, `u: ${HIDDEN.sentence}`);
  assert.equal(saidOf([topic("t", WELL), topic("u", WELL)]).sentence, WELL.sentence);
});

test("before the engine has said anything nothing has happened", () => {
  assert.deepEqual(saidOf([topic("t", {})]), { sentence: "Nothing has happened yet.", severity: "" });
  assert.equal(saidOf([]).sentence, "Nothing has happened yet.");
});
