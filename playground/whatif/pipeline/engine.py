"""The engine that computes a row: an executor runs the same one, in the same form, as the worker that plans."""

import re
import socket
from functools import cache

from simengine import engine_form
from simengine.form import engine_sources


class OtherEngine(Exception):
    """An executor has another engine than the worker; the message says which and what to do."""


@cache
def own_engine() -> str:
    """Form and sources of this process's engine, such as "compiled 0123456789abcdef"."""
    return f"{engine_form()} {engine_sources()}"


def must_be(wanted: str) -> None:
    """Refuse to compute rows with another engine than ``wanted``. Raises OtherEngine."""
    if own_engine() != wanted:
        raise OtherEngine(
            f"The executor on {socket.gethostname()} has the engine {own_engine()}, the worker has {wanted}. "
            "Give every machine the same version of Highwater and the same Python, and build the engine there "
            "(make engine)."
        )


def other_engine(problem: BaseException) -> str:
    """The words of an executor that refused, found in the error that Spark made of them; "" for another error."""
    found = re.search(r"OtherEngine: (.+)", str(problem))
    return found[1].strip() if found else ""
