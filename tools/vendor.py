"""Copy the pages' libraries out of npm packages into static/vendor, as static/vendor/manifest.json lists them.

``python tools/vendor.py`` fetches with ``npm pack`` and rewrites the folder; ``--check`` only compares the sha256 of
the committed files with those in the manifest, needs no network, and is what the tests run. Two changes are made to
the files: comments naming source maps go, because a manifest storage would look for the maps, and ``.mjs`` becomes
``.js``, because Django's storage rewrites imports in ``.js`` alone.
"""

import argparse
import hashlib
import json
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any, Final

VENDOR: Final = Path(__file__).resolve().parent.parent / "static" / "vendor"
MANIFEST: Final = VENDOR / "manifest.json"
SOURCE_MAP: Final = re.compile(rb"^(//|/\*)[#@] sourceMappingURL=.*\n?", re.MULTILINE)
LOCAL_MJS: Final = re.compile(rb"""((?:from|import)\s*["']\.{1,2}/[^"']+)\.mjs(["'])""")


def main(argv: list[str]) -> int:
    """Run the tool; 0 when everything is in place, 1 with one line per difference."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare only, change nothing")
    manifest = json.loads(MANIFEST.read_text())
    if parser.parse_args(argv).check:
        problems = check(manifest)
        print("\n".join(problems) or "static/vendor: every file is as its manifest says")
        return 1 if problems else 0
    for package in manifest["packages"]:
        copy_package(package)
        print(f"{package['name']} {package['version']}: {len(package['files'])} files")
    MANIFEST.write_text(json.dumps(manifest, indent=1, ensure_ascii=False) + "\n")
    return 0


def check(manifest: dict[str, Any]) -> list[str]:
    """Differences between the manifest and the folder, in words."""
    wanted = {name: digest for package in manifest["packages"] for name, digest in package.get("sha256", {}).items()}
    present = {str(path.relative_to(VENDOR)) for path in VENDOR.rglob("*") if path.is_file() and path != MANIFEST}
    problems = [f"{name}: is in static/vendor but not in its manifest" for name in sorted(present - wanted.keys())]
    for name, digest in wanted.items():
        path = VENDOR / name
        if not path.is_file():
            problems.append(f"{name}: missing; run python tools/vendor.py")
        elif sha256(path.read_bytes()) != digest:
            problems.append(f"{name}: differs from its package; run python tools/vendor.py")
    return problems


def copy_package(package: dict[str, Any]) -> None:
    """Fetch one package, write its files and its licence, and note their digests in ``package``."""
    with tempfile.TemporaryDirectory() as folder:
        spec = f"{package['name']}@{package['version']}"
        subprocess.run(["npm", "pack", "--silent", spec], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        (archive,) = Path(folder).glob("*.tgz")
        with tarfile.open(archive) as tar:
            files = {"LICENSE": f"licenses/{package['name'].replace('/', '-').lstrip('@')}.txt", **package["files"]}
            package["sha256"] = {target: copy_file(tar, source, target) for source, target in files.items()}


def copy_file(tar: tarfile.TarFile, source: str, target: str) -> str:
    """Write one member of a package under static/vendor; returns the digest of what was written."""
    member = tar.extractfile(f"package/{source}")
    assert member is not None, f"{source} is not a file of the package"
    content = LOCAL_MJS.sub(rb"\1.js\2", SOURCE_MAP.sub(b"", member.read()))
    path = VENDOR / target
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return sha256(content)


def sha256(content: bytes) -> str:
    """Hex digest of the content."""
    return hashlib.sha256(content).hexdigest()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
