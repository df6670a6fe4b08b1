// The menu of a controller: its lost disk is not simulated, and the menu says so (QUO-10).
import assert from "node:assert/strict";
import { test } from "node:test";

const addEventListener = () => {};
Object.assign(globalThis, {
  addEventListener,
  dispatchEvent: () => true,
  matchMedia: () => ({ addEventListener }),
  document: {
    addEventListener,
    documentElement: { dataset: {} },
    getElementById: () => null,
    querySelectorAll: () => [],
  },
});
const { controllerMenu } = await import("../../static/js/menus/controllers.js");

const itemsOf = (/** @type {string} */ process) => {
  const model = /** @type {any} */ ({
    view: { controllers: { 100: { process } } },
    nodeName: () => "controller 100",
    partOf: () => null,
    ref: String,
  });
  const app = /** @type {any} */ ({ model, act: () => {} });
  return /** @type {any[]} */ (controllerMenu(app, 100).items.filter(Boolean));
};

test("a controller that is down starts with its log, and not with an empty disk", () => {
  const [start, empty] = itemsOf("down");
  assert.equal(start.action, "start 100");
  assert.equal(start.why, undefined);
  assert.match(empty.why, /^Not simulated\. In a dynamic quorum it does not vote /);
  assert.equal(empty.action, undefined);
});

test("one that runs has no such item", () => {
  assert.ok(!itemsOf("running").some((item) => item.id === "start-empty"));
});
