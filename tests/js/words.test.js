import assert from "node:assert/strict";
import { test } from "node:test";
import { axisEnd, downTimes, MERGE_PX, marksOf, reachOf } from "../../static/js/dock/marks.js";
import { clauses } from "../../static/js/actionwords.js";
import { KIND, KINDS, PROCESS, REASON, REG } from "../../static/js/facts.js";
import { Dirty, fold } from "../../static/js/fold.js";
import { beyondReplicas } from "../../static/js/minisr.js";
import { grouped } from "../../static/js/grouping.js";
import { Narrator } from "../../static/js/narrate.js";
import { Story } from "../../static/js/story.js";
import { plural, range, shortened } from "../../static/js/wording.js";
import { atStake, quorumText, stakeText, unreadOf } from "../../static/js/atstake.js";
import { verdictText } from "../../static/js/verdicttext.js";
import {
  CALM,
  figuresAt,
  figuresOf,
  goesBack,
  sayTopic,
  since,
  statedAt,
  stopCheck,
  unitsText,
} from "../../static/js/verdictwords.js";
import { headOf } from "../../static/js/stage/heads.js";
import { emptyView, leaderDies, Teller, WORDS } from "./generator.js";

const decisive = () => leaderDies().filter((row) => row[2] < 64);

function narrated(rows = decisive()) {
  const narrator = new Narrator(WORDS);
  narrator.seed(emptyView());
  narrator.take(rows);
  return narrator.events;
}

const figures = (some) => ({ ...figuresOf(undefined), ...some });

test("the story of a leader's death reads as one", () => {
  assert.deepEqual(
    narrated().map((event) => event.text),
    [
      "Broker 1 is killed",
      "Broker 1 dies",
      "Controller fences broker 1",
      "orders-0: broker 2 elected, epoch 0 → 1",
      "orders-0: broker 2 leads epoch 1 from offset 3",
      "orders-0: 3–4 of epoch 0, acknowledged with acks=1, are lost",
      "orders-0: broker 1 cuts off 3–4",
    ],
  );
});

test("the records that a fact bears are the least that the action behind it bears", () => {
  assert.equal(goesBack(figures({ lost: 8, decidingLost: 5 })), "At least 5 of the 8 lost records go back to it.");
  assert.equal(goesBack(figures({ lost: 8, decidingLost: 8 })), "");
});

test("brokers that two actions kill at one instant go back to both", () => {
  const teller = new Teller();
  const kills = [1, 2].map((node) => teller.say(10_000, KIND.ACTION_DONE, { index: node - 1, text: `kill ${node}` }));
  const deaths = kills.map((kill, i) =>
    teller.say(10_000, KIND.PROCESS_CHANGED, { node: i + 1, state: PROCESS.DOWN }, kill),
  );
  const later = teller.say(20_000, KIND.ACTION_DONE, { index: 2, text: "kill 3" });
  teller.say(20_000, KIND.PROCESS_CHANGED, { node: 3, state: PROCESS.DOWN }, later);
  const story = new Story({ words: WORDS, trace: { decisive: teller.rows, version: 1 } });
  const textsOf = (seq) => story.rootsOf(story.eventOf(seq)).map((event) => event.text);
  for (const death of deaths) assert.deepEqual(textsOf(death), ["Broker 1 is killed", "Broker 2 is killed"]);
  assert.deepEqual(textsOf(later + 1), ["Broker 3 is killed"]);
});

test("while time runs it is said that nobody can elect, as long as most controllers are down", () => {
  const view = (active, ...processes) => ({
    active,
    controllers: Object.fromEntries(processes.map((process, i) => [100 + i, { process }])),
  });
  assert.equal(
    quorumText(view(-1, "down", "running", "down")),
    "2 of 3 controllers are gone: nobody can elect a leader.",
  );
  assert.equal(quorumText(view(-1, "down", "running")), "1 of 2 controllers is gone: nobody can elect a leader.");
  assert.equal(quorumText(view(-1, "down")), "Every controller is gone: nobody can elect a leader.");
  assert.equal(quorumText(view(-1, "down", "running", "running")), "", "the others elect another");
  assert.equal(quorumText(view(101, "down", "running", "running")), "");
});

test("each sentence about the cluster names the rule it follows", () => {
  for (const event of narrated().filter((event) => event.icon !== "zap"))
    assert.match(event.rule, /^[A-Z]+-\d+$/, event.text);
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
  assert.deepEqual(
    narrator.events.map((event) => event.text),
    narrated().map((event) => event.text),
  );
  narrator.take(rows.slice(0, 2));
  assert.equal(narrator.events.length, 2);
});

test("every decisive kind but the verdict has a sentence or is silent on purpose", () => {
  for (const [kind, { name, values }] of Object.entries(KINDS).filter(([kind]) => Number(kind) < 64)) {
    const lists = new Set(["isr", "elr", "last_known", "adding", "removing", "replicas", "maximal"]);
    const row = [
      1,
      5,
      Number(kind),
      0,
      ...values.map((value) => (lists.has(value) ? [1, 2] : value === "text" ? "a=b" : 1)),
    ];
    const narrator = new Narrator(WORDS);
    narrator.take([row]);
    assert.equal(
      narrator.events.length,
      [KIND.VERDICT_CHANGED, KIND.CLUSTER_VERDICT_CHANGED, KIND.SITE_VERDICT_CHANGED].includes(Number(kind)) ? 0 : 1,
      name,
    );
  }
});

test("rates are written with separators", () => {
  const teller = new Teller();
  teller.say(1e6, KIND.SLOW_CHANGED, { broker: 2, per_s: 1000 });
  teller.say(2e6, KIND.CLIENT_CHANGED, { client: 0, state: 1, acks: 1, rate_milli: 1_500_500 });
  assert.deepEqual(
    narrated(teller.rows).map((event) => event.text),
    ["Broker 2 fetches at most 1,000 records/s", "P: acks=1, 1,500.5 records/s"],
  );
});

test("many partitions that say the same are one line", () => {
  const events = Array.from({ length: 30 }, (_, i) => ({ ...narrated()[3], seq: i, p: i }));
  const lines = grouped(events);
  assert.equal(lines.length, 5 - 1);
  assert.equal(
    lines.reduce((all, line) => all + 1 + line.more.length, 0),
    30,
  );
});

test("an action and the fact that says the same are one line; what differs keeps its own", () => {
  const teller = new Teller();
  const act = (t, text) => teller.say(t, KIND.ACTION_DONE, { index: 0, text });
  const process = (t, node, state, cause) => teller.say(t, KIND.PROCESS_CHANGED, { node, state }, cause);
  process(1e6, 1, PROCESS.STOPPING, act(1e6, "stop 1"));
  process(2e6, 2, PROCESS.DOWN, act(2e6, "kill 2"));
  process(2e6, 3, PROCESS.DOWN, act(2e6, "kill-rack az-b"));
  teller.say(3e6, KIND.SLOW_CHANGED, { broker: 3, per_s: 5 }, act(3e6, "slow 3 5"));
  const acks = act(4e6, "acks orders 1");
  for (const client of [0, 0])
    teller.say(4e6, KIND.CLIENT_CHANGED, { client, state: 1, acks: 1, rate_milli: 10_000 }, acks);
  teller.say(
    5_050_000,
    KIND.CONFIG_CHANGED,
    { topic: 0, text: "min.insync.replicas=1" },
    act(5e6, "config orders min.insync.replicas 1"),
  );
  teller.say(
    9e6,
    KIND.CONFIG_CHANGED,
    { topic: 0, text: "min.insync.replicas=2" },
    act(6e6, "config orders min.insync.replicas 2"),
  );
  teller.say(10e6, KIND.TRUNCATED, { broker: 1, p: 0, old: 5, new: 0, hw: 0 }, act(10e6, "start 1 empty"));
  const refused = act(11e6, "config orders min.insync.replicas 9");
  teller.say(11_050_000, KIND.REQUEST_REFUSED, { p: -1, error: 1, text: "config" }, refused);
  const lines = grouped(narrated(teller.rows));
  assert.deepEqual(
    lines.slice(0, -1).map(({ event, echoes }) => `${event.text}${"+".repeat(echoes.length)}`),
    [
      "Broker 1 shuts down cleanly+",
      "Broker 2 is killed+",
      "az-b is taken down",
      "Broker 3 dies",
      "Broker 3 fetches at most 5 records/s+",
      "orders is now written with acks=1++",
      "orders: min.insync.replicas = 1+",
      "orders: min.insync.replicas = 2",
      "orders: min.insync.replicas = 2",
      "Broker 1 starts with an empty disk",
      "orders-0: broker 1's new disk has none of 0–4",
      "orders: min.insync.replicas = 9",
    ],
  );
  assert.match(lines.at(-1).event.text, /^orders: min\.insync\.replicas = 9 refused/);
  assert.deepEqual(
    lines[1].echoes.map(({ rule, grave }) => [rule, grave]),
    [["FLT-3", true]],
  );
});

test("the verdict's look follows the gravest figure; its sentence is the engine's", () => {
  const look = (some, isCalm = false) => sayTopic(figures({ sentence: "As the engine says.", ...some }), isCalm);
  assert.deepEqual(look({ lost: 3, duplicated: 2, stopped: 1 }), {
    tone: "bad",
    icon: "x",
    sentence: "As the engine says.",
  });
  assert.equal(look({ duplicated: 2, hidden: 5 }).icon, "copy");
  assert.deepEqual([look({ stopped: 1, hidden: 5 }).icon, look({ stopped: 1 }).icon], ["hidden", "clock"]);
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
  assert.deepEqual([all.stopped, all.leaderless, all.downP, all.readP, all.sentence], [2, 1, 3, -1, "Said."]);
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

const asText = (topic, run = {}) =>
  verdictText({
    title: "Run",
    t: 9e6,
    link: "https://example.test/s/a#t=9.000",
    assumed: [],
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
const KILL = { index: 0, at_us: 1e6, text: "kill 1", lost_with: 2, lost_without: 0, tried: 1 };
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
  const text = asText({ figures: { ...LOST, clientUs: 26.6e6, readWaitsUs: 1.5e6 } });
  for (const part of [
    "2 acknowledged records are gone.",
    "2 of 50 acknowledged, about 0.4 s of this topic’s traffic.",
    "producers got no response for 26.6 s (by the servers: 12.0 s for acks=all, 9.0 s for acks=1)",
    "readers got nothing for 1.5 s (by the servers: 0.0 s)",
    "longer than θ = 1 s",
    "1.000 s kill 1\n  RPO observed: acks=all: 0",
    "https://example.test/s/a#t=9.000",
  ])
    assert.ok(text.includes(part), `${part} in ${text}`);
});

test("a loss that nobody has checked is copied as unchecked, with the fact that it goes back to", () => {
  const text = asText({ figures: LOST, deciding: "9.000 s broker 2 elected" });
  for (const part of ["goes back to: 9.000 s broker 2 elected", "Not checked which action decided it."])
    assert.ok(text.includes(part), text);
});

test("what a stop goes back to is copied with the stop as its subject", () => {
  const of = (harm) => asText({ figures: figures({ writeDownUs: 9e6, ...harm }), deciding: "1.000 s broker 1 died" });
  assert.match(of({}), /\n {2}the stop goes back to: 1\.000 s broker 1 died\n/);
  assert.match(of({ hidden: 3 }), /the hidden records go back to: 1\.000 s/);
  assert.match(of({ hidden: 3, duplicated: 1 }), /the duplicates go back to: 1\.000 s/);
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
  assert.match(asText({ figures: LOST, loss: { decision: null, chains: [], at: 9e6 } }), /No single action decided it/);
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
  };
  assert.equal(stopCheck(stop), "Without it the same run’s writes stop for 1.0 s only (checked).");
  assert.equal(
    stopCheck({ ...stop, what: "reads", amount_without: 0 }),
    "Without it the same run’s reads never stop (checked).",
  );
  assert.equal(
    stopCheck({ ...stop, what: "hidden", amount_without: 1 }),
    "Without it the same run hides only 1 record (checked).",
  );
  assert.equal(
    stopCheck({ ...stop, what: "hidden", amount_without: 0 }),
    "Without it the same run hides none (checked).",
  );
});

test("why records of acks=0 vanished is copied, with a loss and without one", () => {
  const vanished = [
    {
      topic: "orders",
      partition: "orders-0",
      count: 1,
      links: [{ ...CHAIN.links[0], text: "it came to broker 1, where no process listened" }],
    },
  ];
  for (const some of [LOST, figures({ vanished: 1, handedOver: 9 })]) {
    assert.match(
      asText({ figures: some, vanished }),
      /orders-0: 1 record, sent with acks=0:\n {4}1\.000 s it came to broker 1, where no process listened \[FLT-3\]/,
    );
  }
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

test("users read figures as a share of their own traffic", () => {
  assert.equal(unitsText(figures({ acked: 1 })), "1 record acknowledged.");
  assert.equal(
    unitsText(figures({ acked: 1200, writeDownUs: 9e6, heldBack: 18 })),
    "1,200 acknowledged; 9.0 s without writes, 18 records held back.",
  );
  assert.equal(
    unitsText(figures({ acked: 1200, writeDownUs: 9e6, clientUs: 26e6, heldBack: 18 })),
    "1,200 acknowledged; 26.0 s without writes, 18 records held back.",
    "the application's time",
  );
  assert.equal(
    unitsText(figures({ acked: 9, lost: 9 })),
    "9 of 9 acknowledged.",
    "a topic whose calls were all made at once has no rate",
  );
});

test("marks nearer than 14 px become one with the strongest shape and the count", () => {
  const marks = marksOf(narrated(), (t) => t / 100_000);
  for (let i = 1; i < marks.length; i++) assert.ok(marks[i].x - marks[i - 1].x >= MERGE_PX);
  assert.deepEqual(
    marks.map((mark) => [mark.shape, mark.count]),
    [
      ["fault", 2],
      ["election", 3],
      ["flag", 1],
    ],
  );
});

test("marks do not overlap at any width, pills included, and none is lost", () => {
  for (const us of [2_000, 20_000, 100_000, 200_000, 700_000]) {
    const marks = marksOf(narrated(), (t) => t / us);
    for (let i = 1; i < marks.length; i++)
      assert.ok(marks[i].x - reachOf(marks[i].count).left >= marks[i - 1].x + reachOf(marks[i - 1].count).right);
    assert.equal(
      marks.reduce((all, mark) => all + mark.count, 0),
      6,
    );
  }
});

test("bars of stopped writes are where the figures grew", () => {
  const teller = new Teller();
  teller.say(5e6, KIND.VERDICT_CHANGED, { topic: 0, write_down_1_us: 3e6, acks: 1, client_waits_us: 3e6 });
  teller.say(7e6, KIND.VERDICT_CHANGED, { topic: 0, write_down_1_us: 5e6, acks: 1 });
  teller.say(30e6, KIND.VERDICT_CHANGED, { topic: 0, write_down_1_us: 6e6, write_down_all_us: 9e6, acks: 1 });
  teller.say(50e6, KIND.VERDICT_CHANGED, { topic: 1, write_down_all_us: 9e6, acks: -1 }); // nobody writes to it
  assert.deepEqual(downTimes(teller.rows), [
    [2e6, 7e6],
    [29e6, 30e6],
  ]);
});

test("the axis always reaches beyond what is known", () => {
  for (const end of [0, 9e6, 10e6, 59e6, 3e9, 2e11]) assert.ok(axisEnd(end) > end);
});

test("offsets and counts are written as people read them", () => {
  assert.deepEqual(
    [range(41, 3), range(41, 1), plural(1, "record"), plural(2315, "record")],
    ["41–43", "41", "1 record", "2,315 records"],
  );
});

test("a broker that left in order is not fenced a second time: its session runs out, and nothing follows", () => {
  const narrator = new Narrator(WORDS);
  const registration = (/** @type {number} */ seq, /** @type {number} */ state) =>
    /** @type {any} */ ([seq, seq * 1e6, KIND.BROKER_REGISTRATION, 0, 2, 5, state]);
  narrator.take([
    /** @type {any} */ ([1, 1e6, KIND.PROCESS_CHANGED, 0, 2, PROCESS.STOPPING]),
    registration(2, REG.SHUTTING_DOWN),
    registration(3, REG.FENCED),
    registration(12, REG.FENCED),
  ]);
  const [, , fenced, ranOut] = narrator.events;
  assert.equal(fenced?.caption?.rest, "It has handed its leaderships over and leaves.");
  assert.deepEqual(
    [ranOut?.text, ranOut?.caption, ranOut?.rule, ranOut?.grave],
    ["Broker 2's session has run out; it had left already", null, "SHUT-4", false],
  );
});

test("a new process that registers is not said to be fenced, nor its session to run out", () => {
  const narrator = new Narrator(WORDS);
  const fenced = (/** @type {number} */ seq, /** @type {number} */ be) =>
    /** @type {any} */ ([seq, seq * 1e6, KIND.BROKER_REGISTRATION, 0, 2, be, REG.FENCED]);
  const process = (/** @type {number} */ seq, /** @type {number} */ state) =>
    /** @type {any} */ ([seq, seq * 1e6, KIND.PROCESS_CHANGED, 0, 2, state, 0]);
  narrator.take([
    process(1, PROCESS.DOWN),
    fenced(9, 5),
    process(20, PROCESS.STARTING),
    process(22, PROCESS.REGISTERING),
    fenced(23, 8),
  ]);
  assert.deepEqual(
    narrator.events.map((event) => event.text),
    [
      "Broker 2 dies",
      "Controller fences broker 2",
      "Broker 2 is starting",
      "Broker 2 asks to be registered",
      "Controller registers broker 2, fenced until it has caught up",
    ],
  );
  assert.equal(narrator.events.at(-1)?.caption, null);
});

test("a copy on a replaced disk elects nobody: without a leader the caption says what comes (DIR-3)", () => {
  const told = (/** @type {number} */ leader) => {
    const narrator = new Narrator(WORDS);
    const change = (/** @type {number} */ seq, /** @type {number} */ pe, /** @type {number} */ reason) =>
      /** @type {any} */ ([
        seq,
        seq * 1e6,
        KIND.PARTITION_CHANGED,
        0,
        0,
        leader,
        3,
        pe,
        reason,
        0,
        [1, 2],
        [1],
        [],
        [],
        [],
        [],
      ]);
    narrator.take([change(1, 4, REASON.FENCED), change(2, 5, REASON.DIRECTORY)]);
    return narrator.events.at(-1);
  };
  const waits = told(-1);
  assert.deepEqual([waits?.rule, waits?.minor ?? false], ["DIR-3", false]);
  assert.match(waits?.caption?.rest ?? "", /when somebody asks for one or any broker is unfenced/);
  assert.deepEqual([told(2)?.rule, told(2)?.minor, told(2)?.caption ?? null], ["DIR-2", true, null]);
});

test("a broker killed in its own controlled shutdown dies; one that ends it has stopped", () => {
  const end = (/** @type {number} */ left) => {
    const narrator = new Narrator(WORDS);
    narrator.take([
      /** @type {any} */ ([1, 1e6, KIND.PROCESS_CHANGED, 0, 2, PROCESS.STOPPING, 0]),
      /** @type {any} */ ([2, 2e6, KIND.PROCESS_CHANGED, 0, 2, PROCESS.DOWN, left]),
    ]);
    const view = emptyView();
    for (const state of [PROCESS.STOPPING, PROCESS.DOWN])
      fold(
        view,
        /** @type {any} */ ([state + 1, 1e6, KIND.PROCESS_CHANGED, 0, 2, state, state === PROCESS.DOWN ? left : 0]),
        new Dirty(),
      );
    return [narrator.events.at(-1)?.text, narrator.events.at(-1)?.grave, headOf(view, 2, 2e6, 9e6).state];
  };
  assert.deepEqual(end(0), ["Broker 2 dies", true, "dead"]);
  assert.deepEqual(end(1), ["Broker 2 has stopped", false, "stopped"]);
});

test("what was handed over with acks=0 stands on the card and in its text, and is no good news", () => {
  const some = figures({
    sentence: "500 records were handed over with acks=0: 4 vanished.",
    handedOver: 500,
    vanished: 4,
    writeDownUs: 9e6,
    heldBack: 90,
  });
  assert.equal(
    unitsText(some),
    "500 records handed over with acks=0, 4 vanished; 9.0 s without writes, 90 records held back.",
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

test("more in-sync replicas than there are replicas are said to be as many as there are", () => {
  const model = /** @type {any} */ ({ partitionsOf: () => [0], view: { partitions: [{ replicas: [1, 2, 3] }] } });
  assert.deepEqual(
    [beyondReplicas(model, 0, 3), beyondReplicas(model, 0, 4)],
    ["", "more than the 3 replicas: Kafka asks for 3"],
  );
});

test("actions are told as sentences about their brokers", () => {
  const name = { host: (/** @type {string} */ ref) => `broker ${ref}`, message: () => "a message" };
  assert.equal(clauses("kill 1", name), "Broker 1 is killed");
  assert.equal(clauses("kill 1, cut 2|3", name), "Broker 1 is killed. The links between broker 2 and broker 3 are cut");
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

test("no countdown runs where no controller is active, and a new one begins it anew (QUO-4, QUO-6)", () => {
  const view = emptyView();
  view.brokers[2] = { ...view.brokers[2], process: "down", registration: "active", heartbeat: 1e6 };
  const head = (t) => headOf(view, 2, t, 9e6).text;
  assert.equal(head(2e6), "Dead, 8.0 s left");
  const teller = new Teller();
  teller.say(3e6, KIND.CONTROLLER_CHANGED, { controller: -1, epoch: 1 });
  teller.say(30e6, KIND.CONTROLLER_CHANGED, { controller: 101, epoch: 2 });
  fold(view, teller.rows[0], new Dirty());
  assert.equal(head(8e6), "Dead, no controller");
  fold(view, teller.rows[1], new Dirty());
  assert.equal(head(31e6), "Dead, 8.0 s left");
});

test("a long name is cut in its middle, so that partitions can be told apart", () => {
  assert.equal(shortened("orders-0"), "orders-0");
  const long = `${"a-very-long-topic-name-".repeat(4)}x`;
  assert.equal(shortened(`${long}-0`).length, 36);
  assert.notEqual(shortened(`${long}-0`), shortened(`${long}-1`));
});
