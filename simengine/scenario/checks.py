"""What must hold between the parts of a document: ids, references, assignments, initial states, times."""

from simengine.scenario import references
from simengine.scenario.config_keys import BROKER, SIMULATED
from simengine.scenario.durations import format_duration
from simengine.scenario.limits import CLIENTS_MAX, PARTITIONS_MAX
from simengine.scenario.model import Consumer, Document, InitialPartition, Topic
from simengine.scenario.near import nearest
from simengine.scenario.problems import Problem
from simengine.scenario.settings import producer_problems


def check(doc: Document) -> list[Problem]:
    """Everything that is wrong between the parts of `doc`, in document order."""
    return [
        *_nodes(doc),
        *_cluster_config(doc),
        *_topics(doc),
        *_clients(doc),
        *_network(doc),
        *_phases(doc),
        *references.timeline_problems(doc),
        *_captions(doc),
    ]


def _nodes(doc: Document) -> list[Problem]:
    problems: list[Problem] = []
    seen: dict[int, str] = {}
    places = [(f"cluster.brokers[{i}].id", broker.id) for i, broker in enumerate(doc.brokers)]
    places += [(f"cluster.controllers[{i}].id", controller.id) for i, controller in enumerate(doc.controllers)]
    for path, number in places:
        if number in seen:
            problems.append(
                Problem(
                    path,
                    str(number),
                    f"this id is taken by {seen[number]}",
                    "an id of its own",
                )
            )
        seen.setdefault(number, path)
    for i, broker in enumerate(doc.brokers):
        if broker.rack is not None and broker.rack.isdecimal() and int(broker.rack) in seen:
            message = "a rack may not be called like a node, since actions name both"
            problems.append(
                Problem(
                    f"cluster.brokers[{i}].rack",
                    broker.rack,
                    message,
                    f"another name, such as az-{broker.rack}",
                )
            )
    if all(controller.state == "down" for controller in doc.controllers):
        problems.append(
            Problem(
                "cluster.controllers",
                "all down",
                "at least one controller must run at the start",
            )
        )
    return problems


def _cluster_config(doc: Document) -> list[Problem]:
    problems: list[Problem] = []
    if doc.elr_set and not doc.version.elr_possible:
        problems.append(
            Problem(
                "elr",
                "true",
                f"Kafka {doc.profile} has no eligible leader replicas",
                "false",
            )
        )
    for i, broker in enumerate(doc.brokers):
        if doc.elr and "min.insync.replicas" in broker.config:
            message = "with ELR on a single broker may not set this (ELR-7)"
            path = f"cluster.brokers[{i}].config.min.insync.replicas"
            problems.append(
                Problem(
                    path,
                    str(broker.config["min.insync.replicas"]),
                    message,
                    "cluster.config or a topic",
                )
            )
        for key in ("broker.heartbeat.interval.ms",):
            problems += _heartbeat(doc, i, key)
    return problems


def _heartbeat(doc: Document, index: int, key: str) -> list[Problem]:
    """A heartbeat interval at or above the session would fence every broker."""
    config = {**doc.config, **doc.brokers[index].config}
    interval = config.get(key, SIMULATED[BROKER][key].default)
    session = config.get(
        "broker.session.timeout.ms",
        SIMULATED[BROKER]["broker.session.timeout.ms"].default,
    )
    if int(interval) < int(session):
        return []
    path = f"cluster.brokers[{index}].config.{key}" if key in doc.brokers[index].config else f"cluster.config.{key}"
    return [
        Problem(
            path,
            str(interval),
            "must be shorter than broker.session.timeout.ms",
            f"below {session}",
        )
    ]


def _topics(doc: Document) -> list[Problem]:
    problems: list[Problem] = []
    seen: dict[str, int] = {}
    total = sum(len(topic.assignment) for topic in doc.topics)
    if total > PARTITIONS_MAX:
        message = f"{total} partitions; the limit is {PARTITIONS_MAX}. Remove topics or import fewer"
        problems.append(Problem("topics", str(total), message))
    for i, topic in enumerate(doc.topics):
        if topic.name in seen:
            problems.append(
                Problem(
                    f"topics[{i}].name",
                    topic.name,
                    f"topics[{seen[topic.name]}] has this name",
                )
            )
        seen.setdefault(topic.name, i)
        problems += _assignment(doc, f"topics[{i}]", topic)
        problems += _initial(doc, f"topics[{i}]", topic)
    return problems


def _assignment(doc: Document, path: str, topic: Topic) -> list[Problem]:
    problems: list[Problem] = []
    brokers = [broker.id for broker in doc.brokers]
    factor = len(topic.assignment[0])
    for number, replicas in enumerate(topic.assignment):
        place = f"{path}.assignment[{number}]"
        if len(replicas) != factor:
            message = f"all partitions of a topic have equally many replicas; partition 0 has {factor}"
            problems.append(Problem(place, str(replicas), message))
        for position, replica in enumerate(replicas):
            where = f"{place}[{position}]"
            if replica not in brokers:
                problems.append(_no_broker(where, replica, brokers))
            elif replica in replicas[:position]:
                problems.append(
                    Problem(
                        where,
                        str(replica),
                        "this broker stands twice in one replica list",
                    )
                )
    return problems


def _no_broker(path: str, number: int, brokers: list[int]) -> Problem:
    known = ", ".join(str(broker) for broker in brokers[:20]) + (", …" if len(brokers) > 20 else "")
    return Problem(path, str(number), f"there is no broker {number}", known)


def _initial(doc: Document, path: str, topic: Topic) -> list[Problem]:
    problems: list[Problem] = []
    states: dict[int, str] = {broker.id: broker.state for broker in doc.brokers}
    for number in topic.initial:
        if number >= len(topic.assignment):
            message = f"{topic.name} has {len(topic.assignment)} partitions"
            problems.append(
                Problem(
                    f"{path}.initial.{number}",
                    str(number),
                    message,
                    f"0 to {len(topic.assignment) - 1}",
                )
            )
    for number, replicas in enumerate(topic.assignment):
        place = f"{path}.initial.{number}"
        state = topic.initial.get(number)
        if state is not None:
            problems += _initial_partition(place, state, replicas, states, doc.elr)
        elif all(states.get(replica) != "running" for replica in replicas):
            message = f"no replica of {topic.name}-{number} is running: say which leader and ISR it had"
            problems.append(Problem(place, "", message, "leader, isr"))
    return problems


def _initial_partition(
    path: str,
    state: InitialPartition,
    replicas: list[int],
    states: dict[int, str],
    elr: bool,
) -> list[Problem]:
    problems: list[Problem] = []
    listed = str(replicas)
    for key, members in (
        ("isr", state.isr),
        ("elr", state.elr),
        ("last_known", state.last_known),
        ("lag", list(state.lag)),
    ):
        for member in members:
            if member not in replicas:
                problems.append(Problem(f"{path}.{key}", str(member), "not one of the replicas", listed))
    for key, members in (("isr", state.isr), ("elr", state.elr)):
        if len(dict.fromkeys(members)) < len(members):
            problems.append(Problem(f"{path}.{key}", str(members), "a broker is named twice"))
    problems += _initial_leader(path, state, states)
    if not elr and (state.elr or state.last_known):
        problems.append(
            Problem(
                f"{path}.elr",
                str(state.elr),
                "ELR is off in this document",
                "no elr, or elr: true",
            )
        )
    if not elr and not state.isr:
        problems.append(
            Problem(
                f"{path}.isr",
                "[]",
                "without ELR the ISR is never empty (ELEC-7)",
                listed,
            )
        )
    for member in state.elr:
        if member in state.isr:
            problems.append(Problem(f"{path}.elr", str(member), "a member of the ISR is not in the ELR"))
    for member, lag in state.lag.items():
        if lag > state.leo:
            problems.append(
                Problem(
                    f"{path}.lag.{member}",
                    str(lag),
                    "behind by more than the log has",
                    f"0 to {state.leo}",
                )
            )
    return problems


def _initial_leader(path: str, state: InitialPartition, states: dict[int, str]) -> list[Problem]:
    problems: list[Problem] = []
    if state.leader == -1:
        alive = [member for member in state.isr if states.get(member) == "running"]
        if alive:
            message = f"broker {alive[0]} is running and in the ISR, so it would lead"
            problems.append(
                Problem(
                    f"{path}.leader",
                    "none",
                    message,
                    ", ".join(str(member) for member in alive),
                )
            )
        return problems
    if state.leader not in state.isr:
        problems.append(
            Problem(
                f"{path}.leader",
                str(state.leader),
                "the leader is always in the ISR",
                str(state.isr),
            )
        )
    if states.get(state.leader, "running") != "running":
        message = f"broker {state.leader} is {states[state.leader]} and cannot lead"
        problems.append(
            Problem(
                f"{path}.leader",
                str(state.leader),
                message,
                "a running member of the ISR, or none",
            )
        )
    for member in state.isr:
        if states.get(member, "running") != "running":
            message = f"broker {member} is {states[member]}, and only running brokers are in an ISR that has a leader"
            problems.append(Problem(f"{path}.isr", str(member), message))
    if state.lag.get(state.leader):
        problems.append(
            Problem(
                f"{path}.lag.{state.leader}",
                str(state.lag[state.leader]),
                "the leader has no lag",
            )
        )
    return problems


def _clients(doc: Document) -> list[Problem]:
    problems: list[Problem] = []
    if len(doc.producers) + len(doc.consumers) > CLIENTS_MAX:
        problems.append(
            Problem(
                "producers",
                "",
                f"at most {CLIENTS_MAX} producers and consumers together",
            )
        )
    racks = {broker.rack for broker in doc.brokers}
    seen: dict[str, str] = {}
    places = [(f"producers[{i}]", producer.id) for i, producer in enumerate(doc.producers)]
    places += [(f"consumers[{i}]", consumer.id) for i, consumer in enumerate(doc.consumers)]
    for path, name in places:
        if name in seen:
            problems.append(Problem(f"{path}.id", name, f"this id is taken by {seen[name]}"))
        elif name in racks:
            problems.append(
                Problem(
                    f"{path}.id",
                    name,
                    "a client may not be called like a rack, since actions name both",
                )
            )
        seen.setdefault(name, path)
    sizes = {topic.name: len(topic.assignment) for topic in doc.topics}
    for i, producer in enumerate(doc.producers):
        path = f"producers[{i}]"
        problems += _topic_of(f"{path}.topic", producer.topic, sizes)
        problems += _numbers(f"{path}.partitions", producer.partitions, sizes.get(producer.topic))
        if "acks" in producer.config:
            problems.append(
                Problem(
                    f"{path}.config.acks",
                    str(producer.config["acks"]),
                    "say acks beside the topic, not in config",
                )
            )
        problems += [
            p._replace(path=f"{path}.{p.path}") for p in producer_problems(producer.acks, producer.config, doc.version)
        ]
    for i, consumer in enumerate(doc.consumers):
        problems += _consumer(f"consumers[{i}]", consumer, sizes)
    return problems


def _consumer(path: str, consumer: Consumer, sizes: dict[str, int]) -> list[Problem]:
    problems: list[Problem] = []
    if bool(consumer.topics) == bool(consumer.partitions):
        problems.append(
            Problem(
                path,
                consumer.id,
                "a consumer reads whole topics or single partitions",
                "topics or partitions",
            )
        )
    for j, topic in enumerate(consumer.topics):
        problems += _topic_of(f"{path}.topics[{j}]", topic, sizes)
    for j, (topic, number) in enumerate(consumer.partitions):
        problems += _topic_of(f"{path}.partitions[{j}]", topic, sizes)
        problems += _numbers(f"{path}.partitions[{j}]", [number], sizes.get(topic))
    return problems


def _topic_of(path: str, topic: str, sizes: dict[str, int]) -> list[Problem]:
    if topic in sizes:
        return []
    known = ", ".join(list(sizes)[:20])
    return [Problem(path, topic, f"there is no topic {topic!r}", known, nearest(topic, sizes))]


def _numbers(path: str, numbers: list[int] | None, size: int | None) -> list[Problem]:
    if numbers is None or size is None:
        return []
    if not numbers:
        return [Problem(path, "[]", "names no partition", "leave it out for all partitions")]
    wrong = [number for number in numbers if number >= size]
    problems = [Problem(path, str(number), "there is no such partition", f"0 to {size - 1}") for number in wrong]
    if len(dict.fromkeys(numbers)) < len(numbers):
        problems.append(Problem(path, str(numbers), "a partition is named twice"))
    return problems


def _network(doc: Document) -> list[Problem]:
    names = references.Names.of(doc)
    problems: list[Problem] = []
    for i, link in enumerate(doc.network.links):
        for j, end in enumerate(link.between):
            wrong = names.end_problem(end)
            if wrong is not None:
                problems.append(wrong.at(f"network.links[{i}].between[{j}]"))
    return problems


def _phases(doc: Document) -> list[Problem]:
    brokers = [broker.id for broker in doc.brokers]
    phases = doc.phases
    named = [("heartbeat", number) for number in phases.heartbeat_us]
    named += [("isr-check", number) for number in phases.isr_check_us]
    named += [("fencing-order", number) for number in phases.fencing_order]
    return [_no_broker(f"phases.{key}", number, brokers) for key, number in named if number not in brokers]


def _captions(doc: Document) -> list[Problem]:
    problems: list[Problem] = []
    for i, caption in enumerate(doc.captions):
        if (caption.at_us is None) == (caption.on is None):
            problems.append(
                Problem(
                    f"captions[{i}]",
                    "",
                    "a caption waits for a time or for a fact",
                    "at or on",
                )
            )
        elif caption.at_us is not None and caption.at_us > doc.until_us:
            late = format_duration(caption.at_us)
            problems.append(
                Problem(
                    f"captions[{i}].at",
                    late,
                    "later than the end",
                    f"at most {format_duration(doc.until_us)}",
                )
            )
    return problems
