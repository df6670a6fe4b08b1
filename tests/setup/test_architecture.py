"""docs/architecture.md is true: its list of rooms is the contract's, and each file that it names exists."""

import re
import tomllib
from typing import Any

from tests.setup.processes import ROOT

TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def test_the_rooms_of_the_engine_stand_in_the_order_of_the_contract() -> None:
    settings: Any = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (layers,) = [one["layers"] for one in contracts if one.get("containers") == ["simengine"]]
    listed = re.search(r"```text\n(.*?)```", TEXT, re.DOTALL)
    assert listed is not None
    assert listed[1].split("\n")[:-1] == layers


def test_every_file_that_is_named_exists() -> None:
    named = set(re.findall(r"`((?:simengine|playground|static|tests)/[\w/.-]+\.\w+)`", TEXT))
    assert len(named) > 50
    assert [name for name in sorted(named) if not (ROOT / name).is_file()] == []
