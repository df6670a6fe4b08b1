"""Committed offsets as a consumer sees them: asking for them, committing by hand and every 5 s (CON-6, CON-7).

Requests go to the group's coordinator, the leader of one partition of ``__consumer_offsets``, over a connection of
their own. A metadata refresh stands for FindCoordinator: like it, it asks the least loaded broker, and it is repeated
when the connection breaks or the broker says that it is not the coordinator.
"""

from typing import TYPE_CHECKING, Final, final

from mypy_extensions import i64

from simengine.clients.network.network_client import Connection, NetworkClient, Pending
from simengine.clients.network.settings import SUBSCRIBED, ConsumerSettings, doubled
from simengine.facts.errors import (
    ERR_COORDINATOR_NOT_AVAILABLE,
    ERR_GROUP_ID_NOT_FOUND,
    ERR_ILLEGAL_GENERATION,
    ERR_NETWORK_EXCEPTION,
    ERR_NONE,
    ERR_REBALANCE_IN_PROGRESS,
    ERR_UNKNOWN_MEMBER_ID,
)
from simengine.kafka.wire.api import NO_GENERATION, ClientServer, CommitAnswer, CommitRequest, CommittedRequest
from simengine.kafka.wire.group_api import GroupAnswer
from simengine.kernel.connecting import UP
from simengine.kernel.node import Task

if TYPE_CHECKING:
    from simengine.clients.consumer.reader import Reader

COMMIT_TIMEOUT_US: Final = 60_000_000  # default.api.timeout.ms

QUERY: Final = 0
COMMIT: Final = 1
AUTO_COMMIT: Final = 2
REFUSALS: Final = (  # of commits: nothing comes of another attempt (CON-9)
    ERR_GROUP_ID_NOT_FOUND,
    ERR_ILLEGAL_GENERATION,
    ERR_REBALANCE_IN_PROGRESS,
    ERR_UNKNOWN_MEMBER_ID,
)


@final
class CommitJob(Pending):
    """A question for committed offsets, or a commit, until it has succeeded or failed."""

    __slots__ = ("attempts", "epochs", "generation", "give_up_at", "is_sent", "kind", "offsets", "partitions")

    def __init__(
        self, kind: i64, partitions: list[int], offsets: list[int], epochs: list[int], give_up_at: i64
    ) -> None:
        super().__init__(0)
        self.kind: i64 = kind
        self.partitions = partitions
        self.offsets = offsets
        self.epochs = epochs
        self.give_up_at: i64 = give_up_at
        self.is_sent: bool = False
        self.generation: i64 = NO_GENERATION  # of the newest attempt
        self.attempts: i64 = 0


@final
class CoordinatorConnection(Connection):
    """A consumer's second connection to a broker, for group requests only."""

    __slots__ = ("commits",)

    def __init__(self, owner: NetworkClient, commits: "Commits", broker: ClientServer) -> None:
        super().__init__(owner, broker)
        self.commits = commits

    def on_commit_answer(self, answer: CommitAnswer) -> None:
        """The oldest request was answered."""
        job = self.answered()
        assert isinstance(job, CommitJob), "a group connection carries group requests"
        self.commits.answered(job, answer)

    def on_group_answer(self, answer: GroupAnswer) -> None:
        """The oldest request was answered."""
        self.answered()
        self.commits.reader.membership.answered(answer)


@final
class CommitTimer(Task):
    """A job may be tried again, or it is time for an auto commit."""

    __slots__ = ("commits", "is_auto")

    def __init__(self, commits: "Commits", is_auto: bool) -> None:
        super().__init__(commits.reader.node)
        self.commits = commits
        self.is_auto: bool = is_auto

    def run(self) -> None:
        """Go on."""
        if self.is_auto:
            self.commits.auto_commit(self)
        else:
            self.commits.retry(self)


@final
class Commits:
    """The group requests of one consumer."""

    __slots__ = ("_auto", "_connections", "_coordinator", "_jobs", "_retry", "offsets_p", "reader", "settings")

    def __init__(self, reader: "Reader", settings: ConsumerSettings, offsets_p: i64) -> None:
        self.reader = reader
        self.settings = settings
        self.offsets_p: i64 = offsets_p  # the partition whose leader coordinates the group; -1: no group
        self._jobs: list[CommitJob] = []
        self._coordinator: i64 = -1  # id of the broker; -1: to be found
        self._connections: list[CoordinatorConnection | None] = [None] * len(reader.brokers)
        self._retry: CommitTimer | None = None
        self._auto: CommitTimer | None = None

    def start(self) -> None:
        """A new process."""
        self._jobs = []
        self._coordinator = -1
        self._retry = None
        self._auto = None
        for connection in self._connections:
            if connection is not None:
                connection.reset()
        if self.offsets_p >= 0:
            self.reader.metadata.want([int(self.offsets_p)])
            if self.settings.auto_commit_us > 0:
                self._arm_auto(self.settings.auto_commit_us)

    def is_idle(self) -> bool:
        """True if no request is under way."""
        return len(self._jobs) == 0

    # -- what the consumer asks for

    def look_up(self, partitions: list[int]) -> None:
        """Ask for the committed offsets of these partitions; ``Reader.found_committed`` will follow."""
        self._add(CommitJob(QUERY, partitions, [], [], self.reader.sim.now + COMMIT_TIMEOUT_US * 1000))

    def commit(self, partitions: list[int], offsets: list[int], epochs: list[int], is_auto: bool) -> None:
        """Commit these offsets; retried for a minute, or (auto commit) tried once."""
        give_up_at = self.reader.sim.now + (0 if is_auto else COMMIT_TIMEOUT_US)
        self._drop_auto()
        self._add(CommitJob(AUTO_COMMIT if is_auto else COMMIT, partitions, offsets, epochs, give_up_at))

    def _add(self, job: CommitJob) -> None:
        self._jobs.append(job)
        self.push()

    def auto_commit(self, timer: CommitTimer) -> None:
        """Commit all positions, and do so again after the interval."""
        if timer is self._auto:
            self.reader.commit_positions(True)
            self._arm_auto(self.settings.auto_commit_us)

    def _arm_auto(self, delay: i64) -> None:
        self._auto = CommitTimer(self, True)
        self.reader.sim.after(delay, self._auto)

    # -- sending

    def push(self) -> None:
        """Send what waits, if the coordinator is known and connected."""
        if not self._jobs or self.offsets_p < 0:
            return
        connection = self.coordinator()
        if connection is None:
            self.reader.metadata.request_update()
            self._drop_auto()
            return
        if connection.state != UP:
            connection.want()
            return
        for job in list(self._jobs):
            if not job.is_sent and job.sent_at <= self.reader.sim.now:
                job.is_sent = True
                job.sent_at = self.reader.sim.now
                if job.kind == QUERY:
                    connection.request(CommittedRequest(self.settings.group, job.partitions), job)
                else:
                    self._send_commit(connection, job)

    def _send_commit(self, connection: CoordinatorConnection, job: CommitJob) -> None:
        """CON-9: a member that is in no generation fails the commit by itself."""
        request = CommitRequest(self.settings.group, job.partitions, job.offsets, job.epochs)
        error = self.reader.membership.sign(request) if self.settings.mode == SUBSCRIBED else ERR_NONE
        if error != ERR_NONE:
            self._give_up(job, error)
            return
        job.generation = request.generation
        connection.request(request, job)

    def coordinator(self) -> CoordinatorConnection | None:
        """The connection to the group's coordinator, up or not; None while it is to be found."""
        if self._coordinator < 0:
            return None
        i = self.reader.positions([int(self._coordinator)])[0]
        connection = self._connections[i]
        if connection is None:
            connection = CoordinatorConnection(self.reader, self, self.reader.brokers[i])
            if self.settings.mode == SUBSCRIBED:
                connection.connect_limit = self.settings.session_timeout_us
            self._connections[i] = connection
        return connection

    def find_coordinator(self) -> bool:
        """Take the coordinator from the metadata if it was to be found; True if it is known since this call."""
        if self.offsets_p < 0 or self._coordinator >= 0:
            return False
        self._coordinator = self.reader.metadata.leaders[self.offsets_p]
        return self._coordinator >= 0

    def lose_coordinator(self) -> None:
        """Its connection broke, or the broker coordinates the group no more: look for it."""
        self._coordinator = -1
        self.reader.metadata.request_update()

    def retry(self, timer: CommitTimer) -> None:
        """The back-off of some job is over."""
        if timer is self._retry:
            self._retry = None
            self.push()
            self._arm_retry()

    def _arm_retry(self) -> None:
        for job in self._jobs:
            if not job.is_sent and job.sent_at > self.reader.sim.now:
                if self._retry is None or self._retry.time > job.sent_at:
                    self._retry = CommitTimer(self, False)
                    self.reader.sim.at(job.sent_at, self._retry)

    # -- answers

    def answered(self, job: CommitJob, answer: CommitAnswer) -> None:
        """Hand on what was found or committed, or try again."""
        if answer.error in REFUSALS:
            self._give_up(job, answer.error)
            if self.settings.mode == SUBSCRIBED:
                self.reader.membership.commit_refused(job.generation, answer.error)
            return
        if answer.error != ERR_NONE:
            self.lose_coordinator()
            self.failed(job, answer.error)
            return
        self._drop(job)
        if job.kind == QUERY:
            self.reader.found_committed(answer)
        else:
            self.reader.committed(job.partitions, job.offsets)
        self.reader.consumer.commits_changed()

    def failed(self, job: CommitJob, error: i64) -> None:
        """Try a job again a little later, or give it up."""
        settings = self.settings
        now = self.reader.sim.now
        if job.kind == AUTO_COMMIT or now >= job.give_up_at:
            self._give_up(job, error)
            return
        job.is_sent = False
        job.attempts += 1
        job.sent_at = now + doubled(
            settings.retry_backoff_us, job.attempts, settings.retry_backoff_max_us
        )  # not before
        self._arm_retry()

    def _give_up(self, job: CommitJob, error: i64) -> None:
        """A job has failed; the application is told of a commit that it asked for."""
        self._drop(job)
        if job.kind == COMMIT:
            self.reader.commit_failed(job.partitions, error)
        self.reader.consumer.commits_changed()

    def lost(self, job: CommitJob) -> None:
        """The connection broke under a job."""
        self.failed(job, ERR_NETWORK_EXCEPTION)

    def _drop_auto(self) -> None:
        """An auto commit that could not be sent so far is given up; the next interval tries again."""
        for job in list(self._jobs):
            if job.kind == AUTO_COMMIT and not job.is_sent:
                self.failed(job, ERR_COORDINATOR_NOT_AVAILABLE)

    def _drop(self, job: CommitJob) -> None:
        for i in range(len(self._jobs)):
            if self._jobs[i] is job:
                self._jobs.pop(i)
                return
