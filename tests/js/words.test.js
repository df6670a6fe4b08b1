import assert from "node:assert/strict";
import { test } from "node:test";
import { axisEnd, downTimes, MERGE_PX, marksOf } from "../../static/js/dock/marks.js";
import { KIND, KINDS } from "../../static/js/facts.js";
import { grouped, Narrator, plural, range } from "../../static/js/narrate.js";
import { atStake, figuresOf, sayTopic, stakeText, stoppedNow, verdictText } from "../../static/js/verdictwords.js";
import { emptyView, leaderDies, Teller, WORDS } from "./generator.js";

const decisive = () => leaderDies().filter((row) => row[2] < 64);

function narrated(rows = decisive()) {
  const narrator = new Narrator(WORDS);
  narrator.seed(emptyView());
  narrator.take(rows);
  return narrator.events;
}

const FINE = { stopped: 0, partitions: 1, leaderless: false };
const figures = (some) => ({ ...figuresOf(undefined, "1"), ...some });

test("the story of a leader's death reads as one", () => {
  assert.deepEqual(narrated().map((event) => event.text), [
    "Action: kill 1", "Broker 1 dies", "Controller fences broker 1", "orders-0: broker 2 elected, epoch 0 → 1",
    "orders-0: broker 2 leads epoch 1 from offset 3", "orders-0: 3–4 of epoch 0, acknowledged with acks=1, are lost",
    "orders-0: broker 1 cuts off 3–4"]);
});

test("each sentence about the cluster names the rule it follows", () => {
  for (const event of narrated().filter((event) => event.icon !== "zap")) assert.match(event.rule, /^[A-Z]+-\d+$/, event.text);
});

test("captions have a short lead, one sentence, and at most 140 characters", () => {
  for (const { caption } of narrated()) {
    if (!caption) continue;
    assert.ok(caption.lead.split(" ").length <= 7, caption.lead);
    assert.ok(`${caption.lead} ${caption.rest}`.length <= 140, caption.rest);
  }
});

test("facts told in two parts make the same story, and a story taken back is told anew", () => {
  const rows = decisive();
  const narrator = new Narrator(WORDS);
  narrator.seed(emptyView());
  narrator.take(rows.slice(0, 3));
  narrator.take(rows);
  assert.deepEqual(narrator.events.map((event) => event.text), narrated().map((event) => event.text));
  narrator.take(rows.slice(0, 2));
  assert.equal(narrator.events.length, 2);
});

test("every decisive kind but the verdict has a sentence or is silent on purpose", () => {
  for (const [kind, { name, values }] of Object.entries(KINDS).filter(([kind]) => Number(kind) < 64)) {
    const lists = new Set(["isr", "elr", "last_known", "adding", "removing", "replicas", "maximal"]);
    const row = [1, 5, Number(kind), 0, ...values.map((value) => (lists.has(value) ? [1, 2] : value === "text" ? "a=b" : 1))];
    const narrator = new Narrator(WORDS);
    narrator.take([row]);
    assert.equal(narrator.events.length, Number(kind) === KIND.VERDICT_CHANGED ? 0 : 1, name);
  }
});

test("many partitions that say the same are one line", () => {
  const events = Array.from({ length: 30 }, (_, i) => ({ ...narrated()[3], seq: i, p: i }));
  const lines = grouped(events);
  assert.equal(lines.length, 5 - 1);
  assert.equal(lines.reduce((all, line) => all + 1 + line.more.length, 0), 30);
});

test("the verdict says the gravest true fact", () => {
  assert.equal(sayTopic(figures({ lost: 3, duplicated: 2, writeDownUs: 9e6 }), FINE).sentence, "3 acknowledged records are gone.");
  assert.equal(sayTopic(figures({ lost: 1 }), FINE).sentence, "1 acknowledged record is gone.");
  assert.equal(sayTopic(figures({ duplicated: 2, hidden: 5 }), FINE).sentence, "2 records exist twice.");
  assert.equal(sayTopic(figures({ hidden: 9 }), FINE).sentence, "9 acknowledged records cannot be read.");
  assert.equal(sayTopic(figures({ writeDownUs: 9e6 }), FINE).sentence, "Nothing acknowledged was lost. Writes stopped for 9.0 s.");
  assert.equal(sayTopic(figures({}), FINE).sentence, "Nothing was lost and nothing stopped.");
});

test("an open outcome is told in the present perfect", () => {
  const say = sayTopic(figures({ writeDownUs: 8.9e6 }), { stopped: 1, partitions: 1, leaderless: true });
  assert.equal(say.sentence, "Nothing lost. Writes have been stopped for 8.9 s.");
  assert.equal(sayTopic(figures({ writeDownUs: 8.9e6 }), { stopped: 1, partitions: 2, leaderless: true }).sentence, "Nothing lost yet. Half of the writes are waiting for a leader.");
});

test("before a decision the verdict names what only a dead broker has", () => {
  const view = emptyView();
  view.brokers[1].process = "down";
  Object.assign(view.partitions[0].copies[1], { leo: 44 });
  for (const id of [2, 3]) view.partitions[0].copies[id].leo = 41;
  view.partitions[0].acked = [[30, 14, 0]];
  assert.equal(stakeText(atStake(view, [0])), "41–43 exist only on broker 1.");
  assert.deepEqual(stoppedNow(view, [0], "1", 2), { stopped: 1, partitions: 1, leaderless: true });
});

test("which writes are down depends on acks", () => {
  const raw = { write_down_all_us: 5e6, write_down_1_us: 1e6 };
  assert.equal(figuresOf(raw, "all").writeDownUs, 5e6);
  assert.equal(figuresOf(raw, "1").writeDownUs, 1e6);
});

test("the verdict as text has its figures, its decision and its link", () => {
  const text = verdictText({ title: "Run", t: 9e6, link: "https://example.test/s/a#t=9.000", topics: [{ name: "orders", settings: "acks=1 · min ISR 2",
    figures: figures({ acked: 5, lost: 2, writeDownUs: 9e6 }), say: sayTopic(figures({ lost: 2 }), FINE), deciding: "9.000 s broker 2 elected" }] });
  for (const part of ["2 acknowledged records are gone.", "writes down 9.0 s", "decided by: 9.000 s broker 2 elected", "https://example.test/s/a#t=9.000"]) assert.ok(text.includes(part), part);
});

test("marks nearer than 14 px become one with the strongest shape and the count", () => {
  const marks = marksOf(narrated(), (t) => t / 100_000);
  for (let i = 1; i < marks.length; i++) assert.ok(marks[i].x - marks[i - 1].x >= MERGE_PX);
  assert.deepEqual(marks.map((mark) => [mark.shape, mark.count]), [["fault", 2], ["election", 3], ["flag", 1]]);
});

test("bars of stopped writes are where the figures grew", () => {
  const teller = new Teller();
  teller.say(5e6, KIND.VERDICT_CHANGED, { topic: 0, write_down_1_us: 3e6 });
  teller.say(7e6, KIND.VERDICT_CHANGED, { topic: 0, write_down_1_us: 5e6 });
  teller.say(30e6, KIND.VERDICT_CHANGED, { topic: 0, write_down_1_us: 6e6 });
  assert.deepEqual(downTimes(teller.rows, () => false), [[2e6, 7e6], [29e6, 30e6]]);
});

test("the axis always reaches beyond what is known", () => {
  for (const end of [0, 9e6, 10e6, 59e6, 3e9, 2e11]) assert.ok(axisEnd(end) > end);
});

test("offsets and counts are written as people read them", () => {
  assert.deepEqual([range(41, 3), range(41, 1), plural(1, "record"), plural(2315, "record")], ["41–43", "41", "1 record", "2,315 records"]);
});
