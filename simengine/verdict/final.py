"""The verdict: every call and every record in one column of one table, intervals, and the fact that decided it.

Presence is counted in the log of the current leader: what stands below its high watermark is in the final log; a
partition without leader leaves its records undetermined. Definitions: FATE-1..9, STOP-1..4.
"""

from typing import TYPE_CHECKING

from simengine.facts.decisive import PartitionChanged
from simengine.facts.figures import figures_in
from simengine.facts.kinds import SEVERITY_NAMES, SEVERITY_OK
from simengine.facts.schema import FIGURES
from simengine.kafka.shared.standing import BELOW_MIN_ISR, LEADERLESS, STALLED, is_below_min
from simengine.verdict import words
from simengine.verdict.account import PartitionCounters
from simengine.verdict.deliveries import ReaderPosition
from simengine.verdict.fates import CALL_FATES, call_fates, is_balanced, record_fates
from simengine.verdict.final_log import FinalLog
from simengine.verdict.further_causes import groups_stopped_by, kept_up_by
from simengine.verdict.lost_by import lost_by
from simengine.verdict.outage import THETA_US
from simengine.verdict.presence import holds
from simengine.verdict.reads import READ_FATES, read_fates
from simengine.verdict.records import RECORD_FATES, SentAgain, of_sent_again, record_counts
from simengine.verdict.sentence import sentence
from simengine.verdict.silences import has_waiting_calls
from simengine.verdict.together import quorum_words
from simengine.verdict.whole import TOLD_MAX, WholeFigures

if TYPE_CHECKING:
    from simengine.kafka.cluster.cluster import Cluster
    from simengine.kafka.replica.replica import Partition
    from simengine.verdict.book import VerdictCounters

Json = dict[str, object]
Counts = dict[str, int]

SUMMED = (*CALL_FATES, "hidden", "frozen_hidden", "doomed", *READ_FATES)
LONGEST = (
    "write_down_all_us",
    "write_down_1_us",
    "read_down_us",
    "write_down_client_us",
    "read_down_client_us",
    "exposed_us",
    "stalled_us",
    "refused_us",
    "leaderless_us",
)
STATED = (  # what a topic states besides: the applications' side, what was there before, the groups
    "write_same_us",
    "read_same_us",
    "vain_us",
    "waiting",
    "waiting_1",
    "silent_us",
    "stop_since_us",
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
    "waits_all_us",
    "waits_1_us",
    "groups_down_us",
    "groups_down",
    "coordinators",
    "groups_lost",
)
NO_AMOUNTS = ("deciding", "acks", "severity", "down_all_p", "down_1_p", "read_p")  # and no figures of a topic's verdict
MODES = {-1: "all", 0: "0", 1: "1"}
SETTLED_US = 30_000_000


def verdict_of(book: "VerdictCounters", names: Json) -> Json:
    """The verdict of a run so far, for all topics that clients use or that were out."""
    cluster = book.cluster
    assert cluster is not None, "a verdict needs a run"
    now = int(cluster.sim.now)
    topics: list[Json] = []
    whole = WholeFigures()
    for topic in cluster.own_topics():
        partitions = [partition_verdict(book, book.account(p), names, now) for p in topic.partitions]
        found = topic_verdict(book, int(topic.index), topic.title, partitions, now)
        if not topic.exists and not found["calls"]:
            continue  # refused, or not created yet
        topics.append(found)
        if topic.is_deleted:
            whole.deleted += 1
        else:
            whole.add(amounts(found), found["acks"] in ("all", ""), topic.is_made, book.named(int(topic.index)))
    is_mirrored = whole.is_mirrored = book.is_mirrored()
    topics.sort(key=words.gravity)
    quiet = {topic.title for topic in cluster.own_topics() if topic.internal or topic.is_made or topic.is_remote}
    shown = [topic for topic in topics if is_shown(topic, quiet)]
    return {
        "topics": shown,
        "others": [summary(topic) for topic in topics if not is_shown(topic, quiet)],
        "sentence": whole.told(cluster) if whole.topics > TOLD_MAX else words.headline(shown, cluster, is_mirrored),
        "severity": severity_of_all(topics, cluster),
        "settled": is_settled(book, now),
        "theta_us": int(THETA_US),
        "balance_ok": all(is_balanced(figures(topic)) for topic in topics),
        "digest": cluster.sim.trace.digest(),
        "at_us": now,
    }


def summary(topic: Json) -> Json:
    """A topic of which nothing need be told, without its partitions, clients and records."""
    return {key: value for key, value in topic.items() if key not in ("partitions", "clients", "records")}


def severity_of_all(topics: list[Json], cluster: "Cluster") -> str:
    """The name of the worst severity of the topics; where nobody can elect, nothing is well."""
    found = [str(topic["severity"]) for topic in topics] + (["warn"] if quorum_words(cluster) else [])
    return next((name for name in reversed(SEVERITY_NAMES) if name in found), SEVERITY_NAMES[SEVERITY_OK])


def is_shown(topic: Json, quiet: set[str]) -> bool:
    """True if the topic is shown: a quiet one (internal, or MirrorMaker's) if clients wrote to it or it is not well."""
    return bool(topic["calls"]) or topic["topic"] not in quiet or not words.is_well(topic)


def is_settled(book: "VerdictCounters", now: int) -> bool:
    """True if no partition of the cluster has changed for 30 s, and all partitions are writable."""
    cluster = book.cluster
    assert cluster is not None, "a verdict needs a run"
    for fact in reversed(cluster.sim.trace.decisive):
        if now - fact.t > SETTLED_US:
            break
        if isinstance(fact, PartitionChanged) and cluster.has_partition(fact.p):
            return False
    return all(account.state == 0 for account in book.accounts)


def topic_verdict(book: "VerdictCounters", index: int, name: str, partitions: list[Json], now: int) -> Json:
    """Sums over a topic's partitions; times are those of its worst partition."""
    cluster = book.cluster
    assert cluster is not None, "a verdict needs a run"
    found: Json = {"topic": name, "acks": acks_of(book, index), "min_isr": int(cluster.quorum.image.min_insync(index))}
    for key in SUMMED:
        found[key] = sum(int(str(partition[key])) for partition in partitions)
    records: Counts = dict.fromkeys(RECORD_FATES, 0)
    for partition in partitions:
        of_partition = partition["records"]
        assert isinstance(of_partition, dict), "a partition counts its records"
        add_to(records, of_partition)
    found["records"] = records
    for key in ("by_application", "recovered", "lost_again"):
        found[key] = records[key]
    for key in LONGEST:
        found[key] = max((int(str(partition[key])) for partition in partitions), default=0)
    latency = book.topics[index].latency
    found["latency_p50_us"] = int(latency.percentile(500))
    found["latency_p99_us"] = int(latency.percentile(990))
    found["partitions"] = partitions
    found["clients"] = clients_of(partitions)
    stated = figures_in(book.figures_of(index, now))
    found["no_response"] = no_response(book, index, now)
    for key in STATED:
        found[key] = stated[key]
    found["severity"] = SEVERITY_NAMES[stated["severity"]]
    named = book.named(index)
    found["mirrored"] = named.is_mirrored
    found["groups_lost_names"], found["unled_names"] = list(named.groups), list(named.unled)
    found["deciding"] = words.deciding(cluster.sim.trace.decisive, stated["deciding"], cluster)
    found["deciding_lost"] = stated["deciding_lost"]
    found["kept_up"], found["groups_stopped"] = further_causes(book, index, stated, now)
    found["also_lost_by"] = also_lost_by(book, index)
    found["lost_traffic_us"], found["held_back"] = stated["lost_traffic_us"], stated["held_back"]
    found["stopped_all"], found["stopped_1"] = stated["stopped_all"], stated["stopped_1"]
    counted = stated | {key: int(str(found[key])) for key in ("lost", "duplicated", "hidden", "vanished")}
    found["sentence"] = sentence(counted, len(partitions), found["acks"] in ("all", ""), named)
    found["in_user_units"] = words.in_user_units(found)
    found["sent_again"] = words.sent_again_words(again_in(book, index), records["resent"]) if records["resent"] else ""
    return found


def further_causes(book: "VerdictCounters", topic: int, stated: Counts, now: int) -> tuple[Json | None, Json | None]:
    """The facts that kept a topic's longest stop up and that stopped its groups, in the form of the deciding fact."""
    cluster = book.cluster
    assert cluster is not None, "a verdict needs a run"
    accounts = [book.account(p) for p in cluster.topics[topic].partitions]
    facts = cluster.sim.trace.decisive
    began_by, goes_on = stated["deciding"], stated["waiting"] > 0
    kept_up = kept_up_by(accounts, facts, began_by, goes_on, now) if began_by else 0
    stopped = groups_stopped_by(accounts, now) if any(account.commits for account in accounts) else 0
    return words.deciding(facts, kept_up, cluster), words.deciding(facts, stopped, cluster)


def also_lost_by(book: "VerdictCounters", topic: int) -> list[Json]:
    """Further facts that lost records of a topic, in the form of the deciding fact, with ``lost``."""
    cluster = book.cluster
    assert cluster is not None, "a verdict needs a run"
    by_fact: dict[int, int] = {}
    for p in cluster.topics[topic].partitions:
        for fact, count in book.account(p).losses.counts.items():
            by_fact[fact] = by_fact.get(fact, 0) + count
    facts = cluster.sim.trace.decisive
    told = [(count, words.deciding(facts, fact, cluster)) for count, fact in lost_by(by_fact, facts)[1:]]
    return [{**fact, "lost": count} for count, fact in told if fact is not None]


def again_in(book: "VerdictCounters", topic: int) -> SentAgain:
    """The records of a topic that the application sent again."""
    cluster = book.cluster
    assert cluster is not None, "a verdict needs a run"
    found = []
    for account in [book.account(p) for p in cluster.topics[topic].partitions]:
        final_log = FinalLog(account, replicas_of(book, account))
        found += [of_sent_again(calls, final_log) for calls in account.calls if calls.again]
    return SentAgain(*[sum(figures) for figures in zip(*found, strict=True)])


def figures(topic: Json) -> Counts:
    """The counts of a topic."""
    return {key: int(str(topic[key])) for key in SUMMED}


def amounts(topic: Json) -> Counts:
    """The figures of a topic by name, 0 for what is no amount."""
    return {key: 0 if key in NO_AMOUNTS else words.number(topic, key) for key in FIGURES}


def clients_of(partitions: list[Json]) -> list[Json]:
    """The fates of each client's records over all partitions, producers and groups by name.

    Partitions leave out what is 0; here a producer has every fate of a call, a group every fate of a read.
    """
    found: dict[str, Counts] = {}
    for partition in partitions:
        clients = partition["clients"]
        assert isinstance(clients, dict), "a partition's figures are kept by client"
        for name, counts in clients.items():
            add(found, name, counts)
    rows: list[Json] = []
    for name in sorted(found):
        keys = CALL_FATES if "calls" in found[name] else READ_FATES
        rows.append({"client": name, **dict.fromkeys(keys, 0), **found[name]})
    return rows


def acks_of(book: "VerdictCounters", topic: int) -> str:
    """The strictest acks of the topic's producers: "0", "1", "all", or "" if no call has ended."""
    cluster = book.cluster
    assert cluster is not None, "a verdict needs a run"
    written = any(calls.runs for p in cluster.topics[topic].partitions for calls in book.account(p).calls)
    return MODES[int(book.topics[topic].acks)] if written else ""


def partition_verdict(book: "VerdictCounters", account: PartitionCounters, names: Json, now: int) -> Json:
    """All figures of one partition, and those of each client that wrote or read it."""
    leader = account.leader()
    final_log = FinalLog(account, replicas_of(book, account))
    clients: dict[str, Counts] = {}
    counts: Counts = dict.fromkeys(SUMMED, 0)
    records: Counts = dict.fromkeys(RECORD_FATES, 0)
    for calls in account.calls:
        fates = call_fates(calls, final_log)
        add(clients, client_name(names, int(calls.client)), fates)
        add_to(counts, fates)
        add_to(records, record_counts(calls, final_log) if calls.again else fates)
    for group, readers in groups_of(account, names).items():
        fates = read_fates(readers, final_log.log, 0 if leader is None else int(leader.hw))
        add(clients, group, fates)
        add_to(counts, fates)
    counts["hidden"] = int(account.hidden_records(now))
    if leader is not None and is_below_min(len(leader.isr), leader.min_isr):
        counts["frozen_hidden"] = counts["hidden"]
    counts["doomed"] = int(account.losses.doomed)
    found: Json = {"partition": int(account.p), **counts, "records": records}
    for name, outage in (
        ("write_down_all_us", account.out_all),
        ("write_down_1_us", account.out_1),
        ("read_down_us", account.reading.out),
    ):
        found[name] = int(outage.us(now))
    found["exposed_us"] = int(account.exposure.us(now))
    found["write_down_client_us"] = max((int(calls.no_response_us(now)) for calls in account.calls), default=0)
    account.reading.look_for_unserved(account)
    found["read_down_client_us"] = int(account.reading.no_records_us(now))
    found["lost_before"] = int(account.before.lost)
    found["stalled_us"] = int(account.us_in(STALLED, now))
    found["refused_us"] = int(account.us_in(BELOW_MIN_ISR, now))
    found["leaderless_us"] = int(account.us_in(LEADERLESS, now))
    found["waits"] = int(has_waiting_calls(account, now))
    found["on_disk_of"] = on_disk_of(book, account) if counts["undetermined"] else []
    found["clients"] = {name: {key: n for key, n in fates.items() if n} for name, fates in clients.items()}
    return found


def no_response(book: "VerdictCounters", topic: int, now: int) -> Counts:
    """The longest time that a producer got no response of the topic, by the mode in which it made its calls."""
    cluster = book.cluster
    assert cluster is not None, "a verdict needs a run"
    found: Counts = {}
    for p in cluster.topics[topic].partitions:
        for calls in book.account(p).calls:
            for mode in calls.modes:
                name = MODES[int(mode.acks)]
                found[name] = max(found.get(name, 0), int(mode.us(now)))
    return found


def records_of(book: "VerdictCounters", names: Json) -> list[Json]:
    """The fate of every record that anybody sent, calls of equal fate as one row (FATE-1)."""
    found: list[Json] = []
    for account in book.accounts:
        final_log = FinalLog(account, replicas_of(book, account))
        for calls in account.calls:
            name = client_name(names, int(calls.client))
            for row in record_fates(calls, final_log):
                found.append({"partition": int(account.p), "client": name, **row})
    return found


def replicas_of(book: "VerdictCounters", account: PartitionCounters) -> list["Partition"]:
    """Every copy of a partition, dead brokers' too."""
    cluster = book.cluster
    assert cluster is not None, "a verdict needs a run"
    found = [broker.replica(account.p) for broker in cluster.brokers]
    return [replica for replica in found if replica is not None]


def on_disk_of(book: "VerdictCounters", account: PartitionCounters) -> list[int]:
    """The brokers whose logs hold the newest acknowledged record of a partition without leader."""
    last = account.losses.acked[-1]
    offset = last.base + last.count - 1
    return [int(r.broker.id) for r in replicas_of(book, account) if holds(r.log, offset, last.epoch)]


def groups_of(account: PartitionCounters, names: Json) -> dict[str, list[ReaderPosition]]:
    """The readers of a partition by group; a consumer without a group stands for itself."""
    found: dict[str, list[ReaderPosition]] = {}
    for reader in account.reading.readers:
        found.setdefault(client_name(names, int(reader.client)), []).append(reader)
    return found


def client_name(names: Json, client: int) -> str:
    """A producer's name; of a consumer its group's, where it has one."""
    clients = names["clients"]
    assert isinstance(clients, list), "the names of a run list its clients"
    return str(clients[client].get("group") or clients[client]["id"])


def add_to(counts: Counts, more: Counts) -> None:
    """Add figures to a sum."""
    for key, n in more.items():
        counts[key] = counts.get(key, 0) + n


def add(clients: dict[str, Counts], name: str, fates: Counts) -> None:
    """Add figures to those of a client."""
    add_to(clients.setdefault(name, {}), fates)
