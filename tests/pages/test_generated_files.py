"""Generated and vendored files under static/ are as their sources say."""

import json
import shutil
from pathlib import Path

import pytest

from tools import facts_js, vendor

ROOT = Path(__file__).resolve().parent.parent.parent


def test_the_pages_facts_are_the_engines() -> None:
    assert facts_js.main(["--check"]) == 0, "run python tools/facts_js.py"


def test_vendored_files_are_those_of_their_packages() -> None:
    assert vendor.main(["--check"]) == 0, "run python tools/vendor.py"


def test_a_vendored_file_that_was_edited_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(vendor.VENDOR, tmp_path / "vendor")
    monkeypatch.setattr(vendor, "VENDOR", tmp_path / "vendor")
    (tmp_path / "vendor" / "htm.js").write_text("// edited")
    (tmp_path / "vendor" / "extra.js").write_text("")
    monkeypatch.setattr(vendor, "MANIFEST", tmp_path / "vendor" / "manifest.json")
    problems = vendor.check(json.loads(vendor.MANIFEST.read_text()))
    assert [problem.split(":")[0] for problem in problems] == ["extra.js", "htm.js"]


def test_every_vendored_package_has_its_licence() -> None:
    for package in json.loads(vendor.MANIFEST.read_text())["packages"]:
        assert package["license"] and any(name.startswith("licenses/") for name in package["sha256"]), package["name"]


def test_no_written_file_of_the_pages_is_longer_than_400_lines() -> None:
    files = {path for folder in ("static/js", "static/css", "templates") for path in (ROOT / folder).rglob("*.*")}
    written = files - facts_js.render().keys()
    long = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in written}
    assert {name: lines for name, lines in long.items() if lines >= 400} == {}


def test_the_pages_have_no_inline_style_or_script() -> None:
    for path in (ROOT / "templates").rglob("*.html"):
        text = path.read_text()
        assert " style=" not in text and " onclick=" not in text, path.name
