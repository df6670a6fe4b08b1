import assert from "node:assert/strict";
import { test } from "node:test";
import { inPages } from "../../static/js/run/pages.js";

async function pagesOf(times, from, to, most) {
  const got = [];
  let asked = 0;
  await inPages(from, to, async (first, last) => {
    asked++;
    const found = times.filter((t) => t >= first && t <= last);
    if (found.length > most) return false;
    got.push(...found);
    return true;
  });
  return { got, asked };
}

test("what fits into one answer is asked for once", async () => {
  const times = [1, 2, 3];
  assert.deepEqual(await pagesOf(times, 0, 10, 3), { got: times, asked: 1 });
});

test("what does not is asked for in pages of time, in order, each fact once", async () => {
  const times = Array.from({ length: 1000 }, (_, i) => i * i);
  const { got, asked } = await pagesOf(times, 0, 1e6, 100);
  assert.deepEqual(got, times);
  assert.ok(asked < 50);
});

test("a single microsecond that holds too much is left out, and the rest comes", async () => {
  const times = [1, 5, 5, 5, 9];
  assert.deepEqual((await pagesOf(times, 0, 10, 2)).got, [1, 9]);
});
