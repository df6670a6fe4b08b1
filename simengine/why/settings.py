"""What a topic's settings were at a moment: the document's, and what the timeline made of them."""

from simengine.kernel.facts import CONFIG_CHANGED
from simengine.scenario.model import Document
from simengine.why.past import Past
from simengine.why.sentences import Words


class Settings:
    """Settings of topics by moment (number of a fact)."""

    def __init__(self, doc: Document, past: Past, words: Words) -> None:
        self._doc = doc
        self._past = past
        self._words = words
        self.is_legacy = doc.version.legacy

    def number(self, topic: int, key: str, before: int) -> int:
        """A number among the settings of a topic: its own, else the cluster's, else Kafka's default of 1."""
        changed = self._changed(topic, key, before)
        if changed:
            return int(changed)
        name = self._words.topic(topic)
        own = next((t.config.get(key) for t in self._doc.topics if t.name == name), None)
        if own is not None:
            return int(own)
        return int(self._changed(-1, key, before) or self._doc.config.get(key, 1))

    def is_on(self, topic: int, key: str, before: int) -> bool:
        """Whether a topic has a setting switched on: its own, else the cluster's."""
        changed = self._changed(topic, key, before)
        if changed:
            return changed == "true"
        name = self._words.topic(topic)
        own = next((t.config.get(key) for t in self._doc.topics if t.name == name), None)
        if own is not None:
            return bool(own)
        changed = self._changed(-1, key, before)
        return changed == "true" if changed else bool(self._doc.config.get(key, False))

    def _changed(self, topic: int, key: str, before: int) -> str:
        fact = self._past.newest(
            CONFIG_CHANGED, before, lambda f: f.values[0] == topic and f.text.startswith(f"{key}=")
        )
        return "" if fact is None else fact.text.partition("=")[2]

    def truncation_rules(self) -> tuple[str, ...]:
        """The rules by which a follower truncates: on divergence, or in legacy mode to its high watermark."""
        return ("LEG-1",) if self.is_legacy else ("TRUNC-2", "TRUNC-3")
