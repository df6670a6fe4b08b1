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
    mutant(
        "T240",
        "PROD-4: what a producer is set to later was its acks at the incident",
        "why.luck",
        "if fact.values[0] == client and fact.t <= until_us]",
        "if fact.values[0] == client]",
        tables="acks_1_is_luck_where",
    ),
    mutant(
        "T241",
        "PROD-4: what a producer was set to before is its acks at the incident",
        "why.luck",
        "    first = max(0, sum(fact.t <= from_us for fact in own) - 1)",
        "    first = 0",
        tables="acks_1_is_luck_where",
    ),
    mutant(
        "T242",
        "a closed producer may yet be answered early",
        "why.luck",
        " for fact in own[first:] if fact.values[1] == CLIENT_OPEN]",
        " for fact in own[first:]]",
        tables="acks_1_is_luck_where",
    ),
    mutant(
        "T243",
        "PROD-4: a producer risks what it has not called yet",
        "why.examine",
        "(world, end) if goes_on(actions) else (then, at_us)",
        "(world, end) if goes_on(actions) else (world, at_us)",
        tables="calls_a_partition_later",
    ),
    mutant(
        "T244",
        "PROD-2: whoever leads again can answer acks=all",
        "why.needs",
        "wanted - 1 - len(live), least)), loses)",
        "0, least)), loses)",
        tables="sufficient_isr_besides",
    ),
]
