"""Numbers: of the kinds of fact (``schema.py`` has their fields), and of the states and reasons that facts name."""

from typing import Final

FIRST_TRAFFIC: Final = 64

# decisive
ACTION_DONE: Final = 1
PROCESS_CHANGED: Final = 2
BROKER_REGISTRATION: Final = 3
CONTROLLER_CHANGED: Final = 4
PARTITION_CHANGED: Final = 5
LEADER_ACTIVATED: Final = 6
FOLLOWER_STARTED: Final = 7
ISR_PROPOSED: Final = 8
ISR_ADOPTED: Final = 9
ISR_REFUSED: Final = 10
TRUNCATED: Final = 11
LINK_CHANGED: Final = 12
CONFIG_CHANGED: Final = 13
CLIENT_CHANGED: Final = 14
REPLICA_GONE: Final = 15
RECORDS_LOST: Final = 16
RECORDS_BACK: Final = 17
DUPLICATE_WRITTEN: Final = 18
VERDICT_CHANGED: Final = 19
REQUEST_REFUSED: Final = 20
CONSUMER_RESET: Final = 21
PARTITION_CREATED: Final = 22
SLOW_CHANGED: Final = 23
CONSUMER_ERROR: Final = 24
CLUSTER_VERDICT_CHANGED: Final = 25
WRITE_FAILED: Final = 26
MESSAGE_HANDLED: Final = 27
REQUEST_WAITS: Final = 28
SERVING_CHANGED: Final = 29
TOPIC_DELETED: Final = 30
RECORDS_EXPIRED: Final = 31
SITE_VERDICT_CHANGED: Final = 35
MIRROR_PROCESS_CHANGED: Final = 36
CHECKPOINT_WRITTEN: Final = 37
GROUP_OFFSET_SYNCED: Final = 38
MIRROR_SKIPPED: Final = 39
MIRROR_TASKS_CHANGED: Final = 40
MIRROR_TOPICS_CHANGED: Final = 41
MIRROR_STARTED_OVER: Final = 42
CLIENT_JOINED: Final = 45
OFFSETS_EXPIRED: Final = 46
# traffic
FLIGHT: Final = 64
FLIGHT_ENDED: Final = 65
APPENDED: Final = 66
HW_MOVED: Final = 67
CALLS_SETTLED: Final = 68
CONSUMER_MOVED: Final = 69
PRODUCER_QUEUE: Final = 70
HEARTBEAT_NOTED: Final = 71
START_MOVED: Final = 72
METADATA_MOVED: Final = 73
OFFSET_COMMITTED: Final = 74
DELIVERED: Final = 75
CALLS_MADE: Final = 76
EPOCH_CACHED: Final = 77
CALLS_RESENT: Final = 78
EPOCHS_DROPPED: Final = 79
CALLS_MOVED: Final = 80
RECORDS_COPIED: Final = 81
OFFSET_SYNCED: Final = 82

SEVERITY_OK: Final = 0
SEVERITY_WARN: Final = 1
SEVERITY_BAD: Final = 2
SEVERITY_NAMES: Final = ("ok", "warn", "bad")

PROCESS_DOWN: Final = 0
PROCESS_STARTING: Final = 1  # its JVM boots
PROCESS_RECOVERING: Final = 2
PROCESS_RUNNING: Final = 3
PROCESS_STOPPING: Final = 4
PROCESS_PAUSED: Final = 5
PROCESS_REGISTERING: Final = 6  # it is up, and asks the controller to be registered
PROCESS_NAMES: Final = ("down", "starting", "recovering", "running", "stopping", "paused", "registering")

TASKS_NONE: Final = 0  # the process of MirrorMaker is down
TASKS_JOINING: Final = 1  # its worker waits for its group
TASKS_RUNNING: Final = 2
TASKS_GIVEN_UP: Final = 3  # the worker found no coordinator for longer than its session lasts
TASKS_DELAYED: Final = 4  # they count as lost until scheduled.rebalance.max.delay.ms is over
TASKS_WAITING: Final = 5  # for the topic of their stored offsets, which the target does not have
TASKS_NAMES: Final = ("none", "joining", "running", "given up", "delayed", "waiting")

REG_NONE: Final = 0
REG_FENCED: Final = 1
REG_ACTIVE: Final = 2
REG_SHUTTING_DOWN: Final = 3
REG_NAMES: Final = ("unregistered", "fenced", "active", "shutting down")

REASON_CREATED: Final = 0
REASON_FENCED: Final = 1
REASON_UNFENCED: Final = 2
REASON_ALTER_PARTITION: Final = 3
REASON_SHUTDOWN: Final = 4
REASON_REGISTRATION: Final = 5
REASON_PREFERRED: Final = 6
REASON_UNCLEAN: Final = 7
REASON_REASSIGNMENT: Final = 8
REASON_CONFIG: Final = 9
REASON_DIRECTORY: Final = 10
REASON_NAMES: Final = (
    "created",
    "broker fenced",
    "broker unfenced",
    "AlterPartition",
    "controlled shutdown",
    "new incarnation registered",
    "preferred election",
    "unclean election",
    "reassignment",
    "config changed",
    "log directory assigned",
)

ELECTION_NONE: Final = 0
ELECTION_CLEAN: Final = 1
ELECTION_ELR: Final = 2
ELECTION_LAST_KNOWN: Final = 3
ELECTION_UNCLEAN: Final = 4
ELECTION_OFFLINE: Final = 5
ELECTION_NAMES: Final = ("none", "clean", "from ELR", "last known", "unclean", "offline")

CLIENT_CLOSED: Final = 0
CLIENT_OPEN: Final = 1
CLIENT_CRASHED: Final = 2
CLIENT_NAMES: Final = ("closed", "open", "crashed")

RESET_EARLIEST: Final = 1
RESET_LATEST: Final = 2
RESET_TRUNCATION: Final = 3
RESET_COMMITTED: Final = 4
RESET_BY_DURATION: Final = 5
RESET_KEPT: Final = 6
RESET_NAMES: Final = (
    "",
    "earliest",
    "latest",
    "truncation detected",
    "committed offset",
    "by duration",
    "kept from the deleted topic",
)

WAIT_BROKER: Final = 0
WAIT_PAUSED: Final = 1
WAIT_CONTROLLER: Final = 2
WAIT_CUT: Final = 3
WAIT_NAMES: Final = (
    "no broker takes connections",
    "that broker is paused",
    "no controller is active",
    "that broker does not reach the active controller",
)

FLIGHT_DROPPED: Final = 1
FLIGHT_DELAYED: Final = 2
FLIGHT_RESET: Final = 3
FLIGHT_HELD: Final = 4  # by hand: it stays where it is

HAND_HOLDS: Final = 1
HAND_DELIVERS: Final = 2
HAND_LOSES: Final = 3

MSG_PRODUCE: Final = 1
MSG_PRODUCE_ANSWER: Final = 2
MSG_FETCH: Final = 3
MSG_FETCH_ANSWER: Final = 4
MSG_HEARTBEAT: Final = 5
MSG_HEARTBEAT_ANSWER: Final = 6
MSG_ALTER_PARTITION: Final = 7
MSG_ALTER_PARTITION_ANSWER: Final = 8
MSG_METADATA_FETCH: Final = 9
MSG_METADATA_UPDATE: Final = 10
MSG_CONSUMER_FETCH: Final = 11
MSG_CONSUMER_ANSWER: Final = 12
MSG_CLIENT_METADATA: Final = 13
MSG_CLIENT_METADATA_ANSWER: Final = 14
MSG_REGISTER: Final = 15
MSG_REGISTER_ANSWER: Final = 16
MSG_OFFSETS: Final = 17
MSG_OFFSETS_ANSWER: Final = 18
MSG_COMMIT: Final = 19
MSG_COMMIT_ANSWER: Final = 20
MSG_GROUP: Final = 21
MSG_GROUP_ANSWER: Final = 22
MSG_ASSIGN_DIRECTORIES: Final = 23
MSG_ASSIGN_DIRECTORIES_ANSWER: Final = 24
MSG_NAMES: Final = (
    "",
    "Produce",
    "Produce answer",
    "Fetch",
    "Fetch answer",
    "Heartbeat",
    "Heartbeat answer",
    "AlterPartition",
    "AlterPartition answer",
    "Metadata fetch",
    "Metadata update",
    "Consumer fetch",
    "Consumer fetch answer",
    "Metadata request",
    "Metadata answer",
    "Registration",
    "Registration answer",
    "Offsets request",
    "Offsets answer",
    "Offset commit",
    "Offset commit answer",
    "Group request",
    "Group answer",
    "AssignReplicasToDirs",
    "AssignReplicasToDirs answer",
)
