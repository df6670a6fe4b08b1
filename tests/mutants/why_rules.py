"""Mutants of the stories: why records were lost, and why what nobody was to answer vanished."""

from tests.mutants.mutant import Mutant, mutant

STORIES: list[Mutant] = [
    mutant(
        "T236",
        "LOG-8: a follower that truncates to follow a leader lost its power",
        "why.missing",
        "    if past.process(broker, fact.seq)[0] != PROCESS_DOWN:\n        return None\n",
        "",
        tables="truncates_after_a_power_loss",
    ),
    mutant(
        "T237",
        "who left the ISR last is told by the first time that it did",
        "why.missing",
        "    return left[-1] if left else None",
        "    return left[0] if left else None",
        tables="had_left_the_isr",
    ),
]
