"""The severity of a verdict: the state that pages, lists and commands show it in (``ui.md`` 14.3).

``bad``: something is gone, stands twice or vanished, or no group can join or commit. ``warn``: something had to wait
for longer than theta, cannot be read, failed, or was lost and came back. ``ok`` needs that none of these is so.
"""

from collections.abc import Mapping
from typing import Final

from simengine.facts.kinds import SEVERITY_BAD, SEVERITY_OK, SEVERITY_WARN
from simengine.verdict.outage import THETA_US

BAD: Final = ("duplicated", "by_application", "vanished", "lost_before", "unled", "groups_lost")
WARN: Final = ("lost", "hidden", "refused", "unknown")
WAITED: Final = ("longest_wait_us", "longest_read_us")  # up to theta they are latency
STOPPED: Final = ("write_down_client_us", "read_down_client_us", "read_down_us", "groups_down_us")


def severity_of(figures: Mapping[str, int], is_all: bool) -> int:
    """SEVERITY_* of a topic's figures; ``is_all``: it is written with acks=all."""
    if figures["lost"] > figures["recovered"] + figures["lost_again"]:
        return SEVERITY_BAD
    if any(figures[key] for key in BAD) or (figures["groups_down"] and figures["waits_all_us"]):
        return SEVERITY_BAD
    mode = "all" if is_all else "1"
    if figures[f"stopped_{mode}"] or figures[f"write_down_{mode}_us"]:
        return SEVERITY_WARN
    if any(figures[key] for key in (*WARN, *STOPPED)) or any(figures[key] > THETA_US for key in WAITED):
        return SEVERITY_WARN
    return SEVERITY_OK
