// What an undo came to, in words that are true of where it leads.
import assert from "node:assert/strict";
import { test } from "node:test";
import { undoneText } from "../../static/js/words/undone.js";

const names = { host: (id) => `broker ${id}`, message: () => "a message" };
const undone = { url: "/s/x", is_new: true, at_us: 3_622_000, actions: ["kill 2"], later: null };

test("a new branch is told by its moment and by what does not happen in it", () => {
  assert.equal(undoneText(undone, "3.622 s", names), "New branch from 3.622 s, without: Broker 2 is killed.");
});

test("the run that a branch left is told as such", () => {
  assert.equal(
    undoneText({ ...undone, is_new: false, actions: ["acks orders 1"] }, "1.000 s", names),
    "Back in the run that this branch left at 1.000 s, without: orders is now written with acks=1.",
  );
});

test("what goes together with the undone is told", () => {
  assert.equal(
    undoneText({ ...undone, actions: ["kill 1", "kill 2"] }, "5.000 s", names),
    "New branch from 5.000 s, without: Broker 1 is killed. Broker 2 is killed.",
  );
});

test("what came after is told: it stays, and what can no longer be done has its reason", () => {
  assert.equal(
    undoneText({ ...undone, later: { brief: "with what came after: 1 kill", problems: [] } }, "3.622 s", names),
    "New branch from 3.622 s, without: Broker 2 is killed. It goes on with what came after: 1 kill.",
  );
  const problems = ["at 9 s: start broker 2: it runs"];
  assert.equal(
    undoneText(
      { ...undone, later: { brief: "without 1 later action that can no longer be done", problems } },
      "3.622 s",
      names,
    ),
    "New branch from 3.622 s, without: Broker 2 is killed. It goes on without 1 later action that can no longer be " +
      "done (at 9 s: start broker 2: it runs).",
  );
});
