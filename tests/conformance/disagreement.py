"""One way in which a set of runs does not explain a recording, in words that an engineer can act on."""

from typing import Any, NamedTuple


class Disagreement(NamedTuple):
    """``rule``: 1 to 11; ``subject``: partition, broker or client concerned; ``t``: seconds, None for a whole run.

    ``is_count``: merely a number out of range, told after all that names a moment.
    """

    rule: int
    subject: str
    t: float | None
    text: str
    is_count: bool = False

    def __str__(self) -> str:
        return f"rule {self.rule}, {self.subject}: {self.text}"

    def plain(self) -> dict[str, Any]:
        """The same as data."""
        return {"rule": self.rule, "subject": self.subject, "t": self.t, "text": self.text}
