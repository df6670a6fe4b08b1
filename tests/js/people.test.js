// Who is in a room, in words.
import assert from "node:assert/strict";
import { test } from "node:test";
import { peopleText } from "../../static/js/page/people.js";

test("the owner and the others are told from you", () => {
  assert.equal(peopleText(3, true, true), "3 here: you (owner) and 2 others");
  assert.equal(peopleText(2, true, true), "2 here: you (owner) and 1 other");
  assert.equal(peopleText(3, true, false), "3 here: the owner, you and 1 other");
  assert.equal(peopleText(1, false, false), "1 here: you; the owner is away");
});
