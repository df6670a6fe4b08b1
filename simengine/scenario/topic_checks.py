"""What must hold of topics: names, replica lists, and the state in which each partition starts."""

from itertools import pairwise

from simengine.scenario.limits import LOG_RECORDS_MAX, PARTITIONS_MAX
from simengine.scenario.model import Document, InitialPartition, Topic
from simengine.scenario.problems import Problem


def check(doc: Document) -> list[Problem]:
    """Everything that is wrong with the topics of `doc`."""
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
        if len(replicas) != factor and not topic.initial:  # a running topic may be in the middle of a reassignment
            message = f"all partitions of a topic have equally many replicas; partition 0 has {factor}"
            problems.append(Problem(place, str(replicas), message))
        for position, replica in enumerate(replicas):
            where = f"{place}[{position}]"
            if replica not in brokers:
                problems.append(no_broker(where, replica, brokers))
            elif replica in replicas[:position]:
                problems.append(
                    Problem(
                        where,
                        str(replica),
                        "this broker stands twice in one replica list",
                    )
                )
    return problems


def no_broker(path: str, number: int, brokers: list[int]) -> Problem:
    """The problem of a place that names broker `number`, which is none of `brokers`."""
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
        ("logs", list(state.logs)),
    ):
        for member in members:
            if member not in replicas:
                problems.append(Problem(f"{path}.{key}", str(member), "not one of the replicas", listed))
    for key, members in (("isr", state.isr), ("elr", state.elr)):
        if len(dict.fromkeys(members)) < len(members):
            problems.append(Problem(f"{path}.{key}", str(members), "a broker is named twice"))
    problems += _initial_leader(path, state, states)
    problems += _initial_logs(path, state)
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


def _initial_logs(path: str, state: InitialPartition) -> list[Problem]:
    """Epochs and offsets rise together; the log holds what its epochs say; no epoch is newer than the partition's."""
    problems: list[Problem] = []
    for member, log in state.logs.items():
        place = f"{path}.logs.{member}"
        if member in state.lag:
            problems.append(Problem(place, "", "a copy has either a lag or a log of its own"))
        if log.start > log.leo:
            problems.append(Problem(f"{place}.start", str(log.start), "behind the log end", f"0 to {log.leo}"))
        if log.leo - log.start > LOG_RECORDS_MAX:
            problems.append(Problem(f"{place}.leo", str(log.leo), f"at most {LOG_RECORDS_MAX} records are written out"))
        if any(one[0] >= other[0] or one[1] >= other[1] for one, other in pairwise(log.epochs)):
            problems.append(
                Problem(f"{place}.epochs", str(log.epochs), "epochs and their first offsets must both rise")
            )
        if log.leo > log.start and (not log.epochs or log.epochs[0][1] > log.start):
            problems.append(Problem(f"{place}.epochs", str(log.epochs), f"no epoch covers offset {log.start}"))
        if log.epochs and log.epochs[-1][1] > log.leo:
            problems.append(Problem(f"{place}.epochs", str(log.epochs), f"begins after the log end {log.leo}"))
        if log.epochs and log.epochs[-1][0] > state.epoch:
            message = f"newer than the partition's epoch {state.epoch}"
            problems.append(Problem(f"{place}.epochs", str(log.epochs), message, f"0 to {state.epoch}"))
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
