import json
from pathlib import Path

import jsonschema
import pytest

from simengine.commands import schema as command
from simengine.scenario import to_plain
from simengine.scenario.builtin import NAMES, builtin, builtin_text
from simengine.scenario.schema import json_schema
from simengine.scenario.yaml_reading import read_yaml
from tests.documents.helpers import plain

SCENARIOS = sorted((Path(__file__).parent.parent / "scenarios").glob("*.yaml"))


def test_the_schema_is_a_valid_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(json_schema())


def test_the_built_in_documents_and_all_scenarios_fit_the_schema() -> None:
    validator = jsonschema.Draft202012Validator(json_schema())
    texts = [builtin_text(name) for name in NAMES] + [path.read_text(encoding="utf-8") for path in SCENARIOS]
    for text in texts:
        validator.validate(read_yaml(text))
    validator.validate(to_plain(builtin("sandbox")))


@pytest.mark.parametrize("wrong", [{"seed": "x"}, {"timelin": []}, {"format": 3}, {"until": "soon"}, {"producers": 1}])
def test_the_schema_refuses_wrong_shapes(wrong: dict[str, object]) -> None:
    assert list(jsonschema.Draft202012Validator(json_schema()).iter_errors(plain(**wrong)))


def test_the_command_prints_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main([]) == 0
    assert json.loads(capsys.readouterr().out) == json_schema()
