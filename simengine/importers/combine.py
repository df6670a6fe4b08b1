"""Combines all outputs of one paste into one cluster: a later fact replaces an earlier one, with a warning.

Rows are matched by partition, configs by key, brokers by id. An output without state (a plan, a resource) adds what no
listing shows, and never replaces a listed row.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from simengine.importers import (
    commands_said,
    constraints,
    filtered,
    groups,
    internal_hints,
    min_isr,
    rates_said,
    versions_said,
)
from simengine.importers.describe_warnings import names
from simengine.importers.evidence import DeclaredTopic, PastedValue
from simengine.importers.model import PastedBroker, PastedCluster, PastedPartition, PastedTopic, PasteResult
from simengine.importers.text import Paste
from simengine.importers.unread import list_unread
from simengine.scenario.config_keys import BROKER, SIMULATED

LISTINGS: Final = ("kcat",)  # their lists name live brokers only
MIN_ISR: Final = "min.insync.replicas"


def combine(paste: Paste, first: PasteResult, others: Iterable[PasteResult]) -> None:
    """Add the other outputs to the cluster of the first; warn of contradictions."""
    cluster = first.cluster
    assert cluster is not None
    guessed = None
    others = list(others)
    _take_last_list([first, *others])
    for other in others:
        if guessed is None and _names_nodes(other) and _is_guessed(cluster):
            guessed = _without_nodes(cluster)
        if other.rejected:
            first.warn(f"{_capital(other.label)} stands in the paste as well and is not used. {other.rejected}")
        elif other.cluster is not None:
            _take_rows(cluster, other.cluster, first)
            _take_brokers(cluster, other.cluster, first)
            _take_evidence(cluster, other.cluster)
            for warning in other.warnings:
                first.warn(warning)
    if guessed is not None:
        _take_guessed(cluster, guessed)
    commands_said.contribute(paste, cluster.evidence)
    versions_said.contribute(paste, cluster.evidence)
    rates_said.contribute(paste, cluster)
    filtered.contribute(paste, first)
    _settle_brokers(cluster)
    _declare_named(cluster)
    _take_configs(cluster, first)
    _check_cluster_configs(cluster, first)
    constraints.contribute(cluster, first)
    racked = any(broker.rack for broker in cluster.brokers.values())
    cluster.evidence.is_rack_aware = cluster.evidence.is_rack_aware or racked
    min_isr.contribute(paste, cluster)
    _check_min_isr(cluster, first)
    internal_hints.hint(cluster, first)
    list_unread(paste, first, others)


def _take_last_list(readings: list[PasteResult]) -> None:
    """Use the last list of live brokers: a broker that it does not name is down."""
    lists = [one.cluster for one in readings if one.kind in LISTINGS and one.cluster is not None and not one.rejected]
    lines = [max((broker.line for broker in one.brokers.values() if broker.alive), default=0) for one in lists]
    if sum(line > 0 for line in lines) < 2:
        return
    end = max(lines)
    last = lists[lines.index(end)].brokers
    for cluster in lists:
        for broker in cluster.brokers.values():
            if broker.alive and not (broker.id in last and last[broker.id].alive):
                broker.alive, broker.is_unlisted = False, True
                broker.why = f"the list of brokers that ends at line {end}, the last one, does not name it"


def tells(reading: PasteResult) -> bool:
    """True if an output gave anything: its head alone does not."""
    cluster = reading.cluster
    if reading.rejected or cluster is None:
        return False
    seen = cluster.evidence
    facts = (seen.topic_configs, seen.cluster_configs, seen.versions, seen.lags, seen.stored, seen.declared, seen.rates)
    return bool(cluster.topics or cluster.brokers or cluster.controllers or any(facts))


def _is_guessed(cluster: PastedCluster) -> bool:
    return bool(cluster.evidence.brokers_assumed or cluster.evidence.ids_guessed)


def _names_nodes(reading: PasteResult) -> bool:
    """True if an output names ids of brokers; they replace ids that were only counted."""
    cluster = reading.cluster
    return cluster is not None and not reading.rejected and cluster.tells_brokers and not _is_guessed(cluster)


def _without_nodes(cluster: PastedCluster) -> PastedCluster:
    """Remove the nodes of a cluster whose ids were only counted; returns them as a cluster of their own."""
    taken = PastedCluster(brokers=cluster.brokers, controllers=cluster.controllers)
    cluster.brokers, cluster.controllers = {}, {}
    cluster.evidence.brokers_assumed, cluster.evidence.ids_guessed = "", False
    return taken


def _take_rows(cluster: PastedCluster, other: PastedCluster, reading: PasteResult) -> None:
    changed: list[str] = []
    mine = [(row.line, row.moment) for row in cluster.rows()]
    last, moment = max(mine, default=(0, 0))
    for topic in other.topics.values():
        known = cluster.topics.setdefault(topic.name, PastedTopic(topic.name, line=topic.line))
        if known.declared is None or topic.line > known.line and topic.declared is not None:
            known.declared = topic.declared
        for number, row in topic.rows.items():
            before = known.rows.get(number)
            if before is not None and not row.state_told:
                continue
            if before is not None and (before.leader, before.isr) != (row.leader, row.isr) and before.state_told:
                lines = sorted((before.line, row.line))
                changed.append(f"{topic.name}-{number} (lines {lines[0]} and {lines[1]})")
            if before is None or row.line > before.line or not before.state_told:
                at = moment + 1 if row.line > last else moment - 1
                kept = _with_untold(row, before) if before is not None and cluster.is_described else row
                known.rows[number] = replace(kept, moment=at if mine else row.moment)
    if changed:
        reading.warn(f"Two outputs differ, and the later one counts: {names(changed)}.")
    cluster.is_described = cluster.is_described or other.is_described


def _with_untold(row: PastedPartition, before: PastedPartition) -> PastedPartition:
    """A row of another output, with what only a describe shows: the order of replicas, a move, observers, the Elr."""
    if set(row.replicas) != set(before.replicas):
        return row
    elr = before.elr if before.isr == row.isr and row.elr is None else row.elr
    return replace(
        row,
        replicas=before.replicas,
        elr=elr,
        last_known=row.last_known or (before.last_known if before.isr == row.isr else ()),
        adding=row.adding or before.adding,
        removing=row.removing or before.removing,
        observers=row.observers or before.observers,
    )


def _take_brokers(cluster: PastedCluster, other: PastedCluster, reading: PasteResult) -> None:
    if cluster.tells_brokers and _is_guessed(other):
        _take_guessed(cluster, other)
        return
    is_plan = other.is_plan
    for broker in other.brokers.values():
        known = cluster.brokers.get(broker.id)
        if known is None and is_plan and cluster.tells_brokers:
            continue  # a plan may name brokers that are gone; a row that is used brings its own brokers
        if known is None:
            cluster.brokers[broker.id] = broker
            continue
        if broker.rack and known.rack and broker.rack != known.rack:
            places = f"{known.rack} ({known.source or 'an output'}) and {broker.rack} ({broker.source or 'an output'})"
            reading.warn(f"Broker {broker.id} is said to be in two racks: {places}. The later one counts.")
        later = broker.line >= known.line
        if broker.rack and (later or not known.rack):
            known.rack, known.source, known.line = broker.rack, broker.source, broker.line
        if broker.alive is not None and (later or known.alive is None):
            known.alive, known.why, known.is_unlisted = broker.alive, broker.why, broker.is_unlisted
            known.line = max(known.line, broker.line)
    cluster.controllers.update(other.controllers)


def _take_guessed(cluster: PastedCluster, other: PastedCluster) -> None:
    """Take the quorum of nodes whose ids were only counted: how many voters, and whether they are brokers too."""
    if cluster.controllers or not other.controllers:
        return
    is_combined = any(number in other.brokers for number in other.controllers)
    brokers = sorted(cluster.brokers)
    taken = 0 if is_combined else max(brokers, default=0) + 1
    numbers = brokers if is_combined else range(taken, taken + len(other.controllers))
    for number, controller in zip(numbers, other.controllers.values(), strict=False):
        cluster.controllers[number] = replace(controller, id=number)


def _take_evidence(cluster: PastedCluster, other: PastedCluster) -> None:
    mine, theirs = cluster.evidence, other.evidence
    mine.topic_configs += theirs.topic_configs
    mine.cluster_configs = sorted(mine.cluster_configs + theirs.cluster_configs, key=lambda entry: entry[1].line)
    mine.lags += theirs.lags
    mine.stored += theirs.stored
    mine.lines_read += theirs.lines_read
    mine.declared.update(theirs.declared)
    mine.rates.update(theirs.rates)
    mine.versions = sorted(mine.versions + theirs.versions, key=lambda said: said.line)
    mine.is_rack_aware = mine.is_rack_aware or theirs.is_rack_aware
    mine.is_combined = mine.is_combined or theirs.is_combined
    mine.is_zookeeper = mine.is_zookeeper or theirs.is_zookeeper
    mine.since_4_0 = mine.since_4_0 or theirs.since_4_0


def _settle_brokers(cluster: PastedCluster) -> None:
    """Add the brokers that only rows name, or only a quorum in combined mode."""
    cluster.name_brokers()
    evidence = cluster.evidence
    if not cluster.brokers and evidence.is_combined:
        evidence.brokers_are_voters = True
        for controller in cluster.controllers.values():
            cluster.brokers[controller.id] = PastedBroker(
                controller.id, alive=False if controller.down else None, line=controller.line, why=controller.down
            )


def _declare_named(cluster: PastedCluster) -> None:
    """Declare the topics of groups and of configs if no output lists a partition or declares a topic."""
    evidence = cluster.evidence
    if not cluster.brokers or evidence.declared or any(topic.rows for topic in cluster.topics.values()):
        return
    for lag in evidence.lags:
        known = evidence.declared.get(lag.topic)
        count = max(lag.number + 1, (known.partitions or 0) if known else 0)
        evidence.declared[lag.topic] = DeclaredTopic(lag.topic, count, None, {}, lag.line, groups.LABEL)
    for name, _, said in evidence.topic_configs:
        evidence.declared.setdefault(name, DeclaredTopic(name, None, None, {}, said.line, said.source))


def _take_configs(cluster: PastedCluster, reading: PasteResult) -> None:
    """Take configs of topics from outputs other than the header; the later line of a key counts."""
    lines: dict[tuple[str, str], int] = {}
    for name, key, said in sorted(cluster.evidence.topic_configs, key=lambda entry: entry[2].line):
        topic, declared = cluster.topics.get(name), cluster.evidence.declared.get(name)
        if topic is None and declared is not None:
            configs = {**declared.configs, key: said.value}
            cluster.evidence.declared[name] = replace(declared, configs=configs)
        if topic is None:
            continue
        configs = topic.configs if topic.configs is not None else {}
        before = configs.get(key)
        if before is not None and before != said.value:
            at = lines.get((name, key), topic.line)
            later = said.value if said.line > at else before
            reading.warn(f"{name}: {key} is {before} in line {at} and {said.value} in {said.place()}; {later} counts.")
            if said.line <= at:
                continue
        lines[name, key] = said.line
        topic.configs = {**configs, key: said.value}


def _check_cluster_configs(cluster: PastedCluster, reading: PasteResult) -> None:
    """Brokers may differ in a setting; the simulated ones have one value."""
    said: dict[str, dict[str, PastedValue]] = {}
    for key, one in cluster.evidence.cluster_configs:
        if key in SIMULATED[BROKER]:
            said.setdefault(key, {})[one.value] = one
    for key, values in said.items():
        if len(values) > 1:
            told = " and ".join(f"{value} ({one.place()})" for value, one in values.items())
            reading.warn(f"{key} of the brokers is {told}. The last counts for all.")


def _check_min_isr(cluster: PastedCluster, reading: PasteResult) -> None:
    said: dict[tuple[str, str], list[PastedValue]] = {}
    for name, key, one in cluster.evidence.topic_configs:
        if key == MIN_ISR:
            said.setdefault((name, one.value), []).append(one)
    for name, proved in cluster.evidence.min_isr_of.items():
        topic = cluster.topics.get(name)
        told = (topic.configs or {}).get(MIN_ISR) if topic is not None else None
        if told is None or not told.isdigit():
            continue
        fits = int(told) == proved.value if proved.is_exact else int(told) >= proved.value
        if fits:
            continue
        is_outdated = not proved.is_exact and _is_commanded(said.get((name, told), []), proved.line)
        which = f"It is {proved.value} or more now" if is_outdated else "The config counts"
        reading.warn(f"{name}: its configs say {MIN_ISR}={told}, but {proved.why}. {which}.")
        if is_outdated and topic is not None:
            topic.configs = {key: value for key, value in (topic.configs or {}).items() if key != MIN_ISR}


def _is_commanded(said: list[PastedValue], line: int) -> bool:
    """True if the last setting of min.insync.replicas is a command above a line: the value may have changed since."""
    last = max(said, key=lambda one: one.line, default=None)
    return last is not None and last.source in commands_said.SOURCES and last.line < line


def _capital(label: str) -> str:
    return label[:1].upper() + label[1:]
