"""The kinds of fact a run can state, with the names of their values.

A fact row, on the wire and in files, is ``[seq, t_us, kind, cause, v0, v1, ...]``: the values stand in the
order in which ``KINDS`` names them, integers first, then lists of integers, then at most one text. Kinds below
``FIRST_TRAFFIC`` are *decisive*: kept for the whole run, and their ``cause`` names a decisive fact (0 = none).
The others are *traffic*. Values called ``node``, ``src`` and ``dst`` name nodes: brokers and controllers by number (the
Kafka id, but see ``site``), clients by ``-1 - index``; ``client`` is the index itself. Partitions go by their index in
the run; -1 means none.
"""

from typing import Final, NamedTuple


class Kind(NamedTuple):
    """One kind of fact: its number, name, and the names of its values."""

    number: int
    name: str
    ints: tuple[str, ...]
    lists: tuple[str, ...] = ()
    text: str = ""


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
CLIENT_JOINED: Final = 45
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

# The figures of ``VerdictChanged``. Times in us; deciding: seq of the fact that the gravest figure goes back to, or 0;
# lost_traffic_us: time in which the topic makes as many calls as were lost; held_back: calls made while a
# partition was down that nobody took;
# stopped_all, stopped_1: partitions that cannot be written now with acks=all, with acks=1;
# handed_over: calls made with acks=0, vanished: of them those that the leader has not;
# by_application: records that stand twice because the application sent them again; recovered: of what was lost, records
# that are there again since the application sent them again; lost_again: lost calls beyond the first of their record;
# down_all_p, down_1_p, read_p: the partition that each of the times is of, or -1;
# deciding_lost: lost records that go back to the deciding fact, which is the gravest of their causes; or 0;
# waits_all_us, waits_1_us: how long the longest stop that is going on has lasted, or 0;
# acks: the strictest mode in which a producer of the topic had its newest answer: what "as it is written" means;
# write_down_client_us, read_down_client_us: as the application has it, without a response, a reader without records;
# client_p, reader_p: the partition that each of the two is of, or -1;
# client_waits_us, read_waits_us: how long a call has waited now, and a reader has had nothing; 0 up to theta;
# longest_wait_us: the longest that a single call waited for its end;
# longest_read_us: the longest from the append of a record to its delivery, 0 up to theta;
# before: records that stood in the log that counts before the run; lost_before: of them those that are gone;
# emptied: partitions of which everything was lost that stood there at some time;
# unreadable: acknowledged records that nobody can read now: those hidden, or all where nobody serves readers;
# unled: partitions without a leader, in whose ISR and ELR nobody is;
# groups_down_us: of ``__consumer_offsets``: longest time in which the groups of a partition could neither join nor
# commit; groups_down: partitions of it of which that is so now; coordinators: how many it has;
# groups_lost: groups whose committed offsets are gone; severity: SEVERITY_*
FIGURES: Final = (
    "acked",
    "lost",
    "duplicated",
    "hidden",
    "refused",
    "unknown",
    "write_down_all_us",
    "write_down_1_us",
    "read_down_us",
    "deciding",
    "lost_traffic_us",
    "held_back",
    "stopped_all",
    "stopped_1",
    "handed_over",
    "vanished",
    "by_application",
    "recovered",
    "lost_again",
    "down_all_p",
    "down_1_p",
    "read_p",
    "acks",
    "deciding_lost",
    "waits_all_us",
    "waits_1_us",
    "write_down_client_us",
    "read_down_client_us",
    "client_p",
    "reader_p",
    "client_waits_us",
    "read_waits_us",
    "longest_wait_us",
    "longest_read_us",
    "before",
    "lost_before",
    "emptied",
    "unreadable",
    "unled",
    "groups_down_us",
    "groups_down",
    "coordinators",
    "groups_lost",
    "severity",
)

KINDS: Final[tuple[Kind, ...]] = (
    # index: position in the timeline; text: the action as written ("kill 2")
    Kind(ACTION_DONE, "ActionDone", ("index",), (), "text"),
    # state: PROCESS_*; node: broker or controller; left: 1 when it is down by the end of its own controlled shutdown
    Kind(PROCESS_CHANGED, "ProcessChanged", ("node", "state", "left")),
    # state: REG_*, as committed by the controller; be: broker epoch
    Kind(BROKER_REGISTRATION, "BrokerRegistration", ("broker", "be", "state")),
    # controller: the active one; if there is none, -1 - index of the cluster
    Kind(CONTROLLER_CHANGED, "ControllerChanged", ("controller", "epoch")),
    # the whole record as committed; reason: REASON_*; election: ELECTION_*
    Kind(
        PARTITION_CHANGED,
        "PartitionChanged",
        ("p", "leader", "epoch", "pe", "reason", "election"),
        ("replicas", "isr", "elr", "last_known", "adding", "removing"),
    ),
    # a broker acts as leader of p in epoch; start: first offset of the epoch
    Kind(LEADER_ACTIVATED, "LeaderActivated", ("broker", "p", "epoch", "pe", "start", "hw", "leo"), ("isr",)),
    # a broker follows leader (-1: nobody) in epoch
    Kind(FOLLOWER_STARTED, "FollowerStarted", ("broker", "p", "epoch", "leader", "hw", "leo")),
    # the leader has sent AlterPartition; maximal: the ISR that must have a record meanwhile
    Kind(ISR_PROPOSED, "IsrProposed", ("broker", "p", "epoch", "pe"), ("isr", "maximal")),
    # the leader's own committed ISR is now isr
    Kind(ISR_ADOPTED, "IsrAdopted", ("broker", "p", "epoch", "pe"), ("isr",)),
    # the controller answered AlterPartition with error (ERR_*)
    Kind(ISR_REFUSED, "IsrRefused", ("broker", "p", "error"), ("isr",)),
    # a replica cut its log from log end `old` to `new`; hw after the cut
    Kind(TRUNCATED, "Truncated", ("broker", "p", "old", "new", "hw")),
    # one direction of a link; cut: 0 or 1; slow_us: added latency
    Kind(LINK_CHANGED, "LinkChanged", ("src", "dst", "cut", "slow_us")),
    # topic: index, -2 - number for one broker, -1 - 2**40 * index for a whole cluster; text: "key=value"
    Kind(CONFIG_CHANGED, "ConfigChanged", ("topic",), (), "text"),
    # state: CLIENT_*; acks: 0, 1, -1 (all); rate_milli: records per 1000 s
    Kind(CLIENT_CHANGED, "ClientChanged", ("client", "state", "acks", "rate_milli")),
    # a broker no longer hosts p
    Kind(REPLICA_GONE, "ReplicaGone", ("broker", "p")),
    # acknowledged records that the log no longer has; acks: mode they were acked in
    Kind(RECORDS_LOST, "RecordsLost", ("p", "base", "count", "epoch", "acks", "client")),
    # records counted lost are in the leader's log again
    Kind(RECORDS_BACK, "RecordsBack", ("p", "base", "count", "epoch", "acks", "client")),
    # a call's records stand in the leader's log a second time
    Kind(DUPLICATE_WRITTEN, "DuplicateWritten", ("p", "base", "count", "epoch", "client")),
    # figures of one topic so far; sentence: what they come to
    Kind(
        VERDICT_CHANGED,
        "VerdictChanged",
        ("topic", *FIGURES),
        (),
        "sentence",
    ),
    # an administrator's request was answered with an error; p: -1 - index of the cluster where it is about none
    Kind(REQUEST_REFUSED, "RequestRefused", ("p", "error"), (), "text"),
    # a consumer's position went from old to new; why: RESET_*
    Kind(CONSUMER_RESET, "ConsumerReset", ("client", "p", "old", "new", "why")),
    # text: name of the topic
    Kind(PARTITION_CREATED, "PartitionCreated", ("p", "topic", "number"), ("replicas",), "text"),
    # a broker's replication intake is limited (records/s; -1: not limited)
    Kind(SLOW_CHANGED, "SlowChanged", ("broker", "per_s")),
    # a broker's responses to fetches are limited (records/s; -1: not limited)
    Kind(SERVING_CHANGED, "ServingChanged", ("broker", "per_s")),
    # poll() of a consumer threw; error: ERR_*
    Kind(CONSUMER_ERROR, "ConsumerError", ("client", "p", "error")),
    # what all topics come to, where they are too many to be told one by one
    Kind(CLUSTER_VERDICT_CHANGED, "ClusterVerdictChanged", (), (), "sentence"),
    # the same of one cluster among several; cluster: its index
    Kind(SITE_VERDICT_CHANGED, "SiteVerdictChanged", ("cluster",), (), "sentence"),
    # the first write of a producer to p that failed since one succeeded; ended: 0, it is tried again; 1, its calls end
    Kind(WRITE_FAILED, "WriteFailed", ("client", "p", "error", "ended")),
    # a person's hand on one message; flight: its Flight fact, how: HAND_*, the rest as there
    Kind(MESSAGE_HANDLED, "MessageHandled", ("flight", "how", "msg", "src", "dst", "p")),
    # an administrator's request waits at a broker (-1: none takes connections); p: as above; why: WAIT_*
    Kind(REQUEST_WAITS, "RequestWaits", ("p", "broker", "why"), (), "text"),
    # the controller has removed a topic (by its index) with all its partitions; text: its name
    Kind(TOPIC_DELETED, "TopicDeleted", ("topic",), (), "text"),
    # a leader's log began at offset `old`, and begins at `start` now: retention removed what is below
    Kind(RECORDS_EXPIRED, "RecordsExpired", ("broker", "p", "old", "start")),
    # a process of MirrorMaker, by its index; state: PROCESS_*
    Kind(MIRROR_PROCESS_CHANGED, "MirrorProcessChanged", ("process", "state")),
    # a flow's checkpoint of a group (text) is written: upstream in the source is downstream in partition `remote`
    Kind(CHECKPOINT_WRITTEN, "CheckpointWritten", ("flow", "remote", "upstream", "downstream"), (), "group"),
    # a flow has committed a translated offset for a group (text) on the target, or was refused with error (ERR_*)
    Kind(GROUP_OFFSET_SYNCED, "GroupOffsetSynced", ("flow", "remote", "offset", "error"), (), "group"),
    # a flow goes on at `end` of source partition p, which no longer has the records first .. end-1
    Kind(MIRROR_SKIPPED, "MirrorSkipped", ("flow", "p", "first", "end")),
    # whether a flow's worker has tasks; state: TASKS_*; until: us, when it gets them back, -1 where nobody can tell
    Kind(MIRROR_TASKS_CHANGED, "MirrorTasksChanged", ("flow", "state", "until")),
    # a flow's look for topics: partitions that are new or gone at the source, or missing on the target
    Kind(MIRROR_TOPICS_CHANGED, "MirrorTopicsChanged", ("flow", "added", "removed", "missing")),
    # a client that moved to a cluster, with the newest index: its name, its kind, its topics, and its group if any
    Kind(CLIENT_JOINED, "ClientJoined", ("client", "cluster"), (), "text"),
    # a message on a link: msg: MSG_*; arrive: us, or -1 while nobody can tell (cut); mark: leader epoch or ERR_*
    Kind(FLIGHT, "Flight", ("msg", "src", "dst", "arrive", "p", "count", "mark")),
    # the flight with seq `flight` did not arrive as announced; how: FLIGHT_*; arrive: new arrival or -1
    Kind(FLIGHT_ENDED, "FlightEnded", ("flight", "how", "arrive")),
    # records base .. base+count-1 now stand in the broker's log; n: number of the first call
    Kind(APPENDED, "Appended", ("broker", "p", "base", "count", "epoch", "client", "n")),
    Kind(HW_MOVED, "HwMoved", ("broker", "p", "hw")),
    # calls n .. n+count-1 of a producer ended; error: ERR_NONE = acknowledged at offset, in epoch
    Kind(CALLS_SETTLED, "CallsSettled", ("client", "p", "n", "count", "offset", "epoch", "error")),
    Kind(CONSUMER_MOVED, "ConsumerMoved", ("client", "p", "position")),
    # records waiting in the client, and sent without answer
    Kind(PRODUCER_QUEUE, "ProducerQueue", ("client", "p", "queued", "inflight")),
    # the active controller noted a heartbeat
    Kind(HEARTBEAT_NOTED, "HeartbeatNoted", ("broker", "be")),
    # log start offset
    Kind(START_MOVED, "StartMoved", ("broker", "p", "start")),
    # end of the committed metadata log of a cluster, by its index
    Kind(METADATA_MOVED, "MetadataMoved", ("offset", "cluster")),
    Kind(OFFSET_COMMITTED, "OffsetCommitted", ("client", "p", "offset")),
    # records handed to the application
    Kind(DELIVERED, "Delivered", ("client", "p", "offset", "count", "epoch")),
    # the application called send() count times; the calls of a producer to a partition are numbered from 0
    Kind(CALLS_MADE, "CallsMade", ("client", "p", "n", "count")),
    # recovery found records of an epoch that the copy's cache did not have
    Kind(EPOCH_CACHED, "EpochCached", ("broker", "p", "epoch", "start")),
    # the copy has kept all records, and its cache has dropped the epochs that begin at or above the log end (LOG-5)
    Kind(EPOCHS_DROPPED, "EpochsDropped", ("broker", "p", "end")),
    # the calls n .. n+count-1 just made send the records of calls of .. of+count-1 again
    Kind(CALLS_RESENT, "CallsResent", ("client", "p", "n", "count", "of")),
    # calls n .. n+count-1 of a producer, made to p, will go to partition `to` of the topic that was created again
    Kind(CALLS_MOVED, "CallsMoved", ("client", "p", "n", "count", "to")),
    # the target has acknowledged copies of upstream .. upstream+count-1 of p at downstream and on in partition `remote`
    Kind(RECORDS_COPIED, "RecordsCopied", ("flow", "p", "upstream", "remote", "downstream", "count")),
    # an offset sync of source partition p is written
    Kind(OFFSET_SYNCED, "OffsetSynced", ("flow", "p", "upstream", "downstream")),
)

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
TASKS_NAMES: Final = ("none", "joining", "running", "given up", "delayed")

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
