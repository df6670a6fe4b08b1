"""`python -m simengine`: finds its commands by their modules and says what there is."""

import pytest

from simengine.__main__ import USAGE_STATUS, command_modules, main


def test_the_list_of_commands_has_one_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    for name in command_modules():
        assert f"\n  {name} " in shown


def test_a_reserved_word_is_a_command_by_its_own_name() -> None:
    assert command_modules()["import"] == "import_"


def test_a_mistyped_command_gets_the_near_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["imprt"]) == USAGE_STATUS
    assert "did you mean import?" in capsys.readouterr().err


def test_no_command_at_all_is_a_wrong_command_line() -> None:
    assert main([]) == USAGE_STATUS
