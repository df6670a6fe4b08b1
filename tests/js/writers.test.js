// What writes the topics that no application writes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { writerOf } from "../../static/js/run/writers.js";

/** @param {string} name @param {any} [more] @returns {any} */
const modelOf = (name, { producers = [], flows = [] } = {}) => ({
  names: { mirrors: { flows } },
  producersOf: () => producers,
  partitionsOf: () => [7, 8],
  localName: () => name,
});

test("topics of MirrorMaker and Kafka name what writes them", () => {
  const of = (/** @type {string} */ name) => writerOf(modelOf(name), 0);
  assert.equal(of("mm2-offset-syncs.west.internal"), "MirrorMaker");
  assert.equal(of("east.checkpoints.internal"), "MirrorMaker");
  assert.equal(of("mm2-status.east.internal"), "MirrorMaker's Connect worker");
  assert.equal(of("heartbeats"), "MirrorMaker");
  assert.equal(of("west.heartbeats"), "MirrorMaker, as a copy");
  assert.equal(of("__consumer_offsets"), "the group coordinators, with acks=all");
  assert.equal(of("orders"), "");
  assert.equal(of("heartbeats-of-patients"), "");
});

test("a remote topic is written by its flow, unless applications write to it too", () => {
  const flows = [{ name: "east->west", remote: { 1: 8 } }];
  assert.equal(writerOf(modelOf("east.orders", { flows }), 0), "MirrorMaker, east → west");
  assert.equal(writerOf(modelOf("orders", { flows, producers: [3] }), 0), "");
  assert.equal(writerOf(modelOf("orders", { flows: [{ name: "east->west", remote: { 1: 2 } }] }), 0), "");
});
