import assert from "node:assert/strict";
import { test } from "node:test";
import { placeOf, readingOf } from "../../static/js/stage/consumers.js";
import { emptyView } from "./generator.js";

const reader = (some = {}) => ({ name: "c1", group: "g", client: { id: "c1", state: "open", position: {}, ...some } });

/** orders-0 led by broker 1, with these marks. */
function viewAt(hw, leo) {
  const view = emptyView();
  Object.assign(view.partitions[0], { leader: 1, epoch: 0 });
  Object.assign(view.partitions[0].copies[1], { role: "leader", epoch: 0, hw, leo });
  return view;
}

test("a consumer that has no place yet is joining, and nothing is up to date", () => {
  assert.equal(placeOf(reader(), 0, true), "joining group");
  assert.equal(placeOf({ ...reader(), group: "" }, 0, true), "no position");
  assert.equal(readingOf(viewAt(0, 0), 0, [reader()]).text, "nothing to read yet");
});

test("a consumer says where it reads and how far it is behind the high watermark", () => {
  const late = reader({ position: { 0: 41 } });
  assert.equal(placeOf(late, 0, true), "reads to 41");
  assert.equal(readingOf(viewAt(44, 44), 0, [late]).text, "3 behind");
  assert.equal(readingOf(viewAt(41, 44), 0, [late]).text, "3 waiting");
  assert.equal(readingOf(viewAt(41, 41), 0, [late]).text, "up to date");
});

test("acknowledged records above the high watermark are hidden only where the verdict counts some as hidden", () => {
  const view = viewAt(41, 44);
  view.partitions[0].acked = [[40, 4, 0]];
  const late = reader({ position: { 0: 41 } });
  assert.equal(readingOf(view, 0, [late]).text, "3 not committed yet");
  view.verdict[view.partitions[0].topic] = { hidden: 3 };
  assert.equal(readingOf(view, 0, [late]).text, "3 hidden");
});

test("of several readers the one furthest behind is told", () => {
  const both = [reader({ position: { 0: 44 } }), reader({ position: { 0: 40 } })];
  assert.equal(readingOf(viewAt(44, 44), 0, both).text, "4 behind");
  assert.equal(placeOf(both[0], 0, false), "c1 at 44");
});

test("a reader without the partition, a closed one and none at all are said", () => {
  assert.equal(placeOf(reader({ position: { 0: -1 } }), 0, false), "c1 not assigned");
  assert.equal(placeOf(reader({ state: "closed", position: { 0: 7 } }), 0, true), "reader closed");
  assert.equal(readingOf(viewAt(9, 9), 0, []).text, "no reader");
});
