"""Actions that are calls of an administrator: settings, elections, reassignments, topics.

A topic is one from the moment at which the controller creates it. What a refused ``create`` was to make does not exist:
calls about it are refused with UNKNOWN_TOPIC_OR_PARTITION, and the name may be used again.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from simengine.configs import Configs, SettingCall
from simengine.facts.errors import ERR_TOPIC_ALREADY_EXISTS, ERR_UNKNOWN_TOPIC_OR_PARTITION
from simengine.kafka.admin import Admin, AdminCall, ElectionCall, Reassignment
from simengine.kafka.config import Topic
from simengine.kafka.election import ELECT_PREFERRED, ELECT_UNCLEAN
from simengine.kafka.metadata import CLUSTER_SETTINGS
from simengine.kafka.topic_admin import Creation, Deletion, PartitionsCall
from simengine.scenario.actions import SUBJECT_BROKER, SUBJECT_CLUSTER, Action, rate_milli, split_partition

if TYPE_CHECKING:
    from simengine.assembly import Assembly

# where the partition stands that an action names, by verb
PARTITION_AT: Final = {"elect": 1, "reassign": 0, "rate": 2, "send": 1, "resend": 1, "intercept": 2, "commit": 1}
OF_CLIENTS: Final = ("rate", "send", "resend", "intercept", "commit")  # they ask for a deleted topic all the same


class AdminActions:
    """Makes administrators' calls on one assembled cluster."""

    def __init__(self, parts: "Assembly", configs: Configs) -> None:
        self._parts = parts
        self._configs = configs
        self._admin: Admin = parts.cluster.admin
        self._creations: dict[str, Creation] = {}  # by name, the newest of each
        self.verbs: dict[str, Callable[[tuple[str, ...], int], None]] = {
            "config": self._config,
            "elect": self._elect,
            "reassign": self._reassign,
            "create": self._create,
            "delete": self._delete,
            "partitions": self._partitions,
        }

    def missing_topic(self, action: Action) -> str:
        """The topic that an action names and that does not exist, deleted or never created; "" if there is none."""
        verb, args = action
        name = ""
        if verb in PARTITION_AT and len(args) > PARTITION_AT[verb]:
            place = args[PARTITION_AT[verb]]
            name = "" if place == "all" else split_partition(place)[0]
        elif verb in ("delete", "partitions") or (verb == "config" and not self._is_of_processes(args[0])):
            name = args[0]
        if name and self._is_deleted(name) and verb not in OF_CLIENTS:
            return name
        return name if name and self._is_refused(name) and not self._ends_calls(action) else ""

    def _is_of_processes(self, subject: str) -> bool:
        return subject == SUBJECT_CLUSTER or subject.startswith(SUBJECT_BROKER)

    def _ends_calls(self, action: Action) -> bool:
        """Whether a producer is to make no more calls; it began them before the controller refused the topic."""
        verb, args = action
        is_known = verb == "rate" and split_partition(args[PARTITION_AT[verb]]) in self._parts.partition_index
        return is_known and rate_milli(args[1]) == 0

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

    def _config(self, args: tuple[str, ...], cause: int) -> None:
        subject, key, value = args
        index = self._parts.topic_index.get(subject, CLUSTER_SETTINGS)
        if index == CLUSTER_SETTINGS and subject.startswith(SUBJECT_BROKER):
            index -= 1 + self._parts.number(subject.removeprefix(SUBJECT_BROKER))
        self._admin.submit(SettingCall(self._configs, index, key, value, cause))

    def _elect(self, args: tuple[str, ...], cause: int) -> None:
        is_of_all = args[1] == "all"
        partitions = self._parts.cluster.own_partitions() if is_of_all else [self._partition(args[1])]
        kind = ELECT_PREFERRED if args[0] == "preferred" else ELECT_UNCLEAN
        self._admin.submit(ElectionCall(partitions, kind, cause, is_of_all))

    def _reassign(self, args: tuple[str, ...], cause: int) -> None:
        target = [] if args[1] == "cancel" else [self._parts.number(b) for b in args[1].split(",")]
        self._admin.submit(Reassignment(self._partition(args[0]), target, cause))

    def _create(self, args: tuple[str, ...], cause: int) -> None:
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
        """Whether there is a topic of this name, or one that the controller is to create."""
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

    def _delete(self, args: tuple[str, ...], cause: int) -> None:
        self._admin.submit(Deletion(self._parts.topic_index[args[0]], args[0], cause))

    def _partitions(self, args: tuple[str, ...], cause: int) -> None:
        self.add_partitions(args[0], int(args[1]), cause)

    def add_partitions(self, name: str, count: int, cause: int) -> None:
        """Have partitions added to a topic, so that it has ``count``."""
        self._admin.submit(PartitionsCall(self._parts.topic_index[name], name, count, self._grow, cause))

    def set_config(self, name: str, key: str, value: str, cause: int) -> None:
        """Have one key of a topic set."""
        self._admin.submit(SettingCall(self._configs, self._parts.topic_index[name], key, value, cause))

    def _grow(self, topic: int, count: int) -> list[int]:
        return self._parts.table.add_partitions(topic, count)
