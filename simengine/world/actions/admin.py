"""Actions that are calls of an administrator: settings, elections, reassignments, topics.

A topic is one from the moment at which the controller creates it. What a refused ``create`` was to make does not exist:
calls about it are refused with UNKNOWN_TOPIC_OR_PARTITION, and the name may be used again.
"""

from typing import TYPE_CHECKING, Final

from simengine.facts.errors import ERR_TOPIC_ALREADY_EXISTS, ERR_UNKNOWN_TOPIC_OR_PARTITION
from simengine.kafka.cluster.admin import Admin, AdminCall, ElectionCall, Reassignment
from simengine.kafka.cluster.topic_admin import Creation, Deletion, PartitionsCall
from simengine.kafka.controller.election import ELECT_PREFERRED, ELECT_UNCLEAN
from simengine.kafka.shared.config import Topic
from simengine.kafka.shared.metadata import CLUSTER_SETTINGS
from simengine.scenario.actions import SUBJECT_BROKER, SUBJECT_CLUSTER, Action
from simengine.scenario.arguments import rate_milli, split_partition
from simengine.world.actions.behaviour import Args, Behaviour
from simengine.world.actions.reassignments import Lists, Reassigner
from simengine.world.configs import Configs, SettingCall, plain

OFF: Final = "off"  # a broker
FACTOR: Final = "replication-factor"

if TYPE_CHECKING:
    from simengine.world.assembly import ClusterBuild


class AdminActions:
    """Makes administrators' calls on one assembled cluster."""

    def __init__(self, parts: "ClusterBuild", configs: Configs) -> None:
        self._parts = parts
        self._configs = configs
        self._admin: Admin = parts.cluster.admin
        self._creations: dict[str, Creation] = {}  # by name, the newest of each
        self.verbs: dict[str, Behaviour] = {
            "config": Behaviour(self._config, self._why_no_config),
            "elect": Behaviour(self._elect),
            "reassign": Behaviour(self._reassign, self._why_no_reassignment),
            "create": Behaviour(self._create),
            "delete": Behaviour(self._delete),
            "partitions": Behaviour(self._partitions),
        }

    def missing_topic(self, action: Action) -> str:
        """The topic that an action names and that does not exist, deleted or never created; "" if there is none."""
        named = action.named
        name = _topic_in(named)
        is_of_client = "producer" in named or "consumer" in named  # it asks for a deleted topic all the same
        if name and self._is_deleted(name) and not is_of_client:
            return name
        return name if name and self._is_refused(name) and not self._ends_calls(named) else ""

    def _ends_calls(self, named: dict[str, str]) -> bool:
        """True if a producer is to make no more calls; it began them before the controller refused the topic."""
        is_known = "rate" in named and split_partition(named["partition"]) in self._parts.partition_index
        return is_known and rate_milli(named["rate"]) == 0

    def _is_deleted(self, name: str) -> bool:
        index = self._parts.topic_index.get(name, -1)
        return index >= 0 and self._parts.cluster.topics[index].is_going

    def _is_refused(self, name: str) -> bool:
        known = self._creations.get(name)
        return known is not None and known.is_refused

    def refuse_unknown(self, action: Action, cause: int) -> None:
        """Refuse a call about a topic that does not exist."""
        words = {"config": f"config {'='.join(action.args[1:])}", "elect": "elect"}
        words |= {verb: f"{verb} {action.args[0]}" for verb in ("delete", "partitions")}
        if action.verb in self.verbs:
            text = words.get(action.verb, "reassign cancel" if "cancel" in action.args else "reassign")
            self._admin.refuse(AdminCall(-1, text, cause), ERR_UNKNOWN_TOPIC_OR_PARTITION)

    def _partition(self, text: str) -> int:
        return self._parts.partition_index[split_partition(text)]

    def _config(self, args: Args, cause: int) -> None:
        subject, key, value = args
        index = self._parts.topic_index.get(subject, CLUSTER_SETTINGS)
        if index == CLUSTER_SETTINGS and subject.startswith(SUBJECT_BROKER):
            index -= 1 + self._parts.number(subject.removeprefix(SUBJECT_BROKER))
        self._admin.submit(SettingCall(self._configs, index, key, value, cause))

    def _why_no_config(self, args: Args) -> str:
        subject, key, value = args
        index = self._parts.topic_index.get(subject, -1)
        if index >= 0:
            known = self._configs.of_topics[index]
        else:
            is_of_one = subject.startswith(SUBJECT_BROKER)
            broker = str(self._parts.number(subject.removeprefix(SUBJECT_BROKER))) if is_of_one else ""
            known = self._configs.committed_of_brokers().get(broker, {})
        return "it has this value already" if known.get(key) == plain(value) else ""

    def _elect(self, args: Args, cause: int) -> None:
        is_of_all = args[1] == "all"
        partitions = self._parts.cluster.own_partitions() if is_of_all else [self._partition(args[1])]
        kind = ELECT_PREFERRED if args[0] == "preferred" else ELECT_UNCLEAN
        self._admin.submit(ElectionCall(partitions, kind, cause, is_of_all))

    def _reassign(self, args: Args, cause: int) -> None:
        for p, target in self._lists(args).items():
            self._admin.submit(Reassignment(p, target, cause))

    def _lists(self, args: Args) -> Lists:
        """The new replicas of each partition that a reassignment names; none: what is under way is cancelled."""
        if args[0] == OFF:
            return Reassigner(self._parts.cluster).without(self._parts.number(args[1]))
        if args[1] == FACTOR:
            return Reassigner(self._parts.cluster).with_factor(self._parts.topic_index.get(args[0], -1), int(args[2]))
        target = [] if args[1] == "cancel" else [self._parts.number(b) for b in args[1].split(",")]
        return {self._partition(args[0]): target}

    def _why_no_reassignment(self, args: Args) -> str:
        return "" if self._lists(args) else "there is no replica to move, or no active broker that could take one"

    def _create(self, args: Args, cause: int) -> None:
        name = args[0]
        parts = self._parts
        if self.is_there(name):
            self._admin.refuse(AdminCall(-1, f"create {name}", cause), ERR_TOPIC_ALREADY_EXISTS)
            return
        if len(args) == 2:
            assignment = [[parts.number(b) for b in part.split(",")] for part in args[1].split("/")]
            count, factor = len(assignment), len(assignment[0])
        else:
            assignment, factor, count = [], int(args[1]), int(args[2])
        self.create_topic(name, assignment, factor, count, cause)

    def is_there(self, name: str) -> bool:
        """True if there is a topic of this name, or one that the controller is to create."""
        return name in self._parts.topic_index and not self._is_refused(name) and not self._is_deleted(name)

    def create_topic(self, name: str, assignment: list[list[int]], factor: int, count: int, cause: int) -> Topic | None:
        """Have a topic created; None where the controller refuses it at once."""
        parts = self._parts
        topic = parts.table.add_created(name, count)
        self._configs.add_topic(int(topic.index))
        creation = Creation(topic.index, name, topic.partitions, assignment, factor, cause)
        self._creations[name] = creation
        self._admin.submit(creation)
        if creation.is_refused:
            self._configs.remove_topic(int(topic.index))
            parts.table.take_back_created(name)
            return None
        return topic

    def _delete(self, args: Args, cause: int) -> None:
        self._admin.submit(Deletion(self._parts.topic_index[args[0]], args[0], cause))

    def _partitions(self, args: Args, cause: int) -> None:
        self.add_partitions(args[0], int(args[1]), cause)

    def add_partitions(self, name: str, count: int, cause: int) -> None:
        """Have partitions added to a topic, so that it has ``count``."""
        self._admin.submit(PartitionsCall(self._parts.topic_index[name], name, count, self._grow, cause))

    def set_config(self, name: str, key: str, value: str, cause: int) -> None:
        """Have one key of a topic set."""
        self._admin.submit(SettingCall(self._configs, self._parts.topic_index[name], key, value, cause))

    def _grow(self, topic: int, count: int) -> list[int]:
        return self._parts.table.add_partitions(topic, count)


def _topic_in(named: dict[str, str]) -> str:
    """The topic that the arguments of an action name, which has to be there; "" if they name none."""
    partition = named.get("partition", named.get("scope", "all"))
    if partition != "all":
        return split_partition(partition)[0]
    subject = named.get("subject", "")
    is_of_processes = subject == SUBJECT_CLUSTER or subject.startswith(SUBJECT_BROKER)
    return named.get("whole_topic", "" if is_of_processes else subject)
