"""From a listing to a scenario document (format 1) in the pasted state, with all that was inferred or assumed.

Leaves out configs that change nothing in a run.
"""

from dataclasses import asdict, dataclass, field
from typing import Any, Final

from simengine.importers import clients, placed, version
from simengine.importers.assumed import ASSUMED, LABELS, AssumedValues, sized, timeouts
from simengine.importers.controllers import place
from simengine.importers.describe_warnings import names
from simengine.importers.document_topics import MIN_ISR, TopicEntries
from simengine.importers.evidence import MinIsr
from simengine.importers.initial import moves
from simengine.importers.internal_hints import OFFSETS_TOPIC, is_internal
from simengine.importers.liveness import Life, infer
from simengine.importers.model import PastedCluster, PastedTopic
from simengine.importers.sources import guessed_racks, sources
from simengine.scenario import config_keys
from simengine.scenario.limits import CLIENTS_MAX
from simengine.scenario.own_topics import is_own_topic
from simengine.scenario.problems import FieldError
from simengine.scenario.profiles import PROFILES, VERSIONS
from simengine.words.phrases import plural

CONSUMED_PARTITIONS_MAX: Final = 500  # beyond this no consumer is put in: it would only cost time
LAGS_TOLD_MAX: Final = 5  # groups, the farthest behind first
SEED: Final = 1
UNTIL: Final = "60s"


@dataclass(frozen=True, slots=True)
class Assumption:
    """One inferred or assumed value. ``edit``: the key of `AssumedValues` that changes it, "" if the rows fix it."""

    key: str
    value: Any
    why: str
    edit: str = ""
    choices: tuple[Any, ...] = ()


@dataclass(slots=True)
class BuiltDocument:
    """The document as plain data, and what it rests on besides the paste.

    ``cluster``: what was read, with the brokers and topics that were assumed or placed.
    """

    document: dict[str, Any]
    cluster: PastedCluster
    assumptions: list[Assumption] = field(default_factory=list)

    def plain_assumptions(self) -> list[dict[str, Any]]:
        """The assumptions as JSON-able maps."""
        return [asdict(assumption) for assumption in self.assumptions]


def build(
    cluster: PastedCluster,
    assumed: AssumedValues,
    racks: dict[int, str] | None = None,
    controllers: dict[int, str] | None = None,
) -> BuiltDocument | None:
    """The scenario of a cluster; None if it names no broker.

    ``racks``: broker id -> AZ, over what the paste says; ``controllers``: the controllers with their AZs, likewise.
    """
    if not cluster.brokers:
        return None
    return _Builder(cluster, assumed, racks or {}, controllers).build()


class _Builder:
    def __init__(
        self, cluster: PastedCluster, assumed: AssumedValues, racks: dict[int, str], controllers: dict[int, str] | None
    ) -> None:
        cluster = placed.assumed_brokers(cluster, assumed.brokers)
        self.assumed = assumed
        self.racks = {broker.id: racks.get(broker.id) or broker.rack for broker in cluster.brokers.values()}
        self.placement = placed.with_placed(cluster, self._placing_racks(cluster), assumed)
        self.cluster = cluster = self.placement.cluster
        own = timeouts(assumed.request_timeout_ms)
        waits = {key: own[key] for key in own if key == "request.timeout.ms"}
        self.timeouts = {"config": own} if own else {}
        self.consumer_timeouts = {"config": waits} if waits else {}
        self.placed = place(cluster, self.racks, assumed.controllers, controllers)
        self.sources = sources(cluster, assumed, self.racks, self.placed.source)
        self.lives = infer(cluster)
        self.alive = {
            broker: assumed.states[broker] == "running" if broker in assumed.states else life.alive
            for broker, life in self.lives.items()
        }
        profile = PROFILES[assumed.profile]
        self.elr = profile.elr_possible and (profile.elr_default if assumed.elr is None else assumed.elr)
        self.topics = [topic for topic in cluster.topics.values() if topic.rows]
        ordinary = [topic for topic in self.topics if not self._is_own(topic.name)]
        self.used = ordinary or self.topics  # by clients; who pastes internal topics alone asks about these
        named = self.used if assumed.neutral_names else []
        self.new_names = {topic.name: topic.name for topic in self.topics}
        self.new_names |= {topic.name: f"topic-{index}" for index, topic in enumerate(named, start=1)}
        self.groups = clients.groups_of(self.cluster.evidence, self.used)
        self.entries = TopicEntries(cluster, assumed, self.alive, self.elr, self.new_names, self.groups.ends)
        self.built = BuiltDocument({}, self.cluster)

    def _placing_racks(self, cluster: PastedCluster) -> dict[int, str | None]:
        """The racks that placement goes by: the brokers have some, and where none is named they are guessed."""
        return {**self.racks} if any(self.racks.values()) else {**guessed_racks(cluster)}

    def build(self) -> BuiltDocument:
        topics = [self.entries.of(topic) for topic in self.topics]
        brokers = [self._broker(broker) for broker in sorted(self.cluster.brokers)]
        self.built.document = {
            "format": 1,
            "title": self._title(),
            "about": "",
            "profile": self.assumed.profile,
            "elr": self.elr,
            "seed": SEED,
            "until": UNTIL,
            "cluster": {
                "brokers": brokers,
                "controllers": self._controllers(),
                "config": self._cluster_config(),
            },
            "topics": topics,
            "producers": self._producers(),
            "consumers": self._consumers(),
            "network": self._network(),
            "basis": self._basis(),
        }
        self._state_assumptions()
        self.built.document["about"] = self._about()
        return self.built

    def _cluster_config(self) -> dict[str, Any]:
        """The configs that the paste sets for all brokers, as far as a run obeys them."""
        config: dict[str, Any] = {}
        for key, said in self.cluster.evidence.cluster_configs:
            try:
                if key in config_keys.SIMULATED[config_keys.BROKER]:
                    config[key] = config_keys.read(config_keys.BROKER, key, said.value)
            except FieldError:
                self.entries.dropped_configs.setdefault(f"{key}={said.value}", []).append("all brokers")
        return {**config, MIN_ISR: self.assumed.min_insync_replicas}

    def _title(self) -> str:
        brokers, topics = len(self.cluster.brokers), len(self.topics)
        return f"Pasted cluster: {plural(brokers, 'broker', 'brokers')}, {plural(topics, 'topic', 'topics')}"

    def _broker(self, broker: int) -> dict[str, Any]:
        entry: dict[str, Any] = {"id": broker, "state": "running" if self.alive[broker] else "down"}
        rack = self.racks[broker]
        if rack:
            entry["rack"] = rack
        return entry

    def _controllers(self) -> list[dict[str, Any]]:
        """The controllers; one in the process of a broker that is down is down with it.

        Where all would be, they are taken for processes of their own that run: a run begins with one that does.
        """
        entries = self.placed.entries
        up = [entry for entry in entries if "state" not in entry and self.alive.get(entry.get("broker", -1), True)]
        if not up:
            return [{key: entry[key] for key in entry if key not in ("broker", "state")} for entry in entries]
        return [entry if entry in up else {**entry, "state": "down"} for entry in entries]

    def _basis(self) -> dict[str, Any]:
        basis: dict[str, Any] = {"from": self.sources}
        if version.is_older(self.cluster) and self.assumed.profile == version.told(self.cluster).profile:
            basis["older"] = True
        log, speed = round(self.assumed.log_gb * 1000), round(self.assumed.copy_mb_per_s)
        return {**basis, "log_mb": log, "copy_mb_per_s": speed}

    def _network(self) -> dict[str, Any]:
        latency = round(self.assumed.latency_ms * 1000)
        return {"latency": f"{latency}us", "jitter": f"{latency // 5}us"}

    def _is_own(self, topic: str) -> bool:
        """True if Kafka, Connect or MirrorMaker keeps a topic for itself: no application uses it.

        A rate or a group of its own shows that one does, except of Kafka's internal topics.
        """
        evidence, rates = self.cluster.evidence, self.assumed.rates
        is_told = topic in rates or topic in evidence.rates or any(lag.topic == topic for lag in evidence.lags)
        return is_internal(topic) or (is_own_topic(topic) and not is_told)

    def _producers(self) -> list[dict[str, Any]]:
        room = CLIENTS_MAX - 1
        if len(self.used) > room:
            self._assume("producers", f"the first {room} topics", f"a scenario has at most {CLIENTS_MAX} clients")
        busy = clients.busy_topics(self.used, self.assumed)
        return [
            {
                "id": f"producer-{index}",
                "topic": self.new_names[topic.name],
                "rate": _plain(clients.rate_of(topic, self.cluster.evidence, self.assumed, busy)),
                "acks": self.assumed.acks,
                **self.timeouts,
            }
            for index, topic in enumerate(self.used[:room], start=1)
        ]

    def _consumers(self) -> list[dict[str, Any]]:
        if not self.used or sum(len(topic.rows) for topic in self.used) > CONSUMED_PARTITIONS_MAX:
            return []
        made = clients.consumers(self.groups, self.used, self.new_names, self.assumed.neutral_names)
        waits = self.consumer_timeouts.get("config", {})
        return [{**one, "config": {**one.get("config", {}), **waits}} if waits else one for one in made]

    def _assume(self, key: str, value: Any, why: str, edit: str = "", choices: tuple[Any, ...] = ()) -> None:
        self.built.assumptions.append(Assumption(key, value, why, edit, choices))

    def _state_assumptions(self) -> None:
        """List what is assumed: first what decides a verdict, then what the rows led to."""
        later, self.built.assumptions = self.built.assumptions, []
        for key, value, why, edit in placed.told(self.placement, self.new_names):
            self._assume(LABELS.get(key, key), value, why, edit)
        self._assume_traffic()
        self._assume_version()
        self._assume_scale()
        for broker, life in self.lives.items():
            self._assume_life(broker, life)
        self._assume_copies()
        for what, places in self.entries.repairs.items():
            self._assume(f"repaired: {names(places)}", plural(len(places), "partition", "partitions"), what)
        for config, topics in self.entries.dropped_configs.items():
            self._assume(f"config {config}", f"left out of {names(topics)}", "not a value that Kafka takes")
        if self.entries.idle_configs:
            topics = list(dict.fromkeys(name for those in self.entries.idle_configs.values() for name in those))
            why = f"set for {plural(len(topics), 'topic', 'topics')}; nothing that is simulated depends on it"
            self._assume("left out", ", ".join(sorted(self.entries.idle_configs)), why)
        self.built.assumptions += later

    def _assume_traffic(self) -> None:
        assumed = self.assumed
        told = clients.told_rates(self.used, self.cluster.evidence, assumed)
        self._assume(
            LABELS["records_per_s"],
            _plain(assumed.records_per_s),
            "of each topic whose rate nothing tells" if told else "of each topic; no listing tells the load",
            "records_per_s",
        )
        for name, value, why in told:
            self._assume(f"records/s of {self.new_names[name]}", _plain(value), why)
        share = "the share of topics that carries a rate of its own: those with most partitions"
        if len(self.used) > 1:
            self._assume(LABELS["busy_share"], _plain(assumed.busy_share), share, "busy_share")
        if assumed.busy_share:
            why = "of each busy topic"
            rate = _plain(assumed.busy_records_per_s)
            self._assume(LABELS["busy_records_per_s"], rate, why, "busy_records_per_s")
        self._assume_groups()
        used = {topic.name for topic in self.used}
        idle = [topic.name for topic in self.topics if topic.name not in used]
        if idle:
            why = "without clients: only brokers, Connect and MirrorMaker write to them"
            self._assume("internal topics", names(idle), why)
        if self.built.document["consumers"] and OFFSETS_TOPIC not in self.new_names:
            why = (
                "the listing has none, and a consumer group commits to it; a cluster of its own has 50 partitions of it"
            )
            self._assume(OFFSETS_TOPIC, "1 partition", why)
        self._assume(
            LABELS["acks"],
            assumed.acks,
            "of all producers; all is Kafka's default since 3.0",
            "acks",
            ("0", "1", "all"),
        )
        self._assume_min_isr()

    def _assume_groups(self) -> None:
        """State the lag of the paste's groups, and the groups that have no place in a run."""
        groups = self.groups
        listed = [one["group"] for one in self.built.document["consumers"] if "committed" in one]
        if listed:
            self._assume("groups", names(listed), "at the offsets that they have committed; read off CURRENT-OFFSET")
        for amount in dict.fromkeys(groups.moved.values()):
            places = [
                f"{self.new_names[topic]}-{number}" for (topic, number), by in groups.moved.items() if by == amount
            ]
            why = f"{names(places)}: all its offsets, those of groups too, are lower by that; a run's log begins at 0"
            self._assume("offsets moved", amount, why)
        told = clients.lag_told(groups, self.cluster.evidence, self.new_names, self.assumed.neutral_names)
        for name, records, where in told[:LAGS_TOLD_MAX]:
            self._assume(
                f"lag of group {name}", records, f"records {where}; read off CURRENT-OFFSET and LOG-END-OFFSET"
            )
        if groups.left_out:
            self._assume("groups left out", names(groups.left_out), f"a run takes {clients.GROUPS_MAX} of them")

    def _assume_min_isr(self) -> None:
        """The value of all topics that tell none, and what the state of others proves."""
        told = {str(entry["name"]): entry["config"] for entry in self.built.document["topics"]}
        unknown = 0
        for topic in self.topics:
            name = self.new_names[topic.name]
            proved = self.cluster.evidence.min_isr_of.get(topic.name)
            if MIN_ISR in (topic.configs or {}):
                continue
            if proved is not None and MIN_ISR in told[name]:
                why = proved.why.replace(f"{topic.name}-", f"{name}-") + _at_least(proved)
                self._assume(f"{MIN_ISR} of {name}", proved.value, why)
            else:
                unknown += 1
        if unknown:
            evidence = self.cluster.evidence
            said = evidence.min_isr_any or evidence.cluster_config(MIN_ISR)
            source = f"{said.place()} says {said.value}" if said else "Kafka's default is 1"
            why = f"for the {plural(unknown, 'topic', 'topics')} whose listing shows none; {source}"
            self._assume(LABELS["min_insync_replicas"], self.assumed.min_insync_replicas, why, "min_insync_replicas")

    def _assume_version(self) -> None:
        assumed = self.assumed
        told = version.told(self.cluster)
        self._assume(LABELS["profile"], assumed.profile, told.why, "profile", VERSIONS)
        if PROFILES[assumed.profile].elr_possible:
            self._assume(LABELS["elr"], self.elr, told.why_elr, "elr", (True, False))
        self._assume(LABELS["controllers"], len(self.placed.entries), self.placed.why, "controllers")

    def _assume_scale(self) -> None:
        """State the values that no listing tells, and those that decide how long copying takes."""
        assumed = self.assumed
        self._assume(LABELS["latency_ms"], _plain(assumed.latency_ms), "ms between any two nodes", "latency_ms")
        why = "Kafka's default, of producers and consumers, in ms: so long waits what a node that went dark had"
        self._assume(LABELS["request_timeout_ms"], assumed.request_timeout_ms, why, "request_timeout_ms")
        copies = len(sized(self.cluster))
        of = f"the mean of the {copies:,} that are listed; " if copies else ""
        why = f"GB of each copy; {of}a replica that starts from nothing copies as much"
        self._assume(LABELS["log_gb"], _plain(assumed.log_gb), why, "log_gb")
        self._assume(LABELS["copy_mb_per_s"], assumed.copy_mb_per_s, "MB/s that a broker copies logs", "copy_mb_per_s")

    def _assume_life(self, broker: int, life: Life) -> None:
        by_hand = broker in self.assumed.states
        if not life.alive or by_hand or not life.told and not self.placement.invented:
            state = "running" if self.alive[broker] else "down"
            why = "set by hand" if by_hand else life.why
            self._assume(f"broker {broker}", state, why, f"states.{broker}", ("running", "down"))

    def _assume_copies(self) -> None:
        assumed, rows = self.assumed, list(self.cluster.rows())
        partly = [self.new_names[topic.name] for topic in self.topics if _is_partly_listed(topic)]
        if partly:
            why = "the partitions that are not listed are not in the run; the topic's records/s go to those that are"
            self._assume("listed in part", names(partly), why)
        where = "in each partition that no group of the paste reads" if self.groups.ends else "in each partition"
        self._assume(LABELS["log_end"], assumed.log_end, f"at the start, {where}", "log_end")
        told = self.entries.read_lags
        if told:
            why = "records that replicas outside the ISR are behind; as the paste tells"
            least, most = min(told.values()), max(told.values())
            self._assume("backlog of listed copies", f"{least:,} to {most:,}" if least < most else most, why)
        lags = self.entries.assumed_lags
        if lags:
            why = f"records that a replica outside the ISR is behind, in {plural(len(lags), 'partition', 'partitions')}"
            if min(lags) < assumed.backlog:
                why += "; no more than its log holds at the start"
            self._assume(LABELS["backlog"], assumed.backlog, why, "backlog")
        if self.entries.with_outside:
            where = plural(self.entries.with_outside, "partition", "partitions")
            why = f"in {where}; the listing does not tell why they are out, and a restart brings them back"
            self._assume(LABELS["stay_out"], assumed.stay_out, why, "stay_out", (True, False))
        moving = [f"{self.new_names[row.topic]}-{row.number}" for row in rows if any(moves(row))]
        if moving:
            self._assume("reassignment", names(moving), "in flight at the start; it goes on in the run (REA-3)")
        watching = [f"{self.new_names[row.topic]}-{row.number}" for row in rows if row.observers]
        if watching:
            why = "only Confluent Server has them: kept out of the ISR and of elections"
            kept = {topic.name: topic.observers for topic in self.topics}
            ordinary = [row for row in rows if any(broker not in kept[row.topic] for broker in row.observers)]
            self._assume("observers", names(watching), "simulated as ordinary replicas" if ordinary else why)

    def _about(self) -> str:
        """The assumed values in words, for whoever opens the document later."""
        lines = [f"{entry.key}: {_said(entry.value)} ({entry.why})" for entry in self.built.assumptions[:40]]
        return f"Built from a pasted listing. {ASSUMED}" + "\n".join(lines)


def _at_least(proved: MinIsr) -> str:
    """The certainty of a proof, as the end of its sentence."""
    return "" if proved.is_exact else "; it is that or more"


def _is_partly_listed(topic: PastedTopic) -> bool:
    """True if a filter or a cut left partitions out, as far as the header or a gap in the numbers tells."""
    return bool(topic.filter) or len(topic.rows) < (topic.declared or 0) or max(topic.rows) >= len(topic.rows)


def _said(value: Any) -> str:
    """A value as the page shows it: on and off, thousands parted."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _plain(number: float) -> float | int:
    """10.0 as 10, as people write rates."""
    return int(number) if number == int(number) else number
