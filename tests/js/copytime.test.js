// Time that copies of whole logs take, where the document tells sizes (FET-18).
import assert from "node:assert/strict";
import { test } from "node:test";
import { KIND, PROCESS } from "../../static/js/facts/facts.js";
import { copyingOf, copyTime, hasOldLog } from "../../static/js/words/copytime.js";
import { captionOf, newestOf } from "../../static/js/words/instant.js";
import { Narrator } from "../../static/js/words/narrate.js";
import { emptyView, Teller, WORDS } from "./generator.js";

const SIZES = { log_mb: 10_000, copy_mb_per_s: 100 };

/** What the captions say when broker 1 starts with a new disk. @param {any} sizes @param {number} count */
function caption(sizes, count) {
  const narrator = new Narrator({ ...WORDS, basis: () => sizes });
  const view = emptyView();
  const [like] = view.partitions;
  view.partitions = Array.from({ length: count }, (_, number) => ({ ...like, number, leader: 2, isr: [2, 3] }));
  narrator.seed(view);
  const teller = new Teller();
  const cause = teller.say(5e6, KIND.ACTION_DONE, { index: 0, text: "start 1 empty" });
  for (let p = 0; p < count; p++) teller.say(5e6, KIND.TRUNCATED, { broker: 1, p, old: 7, new: 0, hw: 0 }, cause);
  teller.say(5e6, KIND.PROCESS_CHANGED, { node: 1, state: PROCESS.STARTING });
  narrator.take(teller.rows);
  const { events } = narrator;
  return captionOf(newestOf(events, events.length - 1), narrator.words, -1)?.rest;
}

test("a new disk says how long filling it takes, of one copy and of several", () => {
  const one = "Its copy of orders-0 is gone with the old one; it fetches what the leader has.";
  assert.equal(caption(SIZES, 1), `${one} 10.0 GB take at least 100 s at 100 MB/s.`);
  assert.equal(caption({}, 1), one);
  const two = "2 copies are gone; what the leaders have is fetched anew.";
  assert.equal(caption(SIZES, 2), `${two} 20.0 GB take at least 3 min at 100 MB/s.`);
  assert.equal(caption({}, 2), two);
});

test("several brokers copy side by side", () => {
  assert.equal(copyTime(SIZES, 12, 3), "120.0 GB take at least 7 min at 100 MB/s.");
  assert.equal(copyTime(SIZES, 0), "");
});

test("the share that a broker has copied counts logs that it lacked, not those that it has", () => {
  /** @param {number} leo @param {number} [other] */
  const view = (leo, other = 1_000) => ({
    partitions: [
      { replicas: [1, 2], isr: [2], copies: { 1: { start: 0, leo }, 2: { start: 0, leo: 1_500 } } },
      { replicas: [1, 2], isr: [1, 2], copies: { 1: { start: 0, leo: other }, 2: { start: 0, leo: other } } },
    ],
  });
  const emptied = [{ part: "emptied", node: 1, p: 0 }];
  const of = (/** @type {any} */ now, /** @type {any[]} */ events, sizes = SIZES) => {
    const start = {
      partitions: view(1_000).partitions.map((one) => ({ ...one, copies: { 2: { start: 0, leo: 1_000 } } })),
    };
    start.partitions[0].copies[1] = { start: 0, leo: 1_000 };
    const run = { start, events, view: now, isOld: () => true };
    return copyingOf(sizes, /** @type {any} */ (run), 1);
  };
  assert.equal(of(view(250), emptied), "25 % of 10.0 GB, at least 75 s more");
  assert.equal(of(view(1_200), emptied), "");
  assert.equal(of(view(250), []), "", "it was behind, its log was not gone");
  assert.equal(of(view(250), emptied, {}), "");
});

test("only logs that begin the run with records have the size that the document tells", () => {
  const state = { leader: 1, isr: [1, 2] };
  const topics = [
    { name: "orders", assignment: [[1, 2]] },
    { name: "paid", assignment: [[1, 2]], initial: { 0: { ...state, leo: 40 }, 1: state } },
    { name: "logs", assignment: [[1, 2]], initial: { 0: { ...state, logs: { 1: { leo: 4 } } } } },
    { name: "__consumer_offsets", assignment: [[1, 2]], initial: { 0: { ...state, leo: 40 } } },
  ];
  const of = (/** @type {string} */ name, number = 0) => hasOldLog({ basis: SIZES, topics }, name, number);
  assert.deepEqual([of("orders"), of("paid"), of("paid", 1), of("logs")], [false, true, false, true]);
  assert.deepEqual([of("__consumer_offsets"), of("made later"), hasOldLog({}, "orders", 0)], [false, false, false]);
});

test("a new disk does not promise size ÷ rate for logs that begin empty", () => {
  const narrator = new Narrator({ ...WORDS, basis: () => SIZES, hasOldLog: () => false });
  narrator.seed({ ...emptyView() });
  const teller = new Teller();
  const cause = teller.say(5e6, KIND.ACTION_DONE, { index: 0, text: "start 1 empty" });
  teller.say(5e6, KIND.TRUNCATED, { broker: 1, p: 0, old: 7, new: 0, hw: 0 }, cause);
  narrator.take(teller.rows);
  const { events } = narrator;
  const rest = captionOf(newestOf(events, events.length - 1), narrator.words, -1)?.rest ?? "";
  assert.equal(rest.includes("GB"), false, rest);
});
