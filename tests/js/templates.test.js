import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test } from "node:test";

const ROOT = fileURLToPath(new URL("../../static/js/", import.meta.url));

/**
 * Reads one template from just after its opening mark.
 * @returns {{text: string, end: number}} its own text, without what it puts in
 */
function templateAt(source, at) {
  let text = "";
  while (source[at] !== "`") {
    if (source.startsWith("${", at)) {
      text += "${}";
      at = endOfInsert(source, at + 2);
    } else text += source[at++];
  }
  return { text, end: at + 1 };
}

/** Just after the brace that ends an insert; templates within it are stepped over, they are found by themselves. */
function endOfInsert(source, at) {
  for (let depth = 1; depth; at++) {
    if (source[at] === "`") at = templateAt(source, at + 1).end - 1;
    else if (source[at] === "{") depth++;
    else if (source[at] === "}") depth--;
  }
  return at;
}

/**
 * Every `<` of an htm template that begins no element: htm reads all that follows as attributes, and the page breaks
 * there.
 */
function bareAngles(source) {
  return [...source.matchAll(/\bhtml`/g)].flatMap(({ index }) =>
    [...templateAt(source, index + 5).text.matchAll(/<(?!\/|[a-zA-Z]|\$\{\})[^\n]{0,30}/g)].map((found) => found[0]),
  );
}

test("no template holds a bare <", () => {
  assert.deepEqual(bareAngles("html`<p>${a < b && html`<b>x</b>`} and p < 0.05</p>`"), ["< 0.05</p>"]);
  const files = readdirSync(ROOT, { recursive: true }).filter((name) => String(name).endsWith(".js"));
  assert.ok(files.length > 60);
  for (const name of files) assert.deepEqual(bareAngles(readFileSync(ROOT + name, "utf8")), [], String(name));
});
