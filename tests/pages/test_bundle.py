"""A page's module in one piece: it says what the modules say by themselves, and every page's can be made."""

import re
import subprocess
from pathlib import Path
from typing import Final

import pytest

from playground.bundle import Bundle
from playground.static_files import SHARED, bundled
from tools.node import NODE

ROOT: Final = Path(__file__).resolve().parents[2]
SCRIPT: Final = re.compile(r"""type="module" src="{% static 'js/([^']+)' %}""")
TEMPLATES: Final = [path for folder in ("templates", "playground") for path in (ROOT / folder).rglob("*.html")]
LATER: Final = ["dock/plot.js", "embed/page.js"]  # by import(), when somebody asks for them
PAGES: Final = sorted({name for path in TEMPLATES for name in SCRIPT.findall(path.read_text())})


@pytest.fixture
def modules(tmp_path: Path) -> Path:
    for name, text in {
        "page/main.js": 'import { said } from "../words.js";\nimport { log } from "./log.js";\n'
        'import { kept } from "../shared.js";\nimport path from "node:path";\n'
        'console.log(said(), log.length, kept(), path.sep);\nlog.push("main");\n',
        "page/log.js": "/** @type {string[]} */\nexport const log = [];\n",
        "words.js": 'import {\n  log as lines,\n} from "./page/log.js";\nconst mine = "words";\nlines.push(mine);\n'
        "export const said = () => mine;\nexport async function* later() {}\nexport class Word {}\n",
        "shared.js": 'const mine = "shared";\nexport function kept() {\n  return mine;\n}\n',
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    return tmp_path


def run(module: Path) -> str:
    return subprocess.run([NODE, module], capture_output=True, text=True, check=True).stdout


def test_a_module_in_one_piece_does_what_it_does_with_its_imports(modules: Path) -> None:
    main = modules / "page/main.js"
    assert run(main) == "words 1 shared /\n"
    main.write_text(Bundle(modules, main, frozenset({"shared.js"})).text())
    (modules / "words.js").unlink()
    (modules / "page/log.js").unlink()
    assert run(main) == "words 1 shared /\n"
    assert re.findall('^import .* from "(.*)"', main.read_text(), re.M) == ["../shared.js", "node:path"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('import { said } from "../words.js";\nexport const log = [];\n', "import each other"),
        ("export default 7;\n", "log.js: export default 7;"),
        ('import * as all from "node:path";\n', 'log.js: import \\* as all from "node:path";'),
    ],
)
def test_a_module_that_is_written_otherwise_is_refused(modules: Path, text: str, said: str) -> None:
    (modules / "page/log.js").write_text(text)
    with pytest.raises(ValueError, match=said):
        Bundle(modules, modules / "page/main.js", frozenset()).text()


@pytest.mark.parametrize("page", [*PAGES, *LATER])
def test_the_module_of_each_page_imports_libraries_and_what_pages_share(page: str, tmp_path: Path) -> None:
    text = bundled(page).decode()
    imported = re.findall('^import .* from "(.*)"', text, re.M)
    ours = {address for address in imported if address.startswith(".")}
    assert ours <= {"../kit/kit.js", "./kit.js"}
    (tmp_path / "page.mjs").write_text(text)
    subprocess.run([NODE, "--check", tmp_path / "page.mjs"], check=True)


def test_what_pages_share_is_a_script_of_every_page() -> None:
    assert SCRIPT.findall((ROOT / "templates/base.html").read_text()) == [*SHARED]
    assert {*SHARED} <= {*SCRIPT.findall((ROOT / "templates/embed.html").read_text())}
