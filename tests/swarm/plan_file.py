"""A plan of the swarm in a file, as the shrinker writes it: read, and refused with place, value and what is allowed."""

import json
from pathlib import Path
from typing import Any, Final

from simengine.scenario import DocumentError, load
from tests.swarm.draw import Plan, document_of

WRITTEN: Final = "a seed, or a file that the swarm wrote, such as swarm-7-strong_isr.json"
HEAL_KEYS: Final = ("brokers", "controllers", "how")


class PlanError(ValueError):
    """A file that holds no plan; the text says what is wrong with it."""


def read_plan(path: str) -> Plan:
    """The plan in a file. Raises PlanError."""
    try:
        plan = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise PlanError(f"{path}: cannot be read: {error.strerror}; allowed: {WRITTEN}") from None
    except UnicodeDecodeError:
        raise PlanError(f"{path}: is no text; allowed: {WRITTEN}") from None
    except json.JSONDecodeError as error:
        raise PlanError(f"{path}: line {error.lineno}: not JSON: {error.msg}; allowed: {WRITTEN}") from None
    if not isinstance(plan, dict):
        raise PlanError(f"{path}: not a plan but {type(plan).__name__}; allowed: {WRITTEN}")
    _check_own_keys(path, plan)
    try:
        load(document_of(plan))
    except DocumentError as error:
        raise PlanError(f"{path}: {error}") from None
    return {"targets": [], **plan}


def _check_own_keys(path: str, plan: dict[str, Any]) -> None:
    """The parts of a plan beside its document: the core of the heal, and faults that are aimed while it runs."""
    heal = plan.get("heal")
    if not isinstance(heal, dict):
        told = "missing" if heal is None else f"not a map (got {heal!r})"
        raise PlanError(f"{path}: heal: {told}: this is no plan of the swarm; allowed: {WRITTEN}")
    for key in HEAL_KEYS:
        if key not in heal:
            raise PlanError(f"{path}: heal.{key}: missing; allowed: {', '.join(HEAL_KEYS)}")
    for key in ("seed", "profile", "timeline"):
        if key not in plan:
            raise PlanError(f"{path}: {key}: missing; every plan of the swarm has it")
