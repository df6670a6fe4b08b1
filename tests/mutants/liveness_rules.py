"""Mutants that keep every promise of safety and are only too late: the bounds of section 1.6 must tell them."""

from tests.mutants.mutant import Mutant, mutant

LIVENESS: list[Mutant] = [
    mutant(
        "R60",
        "AP-5: what was INELIGIBLE stays pending for 30 s",
        "kafka.isr",
        "            withdraw(replica)\n        elif not is_final(error):",
        "            class Late(BrokerTask):\n"
        "                def run(self) -> None:\n"
        "                    withdraw(replica)\n\n"
        "            self.broker.sim.after(30_000_000, Late(self.broker))\n"
        "        elif not is_final(error):",
        killers="ap_resolved",
        tables="owed_by_nobody",
    ),
    mutant(
        "R61",
        "ISR-5: whoever may join is let in 50 s later",
        "kafka.isr_changes",
        "    propose(replica, PENDING_EXPAND,",
        "    waits = maybe_expand.__dict__.setdefault('waits', {})\n"
        "    now = int(replica.broker.sim.now)\n"
        "    if now - waits.setdefault((id(replica), int(replica.epoch), int(remote.broker)), now) < 50_000_000:\n"
        "        return\n"
        "    propose(replica, PENDING_EXPAND,",
        killers="isr_full",
        scenarios="s19-isr-shrink-and",
    ),
    mutant(
        "R62",
        "PREF-1: the task of preferred elections does not begin anew at a new controller",
        "kafka.cluster",
        "if first else config.preferred_interval_us",
        "if first else 1 << 50",
        killers="preferred_returns",
        scenarios="s37",
    ),
]
