"""Random clusters that are sick at the start: documents for the proofs of the AZ answer.

Brokers are dead or fenced, ISRs are of every kind, and racks, min.insync.replicas, unclean election and ELR differ.
A state is one that Kafka can be in: a leader is running and in its ISR, and there is an ELR only below
min.insync.replicas.
"""

from dataclasses import dataclass
from random import Random
from typing import Any, Final

from simengine.questions.az.edits import BACK, DARK, GONE, KILLED

RACKS: Final = ("az-a", "az-b", "az-c")
PROFILES: Final = ("4.2", "4.2", "4.2", "4.1", "4.0", "3.7")
UNCLEAN: Final = "unclean.leader.election.enable"
OFFSETS: Final = "__consumer_offsets"
Plain = dict[str, Any]


@dataclass(frozen=True)
class Sick:
    """A cluster as plain data, how its AZs die, and what becomes of their disks."""

    seed: int
    plain: Plain
    dies: str
    disks: str


@dataclass
class _Cluster:
    """The parts drawn so far."""

    rng: Random
    states: dict[int, str]
    elr: bool
    clean: bool  # no topic elects uncleanly
    usual: bool = False  # unclean elections of topics that do not say

    def running(self, brokers: list[int]) -> list[int]:
        """Those of the brokers that run."""
        return [broker for broker in brokers if self.states[broker] == "running"]


def draw(seed: int) -> Sick:
    """The cluster of a seed."""
    rng = Random(seed)
    profile = rng.choice(PROFILES)
    older = profile == "3.7" and rng.random() < 0.5
    elr = profile != "3.7" and rng.random() < 0.6
    brokers = _brokers(rng)
    made = _Cluster(rng, {one["id"]: one["state"] for one in brokers}, elr, rng.random() < 0.6)
    config: Plain = {"auto.leader.rebalance.enable": False}  # a planned move of a leader is no loss of an AZ
    if rng.random() < 0.3:
        config["min.insync.replicas"] = rng.choice((1, 2, 2, 3))
    if not made.clean and rng.random() < 0.3:
        config[UNCLEAN] = made.usual = True
    names = ["orders", "pay", "logs"][: rng.choice((1, 1, 2, 3))]
    topics = [_topic(made, name) for name in names]
    if rng.random() < 0.15:
        topics.append(_topic(made, OFFSETS))
    plain: Plain = {
        "format": 1,
        "title": f"sick {seed}",
        "profile": profile,
        "seed": rng.randrange(1, 10_000),
        "cluster": {"brokers": brokers, "controllers": _controllers(rng, brokers), "config": config},
        "topics": topics,
        "producers": [_producer(rng, name) for name in names],
        "consumers": [{"id": f"reader-{name}", "group": f"g-{name}", "topics": [name]} for name in names],
        "network": {"latency": rng.choice(("1ms", "1ms", "5ms", "20ms"))},
        **({"elr": elr} if profile != "3.7" else {}),
        **({"basis": {"older": True}} if older else {}),
    }
    _mend_elr(plain, elr)
    dies = DARK if rng.random() < 0.5 else KILLED
    return Sick(seed, plain, dies, GONE if rng.random() < 0.35 else BACK)


def _brokers(rng: Random) -> list[Plain]:
    """3 to 7 brokers; the racks may be uneven, and a broker may have none."""
    count = rng.randint(3, 7)
    racks = RACKS[: rng.choice((2, 3, 3))]
    even = rng.random() < 0.6
    made: list[Plain] = []
    for at in range(count):
        rack = racks[at % len(racks)] if even else rng.choice(racks)
        state = rng.choices(("running", "down", "fenced"), (85, 11, 4))[0]
        made.append({"id": at + 1, "rack": rack, "state": state})
        if rng.random() < 0.03:
            del made[-1]["rack"]
    if all(one["state"] != "running" for one in made):
        made[0]["state"] = "running"
    return made


def _controllers(rng: Random, brokers: list[Plain]) -> list[Plain]:
    """Voters in processes of their own or in those of brokers, spread over the racks or most of them in one."""
    count = rng.choice((1, 3, 3, 3, 5))
    if rng.random() < 0.25:
        homes = rng.sample(brokers, min(count, len(brokers)))
        if all(home["state"] == "down" for home in homes):
            homes = [one for one in brokers if one["state"] != "down"][:1]
        return [_combined(100 + at, home) for at, home in enumerate(homes)]
    spread, one = rng.random() < 0.6, rng.choice(RACKS)
    made: list[Plain] = []
    for at in range(count):
        rack = RACKS[at % len(RACKS)] if spread else one if rng.random() < 0.7 else rng.choice(RACKS)
        made.append({"id": 100 + at, "rack": rack, "state": "down" if at and rng.random() < 0.06 else "running"})
    return made


def _combined(number: int, home: Plain) -> Plain:
    rack = {"rack": home["rack"]} if "rack" in home else {}
    return {"id": number, "broker": home["id"], "state": "down" if home["state"] == "down" else "running", **rack}


def _producer(rng: Random, topic: str) -> Plain:
    return {"id": f"app-{topic}", "topic": topic, "rate": rng.choice((1, 2, 5, 10, 50, 200))}


def _topic(made: _Cluster, name: str) -> Plain:
    rng, brokers = made.rng, list(made.states)
    factor = min(len(brokers), rng.choice((1, 2, 2, 3, 3, 3, 3, 4, 5)))
    config: Plain = {}
    if rng.random() < 0.85:
        config["min.insync.replicas"] = rng.choice((1, 1, 2, 2, 2, 3, 4))
    if not made.clean and rng.random() < 0.6:
        config[UNCLEAN] = rng.random() < 0.8
    lists = [rng.sample(brokers, factor) for _ in range(rng.randint(1, 3))]
    topic: Plain = {"name": name, "assignment": lists, "config": config}
    if name != OFFSETS and factor > 2 and rng.random() < 0.04:
        topic["observers"] = [lists[0][-1]]
        topic["assignment"] = [[one for one in replicas if one != lists[0][-1]] + [lists[0][-1]] for replicas in lists]
    topic["initial"] = {
        str(number): _state(made, replicas, topic.get("observers", []), config.get(UNCLEAN, made.usual))
        for number, replicas in enumerate(topic["assignment"])
    }
    return topic


def _state(made: _Cluster, replicas: list[int], observers: list[int], unclean: bool) -> Plain:
    """One partition: led by a running replica with an ISR of some kind, or without leader behind a dead ISR.

    Where unclean elections are on, a replica that runs leads (UNC-1).
    """
    rng = made.rng
    synced = [one for one in replicas if one not in observers]
    able = made.running(synced)
    leo, epoch = rng.choice((0, 50, 1000)), rng.randint(1, 9)
    if not able or not unclean and len(able) < len(synced) and rng.random() < 0.12:
        return _unled(made, replicas, synced, leo, epoch)
    kind = rng.choice(("alone", "subset", "subset", "all", "all", "first"))
    leader = able[0] if rng.random() < 0.8 else rng.choice(able)
    others = [one for one in able if one != leader]
    inside = {"alone": [], "all": others, "first": others[:1]}.get(kind)
    if inside is None:
        inside = rng.sample(others, rng.randint(0, len(others)))
    isr = [one for one in replicas if one == leader or one in inside]
    out = [one for one in replicas if one not in isr]
    return {"leader": leader, "epoch": epoch, "isr": isr, "leo": leo, "lag": _lags(rng, out, leo)}


def _unled(made: _Cluster, replicas: list[int], synced: list[int], leo: int, epoch: int) -> Plain:
    """No leader: the ISR is dead, or empty where there is ELR and the members of the ELR are dead."""
    rng = made.rng
    dead = [one for one in synced if made.states[one] != "running"]
    members = [rng.choice(dead)]
    state: Plain = {"leader": -1, "epoch": epoch, "leo": leo}
    if made.elr:
        kept = rng.sample(dead, rng.randint(1, len(dead)))
        state |= {"isr": [], "elr": kept, "last_known": [rng.choice(kept)]}
        members = kept
    else:
        state["isr"] = members
    return {**state, "lag": _lags(rng, [one for one in replicas if one not in members], leo)}


def _lags(rng: Random, out: list[int], leo: int) -> Plain:
    """The lag of the copies outside the ISR: none, a little, or everything."""
    lags = {str(one): rng.choice((0, 0, min(3, leo), leo // 2, leo)) for one in out}
    return {one: lag for one, lag in lags.items() if lag}


def _mend_elr(plain: Plain, elr: bool) -> None:
    """ELR-2: members that left the ISR at or below min.insync.replicas stay eligible; some states have had such."""
    rng = Random(plain["seed"])
    usual = plain["cluster"]["config"].get("min.insync.replicas", 1)
    for topic in plain["topics"]:
        least = min(topic["config"].get("min.insync.replicas", usual), len(topic["assignment"][0]))
        for number, replicas in enumerate(topic["assignment"]):
            state = topic["initial"][str(number)]
            out = [one for one in replicas if one not in state["isr"] and one not in topic.get("observers", [])]
            if elr and state["leader"] != -1 and len(state["isr"]) < least and rng.random() < 0.6:
                kept = rng.sample(out, min(len(out), least - len(state["isr"])))
                state["elr"] = kept
                state["lag"] = {one: lag for one, lag in state["lag"].items() if int(one) not in kept}
