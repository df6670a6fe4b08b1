import assert from "node:assert/strict";
import { test } from "node:test";
import { axisEnd, MERGE_PX, marksOf, reachOf } from "../../static/js/dock/marks.js";
import { clauses } from "../../static/js/words/actionwords.js";
import { KIND, KIND_NAMES, PROCESS, REASON, REG } from "../../static/js/facts/facts.js";
import { Dirty, fold } from "../../static/js/fold/fold.js";
import { beyondReplicas } from "../../static/js/run/minisr.js";
import { grouped } from "../../static/js/words/grouping.js";
import { Narrator } from "../../static/js/words/narrate.js";
import { Story } from "../../static/js/run/story.js";
import { plural, range, shortened } from "../../static/js/kit/wording.js";
import { quorumText } from "../../static/js/run/atstake.js";
import { headOf } from "../../static/js/stage/heads.js";
import { emptyView, fieldsOf, leaderDies, Teller, WORDS } from "./generator.js";

const decisive = () => leaderDies().filter((row) => row[2] < 64);

function narrated(rows = decisive()) {
  const narrator = new Narrator(WORDS);
  narrator.seed(emptyView());
  narrator.take(rows);
  return narrator.events;
}

test("the story of a leader's death reads as one", () => {
  assert.deepEqual(
    narrated().map((event) => event.text),
    [
      "Broker 1 is killed",
      "Broker 1 dies",
      "Controller fences broker 1",
      "orders-0: broker 2 elected, epoch 0 → 1",
      "orders-0: broker 2 leads epoch 1 from offset 3",
      "orders-0: offsets 3–4 of epoch 0, acknowledged with acks=1, are lost",
      "orders-0: broker 1 cuts off 3–4",
    ],
  );
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
  for (const [kind, name] of Object.entries(KIND_NAMES).filter(([kind]) => Number(kind) < 64)) {
    const lists = new Set(["isr", "elr", "last_known", "adding", "removing", "replicas", "maximal"]);
    const row = [
      1,
      5,
      Number(kind),
      0,
      ...fieldsOf(Number(kind)).map((value) => (lists.has(value) ? [1, 2] : value === "text" ? "a=b" : 1)),
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
      "Broker 1 shuts down+",
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

test("a partition that is created is called as the fact calls it, in the cluster of its brokers", () => {
  const words = { ...WORDS, site: (index) => ["east", "west"][index], cluster: (id) => (id >= 1000 ? 1 : 0) };
  const narrator = new Narrator(words);
  narrator.seed(emptyView());
  const teller = new Teller();
  teller.say(5e6, KIND.PARTITION_CREATED, { p: 9, topic: 4, number: 0, replicas: [1002], text: "o" }, 0);
  teller.say(6e6, KIND.RECORDS_EXPIRED, { broker: 1002, p: 9, old: 0, start: 5 }, 0);
  narrator.take(teller.rows);
  assert.match(narrator.events[0].text, /^west\/o-0 created on brokers /);
  assert.match(narrator.events[1].text, /^west\/o-0: retention /);
});
