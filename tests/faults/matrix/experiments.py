"""An experiment that something happens to at 10 % and at 90 %: its rows are those of an undisturbed one, each once."""

import json
import time
from collections.abc import Callable
from typing import Any, Final

from tests.faults.matrix.instance import Used
from tests.faults.matrix.visitors import NO_ANSWER
from tests.rooms.site import Browser
from tests.whatif.plans import DOCUMENT

AXES: Final[dict[str, Any]] = {
    "acks": ["1", "all"],
    "fault": [{"kind": "rack", "rack": "az-a", "from": "2s", "to": "5s"}],
}
SEEDS: Final = 1000  # its runs take long enough for a page to see 90 % of them done
HORIZON: Final = "20s"
DONE_SECONDS_MAX: Final = 240.0
ACTIVE: Final = ("queued", "running", "cancelling")


class Researcher:
    """A browser that makes the same experiment again and again."""

    def __init__(self, instance: Used) -> None:
        self.instance = instance
        self.browser = Browser(instance).ready()
        self.document = self.browser.make(json.dumps(DOCUMENT).encode())
        self.reference = ""

    def make(self, seeds: int = SEEDS) -> str:
        """Queue it; its id."""
        body = {"doc": self.document, "horizon": HORIZON, "seeds": seeds, "axes": AXES}
        answer = self.browser.post("/what-if/run", body)
        assert answer.status == 201, answer.text
        return str(answer.json()["id"])

    def learn(self) -> None:
        """One that nothing happens to: what all others are held against."""
        experiment = self.make()
        assert self.until(experiment, is_final)["state"] == "done"
        self.reference = self._rows(experiment)

    def look(self) -> None:
        """Enter the room of the document, and leave it."""
        self.browser.room(self.document).connection.close()

    def until(self, experiment: str, is_so: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first status that is so. A page that gets no answer asks again."""
        deadline = time.monotonic() + DONE_SECONDS_MAX
        seen: dict[str, Any] = {}
        while time.monotonic() < deadline:
            try:
                answer = self.browser.get(f"/what-if/{experiment}/status")
                if answer.status == 200 and is_so(seen := answer.json()):
                    return seen
            except NO_ANSWER:
                pass
            time.sleep(0.1)
        raise AssertionError(
            f"after {DONE_SECONDS_MAX:.0f} s: {seen.get('state')}, {seen.get('runs_done')} runs, "
            f"{seen.get('note') or seen.get('error')}"
        )

    def until_share(self, experiment: str, percent: int) -> None:
        """Wait until so much of the runs is done."""
        seen = self.until(experiment, lambda now: is_final(now) or now["runs_done"] >= now["runs"] * percent / 100)
        assert not is_final(seen), f"{seen['state']} before {percent} % was seen: {seen['error']}"

    def wrong(self, experiment: str) -> list[str]:
        """Wait for its end; what is wrong with it."""
        try:
            seen = self.until(experiment, is_final)
        except AssertionError as never:
            return [str(never)]
        if seen["state"] != "done":
            return [f"it ended as {seen['state']}: {seen['error']}"]
        found = [] if self._rows(experiment) == self.reference else ["its rows are not those of an undisturbed one"]
        again = "select shard from whatif_shardlog where experiment_id = ? and finished is not null"
        ended = [shard for (shard,) in self.instance.ask(f"{again} order by shard", experiment)]
        return found if len(ended) == len(set(ended)) else [*found, f"blocks finished more than once: {ended}"]

    def small_one_is_done(self) -> list[str]:
        """The fault of a small experiment that is made now."""
        try:
            seen = self.until(self.make(2), is_final)
        except AssertionError as never:
            return [f"an experiment made afterwards: {never}"]
        return [] if seen["state"] == "done" else [f"an experiment made afterwards {seen['state']}: {seen['error']}"]

    def _rows(self, experiment: str) -> str:
        return self.browser.get(f"/what-if/{experiment}/runs.csv").text


def is_final(status: dict[str, Any]) -> bool:
    return status["state"] not in ACTIVE
