"""`python -m simengine`: finds its commands by their modules and says what there is."""

import subprocess
import sys
from pathlib import Path

import pytest

from simengine.__main__ import READER_LEFT_STATUS, USAGE_STATUS, command_modules, main


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


@pytest.mark.parametrize(
    ("lines", "name", "option"), [(0, "run", "--facts=all"), (1, "run", "--facts=all"), (0, "az", "--lines")]
)
def test_a_reader_that_leaves_ends_a_command_without_a_word(lines: int, name: str, option: str) -> None:
    file = Path(__file__).parents[1] / "scenarios" / "s20-long-pause.yaml"  # its facts are longer than a pipe holds
    command = [sys.executable, "-m", "simengine", name, str(file), option]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        for _ in range(lines):
            assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == READER_LEFT_STATUS


def test_no_command_at_all_is_a_wrong_command_line() -> None:
    assert main([]) == USAGE_STATUS


def test_the_readme_names_every_command_and_every_folder_of_the_engine() -> None:
    root = Path(__file__).parents[2]
    text = (root / "README.md").read_text(encoding="utf-8")
    commands = text.partition("## On the command line")[2].partition("## The folders")[0]
    assert [name for name in command_modules() if f"`{name}" not in commands] == []
    folders = [path.parent for top in ("simengine", "playground") for path in (root / top).glob("*/__init__.py")]
    named = {f"{path.parent.name}/{path.name}/" for path in folders} - {"simengine/commands/", "playground/management/"}
    assert [name for name in sorted(named) if f"`{name}`" not in text] == []
