"""The assumptions for a recording: the profile for its version of Kafka, and settings that the engine leaves out.

A real cluster takes any key, and most change nothing that the rules look at; which ones were passed over is said.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from simengine.recordings.errors import RecordingError
from simengine.recordings.model import PRODUCER, Recording
from simengine.recordings.reader import version
from simengine.scenario.config_keys import BROKER, SIMULATED, THROTTLES, TOPIC
from simengine.scenario.config_keys import CONSUMER as OF_CONSUMERS
from simengine.scenario.config_keys import PRODUCER as OF_PRODUCERS
from simengine.scenario.config_known import KNOWN
from simengine.scenario.profiles import VERSIONS, profile_of

NO_KAFKA_KEYS: Final = ("acks", "client.rack", "proxied")  # of clients: told to the engine by other means


class RecordingAssumptions(NamedTuple):
    """``without_effect``: settings that change nothing in the engine; ``not_understood``: unknown keys."""

    kafka: str
    profile: str
    without_effect: tuple[str, ...]
    not_understood: tuple[str, ...]

    def __str__(self) -> str:
        text = f"profile {profile_of(self.profile).label}"
        if version(self.profile) != version(self.kafka):
            text += f" for Kafka {self.kafka}"
        for words, settings in (("not understood", self.not_understood), ("without effect here", self.without_effect)):
            text += f"; {words}: {', '.join(settings)}" if settings else ""
        return text

    def plain(self) -> dict[str, Any]:
        """The same as data."""
        return {
            "profile": self.profile,
            "not_understood": list(self.not_understood),
            "without_effect": list(self.without_effect),
        }


def assumed(recording: Recording) -> RecordingAssumptions:
    """The assumptions for a recording. Raises RecordingError where no profile is as old as its Kafka."""
    settings = [*_settings(recording)]
    known = dict.fromkeys(name for scope, key, name in settings if key in KNOWN[scope] or key in THROTTLES)
    unknown = dict.fromkeys(
        name for scope, key, name in settings if key not in SIMULATED[scope] and key not in KNOWN[scope]
    )
    return RecordingAssumptions(recording.kafka, profile(recording.kafka), tuple(known), tuple(unknown))


def profile(kafka: str) -> str:
    """The newest profile that is no newer than this version. Raises RecordingError where none is as old."""
    older = [name for name in VERSIONS if version(name) <= version(kafka)]
    if not older:
        raise RecordingError("kafka", "no profile of the engine is this old", kafka, f"{VERSIONS[0]} and later")
    return older[-1]


def _settings(recording: Recording) -> Iterator[tuple[str, str, str]]:
    """Every setting of the cluster, the topics, the clients and the script: its scope, its key, its name to people."""
    yield from _named(BROKER, recording.config, "")
    for topic in recording.topics:
        yield from _named(TOPIC, topic.config, f" of topic {topic.name}")
    for client in recording.clients:
        keys = [key for key in client.config if key not in NO_KAFKA_KEYS]
        yield from _named(OF_PRODUCERS if client.kind == PRODUCER else OF_CONSUMERS, keys, f" of {client.id}")
    for action in recording.actions:
        changed = action.details.get("set")
        if action.verb == "config" and isinstance(changed, dict):
            yield from _named(TOPIC if "topic" in action.details else BROKER, changed, f" at {action.start:.2f} s")


def _named(scope: str, keys: Iterable[str], whose: str) -> Iterator[tuple[str, str, str]]:
    return ((scope, key, f"{key}{whose}") for key in keys)
