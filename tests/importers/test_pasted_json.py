"""The JSON of ``kcat -L -J`` after terminals, pods, chats and word processors have changed it."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from simengine.importers.recognise import read
from simengine.importers.report import status
from tests.importers import samples
from tests.importers.test_describe import facts

WHOLE: dict[str, Any] = json.loads(samples.KCAT_JSON)
PRETTY = json.dumps(WHOLE, indent=2)


def in_front(prefix: Callable[[int], str]) -> str:
    return "\n".join(prefix(at) + line for at, line in enumerate(PRETTY.splitlines(), 1))


def wrapped(width: int) -> str:
    return "\n".join(samples.KCAT_JSON[at : at + width] for at in range(0, len(samples.KCAT_JSON), width))


PASTES = {
    "terminal of 80": wrapped(80),
    "terminal of 37": wrapped(37),
    "pod and container": in_front(lambda at: "kcat-7d9f kcat "),
    "pod in brackets": "If you do not see a prompt, press enter.\n" + in_front(lambda at: "[pod/kcat-1/kcat] "),
    "docker compose": in_front(lambda at: "kcat-1  | "),
    "time stamps": in_front(lambda at: f"2026-01-01T00:00:{at:02}.{at * 7}Z "),
    "line numbers": in_front(lambda at: f"{at:>3} "),
    "curled quotes": samples.KCAT_JSON.replace('"', "\u201c"),
    "printed by Python": repr(WHOLE),
    "a comma too many": PRETTY.replace("}\n  ]", "},\n  ]"),
}


@pytest.mark.parametrize("name", PASTES)
def test_the_facts_stay(name: str) -> None:
    reading = read(PASTES[name])
    assert facts(reading) == samples.KCAT_JSON_FACTS
    assert not any("not whole" in warning for warning in reading.warnings)


def test_a_listing_that_was_cut_off_keeps_its_brokers_and_what_is_complete_and_says_so() -> None:
    two = {**WHOLE, "topics": [*WHOLE["topics"], {**WHOLE["topics"][0], "topic": "cut"}]}
    reading = read(json.dumps(two, indent=2)[:-120])
    assert facts(reading) == samples.KCAT_JSON_FACTS
    assert reading.warnings[0] == "The JSON is not whole: what is complete of it is used."
    assert status(reading) == "accept-warn"


def test_a_prefix_of_a_very_long_line_is_looked_for_in_one_go() -> None:
    assert read('"brokers" ' + "a " * 100_000 + "\n" + PRETTY).facts.partitions == 2
