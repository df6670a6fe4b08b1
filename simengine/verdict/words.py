"""The verdict in words: one plain sentence for the gravest true fact, and the event that decided it (``ui.md`` 9)."""

from typing import TYPE_CHECKING, Final

from simengine.facts.decisive import (
    ActionDone,
    BrokerRegistration,
    ConfigChanged,
    DuplicateWritten,
    IsrAdopted,
    LinkChanged,
    PartitionChanged,
    ProcessChanged,
    ReplicaGone,
    ServingChanged,
    SlowChanged,
    Truncated,
)
from simengine.facts.kinds import (
    ELECTION_NAMES,
    ELECTION_NONE,
    PROCESS_DOWN,
    REASON_ALTER_PARTITION,
    REASON_CONFIG,
    REASON_DIRECTORY,
    REASON_NAMES,
    REASON_UNCLEAN,
    REG_NAMES,
)
from simengine.facts.trace import Decisive
from simengine.kernel.site import ALONE, Site
from simengine.kernel.titles import partition_title
from simengine.scenario.action_words import clauses, inside
from simengine.verdict.outage import THETA_US
from simengine.verdict.records import SentAgain
from simengine.verdict.sentence import NO_LOSS, NONE_YET, NOTHING_YET, ONLY_MIRRORED
from simengine.verdict.together import action_behind, elected_together, ended_together, numbered, quorum_words
from simengine.words.phrases import listed, plural, seconds

if TYPE_CHECKING:
    from simengine.kafka.cluster.cluster import Cluster
    from simengine.kafka.shared.config import Topic

Json = dict[str, object]
PROCESS_WORDS: Final = (  # by PROCESS_*
    "died",
    "started",
    "recovered its logs",
    "ran again",
    "shut down",
    "was paused",
    "asked to be registered",
)
REASON_WORDS: Final = {
    "created": "when it was created",
    "broker fenced": "after a broker had fallen silent",
    "broker unfenced": "when a broker came back",
    "AlterPartition": "as its leader had asked",
    "controlled shutdown": "as a broker shut down",
    "new incarnation registered": "as a broker registered with a new process",
    "preferred election": "as the preferred leader",
    "unclean election": "by an unclean election",
    "reassignment": "by a reassignment",
    "config changed": "after a setting had changed",
    "log directory assigned": "as a copy was assigned to a replaced disk",
}
REG_WORDS: Final = {  # by its new state
    "unregistered": "was unregistered",
    "fenced": "was fenced",
    "active": "was unfenced",
    "shutting down": "was marked as shutting down",
}
HOW: Final = {  # an election that is not clean, in words
    "from ELR": "out of the ELR",
    "last known": "as the last known leader",
    "unclean": "by an unclean election",
}
SENT_AGAIN: Final = (
    ("by_application", "now in the log more than once for it"),
    ("recovered", "there again after their loss"),
    ("lost", "acknowledged and lost all the same"),
)
COUNTED: Final = (  # what a sentence counts, or calls by name
    "lost",
    "lost_before",
    "duplicated",
    "by_application",
    "hidden",
    "handed_over",
    "unled",
    "refused",
    "unknown",
)
SHORT_US: Final = 50_000  # what would be rounded to 0.0 s


def number(topic: Json, key: str) -> int:
    """A figure of a topic."""
    return int(str(topic[key]))


def pace(limit: int) -> str:
    """The words for a broker whose replication intake is limited to so many records/s (-1: no longer)."""
    if limit < 0:
        return "took in what it fetched at full speed again"
    return f"was held to {plural(limit, 'record/s', 'records/s')} of fetches"


def serving(limit: int) -> str:
    """The words for a broker whose responses to fetches are limited to so many records/s (-1: no longer)."""
    if limit < 0:
        return "served fetches at full speed again"
    return f"served fetches with at most {plural(limit, 'record/s', 'records/s')}"


def gravity(topic: Json) -> tuple[int, ...]:
    """Sort key: the worst topic first; alike ones stay in the document's order. What nobody used comes last.

    Of stops that are over, those of topics come before those of the coordinators.
    """
    gone = number(topic, "lost") + number(topic, "lost_before")
    groups = number(topic, "groups_down") if number(topic, "waits_all_us") else 0
    counts = [-gone, -number(topic, "groups_lost"), -groups, -number(topic, "unled")]
    counts.append(-number(topic, "duplicated") - number(topic, "by_application"))
    counts += [-number(topic, key) for key in ("vanished", "unreadable")]
    writes = max(number(topic, "write_down_client_us"), longer(number(topic, "longest_wait_us")))
    reads = max(number(topic, "read_down_client_us"), longer(number(topic, "longest_read_us")))
    stops = (-writes, -reads, -write_down_us(topic), -read_down_us(topic))
    return (*counts, -any(stops), number(topic, "coordinators") > 0, *stops)


def longer(us: int) -> int:
    """A time, 0 as long as it is latency."""
    return us if us > THETA_US else 0


def write_down_us(topic: Json) -> int:
    """Microseconds that writes of this topic stood still: the application's time, or the servers' if nobody wrote."""
    return number(topic, "write_down_client_us" if is_used(topic) else "write_down_all_us")


def read_down_us(topic: Json) -> int:
    """Microseconds that reads of this topic stood still: a reader's time; if nobody wrote, also the servers'."""
    return number(topic, "read_down_client_us") or (0 if is_used(topic) else number(topic, "read_down_us"))


def is_used(topic: Json) -> bool:
    """True if some application has written to a topic."""
    return any(number(topic, key) for key in ("acked", "refused", "unknown", "handed_over", "longest_wait_us"))


def in_user_units(topic: Json) -> str:
    """The gravest figure as a share of the topic's own traffic; "" where there is nothing to say."""
    lost, lost_us = number(topic, "lost"), number(topic, "lost_traffic_us")
    if lost and lost_us:
        about = f"about {seconds(lost_us)}" if lost_us >= SHORT_US else "less than 0.1 s"
        return f"{plural(lost, 'record', 'records')}, {about} of this topic's traffic"
    down, held = number(topic, "write_down_client_us"), number(topic, "held_back")
    if down and held:
        return f"{seconds(down)} without a response, {plural(held, 'record', 'records')} held back"
    return ""


def sent_again_words(again: SentAgain, resent: int) -> str:
    """The words on the records that the application sent again, by so many further calls."""
    counts = {"by_application": again.by_application, "recovered": again.recovered, "lost": again.lost}
    fates = [f"{counts[key]:,} {words}" for key, words in SENT_AGAIN if counts[key]]
    told = f": {', '.join(fates)}" if fates else ""
    records = plural(again.records, "record", "records")
    return f"{plural(resent, 'call', 'calls')} of the application sent {records} again{told}"


def cluster_sentence(topics: list[Json], is_mirrored: bool = False) -> str:
    """The sentence of the gravest topic, with its name where there are several; groups beside what comes next.

    ``is_mirrored``: MirrorMaker wrote to topics of the cluster. A topic that no application wrote to is then one of
    several.
    """
    if not topics:
        return NOTHING_YET
    worst = topics[0]
    users = [topic for topic in topics if not number(topic, "coordinators")]
    if not users or (worst is not users[0] and is_well(users[0])):
        return str(worst["sentence"])
    is_whole = say_the_same(users) and (not is_mirrored or number(users[0], "calls") > 0)
    said = str(users[0]["sentence"]) if is_whole else f"{users[0]['topic']}: {users[0]['sentence']}"
    if worst is users[0]:
        return f"{said} {groups_out(topics)}".rstrip()
    if number(worst, "groups_lost") + number(worst, "lost_before"):  # commits were acknowledged, and are gone
        said = said.removeprefix(NO_LOSS).removeprefix(NONE_YET).lstrip()
    return f"{worst['sentence']} {said}".rstrip()


def groups_out(topics: list[Json]) -> str:
    """The sentence on groups that lost offsets or can neither join nor commit now, beside the topic told first."""
    for topic in topics:
        is_out = number(topic, "groups_down") and number(topic, "waits_all_us")
        if number(topic, "coordinators") and (is_out or number(topic, "groups_lost") or number(topic, "lost_before")):
            return str(topic["sentence"])
    return ""


def with_quorum(said: str, is_gone: bool, cluster: "Cluster") -> str:
    """A sentence on all topics, with the words that nobody can elect, where that is so; ``is_gone``: records are."""
    quorum = quorum_words(cluster)
    if not quorum:
        return said
    return f"{said} {quorum}" if is_gone else f"{quorum} {said}"


def headline(topics: list[Json], cluster: "Cluster", is_mirrored: bool) -> str:
    """The sentence on a run whose topics are few, the gravest first; ``is_mirrored``: MirrorMaker wrote to some."""
    is_gone = bool(topics) and number(topics[0], "lost") + number(topics[0], "lost_before") > 0
    said = cluster_sentence(topics, is_mirrored)
    return with_quorum(ONLY_MIRRORED if said == NOTHING_YET and is_mirrored else said, is_gone, cluster)


def is_well(topic: Json) -> bool:
    """True if a topic's verdict is the best there is."""
    return str(topic["severity"]) in ("ok", "0")


def say_the_same(topics: list[Json]) -> bool:
    """True if one sentence is true of all topics together. One that counts records is not: each topic has its own."""
    if len(topics) < 2:
        return True
    counts = any(number(topics[0], key) for key in COUNTED)
    return not counts and all(topic["sentence"] == topics[0]["sentence"] for topic in topics)


def deciding(facts: list[Decisive], seq: int, cluster: "Cluster") -> Json | None:
    """Time, words and rule ids of a decisive fact; None for fact 0.

    One direction of one link is told as the action that cut or slowed it, and others with it; a process that ended, as
    what ended with it; of a copy that was deleted, what was done is told beside it.
    """
    fact = numbered(facts, seq)
    if fact is None:
        return None
    text, rules = clause(fact, cluster)
    done = numbered(facts, int(fact.cause)) if isinstance(fact, LinkChanged) else None
    if isinstance(done, ActionDone):
        text = inside(done.text, lambda node: node_name(node, cluster))
    if isinstance(fact, ReplicaGone):
        asked = action_behind(facts, fact)
        text += f" ({inside(asked.text, lambda node: node_name(node, cluster))})" if asked is not None else ""
    text = ended_together(facts, fact, cluster) or f"{text}{elected_together(facts, fact, cluster)}"
    return {"seq": int(fact.seq), "t": int(fact.t), "text": text, "rules": rules}


def clause(fact: Decisive, cluster: "Cluster") -> tuple[str, list[str]]:
    """A past-tense clause for a fact, and the rules behind it."""
    if isinstance(fact, PartitionChanged):
        return partition_clause(fact, partition_name(int(fact.p), cluster), cluster.site)
    if isinstance(fact, ProcessChanged):
        left = fact.state == PROCESS_DOWN and bool(fact.left)  # it was told to stop, also where it got no leave
        what = "ended its shutdown" if left else PROCESS_WORDS[int(fact.state)]
        return f"{node_name(int(fact.node), cluster)} {what}", ["SHUT-3" if left else "FLT-3"]
    if isinstance(fact, LinkChanged):
        what = "was cut" if fact.cut else "was slowed" if fact.slow_us else "was healed"
        return f"the link from {node_name(int(fact.src), cluster)} to {node_name(int(fact.dst), cluster)} {what}", [
            "FLT-4"
        ]
    if isinstance(fact, SlowChanged):
        return f"{node_name(int(fact.broker), cluster)} {pace(int(fact.per_s))}", ["FLT-1"]
    if isinstance(fact, ServingChanged):
        return f"{node_name(int(fact.broker), cluster)} {serving(int(fact.per_s))}", ["FLT-9"]
    if isinstance(fact, BrokerRegistration):
        return f"{node_name(int(fact.broker), cluster)} {REG_WORDS[REG_NAMES[int(fact.state)]]}", ["LIVE-4"]
    if isinstance(fact, IsrAdopted):
        return f"{partition_name(int(fact.p), cluster)}: the ISR became {members(fact.isr, cluster.site)}", ["AP-4"]
    if isinstance(fact, ConfigChanged):
        key, value = fact.text.split("=", 1)
        rules = ["HW-3", "PROD-2"] if key == "min.insync.replicas" else []
        return f"{scope_name(int(fact.topic), cluster.topics, cluster.site)}: {key} became {value}", rules
    if isinstance(fact, ActionDone):
        return clauses(fact.text, lambda node: node_name(node, cluster)), []
    return log_clause(fact, cluster)


def log_clause(fact: Decisive, cluster: "Cluster") -> tuple[str, list[str]]:
    """The clause on a log of a partition: something was written twice, or it was cut or deleted."""
    site = cluster.site
    if isinstance(fact, DuplicateWritten):
        again = plural(int(fact.count), "record of a retried batch was", "records of a retried batch were")
        return f"{partition_name(int(fact.p), cluster)}: {again} appended again at offset {fact.base}", ["PC-10"]
    if isinstance(fact, ReplicaGone):
        return f"broker {site.called(fact.broker)} deleted its copy of {partition_name(int(fact.p), cluster)}", [
            "REA-4"
        ]
    if isinstance(fact, Truncated):
        where = partition_name(int(fact.p), cluster)
        who = site.called(fact.broker)
        return f"broker {who} cut its log of {where} back from offset {fact.old} to {fact.new}", ["LOG-5"]
    return fact.words or "an event", []


def partition_clause(fact: PartitionChanged, where: str, site: Site) -> tuple[str, list[str]]:
    """The clause on a change of a partition by the controller."""
    leader, epoch, reason, election = int(fact.leader), int(fact.epoch), int(fact.reason), int(fact.election)
    why = REASON_WORDS[REASON_NAMES[reason]]
    if reason == REASON_DIRECTORY and election == ELECTION_NONE:
        return f"a copy of {where} was assigned to a replaced disk", ["DIR-2"]
    if leader < 0 and reason == REASON_CONFIG:
        return f"min.insync.replicas changed: the eligible replicas of {where} were forgotten", ["ELR-7"]
    if leader < 0:
        return f"{where} was without a leader{'' if fact.isr else ', its ISR empty,'} {why}", ["ELEC-7"]
    if election == ELECTION_NONE:
        return f"{where}: the ISR became {members(fact.isr, site)} {why}", ["ISR-8"]
    if reason == REASON_UNCLEAN:
        why = ""  # the election says it
    elif reason == REASON_ALTER_PARTITION:
        why = "as its reassignment was complete"  # the old leader asked for an ISR, and is out with it
    kind = ELECTION_NAMES[election]
    rules = {"clean": ["ELEC-3"], "from ELR": ["ELR-4"], "last known": ["ELR-6"], "unclean": ["UNC-1"]}
    how = f"{HOW.get(kind, '')} {why}".strip()
    completes = ["AP-7"] if reason == REASON_ALTER_PARTITION else []
    who = site.called(leader)
    return f"broker {who} became leader of {where} in epoch {epoch} {how}".rstrip(), rules.get(kind, []) + completes


def members(isr: list[int], site: Site) -> str:
    """``broker 3 alone``, ``brokers 1, 2 and 3``; empty: a bare number would read as how many there are."""
    if not isr:
        return "empty"
    return f"{brokers(isr, site=site)} alone" if len(isr) == 1 else brokers(isr, site=site)


def brokers(ids: list[int], joint: str = "and", site: Site = ALONE) -> str:
    """``broker 1``, ``brokers 1 and 2``, ``broker 1 or 2``; nobody for an empty list."""
    if not ids:
        return "nobody"
    return f"broker{'s' if len(ids) > 1 and joint == 'and' else ''} {listed([site.called(i) for i in ids], joint)}"


def name_of(p: int, partitions: list[tuple[int, int]], topics: list["Topic"]) -> str:
    """``orders-0``."""
    topic, n = partitions[p]
    return topics[topic].site.prefix + partition_title(topics[topic].title, n)


def partition_name(p: int, cluster: "Cluster") -> str:
    """``orders-3``, with its cluster before it where clusters have names."""
    return name_of(p, cluster.partition_names, cluster.topics)


def scope_name(scope: int, topics: list["Topic"], site: Site) -> str:
    """The owner of a setting: a topic, the cluster or one broker (-2 - number)."""
    if scope >= 0:
        return f"{topics[scope].site.prefix}{topics[scope].title}"
    if scope == site.settings_subject(-1):
        return f"cluster {site.name}" if site.name else "the cluster"
    return f"broker {site.called(-2 - scope)}"


def node_name(node: int | str, cluster: "Cluster") -> str:
    """A node in words, by its number in a fact or, in a world of several clusters, by its name in an action."""
    if isinstance(node, str) or cluster.site.name:
        return node_of_world(node, cluster)
    if node < 0:
        return "a client"
    return f"broker {node}" if node in cluster.by_id else f"controller {node}"


def node_of_world(node: int | str, cluster: "Cluster") -> str:
    """``broker east/1``: a node of any of the clusters that share the network."""
    for one in cluster.net.nodes:
        called = one.site.called(one.id)
        if one.id >= 0 and (called == node if isinstance(node, str) else one.id == node):
            return f"{'broker' if one.site.prefix + 'broker ' in one.name else 'controller'} {called}"
    return node if isinstance(node, str) else "a client"
