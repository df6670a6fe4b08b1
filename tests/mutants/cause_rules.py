"""Mutants of what facts go back to."""

from tests.mutants.mutant import Mutant, mutant

CAUSES: list[Mutant] = [
    mutant(
        "T209",
        "ISR-3: a member leaves for the newest event, not for the trouble that is still in its way",
        "kafka.isr_changes",
        "    return trouble if trouble else max(",
        "    return max(trouble, ",
        tables="what_befell_the_two_brokers",
    ),
    mutant(
        "T210",
        "ISR-5: who joins since another broker leads does not go back to the election",
        "kafka.election",
        "            next_.epoch_fact = THIS_ONE\n",
        "",
        tables="what_befell_the_two_brokers",
    ),
    mutant(
        "T211",
        "REA-2: an added broker joins for what befell it, not for the reassignment",
        "kafka.quorum",
        "                r.adding_fact = r.fact\n",
        "                r.adding_fact = 0\n",
        tables="what_befell_the_two_brokers",
    ),
    mutant(
        "T212",
        "a cut of another link explains why a follower is behind",
        "kafka.whys",
        "    return [(a, a), (b, b), (b, PACE), (a, b), (b, a)]\n",
        "    return [(a, a), (b, b), (b, PACE), (0, 1), (1, 0)]\n",
        tables="what_befell_the_two_brokers",
    ),
    mutant(
        "T213",
        "AP-1: the record of an ISR change goes back to what last befell the leader",
        "kafka.alter_partition",
        "change.build(REASON_ALTER_PARTITION, proposal.cause)",
        "change.build(REASON_ALTER_PARTITION, control.whys.of(request.broker_id))",
        tables="what_befell_the_two_brokers",
    ),
]
