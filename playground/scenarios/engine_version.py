"""The version of the engine that computes runs today, as it is stored beside a digest."""

import tomllib
from functools import cache

from simengine.form import ROOT, engine_sources

SOURCES_SHOWN = 8  # hex digits of the hash over the engine's sources


@cache
def engine_version() -> str:
    """Version of Highwater and a hash of the engine's sources: the same words mean the same digests."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    return f"{version}+{engine_sources()[:SOURCES_SHOWN]}"
