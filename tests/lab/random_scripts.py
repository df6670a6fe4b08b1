"""Random scripts of faults, in families. A family and a seed always give the same script."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.lab.plain import Plain
from tests.lab.random_faults import FAMILIES, Family, RandomFaults
from tests.lab.random_mirror import random_mirror_script

MIRROR_FAMILY: Final = "mirror"
FAMILY_NAMES: Final = (*FAMILIES, MIRROR_FAMILY)
PLAIN_TEXTS: Final = ("false", "true")
SELECTOR: Final = "org.apache.kafka.common.replica.RackAwareReplicaSelector"
RECOVERY_S: Final = 40.0  # from the last start until the producers end
REST_S: Final = 12.0  # from there to the end
RACKS: Final = "abc"


def write_random(folder: Path, family: str, seed: int, count: int) -> None:
    """Write the scripts of `count` seeds from `seed` on into a folder, one file each."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(seed, seed + count):
        script = random_script(family, number)
        file = folder / f"{script['name'].lower()}.json"
        file.write_text(json.dumps(script, indent=1) + "\n")
        print(f"lab: wrote {file}", flush=True)


def random_script(family: str, seed: int) -> Plain:
    """The script of a family and a seed: producers that send all the time, faults, an end at which all is repaired."""
    if family == MIRROR_FAMILY:
        return random_mirror_script(seed)
    return _RandomScript(FAMILIES[family], f"{family} {seed}").plain(f"{FAMILIES[family].letter}{seed:03d}")


class _RandomScript:
    """Draws the cluster, topics, clients and faults of one script; the title is the seed of its random numbers."""

    def __init__(self, family: Family, title: str) -> None:
        self.family = family
        self.title = title
        self.r = random.Random(title)
        self.brokers = list(range(self.r.choice(family.sizes)))
        self.in_racks = family.wide and self.r.random() < 0.6
        self.topics = [self._topic(name) for name in "abc"[: self.r.choice([1, 2, 2, 3])]]

    def plain(self, name: str) -> Plain:
        """The script under this name, as its file has it. Call it once: each call draws anew."""
        clients = [client for number, topic in enumerate(self.topics) for client in self._clients(number, topic)]
        faults = RandomFaults(self.r, self.family, self.brokers, self.topics)
        begin = [(round(self.r.uniform(0, 0.5), 2), self._rate(*flow)) for flow in self._flows()]
        middle = faults.steps()
        stop = faults.end + RECOVERY_S
        end = [(stop, {**rate, "per_s": 0}) for _, rate in begin]
        timeline = sorted([*begin, *middle, *end, (stop + REST_S, {"do": "brokers"})], key=lambda timed: timed[0])
        return {
            "name": name,
            "title": f"random faults: {self.title}",
            "cluster": {
                "brokers": {str(broker): self._rack(broker) for broker in self.brokers},
                "elr": self.r.choice([0, 0, 1]),
                "config": self._config(),
            },
            "topics": self.topics,
            "setup": clients,
            "timeline": [{"at": round(at, 2), **step} for at, step in timeline],
        }

    def _rack(self, broker: int) -> str | None:
        return RACKS[broker % len(RACKS)] if self.in_racks else None

    def _config(self) -> Plain:
        config: Plain = {}
        if self.family.wide and self.r.random() < 0.35:
            config["replica.lag.time.max.ms"] = self.r.choice([5000, 10000, 15000])
        if self.in_racks and self.r.random() < 0.6:
            config["replica.selector.class"] = SELECTOR
        return config

    def _topic(self, name: str) -> Plain:
        replication = min(len(self.brokers), self.r.choice([2, 3, 3, 3, 4]))
        partitions = self.r.choice(self.family.partitions)
        least = self.r.choice(self.family.min_isr if replication > 2 else (1, 2))
        return {
            "name": name,
            "assignment": [self.r.sample(self.brokers, replication) for _ in range(partitions)],
            "config": {
                "min.insync.replicas": least,
                "unclean.leader.election.enable": self.r.choice(self.family.unclean),
            },
        }

    def _clients(self, number: int, topic: Plain) -> Iterator[Plain]:
        """A producer of the topic, and in most scripts one who reads it."""
        yield self._producer(f"P{number}")
        drawn = self.r.random()
        if drawn < (0.4 if self.family.wide else 0.6):
            partitions = [[topic["name"], partition] for partition in range(len(topic["assignment"]))]
            reset = self.r.choice(["earliest", "earliest", "none", *(["latest"] if self.family.wide else [])])
            yield self._consumer(f"C{number}", number, {"assign": partitions, "auto.offset.reset": reset})
        elif self.family.wide and drawn < 0.85:
            for member in range(self.r.choice([1, 2])):
                commits = {"enable.auto.commit": "true"} if self.r.random() < 0.7 else {}
                yield self._consumer(f"G{number}{member}", number, {"subscribe": [topic["name"]], **commits})

    def _producer(self, client: str) -> Plain:
        acks = self.r.choice(self.family.acks)
        idempotent = acks == "all" and self.r.random() < 0.75
        limits = self._client_limits(idempotent) if self.family.wide else {}
        settings = {"acks": acks, "enable.idempotence": PLAIN_TEXTS[idempotent], **limits}
        return {"do": "producer", "args": [client], **settings}

    def _client_limits(self, idempotent: bool) -> Plain:
        """Shorter timeouts, fewer requests under way, fewer retries, batches that wait."""
        limits: Plain = {}
        if self.r.random() < 0.4:
            limits |= {"request.timeout.ms": 4000, "delivery.timeout.ms": self.r.choice([8000, 12000, 20000])}
        if self.r.random() < 0.25:
            limits["max.in.flight.requests.per.connection"] = 1
        if self.r.random() < 0.2 and not idempotent:
            limits["retries"] = self.r.choice([0, 1])
        if self.r.random() < 0.3:
            limits["linger.ms"] = self.r.choice([20, 100])
        return limits

    def _consumer(self, client: str, number: int, settings: Plain) -> Plain:
        rack = {"client.rack": self.r.choice(RACKS)} if self.in_racks and self.r.random() < 0.7 else {}
        return {"do": "consumer", "args": [client], "group": f"g{number}", **settings, **rack}

    def _flows(self) -> Iterator[tuple[int, str, int]]:
        """Each producer's number, topic and partition."""
        for number, topic in enumerate(self.topics):
            for partition in range(len(topic["assignment"])):
                yield number, topic["name"], partition

    def _rate(self, number: int, topic: str, partition: int) -> Plain:
        flow = {"topic": topic, "partition": partition, "prefix": f"P{number}.{partition}"}
        return {"do": "rate", "args": [f"P{number}"], **flow, "per_s": self.r.choice(self.family.per_s)}
