"""Watches two clusters and MirrorMaker's own topics while a script runs."""

import json
import subprocess
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from tests.lab.distribution import Distribution
from tests.lab.lab_verbs import Lab
from tests.lab.metadata_log import seconds
from tests.lab.mirror_lab_script import MirrorLabScript
from tests.lab.network import CLIENT
from tests.lab.plain import Plain

MEMORY_MB: Final = 128
LOOK_S: Final = 0.25


class MirrorWatch:
    """Reads offset syncs and checkpoints as they are written, and polls committed offsets and log ends."""

    def __init__(
        self, script: MirrorLabScript, labs: Mapping[str, Lab], distribution: Distribution, work: Path
    ) -> None:
        self._script = script
        self._labs = labs
        self._distribution = distribution
        self._work = work
        self._records: list[Plain] = []  # decoded records, `at` in ms
        self._polls: list[tuple[int, str, str, str, Any]] = []  # ms, cluster, kind, group or partition, offsets
        self._over = threading.Event()
        self._taps: list[subprocess.Popen[str]] = []

    def start(self) -> None:
        """Begin to watch."""
        first, second = self._labs
        for name, other in ((first, second), (second, first)):
            self._tap(name, other)
            threading.Thread(target=self._poll, args=(name,), daemon=True).start()

    def unseen(self) -> list[str]:
        """The watched partitions that no poll has found yet, each with its cluster."""
        seen = {(cluster, name) for _, cluster, kind, name, _ in self._polls if kind == "ends"}
        watched = [(cluster, f"{topic}-{n}") for cluster, pairs in self._script.watch.items() for topic, n in pairs]
        return [f"{name} of {cluster}" for cluster, name in watched if (cluster, name) not in seen]

    def end(self) -> None:
        """Stop watching."""
        self._over.set()
        for tap in self._taps:
            tap.kill()
            tap.wait()

    def plain(self, zero_ms: int) -> Plain:
        """The changes that were seen, as the recording's `mirror` has it."""
        records = sorted(self._records, key=lambda record: int(record["at"]))
        return {
            "config": self._script.config,
            "syncs": [_row(record, zero_ms) for record in records if record["kind"] == "sync"],
            "checkpoints": [_row(record, zero_ms, "group") for record in records if record["kind"] == "checkpoint"],
            "positions": self._changes("positions", zero_ms),
            "ends": self._changes("ends", zero_ms),
        }

    def _changes(self, kind: str, zero_ms: int) -> list[list[Any]]:
        return [
            [seconds(at, zero_ms), cluster, name, seen] for at, cluster, of, name, seen in self._polls if of == kind
        ]

    def _tap(self, cluster: str, other: str) -> None:
        """Follow the topics of MirrorMaker in a cluster."""
        topics = (f"mm2-offset-syncs.{other}.internal", f"{other}.checkpoints.internal")
        lab = self._labs[cluster].cluster
        main = ("org.apache.kafka.connect.mirror.LabTap", cluster, lab.bootstrap(), *topics)
        java = self._distribution.java(self._work / "tap-kafka.log", MEMORY_MB, *main)
        with (self._work / "tap.log").open("ab") as log:
            tap = subprocess.Popen(
                [*lab.network.inside(CLIENT), *java],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
            )
        self._taps.append(tap)
        threading.Thread(target=self._read, args=(tap,), daemon=True).start()

    def _read(self, tap: subprocess.Popen[str]) -> None:
        assert tap.stdout is not None
        for line in tap.stdout:
            if line.endswith("\n"):  # the last one is cut short when the tap is killed
                self._records.append(json.loads(line))

    def _poll(self, cluster: str) -> None:
        """Ask for the offsets of groups and the ends of partitions, again and again, and keep what changed."""
        lab = self._labs[cluster]
        last: dict[tuple[str, str], Any] = {}
        while not self._over.is_set():
            for kind, name, call, details in self._queries(cluster):
                if self._over.is_set():
                    return
                at = round(time.time() * 1000)
                response = lab.admin(call, **details)
                if response["ok"] and last.get((kind, name)) != response["result"]:
                    last[kind, name] = response["result"]
                    self._polls.append((at, cluster, kind, name, response["result"]))
            self._over.wait(LOOK_S)

    def _queries(self, cluster: str) -> list[tuple[str, str, str, Plain]]:
        groups = [("positions", group, "group-offsets", {"group": group}) for group in self._script.groups]
        watched = self._script.watch[cluster]
        ends = [("ends", f"{topic}-{n}", "offsets", {"topic": topic, "partition": n}) for topic, n in watched]
        return [*groups, *ends]


def _row(record: Plain, zero_ms: int, *more: str) -> list[Any]:
    columns = ("cluster", "topic", "offset", *more, "partition", "up", "down")
    return [seconds(record["at"], zero_ms), *(record[column] for column in columns)]
