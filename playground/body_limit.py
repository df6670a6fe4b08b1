"""The body of a request is limited before Django reads it: by its size at the header, then by its rate and its memory.

Uvicorn has no setting for any of these, and Django reads the whole body before it looks at a cookie or a token. A body
within BODY_BYTES_MAX stays in memory (FILE_UPLOAD_MAX_MEMORY_SIZE is the same number): no file is made of any.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final

from django.conf import settings

from playground.client_address import of_scope
from playground.held_bodies import Body, BodyRefusal, HeldBodies

BODY_BYTES_MAX: Final[int] = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
GRACE_S: Final = 10.0  # a body may take this long,
BYTES_A_SECOND_MIN: Final = 16 * 1024  # and a second more for each so many bytes that came
LINGER_S: Final = 5.0  # so long is read on, and thrown away, after a refusal: who still sends does not see the answer
LINGER_BYTES_MAX: Final = 4 * BODY_BYTES_MAX
REFUSAL: Final = "highwater.refusal"  # in the scope: what Django answers instead of the page

TOO_LARGE: Final = (
    f"This request has {{size:,}} bytes; the limit is {BODY_BYTES_MAX // 1024**2} MiB, for 4 MiB of text. "
    "Send less: fewer topics, shorter texts."
)
CHUNKED: Final = BodyRefusal(
    411, "This request does not say how long its body is. Send it with a Content-Length header."
)
SLOW: Final = BodyRefusal(
    408,
    f"The body of this request came too slowly: it may take {GRACE_S:.0f} s, and a second more for each "
    f"{BYTES_A_SECOND_MIN // 1024} KiB. Send it again.",
)

Message = Any  # ASGI's maps
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Any, Receive, Send], Awaitable[None]]


def is_chunked(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """True if a request does not tell the length of its body."""
    return any(name == b"transfer-encoding" for name, _ in headers)


class BodyLimit:
    """An ASGI application in front of Django's."""

    def __init__(self, application: Application) -> None:
        self.application = application
        self._held = HeldBodies()

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Hand a request on whose body is within the limits; answer any other in words, then close its connection."""
        size = int(dict(scope["headers"]).get(b"content-length", b"0"))
        if is_chunked(scope["headers"]):
            await self._refuse(CHUNKED, scope, receive, send)
        elif size > BODY_BYTES_MAX:
            await self._refuse(BodyRefusal(413, TOO_LARGE.format(size=size)), scope, receive, send)
        elif size == 0:
            await self.application(scope, receive, send)
        elif refusal := await self._read(scope, receive, send):
            await self._refuse(refusal, scope, receive, send)

    async def _read(self, scope: Any, receive: Receive, send: Send) -> BodyRefusal | None:
        """Hand the request on. Returns why its body was not read to its end, None if it was."""
        body = Body(of_scope(scope))
        began = asyncio.get_running_loop().time()

        async def read() -> Message:
            if body.is_whole:
                return await receive()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(began + GRACE_S + body.size / BYTES_A_SECOND_MIN) as body.waiting:
                    message = await receive()
                body.is_whole = not message.get("more_body", False)
                body.waiting = None
                self._held.add(body, len(message.get("body", b"")))
                if body.refusal is None:
                    return message
            body.waiting = None
            body.refuse(body.refusal or SLOW)
            return {"type": "http.disconnect"}  # Django drops what it has and answers nothing

        try:
            await self.application(scope, read, send)
        finally:
            self._held.release(body)
        return body.refusal

    async def _refuse(self, refusal: BodyRefusal, scope: Any, receive: Receive, send: Send) -> None:
        """Answer, read on for a moment so that the client sees the answer, and close."""

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message["headers"], (b"connection", b"close")]}
            else:
                message = {**message, "more_body": True}
            await send(message)

        await self.application({**scope, REFUSAL: refusal}, _no_body(), answer)
        await _linger(receive)
        await send({"type": "http.response.body"})


def _no_body() -> Receive:
    """The input of a refused request: an empty body."""
    ends: list[Message] = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> Message:
        return ends.pop() if ends else await asyncio.get_running_loop().create_future()

    return receive


async def _linger(receive: Receive) -> None:
    left = LINGER_BYTES_MAX
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(LINGER_S):
            while left > 0:
                message = await receive()
                if not message.get("more_body", False):
                    return
                left -= len(message["body"])
