"""Random faults and operator's actions, one after the other, such that each makes sense when it comes."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from tests.lab.fault_script import CONTROLLERS
from tests.lab.network import CLIENT
from tests.lab.plain import Plain

STOP_S: Final = 6.0  # a controlled shutdown takes less: until then nothing is started
START_EVERY_S: Final = 0.5  # between two starts at the end
REST_S: Final = 2.0  # from the last fault to the repair of all

Timed = tuple[float, Plain]


@dataclass(frozen=True)
class Family:
    """The draws of one kind of scripts: each tuple is drawn from evenly."""

    letter: str  # of names
    wide: bool  # racks, groups, clients' timeouts, changes of the replication factor, cut clients
    weights: Mapping[str, int]  # of each kind of fault
    faults: tuple[int, int]  # the fewest and the most
    until_s: float  # no fault begins later
    gaps_s: tuple[float, ...]  # between two draws
    pauses_s: tuple[int, ...]
    all_down: float  # the chance that a fault may take the last broker that runs
    sizes: tuple[int, ...] = (3, 3, 3, 3, 4, 5)
    partitions: tuple[int, ...] = (1, 1, 2)
    min_isr: tuple[int, ...] = (1, 2, 2, 2, 3)
    unclean: tuple[str, ...] = ("false", "false", "true")
    acks: tuple[str, ...] = ("all", "all", "all", "1", "0")
    per_s: tuple[int, ...] = (2, 5, 5)


_WEIGHTS: Final = {
    "kill": 6,
    "stop": 3,
    "start": 4,
    "pause": 3,
    "heal": 3,
    "cut_brokers": 2,
    "cut_node": 2,
    "cut_controllers": 2,
    "min_isr": 1,
    "unclean": 1,
    "elect": 1,
    "reassign": 1,
    "controller": 1,
}
FAMILIES: Final = {
    "random": Family(
        letter="F",
        wide=False,
        weights=_WEIGHTS,
        faults=(3, 7),
        until_s=95,
        gaps_s=(0.3, 1, 2, 4, 8, 12, 18, 25),
        pauses_s=(3, 5, 12, 15, 20),
        all_down=0.15,
    ),
    "hard": Family(
        letter="H",
        wide=False,
        weights=_WEIGHTS | {"kill": 9, "stop": 2, "start": 5, "pause": 4, "heal": 4, "cut_node": 4, "reassign": 0},
        faults=(6, 10),
        until_s=95,
        gaps_s=(0.2, 0.5, 1, 2, 4, 8, 12),
        pauses_s=(3, 5, 12, 15, 20),
        all_down=0.6,
        min_isr=(1, 1, 2),
        unclean=("true", "false"),
        acks=("all", "1", "1", "0"),
    ),
    "wide": Family(
        letter="W",
        wide=True,
        weights=_WEIGHTS
        | {"kill": 7, "stop": 4, "start": 5, "pause": 4, "heal": 4, "reassign": 2}
        | {"cut_client": 2, "cut_pair": 2},
        faults=(4, 8),
        until_s=85,
        gaps_s=(0.3, 0.7, 1.5, 3, 5, 9, 13, 20),
        pauses_s=(2, 4, 7, 11, 16, 22),
        all_down=0.25,
        sizes=(3, 3, 4, 4, 5),
        partitions=(1, 2, 3),
        min_isr=(1, 2, 2),
        acks=("all", "all", "1", "0"),
        per_s=(2, 5, 10),
    ),
}


class RandomFaults:
    """Draws faults and remembers what is down, paused and cut."""

    def __init__(self, r: random.Random, family: Family, brokers: list[int], topics: list[Plain]) -> None:
        self.r = r
        self.family = family
        self.brokers = brokers
        self.topics = topics
        self.now = r.uniform(5, 10)  # s
        self.end = 0.0  # s; when all is repaired, set by `steps`
        self._down: set[int] = set()
        self._paused: dict[int, float] = {}  # until when
        self._stopping_until = 0.0
        self._is_cut = False
        self._controller_killed = False
        self._timed: list[Timed] = []

    def steps(self) -> list[Timed]:
        """The steps with their times, in no order; the last ones repair all."""
        left = self.r.randint(*self.family.faults)
        kinds, weights = list(self.family.weights), list(self.family.weights.values())
        while left and self.now < self.family.until_s:
            self._paused = {broker: until for broker, until in self._paused.items() if until > self.now}
            step = _KINDS[self.r.choices(kinds, weights)[0]](self)
            if step is not None:
                self._timed.append((self.now, step))
                left -= 1
            self.now += self.r.choice(self.family.gaps_s)
        self._repair()
        return self._timed

    def _repair(self) -> None:
        self.end = max(self.now, self._stopping_until, *self._paused.values(), 0.0) + REST_S
        self._timed.append((self.end, {"do": "heal"}))
        for broker in sorted(self._down):
            self.end += START_EVERY_S
            self._timed.append((self.end, {"do": "start", "args": [broker]}))

    def _up(self) -> list[int]:
        return [broker for broker in self.brokers if broker not in self._down and broker not in self._paused]

    def _partition(self) -> Plain:
        topic = self.r.choice(self.topics)
        return {"topic": topic["name"], "partition": self.r.randrange(len(topic["assignment"]))}

    def end_process(self, verb: str) -> Plain | None:
        """A kill or a stop of a broker that runs."""
        up = self._up()
        if not up or (len(up) == 1 and self.r.random() >= self.family.all_down):
            return None
        broker = self.r.choice(up)
        self._down.add(broker)
        if verb == "kill":
            return {"do": verb, "args": [broker]}
        self._stopping_until = self.now + STOP_S
        return {"do": verb, "args": [broker], "background": True}

    def start(self) -> Plain | None:
        """A start of a broker that is down, once none is stopping."""
        if not self._down or self.now <= self._stopping_until:
            return None
        broker = self.r.choice(sorted(self._down))
        self._down.discard(broker)
        return {"do": "start", "args": [broker]}

    def pause(self) -> Plain | None:
        """A pause of a broker, and its resume."""
        up = self._up()
        if not up:
            return None
        broker = self.r.choice(up)
        until = self.now + self.r.choice(self.family.pauses_s)
        self._paused[broker] = until
        self._timed.append((until, {"do": "resume", "args": [broker]}))
        return {"do": "pause", "args": [broker]}

    def cut(self, kind: str) -> Plain | None:
        """A cut between one broker and others; one cut at a time."""
        if self._is_cut:
            return None
        self._is_cut = True
        broker = self.r.choice(self.brokers)
        others = [other for other in self.brokers if other != broker]
        sides: dict[str, list[int | str]] = {
            "cut_brokers": [*others],
            "cut_node": [*others, *CONTROLLERS],
            "cut_controllers": [*CONTROLLERS],
            "cut_client": [CLIENT],
            "cut_pair": [self.r.choice(others)],
        }
        return {"do": "cut", "args": [[broker], sides[kind]]}

    def heal(self) -> Plain | None:
        """The end of the cut."""
        if not self._is_cut:
            return None
        self._is_cut = False
        return {"do": "heal"}

    def setting(self, key: str, values: tuple[str, ...]) -> Plain:
        """A change of a topic's configuration."""
        topic = self.r.choice(self.topics)["name"]
        return {"do": "config", "topic": topic, "set": {key: self.r.choice(values)}, "background": True}

    def elect(self) -> Plain:
        """An election that an operator asks for; in wide scripts as often unclean as preferred."""
        kinds = ["PREFERRED", "UNCLEAN", *([] if self.family.wide else ["PREFERRED"])]
        return {"do": "elect", **self._partition(), "type": self.r.choice(kinds), "background": True}

    def reassign(self) -> Plain:
        """New replicas of a partition; in wide scripts their number may change."""
        partition = self._partition()
        topic = next(topic for topic in self.topics if topic["name"] == partition["topic"])
        change = self.r.choice([-1, 0, 0, 1]) if self.family.wide else 0
        size = max(1, min(len(self.brokers), len(topic["assignment"][0]) + change))
        return {"do": "reassign", **partition, "to": self.r.sample(self.brokers, size), "background": True}

    def kill_controller(self) -> Plain | None:
        """A kill of the active controller, once: two of three are left."""
        if self._controller_killed:
            return None
        self._controller_killed = True
        return {"do": "kill_active_controller"}


_KINDS: Final[dict[str, Callable[[RandomFaults], Plain | None]]] = {
    "kill": partial(RandomFaults.end_process, verb="kill"),
    "stop": partial(RandomFaults.end_process, verb="stop"),
    "start": RandomFaults.start,
    "pause": RandomFaults.pause,
    **{kind: partial(RandomFaults.cut, kind=kind) for kind in ("cut_brokers", "cut_node", "cut_controllers")},
    **{kind: partial(RandomFaults.cut, kind=kind) for kind in ("cut_client", "cut_pair")},
    "heal": RandomFaults.heal,
    "min_isr": partial(RandomFaults.setting, key="min.insync.replicas", values=("1", "2", "3")),
    "unclean": partial(RandomFaults.setting, key="unclean.leader.election.enable", values=("true", "false")),
    "elect": RandomFaults.elect,
    "reassign": RandomFaults.reassign,
    "controller": RandomFaults.kill_controller,
}
