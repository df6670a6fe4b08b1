/** What the pages of a paste say in short: the counts, and what an answer rests on in one line. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { basisLine } from "../../static/js/import/basis.js";
import { countsOf } from "../../static/js/import/outcome.js";

const SUMMARY = {
  brokers: 6,
  topics: 0,
  partitions: 0,
  under_replicated: null,
  leaderless: null,
  leader_not_first: null,
};

test("a count that the paste does not give is not shown as zero; members of a quorum are not called brokers", () => {
  assert.deepEqual(
    countsOf({ kind: "quorum", summary: SUMMARY }).map(([, label]) => label),
    ["quorum members", "topics", "partitions listed"],
  );
  const told = countsOf({
    kind: "describe",
    summary: { ...SUMMARY, under_replicated: 0, leaderless: 0, leader_not_first: 0 },
  });
  assert.deepEqual([told.length, told[0]], [6, ["brokers", "brokers"]]);
});

test("the line of what an answer rests on names what each value is of", () => {
  const field = (key, said) => ({ key, said });
  assert.equal(
    basisLine([
      field("racks", "3 AZs, 1·1·1"),
      field("controllers", "3 in 3 AZs"),
      field("disks", "come back"),
      field("version", "4.2"),
      field("min_insync_replicas", "1"),
      field("elr", "on"),
      field("log_end", "1,000"),
      field("backlog", "300 behind"),
      field("rates", "10 to 500/s"),
    ]),
    "3 AZs, 1·1·1 · controllers: 3 in 3 AZs · its disks come back · Kafka 4.2 · min ISR 1 · ELR on · records in a " +
      "log 1,000 · copies 300 behind · by topic 10 to 500/s",
  );
});
