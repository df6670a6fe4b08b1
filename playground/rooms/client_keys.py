"""The settings of clients and flows that the engine obeys, as the page's Settings tab lists them."""

from typing import Any, Final

from simengine.scenario.config_keys import CONSUMER, MIRROR, PRODUCER, SIMULATED, ConfigKey
from simengine.scenario.profiles import PROFILES

ELSEWHERE: Final = ("acks",)  # stands beside the topic, and may change while the producer runs


def _field(key: ConfigKey) -> dict[str, Any]:
    choices = ("true", "false") if isinstance(key.default, bool) else key.choices
    return {"name": key.name, "default": key.default, "unit": key.unit, "choices": choices}


def _fields(scope: str) -> list[dict[str, Any]]:
    return [_field(key) for key in SIMULATED[scope].values() if key.name not in ELSEWHERE]


CLIENT_KEYS: Final = {
    "producers": _fields(PRODUCER),
    "consumers": _fields(CONSUMER),
    "mirrors": _fields(MIRROR),
    "defaults": {name: profile.defaults for name, profile in PROFILES.items() if profile.defaults},
}
"""By list of the document; `defaults`: by Kafka profile, where they are others than these."""
