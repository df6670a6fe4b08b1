import assert from "node:assert/strict";
import test from "node:test";
import { AlertFeed, barsOf, nextScrape, withAlerts, writtenAlerts } from "../../static/js/run/alerts.js";

const S = 1_000_000;

/** @param {number} rule @param {string} series @param {number} pending @param {number} firing @param {number} ended */
const span = (rule, series, pending, firing, ended) => ({
  rule,
  series,
  pending_us: pending * S,
  firing_us: firing < 0 ? -1 : firing * S,
  ended_us: ended < 0 ? -1 : ended * S,
});

/** @param {any[]} spans @param {number} [scrape] s */
const alerts = (spans, scrape = 15) =>
  /** @type {any} */ ({ scrape_us: scrape * S, rules: [{ name: "A" }, { name: "B" }], spans });

test("bars: pending ones before firing ones, the series of a rule together, open ends reach to now", () => {
  const spans = [span(0, "broker 1", 15, 30, 60), span(0, "broker 2", 45, 60, 75), span(1, "", 90, -1, -1)];
  assert.deepEqual(
    barsOf(alerts(spans), 100 * S).map(({ from, to, isFiring, name }) => [name, from / S, to / S, isFiring]),
    [
      ["A", 15, 75, false],
      ["B", 90, 100, false],
      ["A", 30, 75, true],
    ],
  );
});

test("the next scrape after an answer, and none without rules", () => {
  /** @param {number} at s */
  const next = (at) => nextScrape(/** @type {any} */ ({ at_us: at * S, alerts: alerts([]) })) / S;
  assert.deepEqual([next(0), next(14.9), next(15), next(44)], [15, 15, 30, 45]);
  const none = { at_us: 0, alerts: { ...alerts([]), rules: [] } };
  assert.equal(nextScrape(/** @type {any} */ (none)), Number.POSITIVE_INFINITY);
});

test("the feed asks at first, and again only when the run has passed the next scrape", async () => {
  /** @type {string[]} */ const asked = [];
  const model = { ready: { value: true }, trace: { end: 10 * S } };
  const player = /** @type {any} */ ({ model, boot: { room: "r" }, frames: { drawSoon: () => {} } });
  const feed = new AlertFeed(player, async (url) => {
    asked.push(url);
    return /** @type {any} */ ({ json: async () => ({ at_us: model.trace.end, alerts: alerts([]) }) });
  });
  const at = async (/** @type {number} */ wall, /** @type {number} */ end) => {
    model.trace.end = end * S;
    feed.watch(wall);
    await new Promise((done) => setImmediate(done));
    return asked.length;
  };
  assert.equal(await at(0, 10), 1);
  assert.equal(await at(5000, 14), 1);
  assert.equal(await at(6000, 15), 2);
  assert.equal(await at(6500, 31), 2); // not twice a second
  assert.equal(await at(7100, 31), 3);
  assert.deepEqual(new Set(asked), new Set(["/rooms/r/alerts"]));
});

test("rules as typed become the alerts of a document", () => {
  const typed = { name: " A ", metric: "MaxLag", of: " ", comparison: ">", figure: "0.5", for: "" };
  assert.deepEqual(writtenAlerts("15s", [typed, { ...typed, of: "1", figure: "", for: "5m" }]), {
    scrape: "15s",
    rules: [
      { name: "A", metric: "MaxLag", comparison: ">", figure: 0.5 },
      { name: "A", metric: "MaxLag", of: "1", comparison: ">", figure: null, for: "5m" },
    ],
  });
});

test("a changed document expects nothing; without alerts it has the default ones", () => {
  const document = { format: 1, expect: [{}], alerts: { rules: [] } };
  assert.deepEqual(withAlerts(document, null), { format: 1 });
  assert.deepEqual(withAlerts(document, { scrape: "1s", rules: [] }), {
    format: 1,
    alerts: { scrape: "1s", rules: [] },
  });
});

test("a run that goes back has no alerts of the future that is gone, also where that answer comes late", async () => {
  const model = { ready: { value: true }, trace: { end: 40 * S, returns: 0 } };
  const player = /** @type {any} */ ({ model, boot: { room: "r" }, frames: { drawSoon: () => {} } });
  /** @type {((at: number) => void)[]} */ const answers = [];
  const feed = new AlertFeed(
    player,
    () =>
      new Promise((answer) => {
        answers.push((at) =>
          answer(
            /** @type {any} */ ({ json: async () => ({ at_us: at * S, alerts: alerts([span(0, "", 15, 30, -1)]) }) }),
          ),
        );
      }),
  );
  const answer = async (/** @type {number} */ at) => {
    answers.shift()?.(at);
    await new Promise((done) => setImmediate(done));
  };
  feed.watch(0);
  await answer(40);
  assert.equal(feed.bars.value.length, 2);
  assert.equal(feed.bars.value, feed.bars.value); // worked out once an answer
  model.trace.end = 50 * S;
  feed.watch(2000); // asks, and the run goes back before the answer is there
  model.trace = { end: 20 * S, returns: 1 };
  feed.watch(2010);
  assert.deepEqual(feed.bars.value, []);
  await answer(50);
  assert.deepEqual(feed.bars.value, []);
  feed.watch(2020);
  await answer(20);
  assert.equal(feed.answer.value?.at_us, 20 * S);
});
