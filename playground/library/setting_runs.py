"""Two runs that show a setting: one document with the default, and the same with another value.

A setting of a cluster or a client is shown by the sandbox, in which brokers are killed, paused and stopped; one of
MirrorMaker by a failover between two sites.
"""

from importlib import resources
from typing import Any, Final, cast

from playground.library.question_list import OF_THE_SCENARIO, change, drop
from playground.library.scenario_files import FOLDER, MIRRORS
from playground.library.setting_list import Setting
from simengine.scenario.config_keys import BROKER, CONSUMER, MIRROR, PRODUCER, TOPIC
from simengine.scenario.loading import read_plain

SANDBOX: Final = resources.files("simengine.scenario.builtin") / "sandbox.yaml"
ACKS: Final = "acks"  # stands beside the config of a producer
FAILOVER: Final = FOLDER / MIRRORS / "s42-failover.yaml"
FAULTS: Final = (
    ("2s", "kill 1"),
    ("30s", "start 1"),
    ("50s", "pause 2"),
    ("62s", "resume 2"),
    ("80s", "stop 3"),
    ("90s", "start 3"),
    ("100s", "kill 2"),  # from here on all copies but the oldest one go
    ("102s", "kill 3"),
    ("115s", "kill 1"),
    ("116s", "start 2"),
)
UNTIL: Final = "150s"
LISTS: Final = {TOPIC: "topics", PRODUCER: "producers", CONSUMER: "consumers", MIRROR: "mirrors"}

Json = dict[str, Any]


def documents(setting: Setting) -> tuple[Json, Json]:
    """The document with the setting's default, and with the value to try."""
    usual, other = _base(setting), _base(setting)
    usual["title"] = f"{setting.name}: {setting.default}, the default"
    other["title"] = f"{setting.name}: {setting.other}"
    for path in _paths(setting, other):
        drop(usual, path)
        change(other, path, setting.key.read(setting.other))
    return usual, other


def _base(setting: Setting) -> Json:
    if setting.kind == MIRROR:
        document = cast("Json", read_plain(FAILOVER.read_bytes()))
        return {key: value for key, value in document.items() if key not in OF_THE_SCENARIO}
    document = cast("Json", read_plain(SANDBOX.read_bytes()))
    timeline = [{"at": at, "do": do} for at, do in FAULTS]
    return {key: value for key, value in document.items() if key not in OF_THE_SCENARIO} | {
        "timeline": timeline,
        "until": UNTIL,
    }


def _paths(setting: Setting, document: Json) -> list[list[str]]:
    """The places of a document in which the setting is set."""
    if setting.kind == BROKER:
        return [["cluster", "config", setting.name]]
    of = LISTS[setting.kind]
    last = [ACKS] if setting.name == ACKS else ["config", setting.name]
    return [[of, str(i), *last] for i in range(len(document[of]))]
