/** The figures under a run of a comparison. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { barFigures } from "../../static/js/compare/bar.js";

const TOPIC = {
  acked: 100,
  lost: 5,
  duplicated: 1,
  by_application: 2,
  unreadable: 0,
  write_down_client_us: 1_000_000,
  write_down_all_us: 9_000_000,
  read_down_client_us: 0,
  read_down_us: 3_000_000,
};
const text = (/** @type {Record<string, any>[]} */ topics) => barFigures(topics).map((one) => one.text);

test("records are added up, of times the longest counts, and coordinators count in neither", () => {
  const other = { ...TOPIC, write_down_client_us: 2_000_000, read_down_client_us: 400_000 };
  const coordinators = { ...TOPIC, coordinators: 50 };
  assert.deepEqual(text([TOPIC, other, coordinators]), ["200", "10", "6", "0", "2.0 s", "400 ms"]);
});

test("a topic that nobody wrote to has the servers' times", () => {
  const unused = { ...TOPIC, acked: 0, lost: 0, duplicated: 0, by_application: 0, write_down_client_us: 0 };
  assert.deepEqual(text([unused]), ["0", "0", "0", "0", "9.0 s", "3.0 s"]);
});

test("lost records are marked, and before any statement all is 0", () => {
  assert.deepEqual(
    barFigures([TOPIC]).map((one) => one.isLoss),
    [false, true, false, false, false, false],
  );
  assert.deepEqual(text([{}]), ["0", "0", "0", "0", "0.0 s", "0.0 s"]);
});
