"""What a mutant is: a rule of Kafka replication written wrong, and what must notice."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Patch:
    """An exact piece of one module's source (it must be there once) and what stands there instead."""

    module: str
    old: str
    new: str


@dataclass(frozen=True)
class Mutant:
    """One wrong rule. ``killers``: properties that the list of invariants names; ``scenarios``: file name prefixes."""

    id: str
    rule: str
    patches: tuple[Patch, ...]
    killers: tuple[str, ...] = ()
    scenarios: tuple[str, ...] = ()
    tables: str = ""  # a pytest -k expression over the unit tables; "": none
    survives: str = ""  # the reason, if it is known to survive

    @property
    def modules(self) -> list[str]:
        """The patched modules."""
        return [patch.module for patch in self.patches]


def mutant(
    ident: str,
    rule: str,
    module: str,
    old: str,
    new: str,
    *,
    killers: str = "",
    scenarios: str = "",
    tables: str = "",
    survives: str = "",
) -> Mutant:
    """A mutant of one fragment; ``module`` without the package, lists as words."""
    patch = Patch("simengine." + module, old, new)
    return Mutant(ident, rule, (patch,), tuple(killers.split()), tuple(scenarios.split()), tables, survives)
