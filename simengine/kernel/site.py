"""The place of a cluster in a world: several clusters share one clock, one network and one trace.

World-wide numbers: a broker or controller has the number base + Kafka id, so a world of one cluster (base 0) numbers
its nodes by their Kafka ids. Topics, partitions and clients are numbered over all clusters, without gaps.
"""

from typing import Final, final

from mypy_extensions import i64

SEPARATOR: Final = "/"
BASE_STEP: Final = 1000  # each further cluster begins at the next free multiple
SETTINGS_STEP: Final = 1 << 40  # between the subjects by which facts name the settings of a whole cluster


@final
class Site:
    """One cluster of a world: its index, its name ("" for the only one) and the base of its node numbers."""

    __slots__ = ("base", "index", "name", "prefix")

    def __init__(self, index: i64, name: str, base: i64) -> None:
        self.index: i64 = index
        self.name = name
        self.base: i64 = base
        self.prefix: str = name + SEPARATOR if name else ""  # of the names of its nodes, clients and random streams

    def kafka_id(self, node: i64) -> i64:
        """The Kafka id of a node of this cluster."""
        return node - self.base

    def called(self, node: i64) -> str:
        """A node of this cluster as actions name it: ``1``, or ``east/1``."""
        return self.prefix + str(int(self.kafka_id(node)))

    def nobody(self) -> i64:
        """The number for -1 in facts of this cluster that name no node, partition or client of it."""
        return -1 - self.index

    def settings_subject(self, subject: i64) -> i64:
        """The subject of ConfigChanged: of a topic or a broker as it is, of the whole cluster (-1) with its index."""
        return subject if subject != -1 else -1 - self.index * SETTINGS_STEP


ALONE: Final = Site(0, "", 0)  # the only cluster of a world
