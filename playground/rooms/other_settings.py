"""Settings that the Compare dialog of a page may set otherwise, beside those of clients (`client_keys`)."""

from typing import Final

from simengine.scenario.config_keys import SIMULATED, TOPIC
from simengine.scenario.profiles import PROFILES

TOPIC_KEYS: Final = tuple(SIMULATED[TOPIC])
"""The settings of topics that the engine obeys."""
ELR: Final = {name: profile.elr_default for name, profile in PROFILES.items() if profile.elr_possible}
"""The versions that have eligible leader replicas, and whether they are on where a document does not say."""
