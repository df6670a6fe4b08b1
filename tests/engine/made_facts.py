"""Facts made by hand, for what reads the past of a run."""

from typing import Any, TypeVar

from simengine.facts.schema import BY_NUMBER

F = TypeVar("F")


def made(kind: type[F], seq: int = 0, t: int = 0, cause: int = 0, **fields: Any) -> F:
    """A fact of a class; a field that a test leaves out is 0 or empty."""
    of_kind: Any = kind
    table = BY_NUMBER[of_kind.KIND]
    values: dict[str, Any] = dict.fromkeys(table.ints, 0) | {name: [] for name in table.lists}
    values |= {table.text: ""} if table.text else {}
    unknown = fields.keys() - values.keys()
    assert not unknown, f"{table.name} has no {', '.join(unknown)}"
    fact: F = of_kind.read([seq, t, table.number, cause, *(values | fields).values()])
    return fact
