"""The lock names versions only: no registry's address, and nothing that pyproject.toml does not allow."""

import sys
import tomllib
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement

ROOT: Final = Path(__file__).resolve().parent.parent


def pins(lock: str) -> dict[str, str]:
    """Package -> version of every line that applies to this Python."""
    found = {}
    for line in lock.splitlines():
        if line and not line.lstrip().startswith("#"):
            requirement = Requirement(line.strip())
            if requirement.marker is None or requirement.marker.evaluate():
                found[requirement.name.lower()] = next(iter(requirement.specifier)).version
    return found


def problems(lock: str, project: dict[str, list[str]]) -> list[str]:
    """What is wrong with the lock, one sentence each; `project` maps a group's name to its requirements."""
    if "://" in lock:
        return ["requirements.lock names an address: run `make lock`"]
    found = []
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
    found = problems((ROOT / "requirements.lock").read_text(), groups)
    print("\n".join(found) or "requirements.lock fits pyproject.toml")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
