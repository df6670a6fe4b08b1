import assert from "node:assert/strict";
import { test } from "node:test";
import {
  clockText,
  DELAY_MAX_MS,
  DELAY_MIN_MS,
  FollowClock,
  LooseClock,
  SPEEDS,
  speedText,
  speedWords,
} from "../../static/js/run/clock.js";

/** Frames every `gap` ms that reach 3,300 us further each. */
function following(gap, frames = 40) {
  const clock = new FollowClock();
  for (let i = 0; i < frames; i++) clock.receive(i * gap, i * 3300);
  return clock;
}

test("the picture stays behind the newest frame and never passes it", () => {
  const clock = following(33);
  const newest = 39 * 3300;
  assert.ok(clock.at(39 * 33) < newest);
  assert.equal(clock.at(39 * 33 + 10_000), newest);
});

test("between frames the picture moves evenly", () => {
  const clock = following(33);
  const steps = Array.from({ length: 10 }, (_, i) => clock.at(900 + i * 5) - clock.at(895 + i * 5));
  for (const step of steps) assert.ok(Math.abs(step - 500) < 1, `a step of ${step} us in 5 ms`);
});

test("the delay shrinks to the measured jitter and stays within its bounds", () => {
  assert.ok(following(33).delayMs < 60);
  assert.ok(following(5).delayMs >= DELAY_MIN_MS);
  assert.ok(following(240).delayMs <= DELAY_MAX_MS);
});

test("looking back slows down at an event and takes none in one leap", () => {
  const loose = new LooseClock(900_000, 10_000_000);
  loose.playing = true;
  const events = { last: -Infinity, next: 1_000_000 };
  loose.at(1000, 9e6, events);
  assert.equal(loose.at(1100, 9e6, events), 1_000_000);
  const after = { last: 1_000_000, next: 5_000_000 };
  assert.equal(loose.at(1200, 9e6, after), 1_010_000);
  assert.equal(loose.at(1300, 9e6), 2_010_000);
});

test("the answer to one's own action is drawn at once", () => {
  const clock = following(33);
  clock.showAtOnce(39 * 3300);
  assert.equal(clock.at(39 * 33), 39 * 3300);
});

test("what has not been received cannot be shown at once", () => {
  const clock = following(33);
  clock.showAtOnce(1e9);
  assert.equal(clock.at(39 * 33), 39 * 3300);
});

test("after a pause time goes on from where it stood", () => {
  const clock = following(33);
  const stood = 39 * 3300;
  clock.receive(60_000, stood + 3300);
  assert.equal(clock.at(60_000 - 40), stood);
  assert.ok(clock.at(60_000 + 200) === stood + 3300);
});

test("a run that goes back takes the picture with it", () => {
  const clock = following(33);
  clock.receive(1400, 500);
  assert.equal(clock.at(1400), 500);
});

test("a viewer on a clock of his own stops at the end of what is known", () => {
  const clock = new LooseClock(0, 1_000_000);
  clock.playing = true;
  clock.at(1000, 50_000);
  assert.equal(clock.at(1040, 50_000), 40_000);
  assert.equal(clock.at(1090, 50_000), 50_000);
  assert.equal(clock.playing, false);
});

test("speeds and times are written as the design says", () => {
  assert.equal(speedText(100_000), "100 ms/s");
  assert.equal(speedText(30_000_000), "30 s/s");
  assert.equal(speedWords(1_000_000), "1 second per second");
  assert.equal(speedWords(100_000), "100 milliseconds per second");
  assert.equal(clockText(21_160_000, 100_000), "21.160");
  assert.equal(clockText(21_160_000, 2_000_000), "21.2");
  assert.equal(clockText(724_000_000, 2_000_000), "724.0", "one form of a time, however long the run");
  assert.deepEqual([SPEEDS[0], SPEEDS.at(-1)], [1000, 600_000_000]);
});
