import assert from "node:assert/strict";
import { test } from "node:test";
import { KIND } from "../../static/js/facts/facts.js";
import { Dirty, fold } from "../../static/js/fold/fold.js";
import { addRun, removeRun, RUNS_MAX, startEpoch } from "../../static/js/fold/runs.js";
import { emptyView, leaderDies, Teller } from "./generator.js";

function folded(rows) {
  const view = emptyView();
  const dirty = new Dirty();
  for (const row of rows) fold(view, row, dirty);
  return { view, dirty };
}

test("after a leader's death the view has the new leader, the lost records and the cut log", () => {
  const { view } = folded(leaderDies());
  const [partition] = view.partitions;
  assert.equal(view.brokers[1].process, "down");
  assert.equal(view.brokers[1].registration, "fenced");
  assert.deepEqual([partition.leader, partition.epoch, partition.isr], [2, 1, [2, 3]]);
  assert.deepEqual(partition.lost, [[3, 2, 0]]);
  assert.deepEqual(partition.acked, [[0, 5, 0]]);
  assert.deepEqual(partition.copies[1], { ...partition.copies[1], leo: 3, hw: 3, epochs: [[0, 0]] });
  assert.deepEqual(partition.copies[2].epochs, [
    [0, 0],
    [1, 3],
  ]);
  assert.equal(view.clients[0].acked, 5);
  assert.equal(view.verdict[0].lost, 2);
});

test("only what a fact touched is marked to be drawn", () => {
  const view = emptyView();
  const dirty = new Dirty();
  dirty.clear();
  const teller = new Teller();
  teller.say(1, KIND.HW_MOVED, { broker: 2, p: 0, hw: 7 });
  fold(view, teller.rows[0], dirty);
  assert.deepEqual([...dirty.copies], ["0:2"]);
  assert.equal(dirty.brokers.size + dirty.partitions.size + dirty.clients.size, 0);
  assert.equal(dirty.all, false);
});

test("a fact of an unknown kind moves time on and changes nothing else", () => {
  const { view } = folded([[9, 77, 9999, 0, 1, 2, 3]]);
  assert.deepEqual({ ...view, t: 0, seq: 0 }, { ...emptyView(), t: 0, seq: 0 });
  assert.deepEqual([view.t, view.seq], [77, 9]);
});

test("a link that is plain again leaves the view", () => {
  const teller = new Teller();
  teller.say(1, KIND.LINK_CHANGED, { src: 1, dst: 2, cut: 1, slow_us: 0 });
  assert.deepEqual(folded(teller.rows).view.links, { "1>2": { cut: 1, slow_us: 0 } });
  teller.say(2, KIND.LINK_CHANGED, { src: 1, dst: 2, cut: 0, slow_us: 0 });
  assert.deepEqual(folded(teller.rows).view.links, {});
});

test("runs that follow each other in one epoch are one run, and the oldest goes beyond the limit", () => {
  const runs = [];
  addRun(runs, 0, 2, 0);
  addRun(runs, 2, 3, 0);
  assert.deepEqual(runs, [[0, 5, 0]]);
  for (let i = 0; i < RUNS_MAX + 5; i++) addRun(runs, 10 * (i + 1), 1, i % 2);
  assert.equal(runs.length, RUNS_MAX);
});

test("records found again are taken out of the middle of a run", () => {
  assert.deepEqual(removeRun([[0, 10, 3]], 4, 2, 3), [
    [0, 4, 3],
    [6, 4, 3],
  ]);
  assert.deepEqual(removeRun([[0, 10, 3]], 4, 2, 4), [[0, 10, 3]]);
});

test("a new epoch drops cached epochs that begin at or after it", () => {
  const epochs = [
    [0, 0],
    [2, 5],
  ];
  startEpoch(epochs, 3, 5);
  assert.deepEqual(epochs, [
    [0, 0],
    [3, 5],
  ]);
  startEpoch(epochs, 3, 9);
  assert.deepEqual(epochs, [
    [0, 0],
    [3, 5],
  ]);
});
