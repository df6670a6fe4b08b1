import assert from "node:assert/strict";
import { test } from "node:test";
import { sentence } from "../../static/js/words/actionwords.js";
import { captionAt, toldCaptions } from "../../static/js/run/captions.js";
import { comingOf } from "../../static/js/run/coming.js";

const names = {
  host: (ref) => (/^\d+$/.test(ref) ? `${ref < 100 ? "broker" : "controller"} ${ref}` : ref),
  message: (seq) => (seq === 7 ? "the fetch of t-0 from broker 3 to broker 1" : "a message"),
};

const none = { steps: [], whole: true };

test("what is coming: the description, the next actions in words, and what was found before", () => {
  const document = {
    about: "The plain\ncase.\n\nSecond.\nAssumed:\nrecords/s: 10",
    timeline: [
      { at: "1s", do: "send P t-0 3" },
      { at: "10s", do: "kill 0" },
      { at: "40s", do: "start 0" },
    ],
    captions: [{ at: "60s", kind: "outcome", text: "3 records are gone." }],
  };
  assert.deepEqual(comingOf(document, 1e6, names, none), {
    about: "The plain case.\nSecond.",
    rest: "",
    outcome: "3 records are gone.",
    by: "60.0 s",
    isOver: false,
    steps: [
      { t: 10e6, text: "Broker 0 is killed.", drawn: false },
      { t: 40e6, text: "Broker 0 starts.", drawn: false },
    ],
  });
});

test("nothing is coming from the moment on that the outcome is of, or at the end of the document", () => {
  const isOver = (document, t) => comingOf(document, t, names, none).isOver;
  const told = { until: "90s", captions: [{ at: "60s", kind: "outcome", text: "3 records are gone." }] };
  assert.deepEqual([isOver(told, 59e6), isOver(told, 60e6)], [false, true]);
  assert.deepEqual([isOver({ until: "40s" }, 39e6), isOver({ until_us: 40e6 }, 40e6)], [false, true]);
  assert.equal(isOver({ until: "40s", timeline: [{ at: "50s", do: "kill 0" }] }, 40e6), false);
  assert.equal(isOver({}, 40e6), false);
});

test("nothing is coming once the last action has had its consequences, but for an outcome of later", () => {
  const isOver = (document, isSettled) => comingOf(document, 350e6, names, none, isSettled).isOver;
  const expected = { until: "360s", timeline: [{ at: "15s", do: "kill 0" }], expect: [{ verdict: "t", lost: 5 }] };
  assert.deepEqual([isOver(expected, true), isOver(expected, false)], [true, false]);
  assert.equal(isOver({ ...expected, timeline: [{ at: "355s", do: "kill 0" }] }, true), false);
  assert.equal(isOver({ captions: [{ at: "355s", kind: "outcome", text: "5 records are gone." }] }, true), false);
});

test("without a run before, the outcome is what the document expects of every run", () => {
  const outcome = (expect) => comingOf({ expect }, 0, names, none).outcome;
  assert.equal(outcome([{ verdict: "t", lost: 0, duplicated: 0 }]), "No acknowledged record is lost.");
  assert.equal(outcome([{ verdict: "t", lost: [1, null] }]), "at least 1 acknowledged record gone.");
  assert.equal(
    outcome([
      { verdict: "a", lost: [2, 5] },
      { verdict: "b", lost: 0, duplicated: 1 },
    ]),
    "a: 2 to 5 acknowledged records gone. b: 1 record written more than once.",
  );
  assert.equal(
    outcome([
      { verdict: "t", lost: 1, at: "5s" },
      { partition: "t-0", leader: 1 },
    ]),
    "",
    "what holds at one moment only is not what it comes to",
  );
});

test("a long script shows its beginning and says how much more there is", () => {
  const timeline = Array.from({ length: 9 }, (_, i) => ({ at: `${i + 1}s`, do: "send P t-0 1" }));
  const { steps, rest } = comingOf({ timeline }, 0, names, none);
  assert.deepEqual([steps.length, rest, steps[0]?.text], [6, "and 3 more actions", "P sends 1 record to t-0."]);
});

test("what the fault model will do stands among the script's actions, by its time, and says that it is drawn", () => {
  const document = { timeline: [{ at: "10s", do: "kill 0" }] };
  const { steps } = comingOf(document, 4e6, names, {
    steps: [
      [3e6, "kill 1"],
      [5e6, "start 1"],
      [12e6, "kill 2"],
    ],
    whole: true,
  });
  assert.deepEqual(
    steps.map((step) => [step.t / 1e6, step.text, step.drawn]),
    [
      [5, "Broker 1 starts.", true],
      [10, "Broker 0 is killed.", false],
      [12, "Broker 2 is killed.", true],
    ],
  );
});

test("of many drawn failures the rest is counted, and where it has no end that is said", () => {
  const drawn = {
    steps: /** @type {[number, string][]} */ (Array.from({ length: 9 }, (_, i) => [i + 1, "kill 1"])),
    whole: true,
  };
  assert.equal(comingOf({}, 0, names, drawn).rest, "and 3 more actions, all of them drawn");
  assert.equal(
    comingOf({ timeline: [{ at: "20s", do: "kill 0" }] }, 0, names, { ...drawn, whole: false }).rest,
    "and more than 4 more actions, 3 of them drawn",
  );
});

test("actions are told in words, with names as they are", () => {
  const said = [
    "kill 1",
    "kill 100",
    "kill-rack az-a",
    "cut 0|1,2",
    "cut 0>1",
    "heal",
    "acks orders all",
    "power-loss az-a",
    "hold 7",
    "drop 8",
    "unheard of 1",
  ].map((action) => sentence(action, names));
  assert.deepEqual(said, [
    "Broker 1 is killed.",
    "Controller 100 is killed.",
    "az-a is taken down.",
    "The links between broker 0 and brokers 1 and 2 are cut.",
    "The links from broker 0 to broker 1 are cut.",
    "All links are healed.",
    "orders is now written with acks=all.",
    "az-a loses power.",
    "The fetch of t-0 from broker 3 to broker 1 is held.",
    "A message is lost with its connection.",
    "unheard of 1.",
  ]);
});

test("an outcome is told before the run, not as a caption in it", () => {
  assert.equal(
    captionAt(
      toldCaptions(
        [
          { at: "1s", text: "one" },
          { at: "5s", kind: "outcome", text: "end" },
        ],
        [],
      ),
      9e6,
    )?.text,
    "one",
  );
});
