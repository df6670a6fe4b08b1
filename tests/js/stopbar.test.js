/** The bar of the longest stop: parts that add up, shades, whose stop it is. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { longestSpan, shownParts, stopTitle } from "../../static/js/words/stopbar.js";

const part = (name, us, spans = [[0, us]]) => ({ name, title: name, detail: "", us, spans });
const stop = (...parts) => ({
  topic: "t",
  partition: "t-0",
  is_read: false,
  from_us: 0,
  until_us: 0,
  us: parts.reduce((sum, one) => sum + one.us, 0),
  is_open: false,
  alike: [],
  parts,
});

test("the tenths that are shown add up to the whole, whatever was rounded", () => {
  const shown = shownParts(
    stop(part("detect", 9_848_091), part("elect", 206_845), part("settle", 774_728), part("client", 464_521)),
  );
  assert.deepEqual(
    shown.map((one) => one.tenths),
    [98, 2, 8, 5],
  );
  assert.equal(
    shown.reduce((sum, one) => sum + one.tenths, 0),
    113,
  );
  for (let k = 1; k < 200; k++) {
    const one = stop(
      part("a", 100_000 + k * 7_919),
      part("b", 150_000 + k * 3_331),
      part("client", 90_000 + k * 1_777),
    );
    assert.equal(
      shownParts(one).reduce((sum, shownPart) => sum + shownPart.tenths, 0),
      Math.round(one.us / 100_000),
      String(k),
    );
  }
});

test("what would be 0.0 s is not told, and the client's part alone has a colour", () => {
  const shown = shownParts(
    stop(part("detect", 3_000_000), part("elect", 20_000), part("settle", 500_000), part("client", 400_000)),
  );
  assert.deepEqual(
    shown.map((one) => [one.name, one.shade]),
    [
      ["detect", "p0"],
      ["settle", "p1"],
      ["client", "p3"],
    ],
  );
});

test("a part selects its longest span", () => {
  assert.deepEqual(
    longestSpan(
      part("client", 3, [
        [0, 1],
        [5, 7],
        [9, 10],
      ]),
    ),
    [5, 7],
  );
});

test("partitions that stopped alike are named once, or counted", () => {
  assert.equal(stopTitle(stop()), "t-0");
  assert.equal(stopTitle({ ...stop(), alike: ["t-1"] }), "t-0, and t-1 alike");
  assert.equal(stopTitle({ ...stop(), is_read: true, alike: ["t-1", "t-2"] }), "Readers of t-0, and 2 others alike");
});
