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
    """One wrong rule, and who should notice.

    ``killers``: exactly the properties that the list of invariants names for it; ``others``: further properties that
    notice it too, which the list does not name; ``scenarios``: file name prefixes.
    """

    id: str
    rule: str
    patches: tuple[Patch, ...]
    killers: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    scenarios: tuple[str, ...] = ()
    tables: str = ""  # a pytest -k expression over the unit tables; "": none
    survives: str = ""  # the reason, if it is known to survive

    @property
    def modules(self) -> list[str]:
        """The patched modules."""
        return [patch.module for patch in self.patches]

    @property
    def is_listed(self) -> bool:
        """It stands in the list of invariants (M01, M02, ...); the others (R01, S01, T01, ...) are of further rules."""
        return self.id.startswith("M")

    @property
    def properties(self) -> set[str]:
        """The properties that should notice."""
        return {*self.killers, *self.others}


def mutant(
    ident: str,
    rule: str,
    module: str,
    old: str,
    new: str,
    *,
    killers: str = "",
    others: str = "",
    scenarios: str = "",
    tables: str = "",
    survives: str = "",
) -> Mutant:
    """A mutant of one fragment; ``module`` without the package, lists as words."""
    patch = Patch("simengine." + module, old, new)
    names, more = tuple(killers.split()), tuple(others.split())
    return Mutant(ident, rule, (patch,), names, more, tuple(scenarios.split()), tables, survives)


def together(ident: str, rule: str, *parts: Mutant, killers: str = "", scenarios: str = "", tables: str = "") -> Mutant:
    """Several mutants in one engine: layers of guards that cover for one another alone."""
    patches = tuple(patch for part in parts for patch in part.patches)
    return Mutant(ident, rule, patches, tuple(killers.split()), (), tuple(scenarios.split()), tables)
