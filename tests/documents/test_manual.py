"""The manual of the document format says nothing that is not so."""

import re
from pathlib import Path

from simengine.scenario import load, parse
from simengine.scenario.model import Document
from simengine.scenario.verbs import VERBS

MANUAL = (Path(__file__).parent.parent.parent / "docs" / "scenario-documents.md").read_text(encoding="utf-8")


def test_the_examples_are_valid() -> None:
    examples = re.findall(r"```yaml\n(format:.*?)```", MANUAL, re.DOTALL)
    assert [load(example).title for example in examples] == ["The leader's zone dies", "Two sites"]


def test_the_actions_of_the_table_are_actions_and_all_verbs_are_there() -> None:
    table = MANUAL.split("## The timeline")[1].split("## Expectations")[0]
    cells = [line.split(" | ")[0] for line in table.splitlines() if line.startswith("| `")]
    actions = [text.replace("\\|", "|") for cell in cells for text in re.findall(r"`([^`]+)`", cell)]
    assert {parse(action).verb for action in actions} == set(VERBS)


def test_every_part_of_a_document_is_mentioned() -> None:
    for name, field in Document.model_fields.items():
        assert f"{field.alias or name}:" in MANUAL
