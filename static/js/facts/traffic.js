// Written by tools/facts_js.py from simengine/facts/schema.py. Do not edit.
// docs/facts.md says what each field means.

/** @import {Row} from "./types.js" */
/** @template F @typedef {(row: Row) => F} Read  reads a row of one kind */
/** @template {number} K @typedef {{seq: number, t: number, kind: K}} Head  what each has */

/**
 * A message is on a link.
 * @typedef {Head<64> & {msg: number, src: number, dst: number, arrive: number, p: number, count: number, mark: number}}
 *   Flight
 */
/** @type {Read<Flight>} */
export const readFlight = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 64, msg: row[4], src: row[5], dst: row[6], arrive: row[7], p: row[8], count: row[9],
  mark: row[10],
});

/**
 * A message did not arrive as announced.
 * @typedef {Head<65> & {flight: number, how: number, arrive: number}} FlightEnded
 */
/** @type {Read<FlightEnded>} */
export const readFlightEnded = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 65, flight: row[4], how: row[5], arrive: row[6],
});

/**
 * Records now stand in a broker's log.
 * @typedef {Head<66> & {broker: number, p: number, base: number, count: number, epoch: number, client: number, n:
 *   number}} Appended
 */
/** @type {Read<Appended>} */
export const readAppended = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 66, broker: row[4], p: row[5], base: row[6], count: row[7], epoch: row[8],
  client: row[9], n: row[10],
});

/** A replica's high watermark has moved. @typedef {Head<67> & {broker: number, p: number, hw: number}} HwMoved */
/** @type {Read<HwMoved>} */
export const readHwMoved = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 67, broker: row[4], p: row[5], hw: row[6],
});

/**
 * Calls of a producer have ended.
 * @typedef {Head<68> & {client: number, p: number, n: number, count: number, offset: number, epoch: number, error:
 *   number}} CallsSettled
 */
/** @type {Read<CallsSettled>} */
export const readCallsSettled = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 68, client: row[4], p: row[5], n: row[6], count: row[7], offset: row[8], epoch: row[9],
  error: row[10],
});

/**
 * A consumer's position has moved.
 * @typedef {Head<69> & {client: number, p: number, position: number}} ConsumerMoved
 */
/** @type {Read<ConsumerMoved>} */
export const readConsumerMoved = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 69, client: row[4], p: row[5], position: row[6],
});

/**
 * A producer has other records waiting, or sent and not answered.
 * @typedef {Head<70> & {client: number, p: number, queued: number, inflight: number}} ProducerQueue
 */
/** @type {Read<ProducerQueue>} */
export const readProducerQueue = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 70, client: row[4], p: row[5], queued: row[6], inflight: row[7],
});

/** The active controller has noted a heartbeat. @typedef {Head<71> & {broker: number, be: number}} HeartbeatNoted */
/** @type {Read<HeartbeatNoted>} */
export const readHeartbeatNoted = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 71, broker: row[4], be: row[5],
});

/** A replica's log begins later. @typedef {Head<72> & {broker: number, p: number, start: number}} StartMoved */
/** @type {Read<StartMoved>} */
export const readStartMoved = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 72, broker: row[4], p: row[5], start: row[6],
});

/**
 * The committed metadata log of a cluster has grown.
 * @typedef {Head<73> & {offset: number, cluster: number}} MetadataMoved
 */
/** @type {Read<MetadataMoved>} */
export const readMetadataMoved = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 73, offset: row[4], cluster: row[5],
});

/**
 * A consumer has committed its position.
 * @typedef {Head<74> & {client: number, p: number, offset: number}} OffsetCommitted
 */
/** @type {Read<OffsetCommitted>} */
export const readOffsetCommitted = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 74, client: row[4], p: row[5], offset: row[6],
});

/**
 * Records were handed to the application.
 * @typedef {Head<75> & {client: number, p: number, offset: number, count: number, epoch: number}} Delivered
 */
/** @type {Read<Delivered>} */
export const readDelivered = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 75, client: row[4], p: row[5], offset: row[6], count: row[7], epoch: row[8],
});

/**
 * The application has called send(); the calls of a producer to a partition are numbered from 0.
 * @typedef {Head<76> & {client: number, p: number, n: number, count: number}} CallsMade
 */
/** @type {Read<CallsMade>} */
export const readCallsMade = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 76, client: row[4], p: row[5], n: row[6], count: row[7],
});

/**
 * Recovery has found records of an epoch that the copy's cache did not have.
 * @typedef {Head<77> & {broker: number, p: number, epoch: number, start: number}} EpochCached
 */
/** @type {Read<EpochCached>} */
export const readEpochCached = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 77, broker: row[4], p: row[5], epoch: row[6], start: row[7],
});

/**
 * The copy has kept all records, and its cache has dropped epochs that begin at its log end or above (LOG-5).
 * @typedef {Head<79> & {broker: number, p: number, end: number}} EpochsDropped
 */
/** @type {Read<EpochsDropped>} */
export const readEpochsDropped = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 79, broker: row[4], p: row[5], end: row[6],
});

/**
 * Calls just made send the records of earlier calls again.
 * @typedef {Head<78> & {client: number, p: number, n: number, count: number, of: number}} CallsResent
 */
/** @type {Read<CallsResent>} */
export const readCallsResent = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 78, client: row[4], p: row[5], n: row[6], count: row[7], of: row[8],
});

/**
 * Calls of a producer will go to another partition: the topic was created again.
 * @typedef {Head<80> & {client: number, p: number, n: number, count: number, to: number}} CallsMoved
 */
/** @type {Read<CallsMoved>} */
export const readCallsMoved = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 80, client: row[4], p: row[5], n: row[6], count: row[7], to: row[8],
});

/**
 * The target has acknowledged copies of records.
 * @typedef {Head<81> & {flow: number, p: number, upstream: number, remote: number, downstream: number, count: number}}
 *   RecordsCopied
 */
/** @type {Read<RecordsCopied>} */
export const readRecordsCopied = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 81, flow: row[4], p: row[5], upstream: row[6], remote: row[7], downstream: row[8],
  count: row[9],
});

/**
 * An offset sync is written.
 * @typedef {Head<82> & {flow: number, p: number, upstream: number, downstream: number}} OffsetSynced
 */
/** @type {Read<OffsetSynced>} */
export const readOffsetSynced = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 82, flow: row[4], p: row[5], upstream: row[6], downstream: row[7],
});

/**
 * A fact of any of these kinds.
 * @typedef {Flight | FlightEnded | Appended | HwMoved | CallsSettled | ConsumerMoved | ProducerQueue | HeartbeatNoted |
 *   StartMoved | MetadataMoved | OffsetCommitted | Delivered | CallsMade | EpochCached | EpochsDropped | CallsResent |
 *   CallsMoved | RecordsCopied | OffsetSynced} Traffic
 */
/** @template {Traffic["kind"]} K @typedef {Extract<Traffic, {kind: K}>} TrafficOf */

/** @type {Record<number, Read<Traffic>>} */
export const TRAFFIC_READERS = {
  64: readFlight, 65: readFlightEnded, 66: readAppended, 67: readHwMoved, 68: readCallsSettled, 69: readConsumerMoved,
  70: readProducerQueue, 71: readHeartbeatNoted, 72: readStartMoved, 73: readMetadataMoved, 74: readOffsetCommitted,
  75: readDelivered, 76: readCallsMade, 77: readEpochCached, 79: readEpochsDropped, 78: readCallsResent,
  80: readCallsMoved, 81: readRecordsCopied, 82: readOffsetSynced,
};
