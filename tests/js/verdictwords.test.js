import assert from "node:assert/strict";
import { test } from "node:test";
import { downTimes } from "../../static/js/dock/marks.js";
import { KIND } from "../../static/js/facts/facts.js";
import { Dirty, fold } from "../../static/js/fold/fold.js";
import { atStake, stakeText, unreadOf } from "../../static/js/run/atstake.js";
import { verdictText } from "../../static/js/words/verdicttext.js";
import {
  CALM,
  figuresAt,
  figuresOf,
  goesBack,
  sayTopic,
  since,
  statedAt,
  keptUp,
  stopCheck,
  unitsText,
} from "../../static/js/words/verdictwords.js";
import { emptyView, Teller, WORDS } from "./generator.js";

const figures = (some) => ({ ...figuresOf(undefined), ...some });

const asText = (topic, run = {}) =>
  verdictText({
    title: "Run",
    t: 9e6,
    link: "https://example.test/s/a#t=9.000",
    assumed: [],
    notSimulated: [],
    incidents: [{ at_us: 1e6, text: "kill 1", words: ["RPO observed: acks=all: 0"] }],
    ...run,
    topics: [
      {
        name: "orders",
        settings: "acks=1 · min ISR 2",
        say: sayTopic(topic.figures, false),
        deciding: "",
        loss: null,
        ...topic,
      },
    ],
  });

const LOST = figures({
  sentence: "2 acknowledged records are gone.",
  acked: 50,
  lost: 2,
  writeDownUs: 9e6,
  writeDown1Us: 9e6,
  writeDownAllUs: 12e6,
  lostTrafficUs: 400_000,
});

const KILL = { index: 0, at_us: 1e6, text: "kill 1", lost_with: 2, lost_without: 0, tried: 1, without: "Without it" };

const CHAIN = {
  topic: "orders",
  partition: "orders-0",
  count: 2,
  epoch: 0,
  acks: "1",
  links: [
    { seq: 1, t: 1e6, role: "fault", text: "broker 1 died (kill 1)", rules: ["FLT-3"], decides: true },
    { seq: 2, t: 20e6, role: "truncated", text: "broker 1 cut off its copy", rules: ["TRUNC-3"], decides: false },
  ],
};

test("the records that a fact bears are the least that the action behind it bears", () => {
  assert.equal(goesBack(figures({ lost: 8, decidingLost: 5 })), "At least 5 of the 8 records were lost by it.");
  assert.equal(goesBack(figures({ lost: 8, decidingLost: 8 })), "");
});

test("the verdict's look follows the gravest figure; its sentence is the engine's", () => {
  const look = (some, isCalm = false) => sayTopic(figures({ sentence: "As the engine says.", ...some }), isCalm);
  assert.deepEqual(look({ lost: 3, duplicated: 2, stopped: 1 }), {
    tone: "bad",
    icon: "x",
    sentence: "As the engine says.",
  });
  assert.equal(look({ duplicated: 2, hidden: 5 }).icon, "copy");
  assert.deepEqual([look({ waiting: 1, hidden: 5 }).icon, look({ waiting: 1 }).icon], ["hidden", "clock"]);
  assert.equal(look({ stopped: 1 }).tone, "ok", "the servers’ record alone stops nobody");
  assert.equal(look({ hidden: 9 }).icon, "hidden");
  assert.equal(look({ writeDownUs: 9e6 }).tone, "ok");
});

test("what was lost and came back is no longer shown as a loss, and the card says how much of it", () => {
  const figuresBack = figures({
    lost: 3,
    recovered: 2,
    lostAgain: 1,
    sentence: "2 acknowledged records were lost and came back: the application sent them again.",
  });
  assert.deepEqual(
    [sayTopic(figuresBack, false).tone, sayTopic({ ...figuresBack, lost: 4 }, false).tone],
    ["wait", "bad"],
  );
  assert.equal(figuresOf({ acks: -1, lost: 3, recovered: 2, lost_again: 1 }).recovered, 2);
  assert.match(asText({ figures: figuresBack }), /lost 3 \(2 came back\), duplicated 0/);
});

test("before anything has happened there is no verdict, least of all a green one", () => {
  assert.equal(sayTopic(figures({ sentence: "Nothing was lost and nothing stopped." }), true), CALM);
  assert.equal(sayTopic(figures({}), false), CALM);
  assert.equal(CALM.tone, "none");
  assert.equal(sayTopic(figures({ lost: 1, sentence: "1 acknowledged record is gone." }), true).tone, "bad");
});

test("a stated verdict brings its sentence and the partitions that its times are of", () => {
  const values = {
    topic: 0,
    write_down_all_us: 5e6,
    write_down_1_us: 1e6,
    stopped_all: 2,
    stopped_1: 1,
    waiting: 1,
    down_all_p: 3,
    down_1_p: 4,
    read_p: -1,
    sentence: "Said.",
  };
  const teller = new Teller();
  teller.say(5e6, KIND.VERDICT_CHANGED, values);
  const view = emptyView();
  fold(view, teller.rows[0], new Dirty());
  const all = figuresOf({ ...view.verdict[0], acks: -1 });
  assert.deepEqual([all.stopped, all.waiting, all.downP, all.readP, all.sentence], [2, 1, 3, -1, "Said."]);
  assert.deepEqual(
    [figuresOf({ ...view.verdict[0], acks: 1 }).stopped, figuresOf({ ...view.verdict[0], acks: 1 }).downP],
    [1, 4],
  );
});

test("before a decision the verdict names what only a dead broker has", () => {
  const view = emptyView();
  view.brokers[1].process = "down";
  Object.assign(view.partitions[0].copies[1], { leo: 44 });
  for (const id of [2, 3]) view.partitions[0].copies[id].leo = 41;
  view.partitions[0].acked = [[30, 14, 0]];
  assert.equal(stakeText(atStake(view, [0]), WORDS.node), "41–43 exist only on broker 1.");
});

test("what a dead broker alone has is counted at once, however long its log is", () => {
  const view = emptyView();
  view.brokers[1].process = "down";
  Object.assign(view.partitions[0].copies[1], { leo: 9e15 });
  for (const id of [2, 3]) view.partitions[0].copies[id].leo = 41;
  view.partitions[0].acked = [
    [30, 8e15, 0],
    [35, 10, 0],
    [50, 10, 1],
  ];
  view.partitions[0].lost = [
    [40, 5, 0],
    [60, 40, 0],
    [200, 10, 1],
  ];
  assert.equal(atStake(view, [0]).count, 8e15 + 30 - 41 - 4 - 40);
});

test("which writes are down depends on how the engine says that the topic is written", () => {
  const raw = { write_down_all_us: 5e6, write_down_1_us: 1e6 };
  assert.equal(figuresOf({ ...raw, acks: -1 }).writeDownUs, 5e6);
  assert.equal(figuresOf({ ...raw, acks: 1 }).writeDownUs, 1e6);
});

test("a count of acknowledged records that is not of the moment shown says of which it is", () => {
  assert.equal(unitsText(figures({ acked: 40, ackedAtUs: 13e6 })), "40 records acknowledged at 13.0 s.");
  assert.ok(
    asText({ figures: figures({ acked: 40, ackedAtUs: 13e6 }) }).includes("acknowledged 40 at 13.0 s, of them lost 0"),
  );
  const untold = figures({ ackedAtUs: -1 });
  assert.equal(unitsText(untold), "");
  assert.ok(!/ acknowledged [\d]/.test(asText({ figures: untold })), "none was told yet");
  assert.deepEqual([statedAt(0.9e6, -1), statedAt(13.9e6, 5e6), statedAt(13.9e6, 13.4e6)], [-1, 13e6, 13.4e6]);
});

test("the verdict as text has its figures for both acks, its threshold, its users' units and its link", () => {
  const text = asText({ figures: { ...LOST, clientUs: 26.6e6, readWaitsUs: 1.5e6, vainUs: 3e6 } });
  for (const part of [
    "2 acknowledged records are gone.",
    "2 of 50 acknowledged, about 0.4 s of this topic’s traffic.",
    "producers got no response for 26.6 s; for 3.0 s every record acknowledged to a producer was already lost; " +
      "readers got nothing for 1.5 s\n",
    "by the servers: not writable 12.0 s (acks=all), 9.0 s (acks=1); not readable 0.0 s",
    "longer than θ = 1 s",
    "1.000 s kill 1\n  RPO observed: acks=all: 0",
    "https://example.test/s/a#t=9.000",
  ])
    assert.ok(text.includes(part), `${part} in ${text}`);
});

test("a loss that nobody has checked is copied as unchecked, with the fact that it goes back to", () => {
  const text = asText({ figures: LOST, deciding: "9.000 s broker 2 elected" });
  for (const part of ["lost by: 9.000 s broker 2 elected", "Not checked which action decided it."])
    assert.ok(text.includes(part), text);
});

test("what a stop goes back to is copied with the stop as its subject", () => {
  const of = (harm) => asText({ figures: figures({ writeDownUs: 9e6, ...harm }), deciding: "1.000 s broker 1 died" });
  assert.match(of({}), /\n {2}the stop goes back to: 1\.000 s broker 1 died\n/);
  assert.match(of({ hidden: 3 }), /the hidden records go back to: 1\.000 s/);
  assert.match(of({ hidden: 3, duplicated: 1 }), /the duplicates go back to: 1\.000 s/);
  assert.match(of({ groupsLost: 1 }), /the lost offsets go back to: 1\.000 s/);
  assert.match(of({ lostBefore: 3 }), /the lost records go back to: 1\.000 s/);
});

test("a checked loss is copied with its action and its chain up to the moment shown", () => {
  const text = asText({
    figures: LOST,
    deciding: "9.000 s broker 2 elected",
    loss: { decision: KILL, chains: [CHAIN], at: 9e6 },
  });
  assert.ok(
    text.includes("decided by: 1.000 s kill 1. Without it the same run loses none of this topic’s records (checked)."),
    text,
  );
  assert.ok(text.includes("    1.000 s broker 1 died (kill 1) [FLT-3]"), text);
  assert.ok(!text.includes("cut off its copy") && !text.includes("goes back to"), text);
  const undecided = "No single action decided it: whichever one is left out, all of these records are lost (checked).";
  assert.ok(asText({ figures: LOST, loss: { decision: null, undecided, chains: [], at: 9e6 } }).includes(undecided));
});

test("what the same run does without the action that a stop goes back to is one sentence", () => {
  const stop = {
    what: "writes",
    amount: 9e6,
    amount_without: 1e6,
    at_us: 2e6,
    text: "kill 1",
    is_named: false,
    words: "",
    kept_up: "",
    without: "Without it",
  };
  assert.equal(keptUp(stop), "");
  assert.equal(
    keptUp({ ...stop, kept_up: "3.000 s: Broker 0 loses power" }),
    " The stop was kept up by what happened at 3.000 s: Broker 0 loses power.",
  );
  assert.equal(stopCheck(stop), "Without it the same run’s writes stop for 1.0 s in all instead of 9.0 s (checked).");
  assert.equal(
    stopCheck({ ...stop, what: "reads", amount_without: 0 }),
    "Without it the same run’s reads never stop (checked).",
  );
  assert.deepEqual(
    [0, 2].map((left) => stopCheck({ ...stop, what: "vanished", amount_without: left })),
    [
      "Without it no record sent with acks=0 vanishes (checked).",
      "Without it 2 records instead of 9,000,000 sent with acks=0 vanish (checked).",
    ],
  );
  assert.equal(
    stopCheck({ ...stop, what: "hidden", amount_without: 1 }),
    "Without it the same run hides 1 record instead of 9,000,000 (checked).",
  );
  assert.equal(
    stopCheck({ ...stop, what: "hidden", amount_without: 0 }),
    "Without it the same run hides none (checked).",
  );
});

test("a hidden figure of the last whole second says so", () => {
  assert.deepEqual([since(figures({ ackedAtUs: 13e6 })), since(figures({}))], [" at 13.0 s", ""]);
});

test("what a paste did not say is copied with the verdict", () => {
  assert.match(
    asText({ figures: figures({}) }, { assumed: ["records/s: 10"] }),
    /Assumed, since the paste did not say:\n {2}records\/s: 10/,
  );
});

test("settings without effect are copied with the verdict", () => {
  assert.match(
    asText(
      { figures: figures({}) },
      { notSimulated: ["without effect here: group.protocol (groups use the classic protocol)"] },
    ),
    /Not simulated:\n {2}without effect here: group\.protocol/,
  );
});

test("users read figures as a share of their own traffic", () => {
  assert.equal(unitsText(figures({ acked: 1 })), "1 record acknowledged.");
  assert.equal(
    unitsText(figures({ acked: 1200, writeDownUs: 9e6 })),
    "1,200 records acknowledged.",
    "no producer felt what the servers record",
  );
  assert.equal(
    unitsText(figures({ acked: 1200, writeDownUs: 9e6, clientUs: 26e6, heldBack: 18 })),
    "1,200 acknowledged; 26.0 s without a response, 18 records held back.",
    "the application's time",
  );
  assert.equal(
    unitsText(figures({ acked: 9, lost: 9 })),
    "9 of 9 acknowledged.",
    "a topic whose calls were all made at once has no rate",
  );
});

test("bars of stopped writes are where the figures grew", () => {
  const teller = new Teller();
  teller.say(5e6, KIND.VERDICT_CHANGED, { topic: 0, write_down_client_us: 3e6 });
  teller.say(7e6, KIND.VERDICT_CHANGED, { topic: 0, write_down_client_us: 5e6 });
  teller.say(30e6, KIND.VERDICT_CHANGED, { topic: 0, write_down_client_us: 6e6, write_down_all_us: 9e6 });
  teller.say(50e6, KIND.VERDICT_CHANGED, { topic: 1, write_down_all_us: 9e6, acks: -1 }); // nobody waits for it
  assert.deepEqual(downTimes(teller.rows), [
    [2e6, 7e6],
    [29e6, 30e6],
  ]);
});

test("what was handed over with acks=0 stands on the card and in its text, and is no good news", () => {
  const some = figures({
    sentence: "500 records were handed over with acks=0: 4 vanished.",
    handedOver: 500,
    vanished: 4,
    clientUs: 9e6,
    heldBack: 90,
  });
  assert.equal(
    unitsText(some),
    "500 records handed over with acks=0, 4 vanished; 9.0 s without a response, 90 records held back.",
  );
  assert.equal(sayTopic(some, false).tone, "bad");
  assert.equal(
    sayTopic(figures({ sentence: "500 records were handed over with acks=0: none vanished.", handedOver: 500 }), false)
      .tone,
    "none",
  );
  assert.match(asText({ figures: some }), /; handed over with acks=0 500, of them vanished 4/);
});

test("nobody can read records of acks=0 above a high watermark that stands still yet (HW-2, HW-3)", () => {
  const view = emptyView();
  const partition = view.partitions[0];
  Object.assign(partition, { leader: 1, isr: [1], replicas: [1, 2, 3], acked: [[20, 5, 0]] });
  Object.assign(partition.copies[1], { hw: 10, leo: 40 });
  assert.equal(unreadOf(view, [0], 2), 25, "acknowledged ones are told as hidden");
  assert.equal(unreadOf(view, [0], 1), 0, "it moves on");
  partition.isr = [1, 2];
  assert.equal(unreadOf(view, [0], 2), 0);
  view.brokers[2].process = "paused";
  assert.equal(unreadOf(view, [0], 2), 25, "who is in sync and does not fetch holds it");
  view.brokers[1].process = "paused";
  assert.equal(unreadOf(view, [0], 1), 25, "nor does it move at a leader that stands still");
  view.brokers[1].process = "down";
  assert.equal(unreadOf(view, [0], 2), 0, "nobody knows what a dead leader has");
  const some = figures({
    sentence: "30 records were handed over with acks=0: none vanished.",
    handedOver: 30,
    unread: 25,
  });
  assert.equal(
    unitsText(some),
    "30 records handed over with acks=0, 0 vanished; 25 records without an ack cannot be read yet: the high " +
      "watermark stands still.",
  );
  assert.match(asText({ figures: some }), /of them vanished 0, not readable yet 25/);
});

test("where the whole verdict of the moment is there, its figures stand for those stated last", () => {
  const raw = {
    acks: 1,
    acked: 1,
    lost: 0,
    write_down_all_us: 32e6,
    write_down_1_us: 0,
    stopped_all: 1,
    down_all_p: 3,
    held_back: 639,
    sentence: "old",
  };
  const told = {
    acks: "all",
    acked: 2,
    lost: 1,
    duplicated: 0,
    hidden: 0,
    refused: 0,
    unknown: 0,
    write_down_all_us: 32.4e6,
    write_down_1_us: 0,
    read_down_us: 0,
    lost_traffic_us: 0,
    held_back: 648,
    handed_over: 5,
    vanished: 1,
    sentence: "new",
    deciding: { text: "broker 1 died" },
  };
  const now = figuresAt(raw, told, 32e6);
  assert.deepEqual(
    [now.acked, now.lost, now.writeDownUs, now.heldBack, now.vanished, now.sentence, now.ackedAtUs],
    [2, 1, 32.4e6, 648, 1, "new", null],
  );
  assert.deepEqual([now.stopped, now.downP, now.deciding], [1, 3, 0]);
  assert.deepEqual(figuresAt(raw, undefined, 32e6), figuresOf(raw, 32e6));
});
