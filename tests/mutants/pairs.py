"""Pairs of mutants: guards come in layers, and one may cover for the other (section 3 of the list of invariants)."""

from tests.mutants.controller_rules import PROPOSALS
from tests.mutants.further_rules import FURTHER
from tests.mutants.mutant import Mutant, together
from tests.mutants.replica_rules import TRUNCATION

PARTS = {part.id: part for part in (*PROPOSALS, *TRUNCATION, *FURTHER)}

PAIRS: list[Mutant] = [
    together(
        "M30+M51",
        "AP-2, ISR-6 and FET-6: nobody compares broker epochs",
        PARTS["M30a"],
        PARTS["M30b"],
        PARTS["M51"],
        tables="ap_2_says or isr_6_says or fet_4",
    ),
    together(
        "M32+M33",
        "AP-2: neither epoch of a proposal is compared",
        PARTS["M32"],
        PARTS["M33"],
        killers="leader_completeness",
        tables="of_an_older_leadership",
    ),
    together(
        "M48+M49",
        "FET-4, FET-11: epochs are compared neither in requests nor in answers",
        PARTS["M48"],
        PARTS["M49"],
        tables="fet_4 or old_answer or answer_of_another_epoch",
    ),
    together(
        "M49+LOG-9",
        "FET-11, LOG-9: old answers are used, with batches of any epoch",
        PARTS["M49"],
        PARTS["R14"],
        killers="no_committed_truncation",
        tables="another_position_cuts_nothing",
    ),
]
