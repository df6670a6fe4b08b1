// MirrorMaker: why a flow copies nothing, in the row of the flow and in the story.
import assert from "node:assert/strict";
import { test } from "node:test";
import { KIND, TASKS } from "../../static/js/facts/facts.js";
import { idleWords, isProcessCut, storedOffsets } from "../../static/js/run/mirrors.js";
import { Narrator } from "../../static/js/words/narrate.js";
import { emptyView, Teller, WORDS } from "./generator.js";

const withTasks = (state, until = -1) => ({
  mirrors: {
    processes: ["running"],
    flows: [{ tasks: { state, until }, partitions: {}, checkpoints: {}, synced: {} }],
  },
});

test("a flow without tasks says why, and when its worker gets them back (MM-1)", () => {
  assert.equal(idleWords(withTasks("running"), 0), "");
  assert.equal(idleWords(withTasks("joining"), 0), "joins its group");
  assert.equal(idleWords(withTasks("waiting"), 0), "no tasks: the target has no topic of its stored offsets");
  assert.equal(idleWords(withTasks("given up"), 0), "no tasks: its worker does not find its group on the target");
  assert.equal(idleWords(withTasks("delayed", 336_400_000), 0), "no tasks until 336 s: Connect waits for lost tasks");
});

test("the story tells of tasks that are lost and handed out again", () => {
  const teller = new Teller();
  teller.say(1, KIND.MIRROR_TASKS_CHANGED, { flow: 0, state: TASKS.JOINING, until: -1 });
  teller.say(2, KIND.MIRROR_TASKS_CHANGED, { flow: 0, state: TASKS.GIVEN_UP, until: -1 });
  teller.say(3, KIND.MIRROR_TASKS_CHANGED, { flow: 0, state: TASKS.DELAYED, until: 336_400_000 });
  teller.say(4, KIND.MIRROR_TASKS_CHANGED, { flow: 0, state: TASKS.RUNNING, until: -1 });
  teller.say(5, KIND.MIRROR_STARTED_OVER, { flow: 0, partitions: 3 });
  teller.say(6, KIND.MIRROR_TASKS_CHANGED, { flow: 0, state: TASKS.WAITING, until: -1 });
  const narrator = new Narrator(WORDS);
  narrator.seed(emptyView());
  narrator.take(teller.rows);
  assert.deepEqual(
    narrator.events.map(({ text }) => text),
    [
      "east → west waits to join its group on the target",
      "east → west gives up its tasks: its worker does not find the coordinator of its group on the target",
      "east → west joins its group again without its tasks: they count as lost, and it gets them back at 336 s " +
        "(scheduled.rebalance.max.delay.ms)",
      "east → west has its tasks and copies",
      "east → west has no stored offset of 3 partitions: it copies again from the earliest record",
      "east → west copies nothing: the target has no topic of its stored offsets",
    ],
  );
  assert.deepEqual(
    narrator.events.map(({ grave }) => grave),
    [false, true, true, false, true, false],
  );
});

test("a process is cut from a cluster when no link between its parts there and the brokers is left", () => {
  const part = (id) => ({ id, kind: "mirror", process: "mm" });
  const names = {
    clusters: [
      { name: "east", base: 0 },
      { name: "west", base: 1000 },
    ],
    controllers: [],
    brokers: [1, 2, 1001].map((id) => ({ id, rack: null })),
    clients: [
      { id: "east/app", kind: "producer" },
      part("east/mm consumer"),
      part("west/mm producer"),
      { ...part("east/other consumer"), process: "other" },
    ],
  };
  const links = (...keys) => ({ links: Object.fromEntries(keys.map((key) => [key, { cut: 1, slow_us: 0 }])) });
  assert.equal(isProcessCut(names, links("-2>1", "-2>2", "1>-2", "2>-2"), "mm", "east"), true);
  assert.equal(isProcessCut(names, links("-2>1", "-2>2", "1>-2"), "mm", "east"), false);
  assert.equal(isProcessCut(names, links("-2>1", "-2>2", "1>-2", "2>-2"), "mm", "west"), false);
  assert.equal(isProcessCut(names, links("-2>1", "-2>2", "1>-2", "2>-2"), "other", "east"), false);
});

test("a flow would copy again what it has copied and the source still has (MM-11)", () => {
  const names = {
    clusters: [{ name: "east" }, { name: "west" }],
    mirrors: { flows: [{ process: "mm", source: 0, target: 1, remote: { 0: 2 } }] },
  };
  const copy = (start, hw) => ({ start, hw, leo: hw });
  const view = (deleted) => ({
    topics: [{ name: "mm2-offsets.east.internal", cluster: 1, deleted }],
    partitions: [
      { leader: 1, copies: { 1: copy(100, 950) } },
      { leader: -1, copies: { 1: copy(0, 40), 2: copy(0, 50) } },
    ],
    mirrors: { flows: [{ partitions: { 0: { upstream: 899 }, 1: { upstream: -1 } } }] },
  });
  const stored = { name: "west/mm2-offsets.east.internal", topic: 0, again: 800 };
  assert.deepEqual(storedOffsets(names, view(false), "mm"), [stored]);
  assert.deepEqual(storedOffsets(names, view(true), "mm"), [{ ...stored, topic: -1 }]);
  assert.deepEqual(storedOffsets(names, view(false), "other"), []);
});

test("a topic that the run has created is called by its name before the view has it", () => {
  const teller = new Teller();
  teller.say(1, KIND.PARTITION_CREATED, { p: 20, topic: 30, number: 0, replicas: [1], text: "late" });
  teller.say(2, KIND.CONFIG_CHANGED, { topic: 30, text: "cleanup.policy=compact" });
  const narrator = new Narrator(WORDS);
  narrator.seed(emptyView());
  narrator.take(teller.rows);
  assert.match(narrator.events[1].text, /late: cleanup\.policy = compact$/);
});
