/**
 * Holds the page's fold against the engine's snapshots. Reads runs, a line of JSON each: a list of a snapshot, then per
 * frame {rows, view}. Folds each from the first snapshot and from one midway; prints "one" or the first difference.
 */
import { createInterface } from "node:readline";
import { isDeepStrictEqual } from "node:util";
import { Dirty, fold } from "../../static/js/fold/fold.js";

function differences(a, b, path = "") {
  if (isDeepStrictEqual(a, b)) return [];
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object")
    return [`${path}: folded ${JSON.stringify(a)}, snapshot ${JSON.stringify(b)}`];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((key) =>
    differences(a[key], b[key], `${path}/${key}`),
  );
}

function wrongIn(frames, view, from) {
  const dirty = new Dirty();
  for (let i = from; i < frames.length; i++) {
    for (const row of frames[i].rows) fold(view, row, dirty);
    view.t = frames[i].view.t;
    const wrong = differences(JSON.parse(JSON.stringify(view)), frames[i].view);
    if (!wrong.length) continue;
    return `frame ${i} at ${view.t} us, folded from ${from ? "midway" : "the start"}: ${wrong.slice(0, 10).join("; ")}`;
  }
  return "";
}

for await (const run of createInterface({ input: process.stdin })) {
  const [first, ...frames] = JSON.parse(run);
  const middle = Math.floor(frames.length / 2);
  console.log(wrongIn(frames, first, 0) || wrongIn(frames, structuredClone(frames[middle].view), middle + 1) || "one");
}
