"""Parts of all our sentences: numbers with their nouns, lists, seconds."""


def seconds(us: int) -> str:
    """A time in seconds with one decimal."""
    return f"{us / 1e6:.1f} s"


def plural(n: int, one: str, many: str) -> str:
    """``1 record``, ``2 records``."""
    return f"{n:,} {one if n == 1 else many}"


def listed(names: tuple[str, ...] | list[str], joint: str = "and") -> str:
    """``P``, ``P and Q``, ``P, Q and R``; ``nobody`` for an empty list."""
    if len(names) < 2:
        return names[0] if names else "nobody"
    return f"{', '.join(names[:-1])} {joint} {names[-1]}"
