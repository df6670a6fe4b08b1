"""The facts about a run that a page needs to play it."""

from typing import Any

from django.urls import reverse

from playground.rooms.names import RoomName
from playground.scenarios import owner
from playground.scenarios.models import Scenario


def run_boot(scenario: Scenario, browser: str, guest: str = "") -> dict[str, Any]:
    """A run's ids, its room for this browser, its title, and where it left its parent.

    ``guest``: the signed word of a viewer without a cookie; every request to the room names it.
    """
    room = RoomName.of(scenario.id, is_frozen=scenario.is_frozen, browser_key=browser)
    parent = scenario.parent
    return {
        "scenario": scenario.id,
        "room": str(room),
        "socket": f"/ws/room/{room}",
        "guest": guest,
        "owner": owner.may_act(scenario, browser),
        "frozen": scenario.is_frozen,
        "moment_us": scenario.moment_us,
        "title": scenario.title,
        "change": scenario.change,
        "cut_us": scenario.cut_us,
        "parent": {"id": parent.id, "title": parent.title, "deleted": parent.is_deleted} if parent else None,
        "link": reverse("playground", args=[scenario.id]),
    }
