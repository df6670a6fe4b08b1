"""The verdict on the mirrors of a run: mirrored, doubled and missing records by topic, and the position of each group.

Both logs are looked at as they are. Where a cluster is down, the log is that of the copy that would count: of the
newest epoch, and of these the longest.
"""

from typing import TYPE_CHECKING, Any, Final

from simengine.facts.kinds import (
    PROCESS_NAMES,
    PROCESS_RUNNING,
    SEVERITY_NAMES,
    SEVERITY_WARN,
    TASKS_NAMES,
    TASKS_RUNNING,
)
from simengine.kafka.log.log import Log
from simengine.mirror.mirrored_partition import MirroredPartition
from simengine.world.mirrors.compare import compared, position_in, remote_runs
from simengine.world.mirrors.counted import counted_copy
from simengine.world.mirrors.group_starts import (
    member_of,
    newest_commits,
    read_ends,
    read_positions,
    reset_name,
    reset_offset,
)
from simengine.world.mirrors.metrics import flow_readings
from simengine.world.mirrors.process import MirrorProcess, RunningFlow
from simengine.world.mirrors.words import flow_words, group_words, matters, started_over_words, tasks_words, topic_words

if TYPE_CHECKING:
    from simengine.world.assembly import ClusterBuild
    from simengine.world.mirrors.assembly import MirrorAssembly

RECORDS: Final = ("mirrored", "not_mirrored", "left", "doubled", "skipped", "disagree", "again")
WRONG: Final = ("doubled", "skipped", "disagree")
NONE: Final = -1  # no offset

Json = dict[str, Any]


def mirror_verdicts(mirrors: "MirrorAssembly") -> list[Json]:
    """The verdict of each flow, in document order."""
    return [
        _FlowVerdict(mirrors, process, one).told()
        for one in mirrors.flows()
        for process in mirrors.processes
        if one in process.flows
    ]


def with_mirrors(verdict: dict[str, object], mirrors: "MirrorAssembly") -> dict[str, object]:
    """The verdict of a run with that of its flows, which its sentence begins with where they matter.

    A run in which copies are wrong is not all right.
    """
    flows = mirror_verdicts(mirrors)
    told = [str(flow["sentence"]) for flow in flows if flow["matters"]]
    is_wrong = any(topic[key] for flow in flows for topic in flow["topics"] for key in WRONG)
    severity = SEVERITY_NAMES[SEVERITY_WARN] if is_wrong and verdict["severity"] == "ok" else verdict["severity"]
    sentence = " ".join([*told, str(verdict["sentence"])])
    return {**verdict, "mirrors": flows, "severity": severity, "sentence": sentence}


class _FlowVerdict:
    """Looks at one flow."""

    def __init__(self, mirrors: "MirrorAssembly", process: MirrorProcess, running: RunningFlow) -> None:
        self._mirrors = mirrors
        self._process = process
        self._running = running
        self._source: ClusterBuild = mirrors.clusters[running.source.name]
        self._target: ClusterBuild = mirrors.clusters[running.target.name]

    def told(self) -> Json:
        """The flow as JSON; ``matters``: it belongs into the first sentence of the run."""
        topics = self._topics()
        state = PROCESS_NAMES[int(self._process.state)]
        book = self._running.book
        tasks = TASKS_NAMES[int(book.tasks)]
        runs = self._process.state == PROCESS_RUNNING and book.tasks == TASKS_RUNNING
        why = tasks_words(tasks, int(book.tasks_until))
        anew = started_over_words(int(book.started_over_at), int(book.started_over_partitions))
        return {
            "flow": self._running.name,
            "process": self._process.name,
            "state": state,
            "tasks": tasks,
            "tasks_until_us": int(book.tasks_until),
            "topics": topics,
            "groups": self._groups(),
            "metrics": flow_readings(self._mirrors, self._process, self._running),
            "sentence": flow_words(self._running.name, self._process.name, state, why, topics, anew),
            "matters": any(matters(topic, runs) for topic in topics),
        }

    def _topics(self) -> list[Json]:
        by_topic: dict[int, list[MirroredPartition]] = {}
        for pair in self._running.flow.partitions:
            topic = self._source.cluster.partition_names[int(pair.source_p)][0]
            if not self._source.cluster.topics[topic].is_made:
                by_topic.setdefault(topic, []).append(pair)
        return [self._topic(topic, pairs) for topic, pairs in by_topic.items()]

    def _topic(self, topic: int, pairs: list[MirroredPartition]) -> Json:
        sums = dict.fromkeys(RECORDS, 0)
        longest = 0
        disagree_at: list[Json] = []
        for pair in pairs:
            source = counted_copy(self._source.cluster, int(pair.source_p))
            remote = counted_copy(self._target.cluster, int(pair.p))
            if source is None or remote is None:
                continue
            runs = remote_runs(remote.log, self._clients(), pair.copied)
            position = int(self._running.book.of(pair.source_p).upstream) + 1
            found = compared(source.log, int(source.hw), position, runs, began_at(pair, source.log))
            for key in RECORDS:
                sums[key] += getattr(found, key)
            longest = max(longest, found.not_mirrored_us)
            if found.disagree_at:
                disagree_at.append({"partition": self._remote_name(int(pair.p)), "offsets": found.disagree_at})
        target = self._target.cluster
        remote_name = target.topics[target.partition_names[int(pairs[0].p)][0]].title
        told: Json = {"topic": self._source.cluster.topics[topic].title, "remote": remote_name, **sums}
        told["not_mirrored_us"] = longest
        told["disagree_at"] = disagree_at
        return {**told, "sentence": topic_words(told)}

    # -- groups

    def _groups(self) -> list[Json]:
        here = read_positions(self._source) | newest_commits(self._source)
        there = newest_commits(self._target)
        read = read_ends(self._source)
        return [
            self._group(
                group,
                pair,
                here[group, int(pair.source_p)],
                read.get((group, int(pair.source_p)), NONE),
                there.get((group, int(pair.p)), NONE),
            )
            for group in self._running.flow.groups
            for pair in self._running.flow.partitions
            if (group, int(pair.source_p)) in here
        ]

    def _group(self, group: str, pair: MirroredPartition, committed: int, read: int, there: int) -> Json:
        """The position of a group in one partition after a failover; ``there``: its committed offset on the target.

        ``committed``: its offset at the source, or the position of its reader there if it has committed none;
        ``read``: up to where it has read there. What it has not read it skips; what it has read and not committed it
        passes over, ``uncommitted``.
        ``true``: the remote offset of its position at the source; ``starts``: where it starts on the target, -1 where
        nothing says so. What a group has read on the target itself it has not skipped.
        """
        p = int(pair.p)
        book = self._running.book
        remote = counted_copy(self._target.cluster, p)
        runs = [] if remote is None else remote_runs(remote.log, self._clients(), pair.copied)
        end = 0 if remote is None else int(remote.log.leo)
        true, unread = (position_in(runs, at, end) for at in (committed, max(committed, read)))
        member = member_of(group, [self._target, self._source])
        is_own = there not in (NONE, book.accepted.get(group, {}).get(p, NONE))
        start = reset_offset(member, remote) if there == NONE else there
        passed = start != NONE and not is_own
        told: Json = {
            "group": group,
            "partition": self._remote_name(p),
            "source": committed,
            "true": true,
            "checkpoint": book.checkpoints.get(group, {}).get(p, [NONE, NONE])[1],
            "continues": there,
            "is_own": is_own,
            "reset": reset_name(member),
            "starts": start,
            "skips": max(0, start - unread) if passed else 0,
            "uncommitted": max(0, min(start, unread) - true) if passed else 0,
            "rereads": 0 if start == NONE else max(0, true - start),
        }
        return {**told, "sentence": group_words(told)}

    def _remote_name(self, p: int) -> str:
        target = self._target.cluster
        topic, number = target.partition_names[p]
        return f"{target.topics[topic].title}-{number}"

    def _clients(self) -> list[int]:
        return [int(producer.number) for producer in self._running.flow.target.producers]


def began_at(pair: MirroredPartition, source: Log) -> int:
    """The source offset at which a flow began: its first copy is of the oldest record that was there (MM-1)."""
    before = pair.copied.before
    runs = pair.copied.runs if before is None else [before, *pair.copied.runs]
    return min((int(run.upstream) for run in runs), default=int(source.start))
