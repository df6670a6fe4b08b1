"""The parts of an answer of the engine service as lines of JSON, for a page that shows each line as it arrives."""

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

from playground.engine.questions import WAITS, questions
from playground.engine.refusals import NotAnswered, WorkFailed
from playground.engine.turns import Holder
from playground.engine.works import ServiceQuestion


async def json_lines(question: ServiceQuestion[Iterator[Any]], holder: Holder, failed: str) -> AsyncIterator[bytes]:
    """{waiting} until its turn, then each part. {error} ends it: a refusal, or ``failed`` if the work failed."""
    try:
        async for part in questions.parts(question, holder):
            yield (b'{"waiting": true}' if part == WAITS else part) + b"\n"
    except NotAnswered as refused:
        yield _error(str(refused))
    except WorkFailed:
        yield _error(failed)


def _error(sentence: str) -> bytes:
    return json.dumps({"error": sentence}).encode() + b"\n"
