// Written by tools/facts_js.py from simengine/facts. Do not edit.

export const FIRST_TRAFFIC = 64;
export const KIND = /** @type {const} */ ({"ACTION_DONE": 1, "PROCESS_CHANGED": 2, "BROKER_REGISTRATION": 3, "CONTROLLER_CHANGED": 4, "PARTITION_CHANGED": 5, "LEADER_ACTIVATED": 6, "FOLLOWER_STARTED": 7, "ISR_PROPOSED": 8, "ISR_ADOPTED": 9, "ISR_REFUSED": 10, "TRUNCATED": 11, "LINK_CHANGED": 12, "CONFIG_CHANGED": 13, "CLIENT_CHANGED": 14, "REPLICA_GONE": 15, "RECORDS_LOST": 16, "RECORDS_BACK": 17, "DUPLICATE_WRITTEN": 18, "VERDICT_CHANGED": 19, "REQUEST_REFUSED": 20, "CONSUMER_RESET": 21, "PARTITION_CREATED": 22, "SLOW_CHANGED": 23, "SERVING_CHANGED": 29, "CONSUMER_ERROR": 24, "CLUSTER_VERDICT_CHANGED": 25, "SITE_VERDICT_CHANGED": 35, "WRITE_FAILED": 26, "MESSAGE_HANDLED": 27, "REQUEST_WAITS": 28, "TOPIC_DELETED": 30, "RECORDS_EXPIRED": 31, "MIRROR_PROCESS_CHANGED": 36, "CHECKPOINT_WRITTEN": 37, "GROUP_OFFSET_SYNCED": 38, "MIRROR_SKIPPED": 39, "MIRROR_TASKS_CHANGED": 40, "MIRROR_TOPICS_CHANGED": 41, "CLIENT_JOINED": 45, "FLIGHT": 64, "FLIGHT_ENDED": 65, "APPENDED": 66, "HW_MOVED": 67, "CALLS_SETTLED": 68, "CONSUMER_MOVED": 69, "PRODUCER_QUEUE": 70, "HEARTBEAT_NOTED": 71, "START_MOVED": 72, "METADATA_MOVED": 73, "OFFSET_COMMITTED": 74, "DELIVERED": 75, "CALLS_MADE": 76, "EPOCH_CACHED": 77, "EPOCHS_DROPPED": 79, "CALLS_RESENT": 78, "CALLS_MOVED": 80, "RECORDS_COPIED": 81, "OFFSET_SYNCED": 82});
/** Names of the values of each kind, in the order in which a row has them after its first four. */
export const KINDS = /** @type {Record<number, {name: string, values: string[]}>} */ ({
  1: {"name": "ActionDone", "values": ["index", "text"]},
  2: {"name": "ProcessChanged", "values": ["node", "state", "left"]},
  3: {"name": "BrokerRegistration", "values": ["broker", "be", "state"]},
  4: {"name": "ControllerChanged", "values": ["controller", "epoch"]},
  5: {"name": "PartitionChanged", "values": ["p", "leader", "epoch", "pe", "reason", "election", "replicas", "isr", "elr", "last_known", "adding", "removing"]},
  6: {"name": "LeaderActivated", "values": ["broker", "p", "epoch", "pe", "start", "hw", "leo", "isr"]},
  7: {"name": "FollowerStarted", "values": ["broker", "p", "epoch", "leader", "hw", "leo"]},
  8: {"name": "IsrProposed", "values": ["broker", "p", "epoch", "pe", "isr", "maximal"]},
  9: {"name": "IsrAdopted", "values": ["broker", "p", "epoch", "pe", "isr"]},
  10: {"name": "IsrRefused", "values": ["broker", "p", "error", "isr"]},
  11: {"name": "Truncated", "values": ["broker", "p", "old", "new", "hw"]},
  12: {"name": "LinkChanged", "values": ["src", "dst", "cut", "slow_us"]},
  13: {"name": "ConfigChanged", "values": ["topic", "text"]},
  14: {"name": "ClientChanged", "values": ["client", "state", "acks", "rate_milli"]},
  15: {"name": "ReplicaGone", "values": ["broker", "p"]},
  16: {"name": "RecordsLost", "values": ["p", "base", "count", "epoch", "acks", "client"]},
  17: {"name": "RecordsBack", "values": ["p", "base", "count", "epoch", "acks", "client"]},
  18: {"name": "DuplicateWritten", "values": ["p", "base", "count", "epoch", "client"]},
  19: {"name": "VerdictChanged", "values": ["topic", "acked", "lost", "duplicated", "hidden", "refused", "unknown", "write_down_all_us", "write_down_1_us", "read_down_us", "deciding", "lost_traffic_us", "held_back", "stopped_all", "stopped_1", "handed_over", "vanished", "by_application", "recovered", "lost_again", "down_all_p", "down_1_p", "read_p", "acks", "deciding_lost", "waits_all_us", "waits_1_us", "write_down_client_us", "read_down_client_us", "client_p", "reader_p", "client_waits_us", "read_waits_us", "longest_wait_us", "longest_read_us", "before", "lost_before", "emptied", "unreadable", "unled", "groups_down_us", "groups_down", "coordinators", "groups_lost", "severity", "sentence"]},
  20: {"name": "RequestRefused", "values": ["p", "error", "text"]},
  21: {"name": "ConsumerReset", "values": ["client", "p", "old", "new", "why"]},
  22: {"name": "PartitionCreated", "values": ["p", "topic", "number", "replicas", "text"]},
  23: {"name": "SlowChanged", "values": ["broker", "per_s"]},
  29: {"name": "ServingChanged", "values": ["broker", "per_s"]},
  24: {"name": "ConsumerError", "values": ["client", "p", "error"]},
  25: {"name": "ClusterVerdictChanged", "values": ["sentence"]},
  35: {"name": "SiteVerdictChanged", "values": ["cluster", "sentence"]},
  26: {"name": "WriteFailed", "values": ["client", "p", "error", "ended"]},
  27: {"name": "MessageHandled", "values": ["flight", "how", "msg", "src", "dst", "p"]},
  28: {"name": "RequestWaits", "values": ["p", "broker", "why", "text"]},
  30: {"name": "TopicDeleted", "values": ["topic", "text"]},
  31: {"name": "RecordsExpired", "values": ["broker", "p", "old", "start"]},
  36: {"name": "MirrorProcessChanged", "values": ["process", "state"]},
  37: {"name": "CheckpointWritten", "values": ["flow", "remote", "upstream", "downstream", "group"]},
  38: {"name": "GroupOffsetSynced", "values": ["flow", "remote", "offset", "error", "group"]},
  39: {"name": "MirrorSkipped", "values": ["flow", "p", "first", "end"]},
  40: {"name": "MirrorTasksChanged", "values": ["flow", "state", "until"]},
  41: {"name": "MirrorTopicsChanged", "values": ["flow", "added", "removed", "missing"]},
  45: {"name": "ClientJoined", "values": ["client", "cluster", "text"]},
  64: {"name": "Flight", "values": ["msg", "src", "dst", "arrive", "p", "count", "mark"]},
  65: {"name": "FlightEnded", "values": ["flight", "how", "arrive"]},
  66: {"name": "Appended", "values": ["broker", "p", "base", "count", "epoch", "client", "n"]},
  67: {"name": "HwMoved", "values": ["broker", "p", "hw"]},
  68: {"name": "CallsSettled", "values": ["client", "p", "n", "count", "offset", "epoch", "error"]},
  69: {"name": "ConsumerMoved", "values": ["client", "p", "position"]},
  70: {"name": "ProducerQueue", "values": ["client", "p", "queued", "inflight"]},
  71: {"name": "HeartbeatNoted", "values": ["broker", "be"]},
  72: {"name": "StartMoved", "values": ["broker", "p", "start"]},
  73: {"name": "MetadataMoved", "values": ["offset", "cluster"]},
  74: {"name": "OffsetCommitted", "values": ["client", "p", "offset"]},
  75: {"name": "Delivered", "values": ["client", "p", "offset", "count", "epoch"]},
  76: {"name": "CallsMade", "values": ["client", "p", "n", "count"]},
  77: {"name": "EpochCached", "values": ["broker", "p", "epoch", "start"]},
  79: {"name": "EpochsDropped", "values": ["broker", "p", "end"]},
  78: {"name": "CallsResent", "values": ["client", "p", "n", "count", "of"]},
  80: {"name": "CallsMoved", "values": ["client", "p", "n", "count", "to"]},
  81: {"name": "RecordsCopied", "values": ["flow", "p", "upstream", "remote", "downstream", "count"]},
  82: {"name": "OffsetSynced", "values": ["flow", "p", "upstream", "downstream"]},
});
export const SEVERITY = /** @type {const} */ ({"OK": 0, "WARN": 1, "BAD": 2});
export const PROCESS = /** @type {const} */ ({"CHANGED": 2, "DOWN": 0, "STARTING": 1, "RECOVERING": 2, "RUNNING": 3, "STOPPING": 4, "PAUSED": 5, "REGISTERING": 6});
export const REG = /** @type {const} */ ({"NONE": 0, "FENCED": 1, "ACTIVE": 2, "SHUTTING_DOWN": 3});
export const REASON = /** @type {const} */ ({"CREATED": 0, "FENCED": 1, "UNFENCED": 2, "ALTER_PARTITION": 3, "SHUTDOWN": 4, "REGISTRATION": 5, "PREFERRED": 6, "UNCLEAN": 7, "REASSIGNMENT": 8, "CONFIG": 9, "DIRECTORY": 10});
export const ELECTION = /** @type {const} */ ({"NONE": 0, "CLEAN": 1, "ELR": 2, "LAST_KNOWN": 3, "UNCLEAN": 4, "OFFLINE": 5});
export const CLIENT = /** @type {const} */ ({"CHANGED": 14, "JOINED": 45, "CLOSED": 0, "OPEN": 1, "CRASHED": 2});
export const RESET = /** @type {const} */ ({"EARLIEST": 1, "LATEST": 2, "TRUNCATION": 3, "COMMITTED": 4, "BY_DURATION": 5, "KEPT": 6});
export const FLIGHT = /** @type {const} */ ({"ENDED": 65, "DROPPED": 1, "DELAYED": 2, "RESET": 3, "HELD": 4});
export const HAND = /** @type {const} */ ({"HOLDS": 1, "DELIVERS": 2, "LOSES": 3});
export const MSG = /** @type {const} */ ({"PRODUCE": 1, "PRODUCE_ANSWER": 2, "FETCH": 3, "FETCH_ANSWER": 4, "HEARTBEAT": 5, "HEARTBEAT_ANSWER": 6, "ALTER_PARTITION": 7, "ALTER_PARTITION_ANSWER": 8, "METADATA_FETCH": 9, "METADATA_UPDATE": 10, "CONSUMER_FETCH": 11, "CONSUMER_ANSWER": 12, "CLIENT_METADATA": 13, "CLIENT_METADATA_ANSWER": 14, "REGISTER": 15, "REGISTER_ANSWER": 16, "OFFSETS": 17, "OFFSETS_ANSWER": 18, "COMMIT": 19, "COMMIT_ANSWER": 20, "GROUP": 21, "GROUP_ANSWER": 22, "ASSIGN_DIRECTORIES": 23, "ASSIGN_DIRECTORIES_ANSWER": 24});
export const TASKS = /** @type {const} */ ({"NONE": 0, "JOINING": 1, "RUNNING": 2, "GIVEN_UP": 3, "DELAYED": 4});
export const SEVERITY_NAMES = ["ok", "warn", "bad"];
export const PROCESS_NAMES = ["down", "starting", "recovering", "running", "stopping", "paused", "registering"];
export const REG_NAMES = ["unregistered", "fenced", "active", "shutting down"];
export const REASON_NAMES = ["created", "broker fenced", "broker unfenced", "AlterPartition", "controlled shutdown", "new incarnation registered", "preferred election", "unclean election", "reassignment", "config changed", "log directory assigned"];
export const ELECTION_NAMES = ["none", "clean", "from ELR", "last known", "unclean", "offline"];
export const CLIENT_NAMES = ["closed", "open", "crashed"];
export const RESET_NAMES = ["", "earliest", "latest", "truncation detected", "committed offset", "by duration", "kept from the deleted topic"];
export const WAIT_NAMES = ["no broker takes connections", "that broker is paused", "no controller is active", "that broker does not reach the active controller"];
export const TASKS_NAMES = ["none", "joining", "running", "given up", "delayed"];
export const MSG_NAMES = ["", "Produce", "Produce answer", "Fetch", "Fetch answer", "Heartbeat", "Heartbeat answer", "AlterPartition", "AlterPartition answer", "Metadata fetch", "Metadata update", "Consumer fetch", "Consumer fetch answer", "Metadata request", "Metadata answer", "Registration", "Registration answer", "Offsets request", "Offsets answer", "Offset commit", "Offset commit answer", "Group request", "Group answer", "AssignReplicasToDirs", "AssignReplicasToDirs answer"];
export const ERROR_NAMES = ["NONE", "NOT_LEADER_OR_FOLLOWER", "UNKNOWN_TOPIC_OR_PARTITION", "NOT_ENOUGH_REPLICAS", "NOT_ENOUGH_REPLICAS_AFTER_APPEND", "REQUEST_TIMED_OUT", "NETWORK_EXCEPTION", "OUT_OF_ORDER_SEQUENCE_NUMBER", "INVALID_PRODUCER_EPOCH", "FENCED_LEADER_EPOCH", "UNKNOWN_LEADER_EPOCH", "OFFSET_OUT_OF_RANGE", "OFFSET_NOT_AVAILABLE", "LEADER_NOT_AVAILABLE", "TimeoutException", "INVALID_REQUIRED_ACKS", "STALE_BROKER_EPOCH", "NOT_CONTROLLER", "INVALID_REQUEST", "INVALID_UPDATE_VERSION", "INELIGIBLE_REPLICA", "NEW_LEADER_ELECTED", "OPERATION_NOT_ATTEMPTED", "DUPLICATE_BROKER_REGISTRATION", "ELECTION_NOT_NEEDED", "PREFERRED_LEADER_NOT_AVAILABLE", "ELIGIBLE_LEADERS_NOT_AVAILABLE", "COORDINATOR_NOT_AVAILABLE", "LogTruncationException", "NoOffsetForPartitionException", "OffsetOutOfRangeException", "INVALID_REPLICATION_FACTOR", "INVALID_REPLICA_ASSIGNMENT", "NO_REASSIGNMENT_IN_PROGRESS", "Producer closed", "REBALANCE_IN_PROGRESS", "UNKNOWN_MEMBER_ID", "ILLEGAL_GENERATION", "GROUP_ID_NOT_FOUND", "TOPIC_ALREADY_EXISTS", "INVALID_PARTITIONS"];
/** Why a call of an administrator is refused, by the call and the error. */
export const REFUSED_BECAUSE = /** @type {Record<string, string>} */ ({"create INVALID_REPLICATION_FACTOR": "too few brokers are registered, or all of them are fenced", "create INVALID_REPLICA_ASSIGNMENT": "all brokers of a replica list are fenced or shutting down", "create TOPIC_ALREADY_EXISTS": "there is a topic of this name", "partitions INVALID_PARTITIONS": "the topic has as many partitions already, and partitions are only ever added", "partitions INVALID_REPLICATION_FACTOR": "too few brokers are registered, or all of them are fenced", "partitions INVALID_REPLICA_ASSIGNMENT": "all brokers of a replica list are fenced or shutting down", "reassign INVALID_REPLICA_ASSIGNMENT": "a broker of the new list is not registered", "reassign cancel INVALID_REPLICA_ASSIGNMENT": "none of the replicas of before is in the ISR", "reassign cancel NO_REASSIGNMENT_IN_PROGRESS": "no reassignment is under way", "elect ELECTION_NOT_NEEDED": "the leader is already as it is asked for", "elect PREFERRED_LEADER_NOT_AVAILABLE": "the first replica is not active, or not in the ISR", "elect ELIGIBLE_LEADERS_NOT_AVAILABLE": "no replica may lead", "UNKNOWN_TOPIC_OR_PARTITION": "the topic does not exist", "NOT_CONTROLLER": "no broker reached an active controller within a minute"});
