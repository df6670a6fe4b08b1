"""The class-data archive of a node: a JVM with it starts in half the time, and disturbs a run less."""

import tempfile
from pathlib import Path
from typing import Final

from tests.lab.cluster import LabCluster
from tests.lab.distribution import Distribution
from tests.lab.fault_script import script_of_plain
from tests.lab.network import LabNetwork

SLOT: Final = 9  # of the network, beside those of recordings
SMALLEST: Final = {"cluster": {"brokers": {"0": None}, "controllers": [100]}, "topics": [], "timeline": []}


def archived(distribution: Distribution) -> Distribution:
    """The distribution with its archive. A broker that starts and stops makes it, once (20 s). Raises LabError."""
    if distribution.archive.exists():
        return distribution
    print("lab: making the archive of classes (once)", flush=True)
    given = script_of_plain(SMALLEST, distribution.version).given
    network = LabNetwork(SLOT, [*given.controllers, *given.brokers])
    cluster = LabCluster(given, network, distribution, Path(tempfile.gettempdir()) / f"lab{SLOT}")
    arriving = distribution.folder / "arriving.jsa"
    try:
        cluster.boot(f"-XX:ArchiveClassesAtExit={arriving}")
        cluster.nodes[0].stop()
    finally:
        cluster.down()
    arriving.rename(distribution.archive)
    return distribution
