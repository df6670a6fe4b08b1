"""The waiting times of voters: for the leader's responses, for votes, for followers (QUO-2, QUO-3).

The distributions are those measured with ``controller.quorum.fetch.timeout.ms`` = 2000: 1.7-4.1 s from a silent loss to
the next leader, 0.3-0.9 s from a clean stop, 3.2-3.75 s until a leader without a majority resigns. With another value,
whatever waits for that timer comes so much later or sooner, and what waits for 1.5 times as long (QUO-3) 1.5 times so.
"""

from typing import Final, final

from mypy_extensions import i64

from simengine.kafka.shared.config import ClusterConfig
from simengine.kernel.sim import Sim
from simengine.kernel.site import Site

MEASURED_FETCH_TIMEOUT_US: Final = 2_000_000
ELECTION_FIRST_MIN_US: Final = 1_700_000
ELECTION_FIRST_MAX_US: Final = 2_600_000
ELECTION_ROUND_MAX_US: Final = 1_600_000
# 15 kills of the active controller: 11 at 1.7 to 2.6 s, 4 of split votes at 3.1 to 4.1 s
ELECTION_SECOND_ROUND_MIN_US: Final = 900_000
ELECTION_SECOND_ROUND_MAX_US: Final = 1_900_000
# a missing vote is back: 0.56, 0.63 and 1.37 s to the activation (S34b, S38)
ELECTION_VOTE_BACK_MIN_US: Final = 300_000
ELECTION_SECOND_ROUND_PPM: Final = 270_000
# from SIGTERM to the activation of another one 0.33 to 0.92 s; the process ends 0.15 s after the signal
ELECTION_AFTER_STOP_MIN_US: Final = 180_000
ELECTION_AFTER_STOP_MAX_US: Final = 780_000
# before Pre-Vote: election timeout of 1 s, and up to 1 s more by chance
ROUND_MIN_US: Final = 1_000_000
ROUND_MAX_US: Final = 2_000_000
RESIGN_MIN_US: Final = 3_200_000
RESIGN_MAX_US: Final = 3_750_000


@final
class QuorumTimers:
    """The timers of all voters together, and their luck."""

    __slots__ = ("_is_lost", "_longer_us", "_lost_at", "_sim", "_was_announced", "stream")

    def __init__(self, sim: Sim, config: ClusterConfig, site: Site) -> None:
        self._sim = sim
        self._longer_us: i64 = config.quorum_fetch_timeout_us - MEASURED_FETCH_TIMEOUT_US
        self._is_lost: bool = False
        self._lost_at: i64 = 0
        self._was_announced: bool = False
        self.stream = sim.stream(site.prefix + "quorum", "election")

    def led(self) -> None:
        """There is an active controller with a majority."""
        self._is_lost = False

    def lost(self, was_announced: bool) -> None:
        """There is none any more; its followers' fetch timers run on, unless it took its leave of them."""
        if not self._is_lost:
            self._is_lost = True
            self._lost_at = self._sim.now
            self._was_announced = was_announced

    def _remaining_extra_us(self, longer_us: i64) -> i64:
        """The time (µs) to add for a timer that is ``longer_us`` longer than the measured one and began at the loss."""
        if longer_us <= 0:
            return longer_us
        return max(self._lost_at + longer_us - self._sim.now, 0)

    def resignation_us(self) -> i64:
        """Until a leader that has lost its majority gives up (QUO-3)."""
        delay = self.stream.between(RESIGN_MIN_US, RESIGN_MAX_US) + self._remaining_extra_us(self._longer_us * 3 // 2)
        return max(delay, 0)

    def election_us(self) -> i64:
        """Until the followers of a leader that fell silent have elected another one (QUO-2)."""
        delay = self.stream.between(ELECTION_FIRST_MIN_US, ELECTION_FIRST_MAX_US) + self._remaining_extra_us(
            self._longer_us
        )
        if self.stream.chance(ELECTION_SECOND_ROUND_PPM):
            delay += self.stream.between(ELECTION_SECOND_ROUND_MIN_US, ELECTION_SECOND_ROUND_MAX_US)
        return max(delay, 0)

    def election_after_stop_us(self) -> i64:
        """The same after a leader that took its leave."""
        return self.stream.between(ELECTION_AFTER_STOP_MIN_US, ELECTION_AFTER_STOP_MAX_US)

    def vote_request_us(self) -> i64:
        """Until the next vote request of a candidate that has asked in vain."""
        return self.stream.between(0, ROUND_MAX_US)

    def election_after_vote_us(self, voters: i64) -> i64:
        """Until the first of some voters asks for votes, after a request ended the leadership (KIP-595)."""
        soonest = self.stream.between(ROUND_MIN_US, ROUND_MAX_US)
        for _ in range(voters - 1):
            soonest = min(soonest, self.stream.between(ROUND_MIN_US, ROUND_MAX_US))
        return soonest

    def vote_back_us(self) -> i64:
        """Until a voter that returns has given the missing vote; who asks for it has waited for its leader first."""
        delay = self.stream.between(ELECTION_VOTE_BACK_MIN_US, ELECTION_ROUND_MAX_US)
        return delay if self._was_announced else max(delay, self._remaining_extra_us(self._longer_us))
