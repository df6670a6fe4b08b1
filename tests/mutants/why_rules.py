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
    mutant(
        "T238",
        "FLT-2: a process that hung never reads what came meanwhile",
        "why.vanished_story",
        "        if later is None or later.values[1] == PROCESS_DOWN:",
        "        if later is None or later:",
        tables="lay_in_the_socket",
    ),
    mutant(
        "T239",
        "ELR-5: who left an earlier ELR left the one that the last known leader was not in",
        "why.past",
        "                    found = []\n",
        "                    found = found[:]\n",
        tables="what_emptied_the_elr",
    ),
]
