"""The settings of topics and of producers at a moment: the document's, with the changes of the timeline."""

from bisect import bisect_right
from typing import Final

from simengine.explain.fact_index import FactIndex
from simengine.explain.sentences import Words, acks_word
from simengine.facts.decisive import ClientChanged, ConfigChanged
from simengine.scenario.model import Document

FROM_THE_START: Final = -1


class TopicSettingsHistory:
    """Settings of topics by moment (number of a fact)."""

    def __init__(self, doc: Document, past: FactIndex, words: Words) -> None:
        self._doc = doc
        self._past = past
        self._words = words
        self.is_legacy = doc.version.legacy

    def number(self, topic: int, key: str, before: int) -> int:
        """A number among the settings of a topic; Kafka's default of 1 where nobody set it."""
        found = self._set(topic, key, before)
        return 1 if found is None else int(found)

    def is_on(self, topic: int, key: str, before: int) -> bool:
        """True if a topic has a setting switched on."""
        return str(self._set(topic, key, before)).lower() == "true"

    def _set(self, topic: int, key: str, before: int) -> str | int | bool | None:
        """The value of a setting: the topic's own, else the cluster's; each as the timeline last changed it."""
        name = self._words.topic(topic)
        own = next((t.config.get(key) for t in self._doc.topics if t.name == name), None)
        wanted = (self._changed(topic, key, before) or own, self._changed(-1, key, before) or self._doc.config.get(key))
        return next((value for value in wanted if value is not None), None)

    def _changed(self, topic: int, key: str, before: int) -> str:
        fact = self._past.newest(ConfigChanged, before, lambda f: f.topic == topic and f.text.startswith(f"{key}="))
        return "" if fact is None else fact.text.partition("=")[2]

    def truncation_rules(self) -> tuple[str, ...]:
        """The rules by which a follower truncates: on divergence, or in legacy mode to its high watermark."""
        return ("LEG-1",) if self.is_legacy else ("TRUNC-2", "TRUNC-3")


class Modes:
    """The modes of every producer over time: "all", "1" or "0"."""

    def __init__(self, doc: Document, past: FactIndex) -> None:
        self._changes = [[(FROM_THE_START, producer.acks)] for producer in doc.producers]
        for fact in past.of(ClientChanged):
            if fact.client < len(self._changes):
                self._changes[fact.client].append((fact.t, acks_word(fact.acks)))

    def at(self, client: int, at_us: int) -> str:
        """The mode of the calls that a producer makes at a moment."""
        changes = self._changes[client]
        return changes[bisect_right(changes, at_us, key=lambda change: change[0]) - 1][1]
