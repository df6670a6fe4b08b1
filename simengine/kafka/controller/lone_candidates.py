"""Voters without Pre-Vote (before Kafka 4.0, KIP-996): who hears no leader asks for votes in ever newer epochs.

A voter that got no answer from the active controller for ``controller.quorum.fetch.timeout.ms`` becomes a candidate and
raises the epoch, round after round, though nobody hears it. Whoever gets its request takes its epoch over: the active
controller resigns, and the voters elect anew. The candidate itself is not elected: its log is behind.
"""

from typing import TYPE_CHECKING, final

from mypy_extensions import i64

from simengine.kernel.calendar import Event

if TYPE_CHECKING:
    from simengine.kafka.controller.quorum import Controller, Quorum


@final
class LoneCandidates:
    """Since when each voter has heard no active controller."""

    __slots__ = ("_since", "_timeout_us")

    def __init__(self, fetch_timeout_us: i64) -> None:
        self._timeout_us: i64 = fetch_timeout_us
        self._since: dict[int, int] = {}

    def lost(self, voter: i64, now: i64) -> bool:
        """A voter does not hear the active controller; returns True if that is new."""
        if voter in self._since:
            return False
        self._since[int(voter)] = int(now)
        return True

    def hears(self, voter: i64, now: i64) -> bool:
        """A voter hears the active controller; returns True if it comes back as a candidate."""
        since: i64 = self._since.pop(int(voter), -1)
        return since >= 0 and now - since > self._timeout_us

    def ends(self, voter: i64) -> None:
        """A voter's process ended: a new one follows the leader that it finds."""
        self._since.pop(int(voter), -1)

    def patience_us(self, voter: i64, now: i64) -> i64:
        """Microseconds until a voter without an active controller asks for votes."""
        since: i64 = self._since.get(int(voter), int(now))
        return max(since + self._timeout_us - now, 0)

    def is_candidate(self, voter: i64, now: i64) -> bool:
        """True if a voter has heard no active controller for so long that it asks for votes."""
        since: i64 = self._since.get(int(voter), -1)
        return since >= 0 and now - since >= self._timeout_us


@final
class VoteRequest(Event):
    """The vote request of a candidate, with an epoch newer than the active controller's."""

    __slots__ = ("_epoch", "_is_back", "_quorum", "_voter")

    def __init__(self, quorum: "Quorum", voter: "Controller", is_back: bool) -> None:
        super().__init__()
        self._quorum = quorum
        self._voter = voter
        self._epoch: i64 = quorum.epoch
        self._is_back = is_back

    def fire(self) -> None:
        quorum = self._quorum
        if quorum.epoch == self._epoch and (
            self._is_back or quorum.candidates.is_candidate(self._voter.id, quorum.sim.now)
        ):
            quorum.vote_requested(self._voter)
