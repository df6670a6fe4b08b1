"""The checks between the parts of a document: ids, references, assignments, initial states, times."""

from collections.abc import Iterator
from typing import Final

from simengine.facts.kinds import FIRST_TRAFFIC
from simengine.facts.schema import FACTS
from simengine.scenario import alert_checks, client_checks, cluster_checks, mirror_checks, references, topic_checks
from simengine.scenario.config_keys import BROKER, SIMULATED
from simengine.scenario.durations import format_duration
from simengine.scenario.expect import expected_names, language
from simengine.scenario.model import Document
from simengine.scenario.naming import names_of
from simengine.scenario.near import nearest
from simengine.scenario.parts import parts_of
from simengine.scenario.problems import FieldError, Problem
from simengine.scenario.sites import WorldNames

KIND_NAMES: Final = tuple(
    kind.name for kind in FACTS if kind.number < FIRST_TRAFFIC
)  # facts that are kept for the whole run


def check(doc: Document) -> list[Problem]:
    """Everything that is wrong between the parts of `doc`, in document order."""
    return [
        *(cluster_checks.check(doc) if doc.clusters else []),
        *mirror_checks.check(doc),
        *(found for name, part in parts_of(doc).items() for found in _placed(_cluster(part), name)),
        *references.timeline_problems(doc, WorldNames(parts_of(doc))),
        *_captions(doc),
        *alert_checks.check(doc),
        *_expectations(doc),
    ]


def _placed(problems: list[Problem], name: str) -> list[Problem]:
    """Problems of a part, with the place of the part before theirs."""
    return [one._replace(path=f"clusters.{name}.{one.path}") if name else one for one in problems]


def _cluster(doc: Document) -> list[Problem]:
    """The problems of one cluster."""
    return [
        *_nodes(doc),
        *_cluster_config(doc),
        *topic_checks.check(doc),
        *client_checks.check(doc),
        *_network(doc),
        *_phases(doc),
    ]


def _nodes(doc: Document) -> Iterator[Problem]:
    seen: dict[int, str] = {}
    places = [(f"cluster.brokers[{i}].id", broker.id) for i, broker in enumerate(doc.brokers)]
    places += [(f"cluster.controllers[{i}].id", controller.id) for i, controller in enumerate(doc.controllers)]
    for path, number in places:
        if number in seen:
            yield Problem(path, str(number), f"this id is taken by {seen[number]}", "an id of its own")
        seen.setdefault(number, path)
    for i, broker in enumerate(doc.brokers):
        if broker.rack is not None and broker.rack.isdecimal() and int(broker.rack) in seen:
            message = "a rack may not be called like a node, since actions name both"
            yield Problem(f"cluster.brokers[{i}].rack", broker.rack, message, f"another name, such as az-{broker.rack}")
    yield from _shared_processes(doc)
    running = [controller.id for controller in doc.controllers if controller.state == "running"]
    if doc.cluster.active is not None and doc.cluster.active not in running:
        active, allowed = str(doc.cluster.active), ", ".join(str(number) for number in dict.fromkeys(running))
        yield Problem("cluster.active", active, "no running controller has this id", allowed)
    if all(controller.state == "down" for controller in doc.controllers):
        yield Problem("cluster.controllers", "all down", "at least one controller must run at the start")


def _shared_processes(doc: Document) -> Iterator[Problem]:
    """A controller in the process of a broker: there is that broker, it stands there too, and runs if it runs."""
    brokers = {broker.id: broker for broker in doc.brokers}
    for i, controller in enumerate(doc.controllers):
        home = brokers.get(controller.broker) if controller.broker is not None else None
        path, at_home = f"cluster.controllers[{i}]", f"since it shares the process of broker {controller.broker}"
        if controller.broker is not None and home is None:
            there = ", ".join(map(str, brokers))
            yield Problem(f"{path}.broker", str(controller.broker), "there is no such broker", there)
        if home is None:
            continue
        if controller.rack != home.rack:
            message = f"a controller stands where its process does, {at_home}"
            allowed = "no rack" if home.rack is None else home.rack
            yield Problem(f"{path}.rack", str(controller.rack), message, allowed)
        if (controller.state == "down") != (home.state == "down"):
            message = f"the process runs or it does not, {at_home}"
            allowed = "down" if home.state == "down" else "running"
            yield Problem(f"{path}.state", controller.state, message, allowed)


def _cluster_config(doc: Document) -> Iterator[Problem]:
    if doc.elr_set and not doc.version.elr_possible:
        yield Problem("elr", "true", f"Kafka {doc.profile} has no eligible leader replicas", "false")
    for i, broker in enumerate(doc.brokers):
        if doc.elr and "min.insync.replicas" in broker.config:
            message = "with ELR on a single broker may not set this (ELR-7)"
            path = f"cluster.brokers[{i}].config.min.insync.replicas"
            yield Problem(path, str(broker.config["min.insync.replicas"]), message, "cluster.config or a topic")
    yield from _heartbeats(doc)


def _heartbeats(doc: Document) -> list[Problem]:
    """A heartbeat interval at or above the session would fence every broker."""
    key, limit = "broker.heartbeat.interval.ms", "broker.session.timeout.ms"
    session = int(doc.config.get(limit, SIMULATED[BROKER][limit].default))
    default = doc.config.get(key, SIMULATED[BROKER][key].default)
    places = [(f"cluster.config.{key}", default)]
    places += [
        (f"cluster.brokers[{i}].config.{key}", b.config[key]) for i, b in enumerate(doc.brokers) if key in b.config
    ]
    return [
        Problem(path, str(value), f"must be shorter than {limit}", f"below {session}")
        for path, value in places
        if int(value) >= session
    ]


def _network(doc: Document) -> Iterator[Problem]:
    names = references.Names.of(doc)
    for i, link in enumerate(doc.network.links):
        for j, end in enumerate(link.between):
            wrong = names.end_problem(end)
            if wrong is not None:
                yield wrong.at(f"network.links[{i}].between[{j}]")


def _phases(doc: Document) -> list[Problem]:
    brokers = [broker.id for broker in doc.brokers]
    phases = doc.phases
    named = [("heartbeat", number) for number in phases.heartbeat_us]
    named += [("isr-check", number) for number in phases.isr_check_us]
    named += [("fencing-order", number) for number in phases.fencing_order]
    wrong = [topic_checks.no_broker(f"phases.{key}", number, brokers) for key, number in named if number not in brokers]
    producers = [producer.id for producer in doc.producers]
    return wrong + [
        Problem("phases.request-timeout", name, f"there is no producer {name}", ", ".join(producers))
        for name in phases.request_timeout_us
        if name not in producers
    ]


def _captions(doc: Document) -> Iterator[Problem]:
    for i, caption in enumerate(doc.captions):
        if (caption.at_us is None) == (caption.on is None):
            yield Problem(f"captions[{i}]", "", "a caption waits for a time or for a fact", "at or on")
        elif caption.on is not None and caption.on not in KIND_NAMES:
            allowed = ", ".join(KIND_NAMES)
            yield Problem(
                f"captions[{i}].on",
                caption.on,
                "no kind of fact has this name",
                allowed,
                nearest(caption.on, KIND_NAMES),
            )
        elif caption.at_us is not None and caption.at_us > doc.until_us:
            late = format_duration(caption.at_us)
            yield Problem(f"captions[{i}].at", late, "later than the end", f"at most {format_duration(doc.until_us)}")


def _expectations(doc: Document) -> list[Problem]:
    """Entries of `expect` that say nothing, or about things that do not exist."""
    expectations, problems = language.read_all(doc.expect)
    names = names_of(doc)
    for expectation in expectations:
        for inner in language.flat(expectation):
            if inner.kind == "alert":
                problems += alert_checks.expected(doc, inner)
                continue
            try:
                own, local = names.of_expectation(inner)
            except FieldError as wrong:
                problems.append(wrong.at(inner.path))
            else:
                problems += expected_names.problems_of(local, own, doc.until_us)
    return problems
