"""Two runs that show a setting: one document with the default, and the same with another value.

The document is that of the setting's situation: a scenario of the gallery, or what `setting_situations.yaml` describes.
"""

from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, Final, cast

from playground.library.question_list import OF_THE_SCENARIO, change, drop
from playground.library.scenario_files import FOLDER
from playground.library.setting_list import Setting
from simengine.scenario.config_keys import BROKER, CONSUMER, MIRROR, PRODUCER, TOPIC
from simengine.scenario.loading import read_plain

FILE: Final = Path(__file__).parent / "setting_situations.yaml"
BUILTIN: Final = resources.files("simengine.scenario.builtin")
SANDBOX: Final = "sandbox"
SHORT: Final = 60  # letters of a default that a title tells
ACKS: Final = "acks"  # stands beside the config of a producer
USUAL: Final = {MIRROR: "failover"}  # the situation of a kind
FAULTS: Final = "faults"  # that of the others
LISTS: Final = {TOPIC: "topics", PRODUCER: "producers", CONSUMER: "consumers", MIRROR: "mirrors"}

Json = dict[str, Any]


def documents(setting: Setting) -> tuple[Json, Json]:
    """The document with the setting's default, and with the value to try."""
    usual, other = _base(setting), _base(setting)
    default = f"{setting.default}, " if len(setting.default) <= SHORT else ""
    usual["title"] = f"{setting.name}: {default}the default"
    other["title"] = f"{setting.name}: {setting.short_other}"
    for path in _paths(setting, other):
        drop(usual, path)
        change(other, path, setting.key.read(setting.other))
    return usual, other


def _base(setting: Setting) -> Json:
    """The document of the setting's situation. Raises FileNotFoundError for a name that is none."""
    name = setting.situation or USUAL.get(setting.kind, FAULTS)
    situation = situations().get(name, {"run": name})
    document = _document(situation["run"]) | {key: situation[key] for key in ("until", "timeline") if key in situation}
    for path, value in situation.get("set", {}).items():
        change(document, path.split("/"), value)
    return document


def _document(run: str) -> Json:
    place = BUILTIN / f"{SANDBOX}.yaml" if run == SANDBOX else FOLDER / f"{run}.yaml"
    document = cast("Json", read_plain(place.read_bytes()))
    return {key: value for key, value in document.items() if key not in OF_THE_SCENARIO}


def situations() -> dict[str, Json]:
    """The situations by name, as plain values that may be changed."""
    return cast("dict[str, Json]", read_plain(_text()))


@lru_cache(maxsize=1)
def _text() -> bytes:
    return FILE.read_bytes()


def _paths(setting: Setting, document: Json) -> list[list[str]]:
    """The places of a document in which the setting is set."""
    if setting.kind == BROKER:
        return [["cluster", "config", setting.name]]
    of = LISTS[setting.kind]
    last = [ACKS] if setting.name == ACKS else ["config", setting.name]
    return [[of, str(i), *last] for i in range(len(document[of]))]
