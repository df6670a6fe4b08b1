import assert from "node:assert/strict";
import { test } from "node:test";
import { causeOf } from "../../static/js/run/causes.js";
import { KIND, MSG } from "../../static/js/facts/facts.js";
import { lanesOf } from "../../static/js/page/family.js";
import { Cursor, Stretch } from "../../static/js/fold/trace.js";
import { sentBefore, spansBefore } from "../../static/js/run/underway.js";
import { emptyView } from "./generator.js";

const done = (seq, t, text) => [seq, t, KIND.ACTION_DONE, 0, 0, text];
const flight = (seq, t, msg, src, dst, arrive, p = 0) => [seq, t, KIND.FLIGHT, 0, msg, src, dst, arrive, p, 1, 0];

test("the traffic just before a snapshot is asked for, and that around each message still held", () => {
  assert.deepEqual(spansBefore([], 0), []);
  assert.deepEqual(spansBefore([], 2e6), [{ from: 1.5e6, to: 2e6 }]);
  const acts = [done(5, 1e6, "hold 4"), done(9, 2e6, "hold 8"), done(12, 3e6, "deliver 8"), done(20, 9.8e6, "hold 19")];
  assert.deepEqual(spansBefore(acts, 10e6), [
    { from: 9.5e6, to: 10e6 },
    { from: 0.5e6, to: 1_000_001 },
  ]);
  assert.deepEqual(
    spansBefore([...acts, done(30, 9.9e6, "heal")], 10e6),
    [{ from: 9.5e6, to: 10e6 }],
    "a heal lets go of all",
  );
});

test("a message sent before a snapshot is drawn after it, and a held one stays where it was stopped", () => {
  const view = { ...emptyView(), t: 2e6, seq: 10 };
  const stretch = new Stretch(view);
  const rows = [
    flight(3, 1.9e6, MSG.PRODUCE, -1, 1, 2.1e6),
    flight(4, 1.9e6, MSG.PRODUCE, -1, 1, 1.95e6),
    flight(6, 1.9e6, MSG.FETCH, 2, 1, 2.2e6),
    [7, 1.95e6, KIND.FLIGHT_ENDED, 0, 6, 4, -1],
    flight(12, 2.1e6, MSG.FETCH, 3, 1, 2.2e6),
  ];
  stretch.before = sentBefore(/** @type {any} */ (rows), view.seq);
  const { flights } = new Cursor(stretch, 2e6);
  assert.deepEqual([...flights.all.keys()], [3, 6]);
  assert.equal(flights.all.get(6)?.held, 1.95e6);
});

test("the cause of an answer is its request, that of a request a fact of the same moment, or nothing", () => {
  const rows = /** @type {any} */ ([
    flight(3, 1e6, MSG.FETCH, 2, 1, 1.1e6),
    flight(5, 1e6, MSG.FETCH, 3, 1, 1.1e6),
    flight(6, 1.1e6, MSG.FETCH_ANSWER, 1, 2, 1.2e6),
  ]);
  const asked = (seq, msg, src, dst, sent) => /** @type {any} */ ({ seq, msg, src, dst, sent, p: 0 });
  assert.deepEqual(causeOf(asked(6, MSG.FETCH_ANSWER, 1, 2, 1.1e6), rows, []), { t: 1e6, seq: 3 });
  const proposed = /** @type {any} */ ([
    [8, 4e6, KIND.ISR_PROPOSED, 0, 1, 0, 0, 1, [1, 2], [1, 2]],
    [9, 4e6, KIND.VERDICT_CHANGED, 0, 0],
  ]);
  assert.deepEqual(causeOf(asked(10, MSG.ALTER_PARTITION, 1, 100, 4e6), [], proposed), { t: 4e6, seq: 8 });
  assert.equal(causeOf(asked(10, MSG.HEARTBEAT, 1, 100, 4.5e6), [], proposed), null);
});

test("the lanes beside a run are its parent's and those of its branches, each from where they part", () => {
  const boot = /** @type {any} */ ({
    parent: { id: "a", title: "Sandbox", deleted: false },
    cut_us: 4_141_000,
    change: "4.141 s: kill 1",
    branches: [{ id: "c", title: "Sandbox", change: "9.000 s: start 1", cut_us: 9e6 }],
  });
  assert.deepEqual(
    lanesOf(boot).map((lane) => [lane.url, lane.cutUs, lane.isParent]),
    [
      ["/s/a#t=4.141", 4_141_000, true],
      ["/s/c", 9e6, false],
    ],
  );
  assert.deepEqual(lanesOf({ ...boot, parent: { ...boot.parent, deleted: true }, branches: [] }), []);
});
