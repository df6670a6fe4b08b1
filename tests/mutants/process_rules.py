"""Mutants of what is lost with the last log of a group's commits, and of processes with both roles (combined mode)."""

from tests.mutants.mutant import Mutant, mutant

LAST_COMMITS = "offsets_on_a_replaced_disk or offsets_whose_last_copy or offsets_that_a_broker"
PROCESSES: list[Mutant] = [
    mutant(
        "T305",
        "committed offsets are lost when somebody leads without them, not when their last log goes",
        "verdict.account",
        "        if self.commits is not None and leader is None:\n",
        "        if self.commits is not None and fact < 0:\n",
        tables=LAST_COMMITS,
    ),
    mutant(
        "T306",
        "committed offsets are lost when any log of them goes",
        "verdict.commits",
        "            for log in logs:\n                found",
        "            for log in logs[:0]:\n                found",
        tables="of_which_another_log",
    ),
    mutant(
        "T307",
        "a group's loss goes back to the next leader",
        "verdict.commits",
        "group not in found and group not in self.lost]",
        "group not in found]",
        tables=LAST_COMMITS,
    ),
    mutant(
        "T308",
        "committed offsets that are there again stay lost",
        "verdict.commits",
        "        self._find_back(leader.log, self.lost)\n",
        "",
        tables="of_which_another_log",
    ),
    mutant(
        "T309",
        "combined mode: the controller lives on when its broker dies",
        "combined",
        "                    controller_process.kill(self._quorum, node, int(cause))\n",
        "                    pass\n",
        tables="end_at_once_whichever",
    ),
    mutant(
        "T310",
        "combined mode: the controller votes on when its process stands still",
        "combined",
        "                if node.up and not node.paused:\n",
        "                if node.up and node.paused:\n",
        tables="neither_serves_nor_votes",
    ),
    mutant(
        "T311",
        "combined mode: a controller in a process that has ended in order lives on",
        "controller_process",
        "    if node.up:\n        _down(quorum, node, cause, True)\n    else:\n",
        "    if not node.up:\n",
        tables="broker_leaves_first",
    ),
    mutant(
        "T312",
        "combined mode: a controller without power closes its connections",
        "execution",
        "                    self.net.power_off(controller)\n                lose_power",
        "                    self.net.power_on(controller)\n                lose_power",
        tables="end_at_once_whichever",
    ),
    mutant(
        "T313",
        "combined mode: the name of the controller ends the controller alone",
        "assembly",
        "        return self.homes.get(int(node.id), node)\n\n    def ends",
        "        return node\n\n    def ends",
        tables="end_at_once_whichever",
    ),
    mutant(
        "T314",
        "combined mode: the controller is not there before its broker dials",
        "combined",
        "            controller_process.start(self._quorum, node, int(boot_us), int(cause))\n",
        "            controller_process.start(self._quorum, node, int(boot_us) * 9, int(cause))\n",
        tables="votes_before_it_serves",
    ),
]
