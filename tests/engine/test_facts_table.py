"""The table of facts, and the classes that are written from it."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from simengine.facts import kinds
from simengine.facts.decisive import ActionDone
from simengine.facts.fact import Fact
from simengine.facts.reading import read
from simengine.facts.schema import FACTS
from simengine.facts.trace import Decisive, Trace

ROOT = Path(__file__).resolve().parent.parent.parent


def test_the_classes_are_those_of_the_table() -> None:
    done = subprocess.run(
        [sys.executable, "tools/facts_py.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_every_kind_has_its_own_number_and_name() -> None:
    assert len({fact.number for fact in FACTS}) == len({fact.name for fact in FACTS}) == len(FACTS)
    for fact in FACTS:
        constant = "".join(f"_{c}" if c.isupper() else c for c in fact.name).lstrip("_").upper()
        assert getattr(kinds, constant) == fact.number


def row_of(fact: Fact) -> list[Any]:
    """A row of a kind with another value in each place."""
    lists = [[100 + n, 200 + n] for n in range(len(fact.lists))]
    return [7, 8, fact.number, 3 if fact.is_decisive else 0, *range(10, 10 + len(fact.ints)), *lists]


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.name)
def test_a_row_is_read_into_the_field_of_each_name(fact: Fact) -> None:
    row = [*row_of(fact), *(["some words"] if fact.text else [])]
    found = read(row)
    names = [*fact.ints, *fact.lists, *([fact.text] if fact.text else [])]
    assert (found.seq, found.t) == (7, 8)
    assert [getattr(found, name) for name in names] == row[4:]
    if isinstance(found, Decisive):
        assert found.row() == row


@pytest.mark.parametrize(
    "fact", [fact for fact in FACTS if fact.text and not fact.is_action], ids=lambda fact: fact.name
)
def test_an_empty_text_is_left_out_of_a_row(fact: Fact) -> None:
    found = read(row_of(fact))
    assert getattr(found, fact.text) == "" and found.row() == row_of(fact)


def test_a_fact_is_numbered_and_dated_when_it_is_stated() -> None:
    trace = Trace()
    trace.now = 9
    stated = read(row_of(next(fact for fact in FACTS if fact.is_decisive and not fact.text)))
    assert trace.state(stated) == stated.seq == 1 and stated.t == 9
    assert trace.decisive == [stated]


@pytest.mark.parametrize(
    ("text", "verb", "args"),
    [("kill 2", "kill", ["2"]), ("heal", "heal", []), ("slow-link 1|2 80ms", "slow-link", ["1|2", "80ms"])],
)
def test_an_action_is_read_by_its_verb_and_its_arguments(text: str, verb: str, args: list[str]) -> None:
    done = ActionDone(0, index=0, verb=verb, args=args)
    done.place(1, 9)
    assert done.text == text
    again = ActionDone.read(done.row())
    assert (again.verb, again.args) == (verb, args)
