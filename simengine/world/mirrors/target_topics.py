"""Creates and alters the topics of a flow on its target, by the calls of an administrator of the target (MM-1).

MirrorMaker does not wait for the responses: what the controller refuses shows as a fact, and the next refresh tries
again. Left out: Kafka's sync also deletes a key that only the remote topic has.
"""

from typing import TYPE_CHECKING

from mypy_extensions import i64

from simengine.mirror.filters import ConfigPropertyFilter
from simengine.mirror.remote_topics import NO_PARTITION, RemoteTopics
from simengine.world.actions.admin import AdminActions
from simengine.world.configs import Configs

if TYPE_CHECKING:
    from simengine.world.assembly import ClusterBuild
    from simengine.world.cluster_run import ClusterRun


class TargetTopics(RemoteTopics):
    """Topics of ``target`` for one flow from ``source``.

    ``factor``: of remote topics, ``storage_factor``: of the topic of stored positions.
    """

    def __init__(
        self,
        source: "ClusterRun",
        target: "ClusterRun",
        configs: ConfigPropertyFilter,
        factor: int,
        storage_factor: int,
    ) -> None:
        self._source: ClusterBuild = source.parts
        self._source_configs: Configs = source.executor.configs
        self._target: ClusterBuild = target.parts
        self._target_configs: Configs = target.executor.configs
        self._admin: AdminActions = target.executor.admin
        self._filter = configs
        self._factor = factor
        self._storage_factor = storage_factor

    def create(self, source: str, remote: str, count: i64, cause: i64) -> None:
        if self._admin.is_there(remote):
            return
        topic = self._admin.create_topic(remote, [], self._factor, int(count), int(cause))
        if topic is not None:
            topic.is_remote = True
            self._set(source, remote, int(cause))

    def create_storage(self, name: str) -> None:
        if self._admin.is_there(name):
            return
        topic = self._admin.create_topic(name, [], self._storage_factor, 1, 0)
        if topic is not None:
            topic.is_made = True
            self._admin.set_config(name, "cleanup.policy", "compact", 0)

    def grow(self, remote: str, count: i64, cause: i64) -> None:
        self._admin.add_partitions(remote, int(count), int(cause))

    def partition(self, remote: str, number: i64) -> i64:
        if not self._admin.is_there(remote):
            return NO_PARTITION
        return self._target.partition_index.get((remote, int(number)), NO_PARTITION)

    def sync_configs(self, source: str, remote: str) -> None:
        self._set(source, remote, 0)

    def _set(self, source: str, remote: str, cause: int) -> None:
        """Set the configs that are replicated and have another value on the remote topic."""
        own = self._source_configs.committed()[self._source.topic_index[source]]
        there = self._target_configs.of_topics[self._target.topic_index[remote]]
        for key, value in self._filter.target_configs(own).items():
            if there.get(key) != value:
                self._admin.set_config(remote, key, value, cause)
