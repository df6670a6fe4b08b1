"""The run of a first visit: three brokers in three racks, one topic with acks=1 and one with acks=all."""

from functools import cache
from importlib import resources
from typing import Final

from playground.scenarios import store
from playground.scenarios.models import Scenario, Source
from playground.scenarios.owner import Maker
from simengine.scenario import Document, load

PACKAGE = "simengine.scenario.builtin"
NAME = "sandbox.yaml"
WARM_US: Final = 1_000_000  # the room opens with so much traffic behind it: whoever acts at once sees an effect


@cache
def sandbox_document() -> Document:
    """The built-in document of the sandbox."""
    return load(resources.files(PACKAGE).joinpath(NAME).read_bytes())


def new_sandbox(by: Maker) -> Scenario:
    """A sandbox of this browser's own, which opens after its first second."""
    return store.create(sandbox_document(), by=by, origin=Source.SANDBOX, moment_us=WARM_US)
