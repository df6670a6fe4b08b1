"""The answer of an experiment: a title, and sentences that each tell one figure or circumstance."""

from typing import Any, NamedTuple


class Told(NamedTuple):
    """The title of an answer, and the sentences below it."""

    title: str
    sentences: list[str]

    def whole(self) -> dict[str, Any]:
        """As the page shows runs of one cluster: ``title``, and ``text``, one paragraph."""
        return {"title": self.title, "text": " ".join(self.sentences)}

    def listed(self) -> dict[str, Any]:
        """As the page shows runs of several clusters: ``title``, and ``points``, a list. ``text`` is empty."""
        return {"title": self.title, "text": "", "points": self.sentences}
