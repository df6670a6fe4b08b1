import assert from "node:assert/strict";
import { test } from "node:test";
import { KIND } from "../../static/js/facts/facts.js";
import { Reading } from "../../static/js/run/reading.js";

const STANDS_MS = 501;

/** A page that stands on a loss, and what it asks the server; each question waits for `answer`. */
function paused() {
  const model = {
    t: 5,
    following: { value: true },
    playing: { value: false },
    trace: { version: 1, decisive: [] },
    sites: [],
    view: { verdict: { 0: { lost: 1 } } },
  };
  const asked = [];
  let answer = () => {};
  const request = (url) => {
    asked.push(url);
    return new Promise((resolve) => {
      answer = () => resolve({ json: async () => ({ at_us: 5 }) });
    });
  };
  const reading = new Reading({ model, live: {}, boot: { scenario: "s" } }, request);
  return { model, reading, asked, answer: () => answer() };
}

test("time that stands on a loss is asked about once", () => {
  const { reading, asked } = paused();
  for (const now of [1, STANDS_MS + 1, STANDS_MS + 2]) reading.watch(now);
  assert.deepEqual(asked, ["/s/s/why?at_us=5"]);
});

test("a run of several clusters is not asked why", () => {
  const { model, reading, asked } = paused();
  model.sites.push({ index: 0, name: "east", base: 0 });
  for (const now of [1, STANDS_MS + 1]) reading.watch(now);
  assert.deepEqual(asked, []);
});

test("what comes to a moment while it is being asked about leads to another question", async () => {
  const { model, reading, asked, answer } = paused();
  reading.ask();
  model.trace.version++;
  model.trace.decisive.push([1, 2, KIND.ACTION_DONE]);
  for (const now of [1, STANDS_MS + 1]) reading.watch(now);
  answer();
  await new Promise(setImmediate);
  assert.equal(reading.answer, null, "it knows of one action less");
  reading.watch(STANDS_MS + 2);
  assert.equal(asked.length, 2);
});
