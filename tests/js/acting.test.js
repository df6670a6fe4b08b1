/** Actions of a comparison that are chosen while another one is under way. */
import assert from "node:assert/strict";
import { test } from "node:test";

const addEventListener = () => {};
const full = {
  getItem: () => null,
  setItem: () => {
    throw new Error("storage is full");
  },
};
Object.assign(globalThis, {
  addEventListener,
  dispatchEvent: () => true,
  matchMedia: () => ({ addEventListener }),
  localStorage: full,
  sessionStorage: full,
  document: {
    addEventListener,
    documentElement: { dataset: {} },
    getElementById: () => null,
    querySelectorAll: () => [],
  },
});
const { Acting } = await import("../../static/js/compare/acting.js");

const page = () =>
  /** @type {any} */ ({ players: [{}, {}], leader: { isLeft: false }, boot: { link: "/compare/a..b" } });
const turn = () => new Promise((done) => setImmediate(done));

test("actions that wait go one after the other, also after one that fails", async () => {
  const acting = new Acting(page());
  /** @type {string[]} */ const told = [];
  /** @type {Record<string, (problem?: Error) => void>} */ const end = {};
  acting.done = async (_, action) => {
    told.push(`begin ${action}`);
    await new Promise((done, fail) => {
      end[action] = (problem) => (problem ? fail(problem) : done(undefined));
    });
    told.push(`end ${action}`);
  };
  const all = ["kill 1", "kill 2", "kill 3"].map((action) => acting.act(0, action));
  await turn();
  assert.deepEqual(told, ["begin kill 1"]);
  end["kill 1"]?.();
  await turn();
  assert.deepEqual(told.slice(1), ["end kill 1", "begin kill 2"]);
  end["kill 2"]?.(new Error("lost"));
  await assert.rejects(/** @type {Promise<void>} */ (all[1]));
  await turn();
  assert.deepEqual(told.slice(3), ["begin kill 3"]);
  end["kill 3"]?.();
  await all[2];
});

test("what waits behind an action that leads to new runs is not done in the old ones", async () => {
  const acting = new Acting({ ...page(), leader: { isLeft: true } });
  acting.show = () => assert.fail("done");
  await acting.act(0, "kill 1");
});

test("where storage is full the choice holds for this page", () => {
  const acting = new Acting(page());
  acting.toggle();
  assert.equal(acting.isToAll.value, false);
});
