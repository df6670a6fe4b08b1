// The heartbeat leaves room for the server's messages: they wait while frames follow each other.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Frames } from "../../static/js/app/frames.js";

/** A heartbeat of a page without a cluster; `next` plays the browser's frame, `drawn` counts those that draw. */
function heart(t) {
  let ask = () => {};
  globalThis.requestAnimationFrame = (draw) => (ask = draw);
  const seen = { drawn: 0 };
  const page = {
    players: [],
    travel: { advance: () => seen.drawn++ },
    drawDock: () => {},
    watch: () => {},
  };
  page.players.push({ model: { cursor: {}, t: 0, trace: { version: 0 } } });
  const frames = new Frames(page);
  frames.draw = () => {};
  frames.tell = () => {};
  frames.lastPulse = 1;
  frames.begin();
  t.after(() => frames.afterPaint.port1.close());
  return { frames, seen, next: () => ask(performance.now()) };
}

test("the frame after one whose painting has not ended rests, the one after that is drawn", (t) => {
  const { seen, next } = heart(t);
  next();
  next();
  assert.equal(seen.drawn, 1);
  next();
  assert.equal(seen.drawn, 2);
});

test("the frame after a short one is drawn", (t) => {
  const { frames, seen, next } = heart(t);
  next();
  frames.took = 3;
  next();
  assert.equal(seen.drawn, 2);
});

test("what must be told soon is drawn after a long frame too", (t) => {
  const { frames, seen, next } = heart(t);
  next();
  frames.pulseSoon();
  next();
  assert.equal(seen.drawn, 2);
});

test("nothing is drawn while an answer is awaited", (t) => {
  const { frames, seen, next } = heart(t);
  let isHere = false;
  frames.holdWhile(() => !isHere);
  next();
  assert.equal(seen.drawn, 0);
  isHere = true;
  next();
  assert.equal(seen.drawn, 1);
});

test("an answer that does not come holds the pictures for a tenth of a second", (t) => {
  const { frames, seen, next } = heart(t);
  frames.holdWhile(() => true);
  next();
  assert.equal(seen.drawn, 0);
  frames.heldUntil = performance.now() - 1;
  next();
  assert.equal(seen.drawn, 1);
});
