"""An application that sends a record again when its ``send`` has failed (FATE-1).

To the client a re-send is a call like any other, with a sequence number of its own: idempotence sees no duplicate
(IDEM-7). A record goes by the call that sent it first, its *id*. While ``send`` would block, the application waits.
"""

from typing import TYPE_CHECKING, Final, final

from mypy_extensions import i64, mypyc_attr

from simengine.facts.kinds import CLIENT_OPEN
from simengine.facts.traffic import calls_resent
from simengine.kernel.node import Task

if TYPE_CHECKING:
    from simengine.clients.producer.calls import SendCalls

BLOCKED_US: Final = 10_000  # a blocked application tries again so much later


@mypyc_attr(acyclic=True)
@final
class Resent:
    """Calls n .. n+count-1 that sent the records of calls ``of`` .. of+count-1 again, for the ``time``-th time."""

    __slots__ = ("count", "n", "of", "time")

    def __init__(self, n: i64, count: i64, of: i64, time: i64) -> None:
        self.n: i64 = n
        self.count: i64 = count
        self.of: i64 = of
        self.time: i64 = time


@final
class Resends:
    """The calls of one producer to one partition that were made again, in order of their numbers."""

    __slots__ = ("_calls", "made")

    def __init__(self, calls: "SendCalls") -> None:
        self._calls = calls
        self.made: tuple[Resent, ...] = ()

    def failed(self, n: i64, count: i64, times: i64) -> None:
        """Calls n .. n+count-1 failed: each is made again unless its record has been sent again so many times."""
        for part in self.parts(n, count):
            if part.time < times:
                self.ask(part.of, part.count, part.time + 1)

    def ask(self, of: i64, count: i64, time: i64) -> None:
        """Send the records of some calls again as soon as ``send`` can be called."""
        producer = self._calls.producer
        producer.sim.after(0, ResendTask(self._calls, Resent(-1, count, of, time)))

    def parts(self, n: i64, count: i64) -> list[Resent]:
        """The calls n .. n+count-1 in pieces, each with the calls that sent its records first."""
        found: list[Resent] = []
        end = n + count
        for known in self.made:
            if known.n + known.count <= n:
                continue
            if known.n >= end:
                break
            if n < known.n:
                found.append(Resent(n, known.n - n, n, 0))
                n = known.n
            last = min(end, known.n + known.count)
            found.append(Resent(n, last - n, known.of + n - known.n, known.time))
            n = last
        if n < end:
            found.append(Resent(n, end - n, n, 0))
        return found

    def make(self, wanted: Resent) -> None:
        """Call ``send`` with the records."""
        calls, producer = self._calls, self._calls.producer
        n = calls.made
        self._note(n, wanted)
        producer.call(calls, wanted.count)
        calls_resent(producer.sim.trace, client=producer.number, p=calls.p, n=n, count=wanted.count, of=wanted.of)
        producer.ledger.resent(producer.number, calls.p, n, wanted.count, wanted.of)

    def _note(self, n: i64, wanted: Resent) -> None:
        if self.made:
            last = self.made[-1]
            if last.n + last.count == n and last.of + last.count == wanted.of and last.time == wanted.time:
                last.count += wanted.count
                return
        self.made += (Resent(n, wanted.count, wanted.of, wanted.time),)


@final
class ResendTask(Task):
    """The application calls ``send`` again."""

    __slots__ = ("_calls", "_wanted")

    def __init__(self, calls: "SendCalls", wanted: Resent) -> None:
        super().__init__(calls.producer)
        self._calls = calls
        self._wanted = wanted

    def run(self) -> None:
        producer = self._calls.producer
        if producer.state != CLIENT_OPEN or self._calls.is_over:
            return
        if producer.blocked is None and producer.has_room() and producer.knows(self._calls.p):
            self._calls.resends.make(self._wanted)
        else:
            producer.sim.after(BLOCKED_US, self)
