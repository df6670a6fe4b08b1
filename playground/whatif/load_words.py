"""The load of a run in words: the rates of its producers, and the records that its timeline sends."""

from typing import Final

from playground.whatif.pipeline.topic_groups import parts
from simengine.scenario import Document
from simengine.scenario.arguments import rate_milli
from simengine.scenario.model import ProducerEntry
from simengine.words.phrases import plural

RATES_MAX: Final = 4
"""Topics whose rates are told one by one."""


def load_words(document: Document, topics: tuple[str, ...], times: str = "") -> str:
    """The load on some topics; "" where nobody writes to them.

    ``times``: what the load of each configuration multiplies the rates by, in words. It leaves single records as they
    are.
    """
    rates = rates_of(document, topics)
    if not rates:
        return ""
    sent = _sent(document, topics)
    if not any(rates.values()) and sent:
        return f"{sent}, sent by the timeline"
    return f"{_rates_words(rates, _changes_rates(document, topics))}{times}" + (
        f", and {sent}, sent by the timeline" if sent else ""
    )


def producers_of(document: Document, topics: tuple[str, ...]) -> list[tuple[str, ProducerEntry]]:
    """The producers of the topics with the name of their topic."""
    return [(topic, entry) for _, topic, entry in _named(document, topics)]


def rates_of(document: Document, topics: tuple[str, ...]) -> dict[str, int]:
    """By topic: records in 1000 s, each producer at the highest rate that it ever has."""
    rates: dict[str, int] = {}
    peaks: dict[str, int] = {}
    for action in (entry.action for entry in document.timeline):
        if action.verb == "rate":
            name = action.named["producer"]
            peaks[name] = max(peaks.get(name, 0), rate_milli(action.named["rate"]))
    for name, topic, entry in _named(document, topics):
        rates[topic] = rates.get(topic, 0) + max(entry.rate_milli, peaks.get(name, 0))
    return rates


def _named(document: Document, topics: tuple[str, ...]) -> list[tuple[str, str, ProducerEntry]]:
    """The producers of the topics: the name, the name of the topic, the entry."""
    return [
        (prefix + entry.id, prefix + entry.topic, entry)
        for prefix, part in parts(document)
        for entry in part.producers
        if prefix + entry.topic in topics
    ]


def _changes_rates(document: Document, topics: tuple[str, ...]) -> bool:
    names = [name for name, _, _ in _named(document, topics)]
    return any(one.action.verb == "rate" and one.action.named["producer"] in names for one in document.timeline)


def _sent(document: Document, topics: tuple[str, ...]) -> str:
    """The records that the timeline sends one by one: ``101 records to t``; "" for none."""
    topic_of = {name: topic for name, topic, _ in _named(document, topics)}
    counts: dict[str, int] = {}
    for entry in document.timeline:
        action = entry.action
        if action.verb == "send" and action.named["producer"] in topic_of:
            topic = topic_of[action.named["producer"]]
            counts[topic] = counts.get(topic, 0) + int(action.named["count"])
    if not counts:
        return ""
    where = next(iter(counts)) if len(counts) == 1 else plural(len(counts), "topic", "topics")
    return f"{plural(sum(counts.values()), 'record', 'records')} to {where}"


def _rates_words(rates: dict[str, int], is_changed: bool) -> str:
    """The rates in all, and of each topic where these are few."""
    whole = f"{'up to ' if is_changed else ''}{_rate(sum(rates.values()))} records/s"
    if len(rates) == 1:
        return f"{whole} to {next(iter(rates))}"
    if len(rates) <= RATES_MAX:
        return f"{whole}: {', '.join(f'{_rate(rate)} to {topic}' for topic, rate in rates.items())}"
    least, most = min(rates.values()), max(rates.values())
    each = f"{_rate(least)} to {_rate(most)}" if least < most else _rate(least)
    return f"{whole}: {each} to each of {len(rates):,} topics"


def _rate(milli: int) -> str:
    return f"{milli / 1000:,.3f}".rstrip("0").rstrip(".")
