"""The table of traffic: facts that are stored only while somebody looks."""

from typing import Final

from simengine.facts import kinds as k
from simengine.facts.fact import Fact

TRAFFIC: Final = (
    Fact(
        k.FLIGHT,
        "Flight",
        "A message is on a link.",
        {
            "msg": "MSG_*",
            "src": "node",
            "dst": "node",
            "arrive": "us; -1: nobody can tell (the link is cut)",
            "p": "partition",
            "count": "records",
            "mark": "leader epoch or ERR_*",
        },
    ),
    Fact(
        k.FLIGHT_ENDED,
        "FlightEnded",
        "A message did not arrive as announced.",
        {"flight": "number of its Flight", "how": "FLIGHT_*", "arrive": "us, the new arrival; -1: none"},
    ),
    Fact(
        k.APPENDED,
        "Appended",
        "Records now stand in a broker's log.",
        {
            "broker": "broker",
            "p": "partition",
            "base": "offset of the first",
            "count": "records",
            "epoch": "leader epoch",
            "client": "index",
            "n": "number of the first call",
        },
    ),
    Fact(
        k.HW_MOVED,
        "HwMoved",
        "A replica's high watermark has moved.",
        {"broker": "broker", "p": "partition", "hw": "high watermark"},
    ),
    Fact(
        k.CALLS_SETTLED,
        "CallsSettled",
        "Calls of a producer have ended.",
        {
            "client": "index",
            "p": "partition",
            "n": "number of the first call",
            "count": "calls",
            "offset": "of the first record",
            "epoch": "leader epoch",
            "error": "ERR_*; ERR_NONE: acknowledged",
        },
    ),
    Fact(
        k.CONSUMER_MOVED,
        "ConsumerMoved",
        "A consumer's position has moved.",
        {"client": "index", "p": "partition", "position": "offset"},
    ),
    Fact(
        k.PRODUCER_QUEUE,
        "ProducerQueue",
        "A producer has other records waiting, or sent and not answered.",
        {
            "client": "index",
            "p": "partition",
            "queued": "records that wait",
            "inflight": "records sent and not answered",
        },
    ),
    Fact(
        k.HEARTBEAT_NOTED,
        "HeartbeatNoted",
        "The active controller has noted a heartbeat.",
        {"broker": "broker", "be": "broker epoch"},
    ),
    Fact(
        k.START_MOVED,
        "StartMoved",
        "A replica's log begins later.",
        {"broker": "broker", "p": "partition", "start": "log start offset"},
    ),
    Fact(
        k.METADATA_MOVED,
        "MetadataMoved",
        "The committed metadata log of a cluster has grown.",
        {"offset": "its end", "cluster": "index"},
    ),
    Fact(
        k.OFFSET_COMMITTED,
        "OffsetCommitted",
        "A consumer has committed its position.",
        {"client": "index", "p": "partition", "offset": "offset"},
    ),
    Fact(
        k.DELIVERED,
        "Delivered",
        "Records were handed to the application.",
        {"client": "index", "p": "partition", "offset": "of the first", "count": "records", "epoch": "leader epoch"},
    ),
    Fact(
        k.CALLS_MADE,
        "CallsMade",
        "The application has called send(); the calls of a producer to a partition are numbered from 0.",
        {"client": "index", "p": "partition", "n": "number of the first call", "count": "calls"},
    ),
    Fact(
        k.EPOCH_CACHED,
        "EpochCached",
        "Recovery has found records of an epoch that the copy's cache did not have.",
        {"broker": "broker", "p": "partition", "epoch": "leader epoch", "start": "first offset of the epoch"},
    ),
    Fact(
        k.EPOCHS_DROPPED,
        "EpochsDropped",
        "The copy has kept all records, and its cache has dropped epochs that begin at its log end or above (LOG-5).",
        {"broker": "broker", "p": "partition", "end": "log end offset"},
    ),
    Fact(
        k.CALLS_RESENT,
        "CallsResent",
        "Calls just made send the records of earlier calls again.",
        {
            "client": "index",
            "p": "partition",
            "n": "number of the first call",
            "count": "calls",
            "of": "number of the first earlier call",
        },
    ),
    Fact(
        k.CALLS_MOVED,
        "CallsMoved",
        "Calls of a producer will go to another partition: the topic was created again.",
        {
            "client": "index",
            "p": "partition they were made to",
            "n": "number of the first call",
            "count": "calls",
            "to": "partition they go to",
        },
    ),
    Fact(
        k.RECORDS_COPIED,
        "RecordsCopied",
        "The target has acknowledged copies of records.",
        {
            "flow": "index",
            "p": "partition of the source",
            "upstream": "offset of the first in the source",
            "remote": "partition on the target",
            "downstream": "offset of the first on the target",
            "count": "records",
        },
    ),
    Fact(
        k.OFFSET_SYNCED,
        "OffsetSynced",
        "An offset sync is written.",
        {
            "flow": "index",
            "p": "partition of the source",
            "upstream": "offset in the source",
            "downstream": "offset on the target",
        },
    ),
)
