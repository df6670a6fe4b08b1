// Written by tools/facts_js.py from simengine/facts. Do not edit.

export const FIRST_TRAFFIC = 64;
export const KIND = /** @type {const} */ ({
  ACTION_DONE: 1, PROCESS_CHANGED: 2, BROKER_REGISTRATION: 3, CONTROLLER_CHANGED: 4, PARTITION_CHANGED: 5,
  LEADER_ACTIVATED: 6, FOLLOWER_STARTED: 7, ISR_PROPOSED: 8, ISR_ADOPTED: 9, ISR_REFUSED: 10, TRUNCATED: 11,
  LINK_CHANGED: 12, CONFIG_CHANGED: 13, CLIENT_CHANGED: 14, REPLICA_GONE: 15, RECORDS_LOST: 16, RECORDS_BACK: 17,
  DUPLICATE_WRITTEN: 18, VERDICT_CHANGED: 19, REQUEST_REFUSED: 20, CONSUMER_RESET: 21, PARTITION_CREATED: 22,
  SLOW_CHANGED: 23, SERVING_CHANGED: 29, CONSUMER_ERROR: 24, CLUSTER_VERDICT_CHANGED: 25, SITE_VERDICT_CHANGED: 35,
  WRITE_FAILED: 26, MESSAGE_HANDLED: 27, REQUEST_WAITS: 28, TOPIC_DELETED: 30, RECORDS_EXPIRED: 31, OFFSETS_EXPIRED: 46,
  MIRROR_PROCESS_CHANGED: 36, CHECKPOINT_WRITTEN: 37, GROUP_OFFSET_SYNCED: 38, MIRROR_SKIPPED: 39,
  MIRROR_TASKS_CHANGED: 40, MIRROR_TOPICS_CHANGED: 41, MIRROR_STARTED_OVER: 42, CLIENT_JOINED: 45, FLIGHT: 64,
  FLIGHT_ENDED: 65, APPENDED: 66, HW_MOVED: 67, CALLS_SETTLED: 68, CONSUMER_MOVED: 69, PRODUCER_QUEUE: 70,
  HEARTBEAT_NOTED: 71, START_MOVED: 72, METADATA_MOVED: 73, OFFSET_COMMITTED: 74, DELIVERED: 75, CALLS_MADE: 76,
  EPOCH_CACHED: 77, EPOCHS_DROPPED: 79, CALLS_RESENT: 78, CALLS_MOVED: 80, RECORDS_COPIED: 81, OFFSET_SYNCED: 82,
});
/** The name of each kind, by its number. @type {Record<number, string>} */
export const KIND_NAMES = {
  1: "ActionDone", 2: "ProcessChanged", 3: "BrokerRegistration", 4: "ControllerChanged", 5: "PartitionChanged",
  6: "LeaderActivated", 7: "FollowerStarted", 8: "IsrProposed", 9: "IsrAdopted", 10: "IsrRefused", 11: "Truncated",
  12: "LinkChanged", 13: "ConfigChanged", 14: "ClientChanged", 15: "ReplicaGone", 16: "RecordsLost", 17: "RecordsBack",
  18: "DuplicateWritten", 19: "VerdictChanged", 20: "RequestRefused", 21: "ConsumerReset", 22: "PartitionCreated",
  23: "SlowChanged", 29: "ServingChanged", 24: "ConsumerError", 25: "ClusterVerdictChanged", 35: "SiteVerdictChanged",
  26: "WriteFailed", 27: "MessageHandled", 28: "RequestWaits", 30: "TopicDeleted", 31: "RecordsExpired",
  46: "OffsetsExpired", 36: "MirrorProcessChanged", 37: "CheckpointWritten", 38: "GroupOffsetSynced",
  39: "MirrorSkipped", 40: "MirrorTasksChanged", 41: "MirrorTopicsChanged", 42: "MirrorStartedOver", 45: "ClientJoined",
  64: "Flight", 65: "FlightEnded", 66: "Appended", 67: "HwMoved", 68: "CallsSettled", 69: "ConsumerMoved",
  70: "ProducerQueue", 71: "HeartbeatNoted", 72: "StartMoved", 73: "MetadataMoved", 74: "OffsetCommitted",
  75: "Delivered", 76: "CallsMade", 77: "EpochCached", 79: "EpochsDropped", 78: "CallsResent", 80: "CallsMoved",
  81: "RecordsCopied", 82: "OffsetSynced",
};
export const SEVERITY = /** @type {const} */ ({
  OK: 0, WARN: 1, BAD: 2,
});
export const PROCESS = /** @type {const} */ ({
  DOWN: 0, STARTING: 1, RECOVERING: 2, RUNNING: 3, STOPPING: 4, PAUSED: 5, REGISTERING: 6,
});
export const REG = /** @type {const} */ ({
  NONE: 0, FENCED: 1, ACTIVE: 2, SHUTTING_DOWN: 3,
});
export const REASON = /** @type {const} */ ({
  CREATED: 0, FENCED: 1, UNFENCED: 2, ALTER_PARTITION: 3, SHUTDOWN: 4, REGISTRATION: 5, PREFERRED: 6, UNCLEAN: 7,
  REASSIGNMENT: 8, CONFIG: 9, DIRECTORY: 10,
});
export const ELECTION = /** @type {const} */ ({
  NONE: 0, CLEAN: 1, ELR: 2, LAST_KNOWN: 3, UNCLEAN: 4, OFFLINE: 5,
});
export const CLIENT = /** @type {const} */ ({
  CLOSED: 0, OPEN: 1, CRASHED: 2,
});
export const RESET = /** @type {const} */ ({
  EARLIEST: 1, LATEST: 2, TRUNCATION: 3, COMMITTED: 4, BY_DURATION: 5, KEPT: 6,
});
export const FLIGHT = /** @type {const} */ ({
  DROPPED: 1, DELAYED: 2, RESET: 3, HELD: 4,
});
export const HAND = /** @type {const} */ ({
  HOLDS: 1, DELIVERS: 2, LOSES: 3,
});
export const MSG = /** @type {const} */ ({
  PRODUCE: 1, PRODUCE_ANSWER: 2, FETCH: 3, FETCH_ANSWER: 4, HEARTBEAT: 5, HEARTBEAT_ANSWER: 6, ALTER_PARTITION: 7,
  ALTER_PARTITION_ANSWER: 8, METADATA_FETCH: 9, METADATA_UPDATE: 10, CONSUMER_FETCH: 11, CONSUMER_ANSWER: 12,
  CLIENT_METADATA: 13, CLIENT_METADATA_ANSWER: 14, REGISTER: 15, REGISTER_ANSWER: 16, OFFSETS: 17, OFFSETS_ANSWER: 18,
  COMMIT: 19, COMMIT_ANSWER: 20, GROUP: 21, GROUP_ANSWER: 22, ASSIGN_DIRECTORIES: 23, ASSIGN_DIRECTORIES_ANSWER: 24,
});
export const TASKS = /** @type {const} */ ({
  NONE: 0, JOINING: 1, RUNNING: 2, GIVEN_UP: 3, DELAYED: 4, WAITING: 5,
});
export const SEVERITY_NAMES = [
  "ok", "warn", "bad",
];
export const PROCESS_NAMES = [
  "down", "starting", "recovering", "running", "stopping", "paused", "registering",
];
export const REG_NAMES = [
  "unregistered", "fenced", "active", "shutting down",
];
export const REASON_NAMES = [
  "created", "broker fenced", "broker unfenced", "AlterPartition", "controlled shutdown", "new incarnation registered",
  "preferred election", "unclean election", "reassignment", "config changed", "log directory assigned",
];
export const ELECTION_NAMES = [
  "none", "clean", "from ELR", "last known", "unclean", "offline",
];
export const CLIENT_NAMES = [
  "closed", "open", "crashed",
];
export const RESET_NAMES = [
  "", "earliest", "latest", "truncation detected", "committed offset", "by duration", "kept from the deleted topic",
];
export const WAIT_NAMES = [
  "no broker takes connections", "that broker is paused", "no controller is active",
  "that broker does not reach the active controller",
];
export const TASKS_NAMES = [
  "none", "joining", "running", "given up", "delayed", "waiting",
];
export const MSG_NAMES = [
  "", "Produce", "Produce answer", "Fetch", "Fetch answer", "Heartbeat", "Heartbeat answer", "AlterPartition",
  "AlterPartition answer", "Metadata fetch", "Metadata update", "Consumer fetch", "Consumer fetch answer",
  "Metadata request", "Metadata answer", "Registration", "Registration answer", "Offsets request", "Offsets answer",
  "Offset commit", "Offset commit answer", "Group request", "Group answer", "AssignReplicasToDirs",
  "AssignReplicasToDirs answer",
];
/** The name of each error, by Kafka's number; of an exception of a client by ours. */
/** @type {Record<number, string>} */
export const ERROR_NAMES = {
  0: "NONE", 1: "OFFSET_OUT_OF_RANGE", 3: "UNKNOWN_TOPIC_OR_PARTITION", 5: "LEADER_NOT_AVAILABLE",
  6: "NOT_LEADER_OR_FOLLOWER", 7: "REQUEST_TIMED_OUT", 13: "NETWORK_EXCEPTION", 15: "COORDINATOR_NOT_AVAILABLE",
  19: "NOT_ENOUGH_REPLICAS", 20: "NOT_ENOUGH_REPLICAS_AFTER_APPEND", 21: "INVALID_REQUIRED_ACKS",
  22: "ILLEGAL_GENERATION", 25: "UNKNOWN_MEMBER_ID", 27: "REBALANCE_IN_PROGRESS", 36: "TOPIC_ALREADY_EXISTS",
  37: "INVALID_PARTITIONS", 38: "INVALID_REPLICATION_FACTOR", 39: "INVALID_REPLICA_ASSIGNMENT", 41: "NOT_CONTROLLER",
  42: "INVALID_REQUEST", 45: "OUT_OF_ORDER_SEQUENCE_NUMBER", 47: "INVALID_PRODUCER_EPOCH",
  55: "OPERATION_NOT_ATTEMPTED", 69: "GROUP_ID_NOT_FOUND", 74: "FENCED_LEADER_EPOCH", 75: "UNKNOWN_LEADER_EPOCH",
  77: "STALE_BROKER_EPOCH", 78: "OFFSET_NOT_AVAILABLE", 80: "PREFERRED_LEADER_NOT_AVAILABLE",
  83: "ELIGIBLE_LEADERS_NOT_AVAILABLE", 84: "ELECTION_NOT_NEEDED", 85: "NO_REASSIGNMENT_IN_PROGRESS",
  95: "INVALID_UPDATE_VERSION", 101: "DUPLICATE_BROKER_REGISTRATION", 107: "INELIGIBLE_REPLICA",
  108: "NEW_LEADER_ELECTED", 1000: "Producer closed", 1001: "TimeoutException", 1002: "LogTruncationException",
  1003: "NoOffsetForPartitionException", 1004: "OffsetOutOfRangeException",
};
/** The reason for refusing an administrator's call, by call and error. @type {Record<string, string>} */
export const REFUSED_BECAUSE = {
  "create INVALID_REPLICATION_FACTOR": "too few brokers are registered, or all of them are fenced",
  "create INVALID_REPLICA_ASSIGNMENT": "all brokers of a replica list are fenced or shutting down",
  "create TOPIC_ALREADY_EXISTS": "there is a topic of this name",
  "partitions INVALID_PARTITIONS": "the topic has as many partitions already, and partitions are only ever added",
  "partitions INVALID_REPLICATION_FACTOR": "too few brokers are registered, or all of them are fenced",
  "partitions INVALID_REPLICA_ASSIGNMENT": "all brokers of a replica list are fenced or shutting down",
  "reassign INVALID_REPLICA_ASSIGNMENT": "a broker of the new list is not registered",
  "reassign cancel INVALID_REPLICA_ASSIGNMENT": "none of the replicas of before is in the ISR",
  "reassign cancel NO_REASSIGNMENT_IN_PROGRESS": "no reassignment is under way",
  "elect ELECTION_NOT_NEEDED": "the leader is already as it is asked for",
  "elect PREFERRED_LEADER_NOT_AVAILABLE": "the first replica is not active, or not in the ISR",
  "elect ELIGIBLE_LEADERS_NOT_AVAILABLE": "no replica may lead",
  "UNKNOWN_TOPIC_OR_PARTITION": "the topic does not exist",
  "NOT_CONTROLLER": "no broker reached an active controller within a minute",
};
