"""The flows between clusters in a configuration of MirrorMaker 2, each setting with its place.

Three readers find it: `mm2_properties`, `strimzi_mirrors` and `connect_json`. All put their settings in here, where
they are checked.
"""

from dataclasses import dataclass, field, replace
from typing import Any, Final

from simengine.importers.evidence import PastedValue
from simengine.importers.mirror_keys import as_kafkas, default_holds, why_strange, why_wrong
from simengine.importers.model import UnreadLine
from simengine.scenario.config_keys import MIRROR, SIMULATED
from simengine.scenario.mirrors import Mirror, mirror_problems

FLOW: Final = "->"


@dataclass(slots=True)
class PastedFlow:
    """One flow of records. ``config``: its settings by key; ``process``: what runs it, such as a Strimzi resource."""

    source: str
    target: str
    process: str = ""
    config: dict[str, PastedValue] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """As MirrorMaker writes it: east->west."""
        return f"{self.source}{FLOW}{self.target}"

    def entry(self) -> dict[str, Any]:
        """An entry of a document's `mirrors:`; a flow without a process of its own has the document's default."""
        own = {"process": self.process} if self.process else {}
        config = {key: SIMULATED[MIRROR][key].read(said.value) for key, said in self.config.items()}
        return {"source": self.source, "target": self.target, **own, "config": config}


@dataclass(slots=True)
class Mirrors:
    """The flows of a paste, and the lines that are not taken over, each with the reason.

    ``clusters``: the aliases, in order. ``rejected``: the sentence that refuses the configuration as a whole.
    """

    label: str
    clusters: list[str] = field(default_factory=list)
    flows: list[PastedFlow] = field(default_factory=list)
    unread: list[UnreadLine] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    rejected: str | None = None

    def leave(self, said: PastedValue, text: str, reason: str) -> None:
        """Note a setting that is not taken over, once."""
        unread = UnreadLine(said.line, text, reason)
        if unread not in self.unread:
            self.unread.append(unread)

    def warn(self, sentence: str) -> None:
        """Add a doubt, once."""
        if sentence not in self.warnings:
            self.warnings.append(sentence)

    def take(self, flow: PastedFlow, key: str, said: PastedValue) -> None:
        """Put a setting into a flow. A wrong one is left, and what held before holds."""
        reason = why_strange(key, said.value) or why_wrong(key, said.value) or _why_refused(key, as_kafkas(said.value))
        if reason:
            self.leave(said, f"{key} = {said.value}", reason)
        elif key in SIMULATED[MIRROR]:
            flow.config[key] = replace(said, value=as_kafkas(said.value))


def _why_refused(key: str, value: str) -> str:
    """The reason why MirrorMaker does not start with this value; "" if it does."""
    if key not in SIMULATED[MIRROR]:
        return ""
    alone = Mirror.model_validate({"source": "east", "target": "west", "config": {key: value}})
    problems = mirror_problems(alone)
    return f"{problems[0]._replace(path='')} {default_holds(key).capitalize()}" if problems else ""
