"""Random pairs of clusters with MirrorMaker between them, and random times at which one is lost."""

from random import Random
from typing import Final

from simengine.plans.documents import Times
from simengine.scenario.config_keys import IDENTITY_POLICY
from tests.mirror.documents import SYNCED, Plain, cluster, mirrored

S: Final = 1_000_000
ALONE: Final = {"enable.idempotence": False, "request.timeout.ms": 1000, "delivery.timeout.ms": 20_000, "linger.ms": 0}
PRODUCERS: Final[list[Plain]] = [
    {},
    {"config": ALONE},  # a retry may write a record twice
    {"acks": 1, "config": {"enable.idempotence": False}},
    {"acks": 0, "config": {"enable.idempotence": False}},
    {"config": {"delivery.timeout.ms": 5000, "request.timeout.ms": 2000, "linger.ms": 0}},
]


def random_pair(draw: Random) -> Plain:
    """A document in which a flow copies from east to west."""
    synced = {"sync.group.offsets.enabled": draw.random() < 0.7}
    config: Plain = {**SYNCED, **synced, "offset.lag.max": draw.choice([0, 10, 100])}
    if draw.random() < 0.2:
        config["replication.policy.class"] = IDENTITY_POLICY
    network = {"latency": f"{draw.randint(1, 60)}ms", "jitter": f"{draw.randint(0, 5)}ms"}
    plain = mirrored(config, rate=draw.randint(1, 12), seed=draw.randint(1, 10_000), network=network)
    east, keeps_names = plain["clusters"]["east"], "replication.policy.class" in config
    topic, [reader], [writer] = east["topics"][0], east["consumers"], east["producers"]
    topic["assignment"] = [[0, 1, 2], [1, 2, 0]][: draw.randint(1, 2)]
    if draw.random() < 0.4:
        _history(plain, draw, "orders" if keeps_names else "east.orders")
    reader["config"]["auto.offset.reset"] = draw.choice(["earliest", "latest"])
    writer.update(draw.choice(PRODUCERS))
    if draw.random() < 0.3:
        east["consumers"].append({**reader, "id": "D", "group": draw.choice(["g", "h"])})
    if draw.random() < 0.3:
        east["producers"].append({**writer, "id": "Q", "rate": draw.randint(1, 9)})
    if draw.random() < 0.3:
        copies = "orders" if keeps_names else "east.orders"
        standby = {**reader, "id": "R", "topics": [copies], "state": draw.choice(["open", "closed"])}
        plain["clusters"]["west"]["consumers"] = [{**standby, "group": draw.choice(["g", "r"])}]
    if draw.random() < 0.3 and not keeps_names:
        _both_ways(plain, draw)
    return plain


def _history(plain: Plain, draw: Random, remote: str) -> None:
    """Records from before the run; the flow has copied them up to a lag, or does not run yet."""
    [topic], records = plain["clusters"]["east"]["topics"], draw.randint(1, 300)
    topic["initial"] = {"0": {"leader": 0, "isr": [0, 1, 2], "leo": records}}
    if draw.random() < 0.6:
        copied = {"leader": 0, "isr": [0, 1, 2], "leo": max(0, records - draw.choice([0, 0, 20]))}
        plain["clusters"]["west"]["topics"] = [{**topic, "name": remote, "initial": {"0": copied}}]
        plain["mirrors"][0]["history"] = True


def _both_ways(plain: Plain, draw: Random) -> None:
    """Let west have applications too, and copy to east."""
    west, [there] = plain["clusters"]["west"], plain["mirrors"]
    process = draw.choice(["mirror-maker", "way-back"])
    plain["mirrors"].append({**there, "source": "west", "target": "east", "process": process})
    writer = {"id": "W", "topic": "orders", "rate": draw.randint(1, 5)}
    reader = {"id": "V", "group": "v", "topics": ["orders", "east.orders"]}
    lists = plain["clusters"]["east"]["topics"][0]["assignment"]
    topics = [*west["topics"], {"name": "orders", "assignment": lists}]
    plain["clusters"]["west"] = {
        **cluster(producers=[writer], consumers=[*west.get("consumers", []), reader]),
        "topics": topics,
    }
    plain["clusters"]["east"]["consumers"][0]["topics"] = ["orders", "west.orders"]


def random_times(draw: Random) -> Times:
    """Times of the loss; somebody may act at once, with copies under way."""
    lost = draw.randint(10 * S, 25 * S)
    detect, decide, switch = (draw.choice([0, 1, draw.randint(0, 12 * S)]) for _ in range(3))
    repair, copy_back = draw.randint(0, 90 * S), draw.randint(0, 60 * S)
    return Times(lost, detect, decide, switch, repair, copy_back, settle=40 * S)
