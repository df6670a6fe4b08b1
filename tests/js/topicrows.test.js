/** The verdict's rows: which topics, in which order, and when a run gets the check mark. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  byHarm,
  lostCell,
  restText,
  rowNote,
  severityOf,
  silentCell,
  subLine,
  toldSeverity,
} from "../../static/js/words/topicrows.js";
import { figuresOf } from "../../static/js/words/verdictwords.js";

const figures = (some = {}) => figuresOf({ acks: -1, acked: 10, ...some });

test("records from before the run are added in the row, and named apart", () => {
  const cell = lostCell(figures({ lost: 152, lost_before: 1000 }));
  assert.deepEqual(
    [cell.text, cell.weight, cell.title],
    ["1,152", "bad", "152 records of this run and 1,000 from before it"],
  );
  assert.equal(
    lostCell(figures({ lost: 3, recovered: 3 })).weight,
    "",
    "what the application brought back is not gone",
  );
  assert.deepEqual(lostCell(figures()), { text: "0", weight: "", title: "" });
});

test("a row's time is the longest that anybody waited, also one that waits still", () => {
  assert.equal(silentCell(figures({ write_down_client_us: 2e6, read_down_client_us: 9e6 }), true).text, "9.0 s");
  assert.equal(silentCell(figures({ client_waits_us: 3e6 }), true).text, "3.0 s");
  assert.equal(silentCell(figures({ longest_wait_us: 44.9e6 }), true).text, "44.9 s");
  assert.deepEqual(
    [
      silentCell(figures({ longest_wait_us: 0.4e6 }), true).text,
      silentCell(figures({ longest_wait_us: 0.4e6 }), true).weight,
    ],
    ["0.4 s", ""],
    "latency",
  );
  assert.deepEqual([silentCell(figures(), true).text, silentCell(figures(), false).text], ["< 1 s", "–"]);
});

test("the worst topic comes first; one that nobody writes does not come before one that waited", () => {
  const [unused, waited, lost, groups] = [
    figures({ write_down_all_us: 17.4e6 }),
    figures({ write_down_client_us: 2e6 }),
    figures({ lost: 1 }),
    figures({ groups_down_us: 1.5e6, coordinators: 50 }),
  ];
  assert.deepEqual([unused, waited, lost, groups].sort(byHarm), [lost, waited, groups, unused]);
  assert.deepEqual(
    [waited, figures({ groups_down_us: 1.5e6, groups_down: 17, coordinators: 50 })].sort(byHarm)[0].groupsDown,
    17,
    "groups that cannot commit now",
  );
});

test("the other topics are one line", () => {
  assert.equal(
    restText([figures(), figures({ read_down_client_us: 10.9e6 })]),
    "2 others: nothing lost, nobody waited longer than 10.9 s",
  );
  assert.equal(restText([figures()]), "1 other: nothing lost, nobody waited longer than 1.0 s");
  assert.equal(restText([]), "");
});

test("an internal topic says what its users felt", () => {
  assert.equal(
    rowNote("RF 1 · 50 partitions", figures({ groups_down_us: 2e6, groups_down: 17, coordinators: 50 })),
    "RF 1 · 50 partitions · no group of 17 of 50 coordinators can join or commit",
  );
  assert.equal(
    rowNote("RF 1", figures({ groups_down_us: 2e6, groups_down: 1, coordinators: 1 })),
    "RF 1 · no group can join or commit",
  );
  assert.equal(
    rowNote("RF 1", figures({ groups_lost: 1, coordinators: 1 })),
    "RF 1 · committed offsets of 1 group are gone",
  );
  assert.equal(
    rowNote("RF 3", figures({ groups_down_us: 2e6, coordinators: 50 })),
    "RF 3 · groups could not join or commit",
  );
});

test(
  "the check mark needs that nothing was lost, from before neither, that nobody waited, no group was stopped and " +
    "nothing is hidden",
  () => {
    assert.equal(severityOf([figures()]), "ok");
    for (const [some, severity] of [
      [{ lost: 1 }, "danger"],
      [{ lost_before: 1 }, "danger"],
      [{ groups_down: 1 }, "danger"],
      [{ groups_down_us: 2e6 }, "warn"],
      [{ write_down_client_us: 2e6 }, "warn"],
      [{ client_waits_us: 2e6 }, "warn"],
      [{ read_waits_us: 2e6 }, "warn"],
      [{ hidden: 1 }, "warn"],
      [{ write_down_all_us: 2e6 }, "warn"],
      [{ groups_lost: 1 }, "danger"],
      [{ longest_wait_us: 2e6 }, "warn"],
      [{ severity: "warn" }, "warn"],
      [{ severity: 2 }, "danger"],
    ]) {
      assert.equal(severityOf([figures(), figures(some)]), severity, JSON.stringify(some));
    }
    assert.equal(severityOf([figures({ acked: 0 })]), "none", "nothing was acknowledged: no praise");
  },
);

test("the check mark waits for the effect of what was done; a harm is told at once", () => {
  assert.equal(toldSeverity("ok", false), "none");
  assert.equal(toldSeverity("ok", true), "ok");
  for (const harm of ["warn", "danger", "none"]) assert.equal(toldSeverity(harm, false), harm);
});

test("the line below the sentence sets the servers' time beside the application's", () => {
  const text = ({ lead, strong, rest }) => `${lead}${strong}${rest}`;
  const some = [figures({ write_down_client_us: 10.4e6, write_same_us: 9e6, write_down_all_us: 30e6 })];
  assert.equal(
    text(subLine(some, "Writes stood still for 10.4 s.")),
    "For the application; 9.0 s of it by the servers.",
  );
  assert.equal(
    text(subLine(some, "Writes stood still for 10.4 s (9.0 s by the servers).")),
    "",
    "the sentence has both",
  );
  assert.equal(
    text(
      subLine(
        [figures({ write_down_client_us: 44.9e6 })],
        "Writes stood still for 44.9 s (the topic itself stayed writable).",
      ),
    ),
    "",
    "the sentence has both",
  );
  assert.equal(text(subLine(some, "3 records are gone.")), "No response for 10.4 s; 9.0 s of it by the servers.");
  assert.equal(
    text(subLine([figures({ write_down_client_us: 44.9e6, before: 2000 })], "P got no response for 44.9 s.")),
    "For the application; the topic itself stayed writable and readable. The 2,000 records from before this run are " +
      "still there.",
  );
  const reader = figures({ read_down_client_us: 12.4e6, read_down_us: 9e6, read_same_us: 2e6 });
  assert.equal(
    text(subLine([reader], "9 records are gone.")),
    "A reader got nothing for 12.4 s; 2.0 s of it by the servers.",
  );
  const groups = figures({ groups_down_us: 9.5e6, write_down_all_us: 9.5e6, coordinators: 1 });
  assert.equal(
    text(subLine([groups], "")),
    "Groups could not join or commit for 9.5 s; 9.5 s of it by the servers.",
    "no call waited for a response",
  );
  const changed = figures({ acks: 1, write_down_client_us: 7.8e6, write_down_all_us: 7.8e6 });
  assert.equal(
    text(subLine([changed], "")),
    "No response for 7.8 s; the topic itself stayed readable, and writable with acks=1, but took no acks=all writes " +
      "for 7.8 s. ",
    "as it is written now, not as it was",
  );
  assert.equal(text(subLine([figures({ lost_before: 5, before: 5 })], "")), "", "what is gone stands in the sentence");
  assert.equal(
    text(subLine([figures({ write_down_all_us: 9e6 })], "")),
    "No call waited longer than 1 s; by the servers’ record it was out for 9.0 s.",
  );
});

test("a row counts as many unreadable records as the sentence above it", () => {
  assert.equal(rowNote("acks=1", figures({ hidden: 251, unreadable: 750 })), "acks=1 · 750 cannot be read");
  assert.equal(rowNote("acks=1", figures({ hidden: 251 })), "acks=1 · 251 cannot be read");
});

test("a row says the stretch that the sentence says, not the longest call in it", () => {
  assert.equal(silentCell(figures({ write_down_client_us: 9.1e6, longest_wait_us: 9.4e6 }), true).text, "9.1 s");
});
