// Why an election on request does nothing: the reasons that the engine gives, in words.
import assert from "node:assert/strict";
import { test } from "node:test";
import { whyNotPreferred, whyNotUnclean } from "../../static/js/run/elections.js";

/** @type {any} */
const PARTITION = { replicas: [1, 2], leader: -1, isr: [1] };

/** @param {string[]} registrations by broker @param {number} active @returns {any} */
const modelOf = (registrations, active = 100) => ({
  view: { brokers: registrations.map((registration) => ({ registration })) },
  nodeName: (/** @type {number} */ id) => `broker ${id}`,
  ids: (/** @type {number[]} */ ids) => ids.join(", "),
  partOf: () => ({ active }),
});

const ALIVE = ["", "active", "fenced"];
const DEAD = ["", "fenced", "shutting down"];

test("an unclean election is offered where nobody leads and a replica's broker is active", () => {
  const led = { ...PARTITION, leader: 2 };
  assert.equal(whyNotUnclean(modelOf(ALIVE), PARTITION, "t-0"), "");
  assert.equal(whyNotUnclean(modelOf(ALIVE), led, "t-0"), "t-0 has a leader, broker 2");
  assert.equal(whyNotUnclean(modelOf(ALIVE, -1), PARTITION, "t-0"), "No controller is active");
  assert.equal(whyNotUnclean(modelOf(DEAD), PARTITION, "t-0"), "No replica of t-0 is on a broker that is alive");
});

test("a preferred election is offered on the first replica while it is in the ISR and does not lead", () => {
  const why = (/** @type {any} */ of) => whyNotPreferred(modelOf(ALIVE), { ...PARTITION, ...of }, 1);
  assert.equal(why({ leader: 2 }), "");
  assert.equal(why({ leader: 1 }), "Broker 1 leads already");
  assert.equal(why({ leader: 2, isr: [2] }), "Broker 1 is not in the ISR");
  assert.equal(why({ replicas: [2, 1] }), "The preferred leader is broker 2, the first of 2, 1");
});
