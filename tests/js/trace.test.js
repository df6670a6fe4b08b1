import assert from "node:assert/strict";
import { test } from "node:test";
import { KIND, MSG } from "../../static/js/facts/facts.js";
import { Dirty, fold } from "../../static/js/fold/fold.js";
import { Cursor, Flights, KEYFRAME_ROWS, ROWS_MAX, Stretch, STRETCHES_MAX, Trace } from "../../static/js/fold/trace.js";
import { emptyView, leaderDies, Teller } from "./generator.js";

function viewAt(rows, t) {
  const view = emptyView();
  for (const row of rows) if (row[1] <= t) fold(view, row, new Dirty());
  return view;
}

function stretchOf(rows, end) {
  const stretch = new Stretch(emptyView());
  stretch.rows = rows;
  stretch.end = end;
  return stretch;
}

function manyAppends(count) {
  const teller = new Teller();
  for (let i = 0; i < count; i++)
    teller.say(i * 10, KIND.APPENDED, {
      broker: 1 + (i % 3),
      p: 0,
      base: Math.floor(i / 3),
      count: 1,
      epoch: 0,
      client: 0,
      n: i,
    });
  return teller.rows;
}

const comparable = (view) => JSON.parse(JSON.stringify({ ...view, t: 0, seq: 0 }));

test("scrubbing to any moment gives the view that folding up to it gives", () => {
  const rows = [...manyAppends(3 * KEYFRAME_ROWS)];
  const cursor = new Cursor(stretchOf(rows, 1e6), 0);
  for (const t of [59_990, 10, 20_005, 19_999, 0, 40_000, 59_999, 1e6]) {
    assert.ok(cursor.seek(t));
    assert.deepEqual(comparable(cursor.view), comparable(viewAt(rows, t)), `at ${t}`);
  }
});

test("going forward leaves keyframes for the way back", () => {
  const stretch = stretchOf(manyAppends(3 * KEYFRAME_ROWS), 1e6);
  new Cursor(stretch, 1e6);
  assert.ok(stretch.keyframes.length >= 3);
});

test("a moment outside the stretch is refused", () => {
  const cursor = new Cursor(stretchOf(leaderDies(), 21_000_000), 0);
  assert.equal(cursor.seek(22_000_000), false);
});

test("a message is under way from its sending to its arrival, at any moment scrubbed to", () => {
  const rows = leaderDies();
  const cursor = new Cursor(stretchOf(rows, 21_000_000), 0);
  cursor.seek(1700);
  assert.deepEqual([...cursor.flights.all.keys()], [rows.find((row) => row[1] === 1500)[0]]);
  cursor.seek(15_000_000);
  assert.equal(cursor.flights.all.size, 0);
  cursor.seek(1700);
  assert.equal(cursor.flights.all.size, 1);
});

test("an end of a flight ends exactly the flight of its number", () => {
  const teller = new Teller();
  const first = teller.say(0, KIND.FLIGHT, { msg: MSG.FETCH, src: 2, dst: 1, arrive: 1000, p: 0, count: 1, mark: 0 });
  const second = teller.say(0, KIND.FLIGHT, { msg: MSG.FETCH, src: 3, dst: 1, arrive: 1000, p: 0, count: 1, mark: 0 });
  teller.say(400, KIND.FLIGHT_ENDED, { flight: second, how: 1, arrive: -1 });
  const flights = new Flights();
  for (const row of teller.rows) flights.apply(row);
  assert.equal(flights.all.get(first).ended, -1);
  assert.equal(flights.all.get(second).ended, 400);
  flights.prune(400 + flights.lingerUs + 1);
  assert.equal(flights.all.has(second), false);
});

test("a delayed flight arrives when the later fact says", () => {
  const teller = new Teller();
  const seq = teller.say(0, KIND.FLIGHT, { msg: MSG.FETCH, src: 2, dst: 1, arrive: -1, p: 0, count: 1, mark: 0 });
  teller.say(500, KIND.FLIGHT_ENDED, { flight: seq, how: 2, arrive: 900 });
  const flights = new Flights();
  for (const row of teller.rows) flights.apply(row);
  flights.prune(800);
  assert.equal(flights.all.get(seq).arrive, 900);
  flights.prune(900);
  assert.equal(flights.all.size, 0);
});

test("decisive facts that come late are put in order, each once", () => {
  const rows = leaderDies().filter((row) => row[2] < 64);
  const trace = new Trace();
  trace.startLive(emptyView(), false);
  trace.append(rows.slice(3), 21_000_000);
  trace.addDecisive(rows.slice(0, 5));
  assert.deepEqual(
    trace.decisive.map((row) => row[0]),
    rows.map((row) => row[0]),
  );
  assert.equal(trace.indexAfter(10_000), 2);
});

test("moments asked for do not pile up, and the live stretch stays", () => {
  const trace = new Trace();
  trace.startLive({ ...emptyView(), t: 1e9 }, false);
  for (let i = 0; i < 3 * STRETCHES_MAX; i++)
    trace.addStretch({ ...emptyView(), t: i * 1000 }, manyAppends(5), i * 1000 + 100);
  assert.equal(trace.stretches.length, STRETCHES_MAX);
  assert.ok(trace.stretches.includes(trace.live));
  assert.ok(trace.rowCount <= 5 * STRETCHES_MAX);
});

test("snapshots of a page that falls behind do not pile up", () => {
  const trace = new Trace();
  for (let i = 0; i < 3 * STRETCHES_MAX; i++) {
    trace.startLive({ ...emptyView(), t: i * 1000 }, false);
    trace.append(manyAppends(5), i * 1000 + 100);
  }
  assert.equal(trace.stretches.length, STRETCHES_MAX);
  assert.ok(trace.stretches.includes(trace.live));
  assert.equal(trace.rowCount, 5 * STRETCHES_MAX);
  trace.startLive({ ...emptyView(), t: 0 }, true);
  assert.equal(
    trace.rowCount,
    trace.stretches.reduce((sum, stretch) => sum + stretch.rows.length, 0),
  );
});

test("a page in a hidden tab keeps a bounded number of facts and can still show the newest", () => {
  const rows = manyAppends(ROWS_MAX + 100_000);
  const trace = new Trace();
  trace.startLive(emptyView(), false);
  const cursor = new Cursor(trace.live, 0);
  for (let at = 0; at < rows.length; at += 1000) trace.append(rows.slice(at, at + 1000), rows[at + 999][1]);
  assert.ok(trace.rowCount <= ROWS_MAX);
  assert.ok(cursor.seek(trace.end));
  assert.deepEqual(comparable(cursor.view), comparable(viewAt(rows, trace.end)));
});

test("very many decisive facts come in at once", () => {
  const row = leaderDies().find((one) => one[2] < 64);
  const trace = new Trace();
  trace.addDecisive(Array.from({ length: 300_000 }, (_, i) => [i + 1, i, ...row.slice(2)]));
  assert.equal(trace.decisive.length, 300_000);
});

test("a run that went back forgets what did not happen", () => {
  const rows = leaderDies();
  const trace = new Trace();
  trace.startLive(emptyView(), false);
  trace.append(rows, 21_000_000);
  const view = viewAt(rows, 10_000);
  trace.startLive(view, true);
  assert.ok(trace.decisive.every((row) => row[0] <= view.seq));
  assert.equal(trace.end, view.t);
  assert.equal(trace.stretchAt(15_000_000), null);
});

test("a picture of a moment before the one that a run went back to shows nothing that did not happen", () => {
  const rows = leaderDies();
  const trace = new Trace();
  trace.startLive(emptyView(), false);
  trace.append(rows, 21_000_000);
  const cursor = new Cursor(trace.live, 5_000);
  const back = { ...viewAt(rows, 10_000), t: 10_000 };
  trace.startLive(back, true);
  assert.ok(cursor.seek(10_000));
  assert.deepEqual(comparable(cursor.view), comparable(viewAt(rows, 10_000)));
  assert.equal(cursor.seek(10_001), false, "what follows comes anew");
  assert.equal(trace.stretchAt(10_000), trace.live);
  assert.ok(trace.stretchAt(5_000), "what was before is still there");
});

test("the newest action that a picture shows is that of its moment, not of what was received beyond it", () => {
  const trace = new Trace();
  trace.startLive(emptyView(), false);
  const teller = new Teller();
  teller.say(100, KIND.ACTION_DONE, { index: 0, text: "kill 1" });
  teller.say(150, KIND.PROCESS_CHANGED, { node: 1, state: 0 });
  teller.say(200, KIND.ACTION_DONE, { index: 1, text: "kill 2" });
  trace.append(teller.rows, 300);
  assert.deepEqual(
    [99, 100, 199.5, 200, 300].map((t) => trace.actionBefore(t)),
    [0, 100, 100, 200, 200],
  );
  trace.startLive({ ...emptyView(), t: 180, seq: 2 }, true);
  assert.equal(trace.actionBefore(300), 180);
});
