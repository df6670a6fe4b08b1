"""Memory of request bodies: how much of them the web process holds, in all and of each address.

Only bytes above SMALL_BYTES of a body count: the clicks of other people at an address go on while somebody there sends
much. A body counts until its request is answered.
"""

import asyncio
from collections import Counter
from typing import Final, NamedTuple

SMALL_BYTES: Final = 16 * 1024
HELD_AN_ADDRESS_MAX: Final = 32 * 1024 * 1024
HELD_MAX: Final = 256 * 1024 * 1024


class BodyRefusal(NamedTuple):
    """The status and the sentence that a request is refused with."""

    status: int
    sentence: str


MUCH_OF_ADDRESS: Final = BodyRefusal(
    429,
    f"Your address sends more at a time than this server takes: {HELD_AN_ADDRESS_MAX // 1024**2} MiB. "
    "Wait until what is being sent has been answered, then try again.",
)
MUCH_OF_ALL: Final = BodyRefusal(503, "This server is being sent more at a time than it takes. Try again in a minute.")


class Body:
    """One body that is being read, or has been and is being worked on."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.size = 0
        self.is_whole = False
        self.refusal: BodyRefusal | None = None
        self.waiting: asyncio.Timeout | None = None  # where its next bytes are waited for

    @property
    def counted(self) -> int:
        """Its bytes that count."""
        return max(0, self.size - SMALL_BYTES)

    def refuse(self, refusal: BodyRefusal) -> None:
        """Read no more of it."""
        self.refusal = refusal
        if self.waiting is not None:
            self.waiting.reschedule(asyncio.get_running_loop().time())


class HeldBodies:
    """The bodies of one web process."""

    def __init__(self) -> None:
        self._bodies: set[Body] = set()
        self._of_address: Counter[str] = Counter()

    def add(self, body: Body, size: int) -> None:
        """Count further bytes of a body; above a limit one body is refused.

        An address that sends too much loses this body. If all of them send too much, the address that sends most loses
        its largest one.
        """
        before = body.counted
        body.size += size
        self._bodies.add(body)
        self._of_address[body.address] += body.counted - before
        if self._of_address[body.address] > HELD_AN_ADDRESS_MAX:
            body.refuse(MUCH_OF_ADDRESS)
        elif self._of_address.total() > HELD_MAX:
            self._largest(body).refuse(MUCH_OF_ALL)

    def release(self, body: Body) -> None:
        """The request has been answered, or its body refused."""
        self._bodies.discard(body)
        self._of_address[body.address] -= body.counted
        if self._of_address[body.address] <= 0:
            del self._of_address[body.address]

    def _largest(self, new: Body) -> Body:
        address = self._of_address.most_common(1)[0][0]
        unfinished = [body for body in self._bodies if body.address == address and not body.is_whole]
        return max(unfinished, key=lambda body: body.size, default=new)
