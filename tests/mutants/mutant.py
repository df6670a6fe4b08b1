"""A mutant: a rule of Kafka replication written wrong, and the checks that must notice it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Patch:
    """One place in a function of the engine, and the code that stands there instead.

    ``function`` is its qualified name in the module ("Partition.advance_hw"). ``old`` is an expression or a few
    statements in a row; the function holds it exactly once. Layout and comments do not matter (``patching``).
    """

    module: str
    function: str
    old: str
    new: str


@dataclass(frozen=True)
class Mutant:
    """One wrong rule, and who should notice it.

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
    place: str,
    old: str,
    new: str,
    *,
    killers: str = "",
    others: str = "",
    scenarios: str = "",
    tables: str = "",
) -> Mutant:
    """A mutant of one place, "module:function" without the package; lists as words."""
    module, function = place.split(":")
    patch = Patch("simengine." + module, function, old, new)
    names, more = tuple(killers.split()), tuple(others.split())
    return Mutant(ident, rule, (patch,), names, more, tuple(scenarios.split()), tables)


def together(ident: str, rule: str, *parts: Mutant, killers: str = "", scenarios: str = "", tables: str = "") -> Mutant:
    """Several mutants in one engine: guards in layers, where one covers for another."""
    patches = tuple(patch for part in parts for patch in part.patches)
    return Mutant(ident, rule, patches, tuple(killers.split()), (), tuple(scenarios.split()), tables)
