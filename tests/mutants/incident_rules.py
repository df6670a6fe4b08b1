"""Mutants of what an incident cost: RPO, RTO, and what would bring a partition back."""

from tests.mutants.mutant import Mutant, mutant

INCIDENTS: list[Mutant] = [
    mutant(
        "T130",
        "RPO: nothing is open after an incident that left one copy, unless it was the last",
        "why.incidents",
        "(i + 1 == len(self.incidents) or incident.single):",
        "i + 1 == len(self.incidents):",
        tables="open_after_the_last",
    ),
    mutant(
        "T131",
        "RTO: the answer for records that are lost already is a success",
        "why.recoveries",
        "            if is_acked and not any(lost_at <= t and lost.overlaps(records) for lost_at, lost in self._lost):",
        "            if is_acked:",
        tables="lost_already_is_no",
    ),
    mutant(
        "T132",
        "RTO: an older call's success ends an outage",
        "why.recoveries",
        "if wait.acked_us < 0 and end > wait.first_call]",
        "if wait.acked_us < 0]",
        tables="made_after_the_fault",
    ),
    mutant(
        "T133",
        "an incident touches what was out at any time after it",
        "why.recoveries",
        "if fault_us <= start <= fault_us + THETA_US",
        "if fault_us <= start",
        tables="out_within_theta",
    ),
    mutant(
        "T134",
        "HW-3: a partition needs more replicas than it has",
        "why.incidents",
        "min(least, len(registration.replicas)) - len(isr)",
        "least - len(isr)",
        tables="as_many_replicas",
    ),
    mutant(
        "T135",
        "UNC-1: an unclean election would lose what is lost already",
        "why.incidents",
        "        return max(0, lacks - int(losses.count))",
        "        return max(0, lacks)",
        tables="copy_lacks_and",
    ),
]
