// Written by tools/facts_js.py from simengine/facts/schema.py. Do not edit.
// docs/facts.md says what each field means.

/** @import {Row} from "./types.js" */
import { partsOf } from "./actionparts.js";

/** @template F @typedef {(row: Row) => F} Read  reads a row of one kind */
/** @template {number} K @typedef {{seq: number, t: number, kind: K, cause: number}} Head  what each has */

/**
 * An action was carried out.
 * @typedef {Head<1> & {index: number, text: string, verb: string, args: string[]}} ActionDone
 */
/** @type {Read<ActionDone>} */
export const readActionDone = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 1, cause: row[3], index: row[4], text: row[5] ?? "", ...partsOf(row[5] ?? ""),
});

/**
 * A process of a broker or controller has another state.
 * @typedef {Head<2> & {node: number, state: number, left: number}} ProcessChanged
 */
/** @type {Read<ProcessChanged>} */
export const readProcessChanged = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 2, cause: row[3], node: row[4], state: row[5], left: row[6],
});

/**
 * The controller has committed a broker's registration.
 * @typedef {Head<3> & {broker: number, be: number, state: number}} BrokerRegistration
 */
/** @type {Read<BrokerRegistration>} */
export const readBrokerRegistration = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 3, cause: row[3], broker: row[4], be: row[5], state: row[6],
});

/** Another controller is active, or none. @typedef {Head<4> & {controller: number, epoch: number}} ControllerChanged */
/** @type {Read<ControllerChanged>} */
export const readControllerChanged = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 4, cause: row[3], controller: row[4], epoch: row[5],
});

/**
 * The controller has committed a partition's registration: the whole record.
 * @typedef {Head<5> & {p: number, leader: number, epoch: number, pe: number, reason: number, election: number,
 *   replicas: number[], isr: number[], elr: number[], last_known: number[], adding: number[], removing: number[]}}
 *   PartitionChanged
 */
/** @type {Read<PartitionChanged>} */
export const readPartitionChanged = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 5, cause: row[3], p: row[4], leader: row[5], epoch: row[6], pe: row[7], reason: row[8],
  election: row[9], replicas: row[10], isr: row[11], elr: row[12], last_known: row[13], adding: row[14],
  removing: row[15],
});

/**
 * A broker acts as leader.
 * @typedef {Head<6> & {broker: number, p: number, epoch: number, pe: number, start: number, hw: number, leo: number,
 *   isr: number[]}} LeaderActivated
 */
/** @type {Read<LeaderActivated>} */
export const readLeaderActivated = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 6, cause: row[3], broker: row[4], p: row[5], epoch: row[6], pe: row[7], start: row[8],
  hw: row[9], leo: row[10], isr: row[11],
});

/**
 * A broker follows a leader, or nobody.
 * @typedef {Head<7> & {broker: number, p: number, epoch: number, leader: number, hw: number, leo: number}}
 *   FollowerStarted
 */
/** @type {Read<FollowerStarted>} */
export const readFollowerStarted = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 7, cause: row[3], broker: row[4], p: row[5], epoch: row[6], leader: row[7], hw: row[8],
  leo: row[9],
});

/**
 * A leader has sent AlterPartition.
 * @typedef {Head<8> & {broker: number, p: number, epoch: number, pe: number, isr: number[], maximal: number[]}}
 *   IsrProposed
 */
/** @type {Read<IsrProposed>} */
export const readIsrProposed = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 8, cause: row[3], broker: row[4], p: row[5], epoch: row[6], pe: row[7], isr: row[8],
  maximal: row[9],
});

/**
 * A leader goes by another committed ISR.
 * @typedef {Head<9> & {broker: number, p: number, epoch: number, pe: number, isr: number[]}} IsrAdopted
 */
/** @type {Read<IsrAdopted>} */
export const readIsrAdopted = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 9, cause: row[3], broker: row[4], p: row[5], epoch: row[6], pe: row[7], isr: row[8],
});

/**
 * The controller has answered AlterPartition with an error.
 * @typedef {Head<10> & {broker: number, p: number, error: number, isr: number[]}} IsrRefused
 */
/** @type {Read<IsrRefused>} */
export const readIsrRefused = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 10, cause: row[3], broker: row[4], p: row[5], error: row[6], isr: row[7],
});

/**
 * A replica has cut its log.
 * @typedef {Head<11> & {broker: number, p: number, old: number, new: number, hw: number}} Truncated
 */
/** @type {Read<Truncated>} */
export const readTruncated = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 11, cause: row[3], broker: row[4], p: row[5], old: row[6], new: row[7], hw: row[8],
});

/**
 * One direction of a link is cut, slow, or as it was.
 * @typedef {Head<12> & {src: number, dst: number, cut: number, slow_us: number}} LinkChanged
 */
/** @type {Read<LinkChanged>} */
export const readLinkChanged = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 12, cause: row[3], src: row[4], dst: row[5], cut: row[6], slow_us: row[7],
});

/** A setting has another value. @typedef {Head<13> & {topic: number, text: string}} ConfigChanged */
/** @type {Read<ConfigChanged>} */
export const readConfigChanged = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 13, cause: row[3], topic: row[4], text: row[5] ?? "",
});

/**
 * A client has another state, or a producer other settings.
 * @typedef {Head<14> & {client: number, state: number, acks: number, rate_milli: number}} ClientChanged
 */
/** @type {Read<ClientChanged>} */
export const readClientChanged = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 14, cause: row[3], client: row[4], state: row[5], acks: row[6], rate_milli: row[7],
});

/** A broker no longer hosts a partition. @typedef {Head<15> & {broker: number, p: number}} ReplicaGone */
/** @type {Read<ReplicaGone>} */
export const readReplicaGone = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 15, cause: row[3], broker: row[4], p: row[5],
});

/**
 * The log no longer has records that were acknowledged.
 * @typedef {Head<16> & {p: number, base: number, count: number, epoch: number, acks: number, client: number}}
 *   RecordsLost
 */
/** @type {Read<RecordsLost>} */
export const readRecordsLost = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 16, cause: row[3], p: row[4], base: row[5], count: row[6], epoch: row[7], acks: row[8],
  client: row[9],
});

/**
 * The leader's log has records again that were counted lost.
 * @typedef {Head<17> & {p: number, base: number, count: number, epoch: number, acks: number, client: number}}
 *   RecordsBack
 */
/** @type {Read<RecordsBack>} */
export const readRecordsBack = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 17, cause: row[3], p: row[4], base: row[5], count: row[6], epoch: row[7], acks: row[8],
  client: row[9],
});

/**
 * Records of a call stand in the leader's log a second time.
 * @typedef {Head<18> & {p: number, base: number, count: number, epoch: number, client: number}} DuplicateWritten
 */
/** @type {Read<DuplicateWritten>} */
export const readDuplicateWritten = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 18, cause: row[3], p: row[4], base: row[5], count: row[6], epoch: row[7],
  client: row[8],
});

/**
 * The figures of a topic so far.
 * @typedef {Head<19> & {topic: number, acked: number, lost: number, duplicated: number, hidden: number, refused:
 *   number, unknown: number, write_down_all_us: number, write_down_1_us: number, read_down_us: number, deciding:
 *   number, lost_traffic_us: number, held_back: number, stopped_all: number, stopped_1: number, handed_over: number,
 *   vanished: number, by_application: number, recovered: number, lost_again: number, down_all_p: number, down_1_p:
 *   number, read_p: number, acks: number, deciding_lost: number, waits_all_us: number, waits_1_us: number,
 *   write_down_client_us: number, read_down_client_us: number, write_same_us: number, read_same_us: number, vain_us:
 *   number, waiting: number, waiting_1: number, silent_us: number, stop_since_us: number, client_p: number, reader_p:
 *   number, client_waits_us: number, read_waits_us: number, longest_wait_us: number, longest_read_us: number, before:
 *   number, lost_before: number, emptied: number, unreadable: number, unled: number, groups_down_us: number,
 *   groups_down: number, coordinators: number, groups_lost: number, severity: number, sentence: string}} VerdictChanged
 */
/** @type {Read<VerdictChanged>} */
export const readVerdictChanged = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 19, cause: row[3], topic: row[4], acked: row[5], lost: row[6], duplicated: row[7],
  hidden: row[8], refused: row[9], unknown: row[10], write_down_all_us: row[11], write_down_1_us: row[12],
  read_down_us: row[13], deciding: row[14], lost_traffic_us: row[15], held_back: row[16], stopped_all: row[17],
  stopped_1: row[18], handed_over: row[19], vanished: row[20], by_application: row[21], recovered: row[22],
  lost_again: row[23], down_all_p: row[24], down_1_p: row[25], read_p: row[26], acks: row[27], deciding_lost: row[28],
  waits_all_us: row[29], waits_1_us: row[30], write_down_client_us: row[31], read_down_client_us: row[32],
  write_same_us: row[33], read_same_us: row[34], vain_us: row[35], waiting: row[36], waiting_1: row[37],
  silent_us: row[38], stop_since_us: row[39], client_p: row[40], reader_p: row[41], client_waits_us: row[42],
  read_waits_us: row[43], longest_wait_us: row[44], longest_read_us: row[45], before: row[46], lost_before: row[47],
  emptied: row[48], unreadable: row[49], unled: row[50], groups_down_us: row[51], groups_down: row[52],
  coordinators: row[53], groups_lost: row[54], severity: row[55], sentence: row[56] ?? "",
});

/**
 * An administrator's request was answered with an error.
 * @typedef {Head<20> & {p: number, error: number, text: string}} RequestRefused
 */
/** @type {Read<RequestRefused>} */
export const readRequestRefused = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 20, cause: row[3], p: row[4], error: row[5], text: row[6] ?? "",
});

/**
 * A consumer's position was set anew.
 * @typedef {Head<21> & {client: number, p: number, old: number, new: number, why: number}} ConsumerReset
 */
/** @type {Read<ConsumerReset>} */
export const readConsumerReset = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 21, cause: row[3], client: row[4], p: row[5], old: row[6], new: row[7], why: row[8],
});

/**
 * A partition was created.
 * @typedef {Head<22> & {p: number, topic: number, number: number, replicas: number[], text: string}} PartitionCreated
 */
/** @type {Read<PartitionCreated>} */
export const readPartitionCreated = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 22, cause: row[3], p: row[4], topic: row[5], number: row[6], replicas: row[7],
  text: row[8] ?? "",
});

/** A broker's replication is limited. @typedef {Head<23> & {broker: number, per_s: number}} SlowChanged */
/** @type {Read<SlowChanged>} */
export const readSlowChanged = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 23, cause: row[3], broker: row[4], per_s: row[5],
});

/** A broker's responses to fetches are limited. @typedef {Head<29> & {broker: number, per_s: number}} ServingChanged */
/** @type {Read<ServingChanged>} */
export const readServingChanged = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 29, cause: row[3], broker: row[4], per_s: row[5],
});

/** poll() of a consumer threw. @typedef {Head<24> & {client: number, p: number, error: number}} ConsumerError */
/** @type {Read<ConsumerError>} */
export const readConsumerError = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 24, cause: row[3], client: row[4], p: row[5], error: row[6],
});

/**
 * The figures of all topics together, where they are too many to be told one by one.
 * @typedef {Head<25> & {sentence: string}} ClusterVerdictChanged
 */
/** @type {Read<ClusterVerdictChanged>} */
export const readClusterVerdictChanged = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 25, cause: row[3], sentence: row[4] ?? "",
});

/**
 * The same of one cluster among several.
 * @typedef {Head<35> & {cluster: number, sentence: string}} SiteVerdictChanged
 */
/** @type {Read<SiteVerdictChanged>} */
export const readSiteVerdictChanged = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 35, cause: row[3], cluster: row[4], sentence: row[5] ?? "",
});

/**
 * The first write of a producer to a partition failed since one succeeded.
 * @typedef {Head<26> & {client: number, p: number, error: number, ended: number}} WriteFailed
 */
/** @type {Read<WriteFailed>} */
export const readWriteFailed = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 26, cause: row[3], client: row[4], p: row[5], error: row[6], ended: row[7],
});

/**
 * A person's hand is on one message.
 * @typedef {Head<27> & {flight: number, how: number, msg: number, src: number, dst: number, p: number}} MessageHandled
 */
/** @type {Read<MessageHandled>} */
export const readMessageHandled = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 27, cause: row[3], flight: row[4], how: row[5], msg: row[6], src: row[7], dst: row[8],
  p: row[9],
});

/**
 * An administrator's request waits at a broker.
 * @typedef {Head<28> & {p: number, broker: number, why: number, text: string}} RequestWaits
 */
/** @type {Read<RequestWaits>} */
export const readRequestWaits = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 28, cause: row[3], p: row[4], broker: row[5], why: row[6], text: row[7] ?? "",
});

/**
 * The controller has removed a topic with all its partitions.
 * @typedef {Head<30> & {topic: number, text: string}} TopicDeleted
 */
/** @type {Read<TopicDeleted>} */
export const readTopicDeleted = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 30, cause: row[3], topic: row[4], text: row[5] ?? "",
});

/**
 * Retention has removed the first records of a leader's log.
 * @typedef {Head<31> & {broker: number, p: number, old: number, start: number}} RecordsExpired
 */
/** @type {Read<RecordsExpired>} */
export const readRecordsExpired = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 31, cause: row[3], broker: row[4], p: row[5], old: row[6], start: row[7],
});

/**
 * A coordinator has removed committed offsets of a group that nobody used.
 * @typedef {Head<46> & {broker: number, p: number, count: number, text: string}} OffsetsExpired
 */
/** @type {Read<OffsetsExpired>} */
export const readOffsetsExpired = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 46, cause: row[3], broker: row[4], p: row[5], count: row[6], text: row[7] ?? "",
});

/**
 * A process of MirrorMaker has another state.
 * @typedef {Head<36> & {process: number, state: number}} MirrorProcessChanged
 */
/** @type {Read<MirrorProcessChanged>} */
export const readMirrorProcessChanged = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 36, cause: row[3], process: row[4], state: row[5],
});

/**
 * A flow's checkpoint of a group is written.
 * @typedef {Head<37> & {flow: number, remote: number, upstream: number, downstream: number, group: string}}
 *   CheckpointWritten
 */
/** @type {Read<CheckpointWritten>} */
export const readCheckpointWritten = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 37, cause: row[3], flow: row[4], remote: row[5], upstream: row[6], downstream: row[7],
  group: row[8] ?? "",
});

/**
 * A flow has committed a translated offset for a group on the target, or was refused.
 * @typedef {Head<38> & {flow: number, remote: number, offset: number, error: number, group: string}} GroupOffsetSynced
 */
/** @type {Read<GroupOffsetSynced>} */
export const readGroupOffsetSynced = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 38, cause: row[3], flow: row[4], remote: row[5], offset: row[6], error: row[7],
  group: row[8] ?? "",
});

/**
 * A flow passes over records that the source no longer has.
 * @typedef {Head<39> & {flow: number, p: number, first: number, end: number}} MirrorSkipped
 */
/** @type {Read<MirrorSkipped>} */
export const readMirrorSkipped = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 39, cause: row[3], flow: row[4], p: row[5], first: row[6], end: row[7],
});

/**
 * The worker of a flow has tasks, or has none.
 * @typedef {Head<40> & {flow: number, state: number, until: number}} MirrorTasksChanged
 */
/** @type {Read<MirrorTasksChanged>} */
export const readMirrorTasksChanged = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 40, cause: row[3], flow: row[4], state: row[5], until: row[6],
});

/**
 * A flow has looked for topics and found a change.
 * @typedef {Head<41> & {flow: number, added: number, removed: number, missing: number}} MirrorTopicsChanged
 */
/** @type {Read<MirrorTopicsChanged>} */
export const readMirrorTopicsChanged = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 41, cause: row[3], flow: row[4], added: row[5], removed: row[6], missing: row[7],
});

/**
 * A task has found no stored offset of partitions that were copied before: it copies them from the start.
 * @typedef {Head<42> & {flow: number, partitions: number}} MirrorStartedOver
 */
/** @type {Read<MirrorStartedOver>} */
export const readMirrorStartedOver = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 42, cause: row[3], flow: row[4], partitions: row[5],
});

/**
 * A client has moved to a cluster; it has the newest index.
 * @typedef {Head<45> & {client: number, cluster: number, text: string}} ClientJoined
 */
/** @type {Read<ClientJoined>} */
export const readClientJoined = (/** @type {any} */ row) => ({
  seq: row[0], t: row[1], kind: 45, cause: row[3], client: row[4], cluster: row[5], text: row[6] ?? "",
});

/**
 * A fact of any of these kinds.
 * @typedef {ActionDone | ProcessChanged | BrokerRegistration | ControllerChanged | PartitionChanged | LeaderActivated |
 *   FollowerStarted | IsrProposed | IsrAdopted | IsrRefused | Truncated | LinkChanged | ConfigChanged | ClientChanged |
 *   ReplicaGone | RecordsLost | RecordsBack | DuplicateWritten | VerdictChanged | RequestRefused | ConsumerReset |
 *   PartitionCreated | SlowChanged | ServingChanged | ConsumerError | ClusterVerdictChanged | SiteVerdictChanged |
 *   WriteFailed | MessageHandled | RequestWaits | TopicDeleted | RecordsExpired | OffsetsExpired | MirrorProcessChanged
 *   | CheckpointWritten | GroupOffsetSynced | MirrorSkipped | MirrorTasksChanged | MirrorTopicsChanged |
 *   MirrorStartedOver | ClientJoined} Decisive
 */
/** @template {Decisive["kind"]} K @typedef {Extract<Decisive, {kind: K}>} DecisiveOf */

/** @type {Record<number, Read<Decisive>>} */
export const DECISIVE_READERS = {
  1: readActionDone, 2: readProcessChanged, 3: readBrokerRegistration, 4: readControllerChanged,
  5: readPartitionChanged, 6: readLeaderActivated, 7: readFollowerStarted, 8: readIsrProposed, 9: readIsrAdopted,
  10: readIsrRefused, 11: readTruncated, 12: readLinkChanged, 13: readConfigChanged, 14: readClientChanged,
  15: readReplicaGone, 16: readRecordsLost, 17: readRecordsBack, 18: readDuplicateWritten, 19: readVerdictChanged,
  20: readRequestRefused, 21: readConsumerReset, 22: readPartitionCreated, 23: readSlowChanged, 29: readServingChanged,
  24: readConsumerError, 25: readClusterVerdictChanged, 35: readSiteVerdictChanged, 26: readWriteFailed,
  27: readMessageHandled, 28: readRequestWaits, 30: readTopicDeleted, 31: readRecordsExpired, 46: readOffsetsExpired,
  36: readMirrorProcessChanged, 37: readCheckpointWritten, 38: readGroupOffsetSynced, 39: readMirrorSkipped,
  40: readMirrorTasksChanged, 41: readMirrorTopicsChanged, 42: readMirrorStartedOver, 45: readClientJoined,
};
