"""The locks name versions and hashes only: no registry's address, and nothing that pyproject.toml does not allow.

requirements.lock has everything, requirements-runtime.lock what the image runs: the same versions, without test tools.
"""

import sys
import tomllib
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement

ROOT: Final = Path(__file__).resolve().parent.parent


HASH: Final = "--hash=sha256:"


def entries(lock: str) -> dict[str, list[str]]:
    """Requirement -> the hashes of its files, of every package that applies to this Python."""
    found = {}
    text = "\n".join(line for line in lock.splitlines() if not line.lstrip().startswith("#"))
    for line in filter(None, text.replace("\\\n", " ").splitlines()):
        requirement, *hashes = line.split(HASH)
        marker = Requirement(requirement).marker
        if marker is None or marker.evaluate():
            found[requirement.strip()] = [one.strip() for one in hashes]
    return found


def pins(lock: str) -> dict[str, str]:
    """Package -> version of every line that applies to this Python."""
    requirements = map(Requirement, entries(lock))
    return {one.name.lower(): next(iter(one.specifier)).version for one in requirements}


def runtime_problems(runtime: str, lock: str) -> list[str]:
    """The problems of the runtime's lock, one sentence each: it must be a part of the whole one, to the hash."""
    whole = entries(lock)
    return [
        f"requirements-runtime.lock: {requirement} is not locked so in requirements.lock: run `make lock`"
        for requirement, hashes in entries(runtime).items()
        if whole.get(requirement) != hashes
    ]


def problems(lock: str, project: dict[str, list[str]]) -> list[str]:
    """The problems of the lock, one sentence each; `project` maps a group's name to its requirements."""
    if "://" in lock:
        return ["requirements.lock names an address: run `make lock`"]
    found = []
    found += [
        f"{name} is locked without a hash: run `make lock`" for name, hashes in entries(lock).items() if not hashes
    ]
    locked = pins(lock)
    for group, lines in project.items():
        for line in lines:
            wanted = Requirement(line)
            version = locked.get(wanted.name.lower())
            if version is None or not wanted.specifier.contains(version):
                found.append(f"{group}: {line} is locked as {version or 'nothing'}: run `make lock`")
    return found


def main() -> int:
    """Check the two files; status 1 with one line per problem."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    groups = {"dependencies": project["dependencies"], **project["optional-dependencies"]}
    lock, runtime = ((ROOT / name).read_text() for name in ("requirements.lock", "requirements-runtime.lock"))
    found = problems(lock, groups) + problems(runtime, {"dependencies": project["dependencies"]})
    found += runtime_problems(runtime, lock)
    print("\n".join(found) or "the locks fit pyproject.toml and each other")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
