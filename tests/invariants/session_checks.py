"""Properties of brokers' sessions at the active controller: fencing_exact, detect, be_unique (of time)."""

from typing import TYPE_CHECKING, Final, final

from mypy_extensions import i64

from tests.invariants.violation import demand

if TYPE_CHECKING:
    from simengine.kafka.cluster.cluster import Cluster

LATE_US: Final = 50_000  # a tick of the fencing check comes late by milliseconds, one in 100,000 by so much (LIVE-3)


@final
class SessionChecks:
    """Notes when the active controller last heard each broker."""

    __slots__ = ("_began", "_fenced_at", "_heard", "_sessions", "_watched", "cluster")

    def __init__(self, cluster: "Cluster") -> None:
        self.cluster = cluster
        self._heard: dict[int, int] = {}  # broker -> its last heartbeat
        self._sessions: dict[int, int] = {}  # the same, until the controller forgets it
        self._watched: dict[int, bool] = {}  # brokers that must be fenced when they are silent
        self._began: i64 = 0  # since when the same voters have been within reach of each other
        self._fenced_at: i64 = -1
        self.activated(0)

    def activated(self, now: i64) -> None:
        """QUO-4: the new controller gives every unfenced broker a fresh session, and knows of no others."""
        image = self.cluster.quorum.image
        unfenced = [b for b in sorted(image.brokers) if image.is_unfenced(b)]
        self._heard = dict.fromkeys(unfenced, int(now))
        self._sessions = dict.fromkeys(unfenced, int(now))
        self._watched = dict.fromkeys(unfenced, True)
        self._began = now
        self._fenced_at = -1

    def voters_changed(self, now: i64) -> None:
        """A voter, or a link between voters, was lost or came back."""
        self._began = now

    def heartbeat(self, broker: i64, now: i64) -> None:
        """The active controller noted a heartbeat; nobody else may have been silent for too long."""
        self._heard[int(broker)] = int(now)
        self._sessions[int(broker)] = int(now)
        control = self.cluster.control()
        if control is None or control.is_closed:
            return
        for other in self._watched:
            heard = self._heard[other]
            if now - heard <= self.cluster.config.session_us or now <= self._latest(heard):
                continue
            if control.image.is_unfenced(other):  # else the fencing waits for a majority (QUO-1, REG-2)
                story = f"silent for {int(now) - heard} us and not fenced yet"
                demand(False, "detect", f"broker {other}", story)

    def _latest(self, heard: int) -> i64:
        """The latest time (us) at which a broker that is silent since ``heard`` is fenced."""
        config = self.cluster.config
        stale: i64 = heard + config.session_us
        if stale < self._began:
            stale = self._began
        return stale + config.fence_check_us + LATE_US + config.fence_again_us * len(self.cluster.brokers)

    def fencing_decided(self, broker: i64, now: i64) -> None:
        """LIVE-2, LIVE-3: a broker is fenced after its session, not long after it, and one broker at a time."""
        heard = self._heard.get(int(broker), 0)
        age = now - heard
        story = f"fenced {int(age)} us after its last heartbeat"
        where = f"broker {int(broker)}"
        demand(age > self.cluster.config.session_us, "fencing_exact", where, story)
        demand(now <= self._latest(heard), "detect", where, story)
        apart = now - self._fenced_at
        if self._fenced_at >= 0 and apart < self.cluster.config.fence_again_us:
            demand(False, "detect", where, f"fenced {int(apart)} us after another broker (LIVE-3)")
        self._fenced_at = now
        self._sessions.pop(int(broker), 0)
        self._watched.pop(int(broker), False)

    def registered(self, broker: i64, now: i64) -> None:
        """be_unique: a new incarnation is registered when the session of the old one is over (REG-2)."""
        heard = self._sessions.pop(int(broker), -1)
        self._watched.pop(int(broker), False)
        if heard >= 0 and now - heard <= self.cluster.config.session_us:
            story = f"registered anew {int(now) - heard} us after a heartbeat of the old incarnation"
            demand(False, "be_unique", f"broker {int(broker)}", story)

    def stated(self, broker: i64, is_active: bool) -> None:
        """A broker's registration was committed: only one that is not fenced is watched."""
        if is_active:
            self._watched[int(broker)] = True
        else:
            self._watched.pop(int(broker), False)
