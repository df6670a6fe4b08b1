"""Several nodes hit at once, told as one event: ``az-a is taken down (20 brokers, 1 controller)``.

Never one broker of twenty: a process that ended is told with all that ended at the same instant, whether one action did
it or several. Also whether anybody can still elect leaders.
"""

from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from simengine.facts.decisive import ActionDone, PartitionChanged, ProcessChanged
from simengine.facts.kinds import ELECTION_NONE, PROCESS_DOWN
from simengine.facts.trace import Decisive
from simengine.scenario.verbs import KILL_RACK
from simengine.words.phrases import listed, plural

if TYPE_CHECKING:
    from simengine.kafka.cluster.cluster import Cluster

NAMED_MAX: Final = 4  # so many processes are named, of more the number is told


def ended_together(facts: list[Decisive], fact: Decisive, cluster: "Cluster") -> str:
    """The processes that ended at the same instant as that of ``fact``, in words; "" where it ended alone.

    Racks, whatever took them down; else the processes, whichever actions ended them.
    """
    if not isinstance(fact, ProcessChanged) or not is_death(fact):
        return ""
    ended = [one for one in at_once(facts, fact) if cluster.has_node(one.node)]
    nodes = [int(one.node) for one in ended]
    if len(nodes) < 2:
        return ""
    racks = racks_taken(facts, ended) or racks_of(nodes, cluster)
    if racks:
        are = "is" if len(racks) == 1 else "are"
        return f"{listed(racks)} {are} taken down ({', '.join(counted(nodes, cluster))})"
    racks = racks_of(nodes, cluster, brokers_only=True)
    if racks:
        return f"all brokers of {listed(racks)} died"
    return f"{listed(named(nodes, cluster) if len(nodes) <= NAMED_MAX else counted(nodes, cluster))} died"


def named(nodes: list[int], cluster: "Cluster") -> list[str]:
    """``brokers 1 and 2``, ``controller 100``."""
    found: list[str] = []
    for kind, ids in (
        ("broker", [cluster.site.called(node) for node in nodes if node in cluster.by_id]),
        ("controller", [cluster.site.called(node) for node in nodes if node not in cluster.by_id]),
    ):
        if ids:
            found.append(f"{kind}{'s' if len(ids) > 1 else ''} {listed(ids)}")
    return found


def counted(nodes: list[int], cluster: "Cluster") -> list[str]:
    """``20 brokers``, ``1 controller``."""
    brokers = sum(node in cluster.by_id for node in nodes)
    found = [plural(brokers, "broker", "brokers")] if brokers else []
    return found + ([plural(len(nodes) - brokers, "controller", "controllers")] if len(nodes) > brokers else [])


def is_death(fact: ProcessChanged) -> bool:
    """True if a process went down, but not at the end of its own shutdown."""
    return fact.state == PROCESS_DOWN and not fact.left


def elected_together(facts: list[Decisive], fact: Decisive, cluster: "Cluster") -> str:
    """``, and 2 more partitions of the topic got a leader``: by the same commit; "" if there are none."""
    if not isinstance(fact, PartitionChanged) or fact.election == ELECTION_NONE or fact.leader < 0 or not fact.cause:
        return ""
    topic = cluster.partition_names[int(fact.p)][0]
    count = 0
    for one in facts[first_at(facts, int(fact.t)) :]:
        if one.t > fact.t:
            break
        if isinstance(one, PartitionChanged) and one.cause == fact.cause and one.election != ELECTION_NONE:
            count += one.p != fact.p and one.leader >= 0 and cluster.partition_names[int(one.p)][0] == topic
    return f", and {plural(count, 'more partition', 'more partitions')} of the topic got a leader" if count else ""


def first_at(facts: list[Decisive], t: int) -> int:
    """The place of the first fact at a moment (µs) or later."""
    return bisect_left(facts, t, key=moment)


def moment(fact: Decisive) -> int:
    """The time of a fact in µs."""
    return int(fact.t)


def at_once(facts: list[Decisive], fact: Decisive) -> list[ProcessChanged]:
    """The facts by which processes died at the moment of one of them, itself included; a shutdown's end is no death."""
    found: list[ProcessChanged] = []
    for i in range(first_at(facts, int(fact.t)), len(facts)):
        one = facts[i]
        if one.t > fact.t:
            break
        if isinstance(one, ProcessChanged) and is_death(one):
            found.append(one)
    return found


def racks_taken(facts: list[Decisive], ended: list[ProcessChanged]) -> list[str]:
    """The racks that actions took down, where nothing else ended at that moment."""
    found: list[str] = []
    for one in ended:
        done = numbered(facts, int(one.cause))
        if not isinstance(done, ActionDone) or done.verb != KILL_RACK:
            return []
        if done.args[0] not in found:
            found.append(done.args[0])
    return found


def racks_of(nodes: list[int], cluster: "Cluster", *, brokers_only: bool = False) -> list[str]:
    """The racks that these nodes are all of, or all brokers of, what was down already left aside; none for others."""
    hosts = [(int(broker.id), broker.rack, bool(broker.up)) for broker in cluster.brokers]
    if not brokers_only:
        hosts += [(int(one.id), one.rack, bool(one.up)) for one in cluster.controllers]
    found: list[str] = []
    for node, rack, _ in hosts:
        if node in nodes and rack not in found:
            found.append(rack)
    if "" in found or any(rack in found and is_up and node not in nodes for node, rack, is_up in hosts):
        return []
    return found if len(found) < len({rack for _, rack, _ in hosts}) else []


def numbered(facts: list[Decisive], seq: int) -> Decisive | None:
    """The fact with a number; None for 0, and for traffic."""
    low, high = 0, len(facts)
    while low < high:
        middle = (low + high) // 2
        if facts[middle].seq < seq:
            low = middle + 1
        else:
            high = middle
    return facts[low] if seq > 0 and low < len(facts) and facts[low].seq == seq else None


def action_behind(facts: list[Decisive], fact: Decisive) -> ActionDone | None:
    """The action that a fact goes back to; None where nobody did anything."""
    behind: Decisive | None = fact
    while behind is not None and not isinstance(behind, ActionDone):
        behind = numbered(facts, int(behind.cause))
    return behind


def quorum_words(cluster: "Cluster") -> str:
    """That nobody can elect leaders, as no majority of the controllers is there (QUO-3); "" where somebody can."""
    voters = cluster.controllers
    if any(voter.up and cluster.quorum.reaches_majority(voter) for voter in voters):
        return ""
    gone = sum(not voter.up for voter in voters)
    if gone * 2 < len(voters):
        return "No controller reaches a majority of them: nobody can elect a leader."
    are = "is" if gone == 1 else "are"
    what = f"{gone} of {len(voters)} controllers {are} gone" if gone < len(voters) else "Every controller is gone"
    return f"{what}: nobody can elect a leader."
