"""The run of a first visit: three brokers in three racks, one topic with acks=1 and one with acks=all."""

from functools import cache
from importlib import resources

from playground.scenarios import store
from playground.scenarios.models import Scenario, Source
from simengine.scenario import Document, load

PACKAGE = "simengine.scenario.builtin"
NAME = "sandbox.yaml"


@cache
def sandbox_document() -> Document:
    """The built-in document of the sandbox."""
    return load(resources.files(PACKAGE).joinpath(NAME).read_bytes())


def new_sandbox(browser: str) -> Scenario:
    """A sandbox of this browser's own."""
    return store.create(sandbox_document(), owner=browser, origin=Source.SANDBOX)
