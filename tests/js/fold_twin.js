/**
 * Holds the page's fold against the engine's snapshots. Reads a file of JSON lines: a snapshot, then per frame
 * {rows, view}. Folds from the first snapshot and from one midway; prints the first difference and exits 1.
 */
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { Dirty, fold } from "../../static/js/fold/fold.js";

const [first, ...frames] = readFileSync(process.argv[2], "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

function differences(a, b, path = "") {
  if (isDeepStrictEqual(a, b)) return [];
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object")
    return [`${path}: folded ${JSON.stringify(a)}, snapshot ${JSON.stringify(b)}`];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((key) =>
    differences(a[key], b[key], `${path}/${key}`),
  );
}

function check(view, from) {
  const dirty = new Dirty();
  for (let i = from; i < frames.length; i++) {
    for (const row of frames[i].rows) fold(view, row, dirty);
    view.t = frames[i].view.t;
    const wrong = differences(JSON.parse(JSON.stringify(view)), frames[i].view);
    if (!wrong.length) continue;
    console.log(
      `frame ${i} at ${view.t} us, folded from ${from ? "midway" : "the start"}\n${wrong.slice(0, 10).join("\n")}`,
    );
    process.exit(1);
  }
}

check(first, 0);
const middle = Math.floor(frames.length / 2);
check(structuredClone(frames[middle].view), middle + 1);
