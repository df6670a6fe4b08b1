"""Random scripts of two clusters: faults of MirrorMaker and of brokers, and often the loss of the source."""

import random
from typing import Final

from tests.lab.plain import Plain

SOURCE: Final = "east"
TARGET: Final = "west"
REMOTE: Final = f"{SOURCE}.orders"
LETTER: Final = "M"  # of names
QUICK: Final = {  # intervals short enough for a script of two minutes
    "refresh.topics.interval.seconds": 5,
    "refresh.groups.interval.seconds": 5,
    "sync.topic.configs.interval.seconds": 10,
    "emit.checkpoints.interval.seconds": 10,
    "sync.group.offsets.interval.seconds": 10,
    "offset.flush.interval.ms": 10000,
}
GAPS_S: Final = (4, 8, 12, 18)  # between the end of a fault and the next one
DURATIONS_S: Final = (3, 6, 12, 20)  # of a fault
COMMIT_EVERY_S: Final = 2
REST_S: Final = 45  # a start of MirrorMaker takes up to 25 s, then come its checkpoints, each 10 s


def random_mirror_script(seed: int) -> Plain:
    """The script of a seed: a steady producer, a group that follows it, one to four faults one after the other."""
    r = random.Random(f"mirror {seed}")
    per_s = r.choice([10, 20, 50])
    timeline = [(0.0, _rate(per_s))]
    now = float(r.choice(GAPS_S))
    for _ in range(r.randint(1, 4)):
        broken, repaired = _fault(r)
        timeline.append((now, broken))
        now += r.choice(DURATIONS_S)
        timeline.append((now, repaired))
        now += r.choice(GAPS_S)
    timeline += [(at + 0.5, _commit(int(at * per_s))) for at in range(COMMIT_EVERY_S, int(now), COMMIT_EVERY_S)]
    timeline += _end(now, source_lost=r.random() < 0.5)
    return {
        "name": f"{LETTER}{seed:03d}",
        "title": f"random faults: mirror {seed}",
        "clusters": {
            SOURCE: {"topics": [_topic(r)], "watch": [["orders", 0]]},
            TARGET: {"watch": [[REMOTE, 0]]},
        },
        "mirror": {
            "config": {
                **QUICK,
                f"{SOURCE}->{TARGET}.topics": "orders.*",
                f"{SOURCE}->{TARGET}.groups": ".*",
                "sync.group.offsets.enabled": r.choice(["true", "true", "false"]),
            }
        },
        "groups": ["g"],
        "setup": [_producer(r), {"do": "consumer", "cluster": SOURCE, "args": ["C"], **_reads("orders")}],
        "timeline": [{"at": at, **step} for at, step in sorted(timeline, key=lambda timed: timed[0])],
    }


def _topic(r: random.Random) -> Plain:
    config = {"min.insync.replicas": r.choice([1, 2]), "unclean.leader.election.enable": r.choice(["false", "true"])}
    return {"name": "orders", "assignment": [[0, 1, 2]], "config": config}


def _producer(r: random.Random) -> Plain:
    acks = r.choice(["all", "all", "1"])
    settings = {"acks": acks, "enable.idempotence": "true" if acks == "all" else "false"}
    return {"do": "producer", "cluster": SOURCE, "args": ["P"], **settings}


def _reads(topic: str) -> Plain:
    return {"assign": [[topic, 0]], "group": "g"}


def _rate(per_s: int) -> Plain:
    flow = {"topic": "orders", "partition": 0, "per_s": per_s, "prefix": "r"}
    return {"do": "rate", "cluster": SOURCE, "args": ["P"], **flow}


def _commit(offset: int) -> Plain:
    return {"do": "commit", "cluster": SOURCE, "args": ["C"], "topic": "orders", "partition": 0, "offset": offset}


def _fault(r: random.Random) -> tuple[Plain, Plain]:
    """A fault and its repair."""
    cluster = r.choice([SOURCE, TARGET])
    broker = {"cluster": cluster, "args": [r.choice([0, 1, 2])]}
    faults: list[tuple[Plain, Plain]] = [
        ({"do": "mm_kill"}, {"do": "mm_start"}),
        ({"do": "mm_pause"}, {"do": "mm_resume"}),
        ({"do": "mm_cut", "args": [cluster]}, {"do": "mm_heal", "args": [cluster]}),
        ({"do": "kill", **broker}, {"do": "start", **broker}),
        ({"do": "stop", **broker}, {"do": "start", **broker}),
        ({"do": "pause", **broker}, {"do": "resume", **broker}),
    ]
    return r.choice(faults)


def _end(now: float, source_lost: bool) -> list[tuple[float, Plain]]:
    """The source is lost and its group goes on at the target, or the producer stops and the mirror catches up."""
    if not source_lost:
        return [(now, _rate(0)), (now + REST_S, {"do": "mm_kill"})]
    failover = {"do": "consumer", "cluster": TARGET, "args": ["CW"], **_reads(REMOTE)}
    return [(now, {"do": "kill_all", "args": [SOURCE]}), (now + 5, failover), (now + REST_S, {"do": "mm_kill"})]
