/** A broker's return into its ISRs, told by the state of each of its partitions. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ELECTION, KIND, PROCESS, REASON, REG } from "../../static/js/facts/facts.js";
import { Narrator } from "../../static/js/words/narrate.js";
import { returnOf } from "../../static/js/words/rejoined.js";
import { emptyView, Teller, WORDS } from "./generator.js";
import { LISTS, text } from "./instants.js";

/** Partitions of orders with these leaders and ISRs, and what happens to them and to broker 1. */
class Story {
  constructor(...partitions) {
    this.view = emptyView();
    const [like] = this.view.partitions;
    this.view.partitions = partitions.map(([leader, isr], number) => ({ ...like, number, leader, isr, epoch: 1 }));
    this.narrator = new Narrator(WORDS);
    this.narrator.seed(this.view);
    this.teller = new Teller();
  }

  isr(s, p, isr) {
    this.change(s, p, this.view.partitions[p].leader, 1, isr);
  }

  elected(s, p, leader, isr) {
    this.change(s, p, leader, 2, isr);
  }

  change(s, p, leader, epoch, isr) {
    const [reason, election] = epoch === 1 ? [REASON.ALTER_PARTITION, ELECTION.NONE] : [REASON.UNFENCED, ELECTION.ELR];
    this.teller.say(s * 1e6, KIND.PARTITION_CHANGED, { p, leader, epoch, pe: 9, reason, election, ...LISTS, isr });
  }

  process(s, state) {
    this.teller.say(s * 1e6, KIND.PROCESS_CHANGED, { node: 1, state });
  }

  unfenced(s) {
    this.teller.say(s * 1e6, KIND.BROKER_REGISTRATION, { broker: 1, be: 5, state: REG.ACTIVE });
  }

  emptied(s, p) {
    this.teller.say(s * 1e6, KIND.TRUNCATED, { broker: 1, p, old: 40, new: 0 });
  }

  told() {
    this.narrator.take(this.teller.rows);
    return this.narrator.events.filter((event) => event.part === "rejoined");
  }
}

const ORPHANS = [
  { orphans: [], says: "In the ISR of all its 2 partitions." },
  { orphans: [false], says: "orders-2 has no leader." },
  { orphans: [true], says: "orders-2 has no leader, and its copy there is empty." },
  { orphans: [true, true], says: "orders-2 and orders-3 have no leader, and its copies there are empty." },
  { orphans: [true, false], says: "orders-2 and orders-3 have no leader, and 1 of its copies there is empty." },
  { orphans: [true, false, true], says: "3 of its partitions have no leader, and 2 of its copies there are empty." },
];

for (const { orphans, says } of ORPHANS)
  test(`a broker back beside ${orphans.length} partitions without a leader: ${says}`, () => {
    const led = [2, [2, 3]];
    const story = new Story(led, led, ...orphans.map(() => [-1, [1]]));
    story.process(40, PROCESS.STARTING);
    orphans.forEach((isEmpty, i) => isEmpty && story.emptied(40, i + 2));
    story.unfenced(42);
    story.isr(43, 0, [2, 3, 1]);
    story.isr(44.154, 1, [2, 3, 1]);
    const [back] = story.told();
    assert.equal(back.caption.rest, says);
    assert.equal(
      back.caption.lead,
      `Broker 1 is in sync${orphans.length ? " with every leader," : ""} 4.154 s after its start.`,
    );
    const where = orphans.length ? "its 2 partitions that have a leader" : "all its 2 partitions";
    assert.equal(back.text, `Broker 1 is back in the ISR of ${where}, 4.154 s after its start`);
    assert.ok(text(back.caption).length <= 140);
  });

test("a broker that copied its logs anew says that real ones take their time, unless the run has their sizes", () => {
  const rest = (/** @type {any} */ sizes) => {
    const story = new Story([2, [2, 3]]);
    story.narrator.words.basis = () => sizes;
    story.emptied(40, 0);
    story.process(40, PROCESS.STARTING);
    story.unfenced(42);
    story.isr(43, 0, [2, 3, 1]);
    return story.told()[0]?.caption?.rest;
  };
  const small = "Logs are small here: real ones take size ÷ network rate.";
  assert.equal(rest({}), `In the ISR of its partition. ${small}`);
  assert.equal(rest({ log_mb: 10_000, copy_mb_per_s: 100 }), "In the ISR of its partition.");
});

test("a copy that was emptied and has had a leader since is not called empty", () => {
  const story = new Story([2, [2, 3]], [-1, [1]]);
  story.process(40, PROCESS.STARTING);
  story.emptied(40, 1);
  story.elected(41, 1, 3, [3, 1]);
  story.change(42, 1, -1, 3, [1]);
  story.unfenced(42);
  story.isr(43, 0, [2, 3, 1]);
  assert.equal(story.told()[0].caption.rest, "orders-1 has no leader.");
});

test("an election that completes a return ends it: a follower that is slow later has not just started", () => {
  const story = new Story([2, [2, 3]], [-1, []]);
  story.process(40, PROCESS.STARTING);
  story.unfenced(42);
  story.isr(43, 0, [2, 3, 1]);
  story.elected(44, 1, 1, [1]);
  story.isr(90, 0, [2, 3]);
  story.isr(99, 0, [2, 3, 1]);
  assert.deepEqual(story.told(), []);
});

test("a pause too short to be noticed is no return: nothing is told of it a minute later", () => {
  const story = new Story([2, [1, 2, 3]]);
  story.process(40, PROCESS.PAUSED);
  story.process(41, PROCESS.RUNNING);
  story.isr(90, 0, [2, 3]);
  story.isr(99, 0, [2, 3, 1]);
  assert.deepEqual(story.told(), []);
});

test("a broker that went on after it was fenced is back when its last ISR has it", () => {
  const story = new Story([2, [2, 3]], [2, [2, 3]]);
  story.process(40, PROCESS.PAUSED);
  story.process(60, PROCESS.RUNNING);
  story.unfenced(60.1);
  story.isr(61, 0, [2, 3, 1]);
  story.isr(62, 1, [2, 3, 1]);
  assert.equal(story.told()[0].text, "Broker 1 is back in the ISR of all its 2 partitions, 2.000 s after its pause");
});

test("before its new process is registered, the ISRs of a broker are those of the old one", () => {
  const story = new Story([2, [1, 2, 3]]);
  story.process(40, PROCESS.STARTING);
  story.isr(41, 0, [2, 3]);
  story.unfenced(42);
  story.isr(43, 0, [2, 3, 1]);
  assert.equal(story.told().length, 1);
});

test("a broker that started is told to be back in the ISR of all its partitions, and after how long", () => {
  const narrator = new Narrator(WORDS);
  const view = emptyView();
  view.partitions = [0, 1].map((number) => ({ ...view.partitions[0], number, leader: 2, isr: [2, 3] }));
  narrator.seed(view);
  const teller = new Teller();
  const isr = (t, p, of) =>
    teller.say(t, KIND.PARTITION_CHANGED, {
      p,
      leader: 2,
      epoch: view.partitions[p].epoch,
      pe: 9,
      reason: REASON.ALTER_PARTITION,
      election: ELECTION.NONE,
      ...LISTS,
      isr: of,
    });
  teller.say(40_000_000, KIND.PROCESS_CHANGED, { node: 1, state: PROCESS.STARTING });
  isr(43_100_000, 0, [2, 3, 1]);
  isr(43_394_000, 1, [2, 3, 1]);
  narrator.take(teller.rows);
  const [, first, last] = narrator.events;
  assert.equal(first.part, "grown");
  assert.equal(last.text, "Broker 1 is back in the ISR of all its 2 partitions, 3.394 s after its start");
  assert.equal(returnOf(narrator.events, 1, 43_394_000), "3.394 s after its start");
  assert.equal(returnOf(narrator.events, 1, 43_200_000), null);
  assert.ok(`${last.caption.lead} ${last.caption.rest}`.length <= 140);
  isr(50_000_000, 0, [2, 3]); // slow later: its start is long over
  isr(60_000_000, 0, [2, 3, 1]);
  narrator.take(teller.rows);
  assert.deepEqual(
    narrator.events.slice(3).map((event) => event.part),
    ["shrunk", "grown"],
  );
});
