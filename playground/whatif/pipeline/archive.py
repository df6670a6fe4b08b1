"""The archive that brings the engine to executors which have nothing of ours: `spark.archives` unpacks it there.

It is a small checkout: the sources of the engine and of the pipeline, the compiled modules where they are built, the
packages that they need, and a manifest. pyarrow and numpy are the cluster's own. The name holds a hash of the content,
so an archive that is there already is not packed again.

    python -m playground.whatif.pipeline.archive        packs it into build/archive
"""

import gzip
import hashlib
import io
import json
import os
import sys
import tarfile
import tomllib
from collections.abc import Iterator
from importlib.metadata import distribution, version
from pathlib import Path
from typing import Final

from simengine import form

ROOT: Final = form.ROOT
ARCHIVES: Final = ROOT / "build" / "archive"
NAME: Final = "engine"
"""The folder in an executor's working folder into which Spark unpacks it."""

MANIFEST: Final = "manifest.json"
PACKAGES: Final = (
    "pydantic",
    "pydantic-core",
    "annotated-types",
    "typing-extensions",
    "typing-inspection",
    "pyyaml",
    "librt",
    "mypy-extensions",
)
SOURCES: Final = (
    "simengine",
    "playground/__init__.py",
    "playground/environment.py",
    "playground/whatif/__init__.py",
    "playground/whatif/pipeline",
)
KEPT: Final = 2  # archives of earlier sources that stay: a worker may still send one


def python_of() -> str:
    """The Python that the archive is for, such as "Python 3.11, cpython-311-x86_64-linux-gnu"."""
    return f"Python {sys.version_info.major}.{sys.version_info.minor}, {form.SUFFIX.strip('.').removesuffix('.so')}"


def packed(folders: tuple[Path, ...] = (ARCHIVES,)) -> Path:
    """The archive of this process's engine: found in one of these folders, else packed into the last of them.

    Raises OSError where it cannot be written.
    """
    content = dict(_content())
    name = f"{NAME}-{_hash(content)}.tar.gz"
    for folder in folders:
        if (folder / name).exists():
            return folder / name
    _prune(folders[-1])
    return _write(content, folders[-1] / name)


def manifest() -> dict[str, object]:
    """The contents of the archive, and the Python that it is for."""
    return {
        "engine": form.engine_sources(),
        "form": form.engine_form(),
        "python": python_of(),
        "modules": form.plan().modules if form.engine_form() == "compiled" else [],
        "packages": {name: version(name) for name in PACKAGES},
    }


def _content() -> Iterator[tuple[str, bytes]]:
    """Path in the archive and bytes of every file."""
    wanted = form.plan()
    options = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["highwater"]["engine"]
    lines = [f"{key} = {json.dumps(value)}" for key, value in sorted(options.items())]
    yield "pyproject.toml", "\n".join(["[tool.highwater.engine]", *lines, ""]).encode()
    yield MANIFEST, json.dumps(manifest(), indent=1, sort_keys=True).encode()
    for source in SOURCES:
        yield from _files(ROOT / source)
    if form.engine_form() == "compiled":
        for path in wanted.beside:  # the folder is named by their texts too
            yield path, (ROOT / path).read_bytes()
        yield from _files(wanted.folder)
    for package in PACKAGES:
        for file in distribution(package).files or ():
            if ".." not in file.parts and file.suffix != ".pyc":
                yield str(file), Path(str(file.locate())).read_bytes()


def _files(place: Path) -> Iterator[tuple[str, bytes]]:
    for file in [place] if place.is_file() else sorted(place.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            yield file.relative_to(ROOT).as_posix(), file.read_bytes()


def _hash(content: dict[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name in sorted(content):
        digest.update(f"\n{name} {len(content[name])}\n".encode())
        digest.update(content[name])
    return digest.hexdigest()[:16]


def _write(content: dict[str, bytes], archive: Path) -> Path:
    """Write the archive aside, then give it its name: no archive is ever half there."""
    archive.parent.mkdir(parents=True, exist_ok=True)
    aside = archive.with_suffix(f".{os.getpid()}")
    try:
        with (
            aside.open("wb") as file,
            gzip.GzipFile("", "wb", compresslevel=6, fileobj=file, mtime=0) as zipped,
            tarfile.open(fileobj=zipped, mode="w") as tar,
        ):
            for name in sorted(content):
                member = tarfile.TarInfo(name)
                member.size, member.mode = len(content[name]), 0o644
                tar.addfile(member, io.BytesIO(content[name]))
        aside.replace(archive)
    finally:
        aside.unlink(missing_ok=True)
    return archive


def _prune(folder: Path) -> None:
    kept = sorted(folder.glob(f"{NAME}-*.tar.gz"), key=lambda file: file.stat().st_mtime)
    for archive in kept[: -(KEPT - 1)]:
        archive.unlink(missing_ok=True)


def main() -> None:
    """Pack it and say where; where that cannot be, a worker packs it when it first needs it."""
    try:
        made = packed()
    except OSError as problem:
        print(f"engine: no archive for Spark clusters ({problem})")
    else:
        size = made.stat().st_size / 1e6
        print(f"engine: archive for Spark clusters: {made.relative_to(ROOT)} ({size:.1f} MB)")


if __name__ == "__main__":
    main()
