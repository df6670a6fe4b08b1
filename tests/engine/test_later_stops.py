"""A fault may stop writes long after they came through: that is told beside its RTO (section 5)."""

import re

import pytest

from simengine.facts.decisive import ActionDone
from simengine.scenario import load
from simengine.verdict.account import Account
from simengine.verdict.write_path import OPEN, STALLED
from simengine.why.examine import examine
from simengine.why.incident_words import again_words
from simengine.why.later_stops import LaterStops
from simengine.why.past import Past
from tests.engine.cluster import SECOND, world
from tests.engine.made_facts import made

DOCUMENT = """
format: 1
until: 60s
seed: 7
cluster: {brokers: [1, 2, 3], controllers: [100]}
topics: [{name: t, assignment: [[1, 2]], config: {min.insync.replicas: 2}}]
producers: [{id: P, topic: t, rate: 20}]
timeline:
  - {at: 10s, do: "cut 2|100"}
"""


def rto_of(actions: str) -> list[str]:
    """The RTO of each incident in words."""
    doc = load((DOCUMENT + actions).encode())
    return [" ".join(incident["words"][1:]) for incident in examine(doc, doc.until_us)["incidents"]]


def test_a_broker_that_is_fenced_for_a_cut_stops_writes_later() -> None:
    """LIVE-4, PROD-2: writes come through at once, until the session of broker 2 ends and the ISR is too small."""
    (rto,) = rto_of("  - {at: 40s, do: heal}\n")
    said = re.fullmatch(
        r"RTO acks=all: worst 0\.\d s \(.*\); t-0 down because of it, but only from ([\d.]+) s for ([\d.]+) s", rto
    )
    assert said, rto
    assert 17 < float(said[1]) < 24
    assert 40 < float(said[1]) + float(said[2]) < 55


def test_a_leader_that_waits_for_a_controller_before_it_stops_is_down_because_it_was_told_to_stop() -> None:
    """SHUT-2: no controller answers, so it leaves only when its patience ends, and writes stop then."""
    text = (
        DOCUMENT.replace("60s", "400s").replace('"cut 2|100"', "kill 100")
        + """
  - {at: 12s, do: stop 1}
  - {at: 330s, do: start 100}
"""
    )
    doc = load(text.encode())
    told = [" ".join(incident["words"]) for incident in examine(doc, doc.until_us)["incidents"]]
    assert re.search(r"t-0 down because of it, but only from 312\.0 s for [\d.]+ s", told[1]), told


def test_a_stop_that_is_going_on_is_told_as_such() -> None:
    (rto,) = rto_of("")
    assert rto.endswith(" s so far")


@pytest.mark.parametrize("other", ["kill 2", "stop 2"])
def test_a_stop_that_is_there_without_the_fault_is_not_its(other: str) -> None:
    """The chain of causes names the cut; a run without it stops for nearly as long, for another reason."""
    assert "because of it" not in rto_of(f"  - {{at: 24s, do: {other}}}\n")[0]


def test_a_fault_that_has_nothing_to_do_with_a_later_stop_does_not_tell_it() -> None:
    cut, _ = rto_of("  - {at: 12s, do: 'cut 1>3'}\n")
    assert "down because of it, but only" in cut
    doc = load(DOCUMENT.replace("cut 2|100", "kill 3").encode() + b"  - {at: 12s, do: 'cut 2|100'}\n")
    killed = examine(doc, doc.until_us)["incidents"][0]
    assert "because of it" not in " ".join(killed["words"])


def test_a_stop_that_another_fault_begins_is_that_ones() -> None:
    """Without the first kill the second one would stop nothing; the second one is what the stop goes back to."""
    three = DOCUMENT.replace("[[1, 2]]", "[[1, 2, 3]]").replace("cut 2|100", "kill 2")
    doc = load((three + "  - {at: 30s, do: kill 3}\n").encode())
    first, second = examine(doc, doc.until_us)["incidents"]
    assert "because of it" not in " ".join(first["words"])
    assert "none so far" in second["words"][1]


def test_of_several_later_stops_the_longest_is_told_and_the_others_are_counted() -> None:
    stops = [
        {"partition": f"t-{i}", "from_us": 2_000_000, "us": us, "is_open": False, "is_again": True}
        for i, us in ((0, 3_000_000), (1, 9_000_000))
    ]
    assert again_words(stops) == "; t-1 down again because of it from 2.0 s for 9.0 s, and 1 other later stop"
    assert again_words([]) == ""


class Theirs(LaterStops):
    """Every later stop goes back to the incident."""

    def _is_of(self, at_us: int, account: Account, start: int) -> bool:
        return True

    def _is_held(self, at_us: int, p: int, mode: str, start: int, end: int) -> bool:
        return True


@pytest.mark.parametrize(("begins", "is_again"), [(5, True), (6, True), (9, False)])
def test_a_partition_is_down_again_only_if_the_incident_stopped_it_at_once(begins: int, is_again: bool) -> None:
    run = world()
    account = run.book.account(0)
    account.states = [
        (begins * SECOND, STALLED, 1),
        (10 * SECOND, OPEN, 0),
        (20 * SECOND, STALLED, 0),
        (30 * SECOND, OPEN, 0),
    ]
    done = made(ActionDone, 1, 5 * SECOND, text="cut 0|1")
    [stop] = Theirs(run, Past([done])).of(5 * SECOND, 0, "t-0", "all", 15 * SECOND)
    assert stop.is_again is is_again
    down = "down again because of it" if is_again else "down because of it, but only"
    assert again_words([stop._asdict()]).startswith(f"; t-0 {down} from 20.0 s")
