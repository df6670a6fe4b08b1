"""Why the leader's log does not have lost records: what stands at their offsets, and where it ends."""

import pytest

from simengine.facts.decisive import LeaderActivated, RecordsLost
from simengine.facts.errors import ERR_NONE
from simengine.facts.traffic import Appended, CallsSettled
from simengine.verdict.presence import Spans
from simengine.why.evidence import Evidence, Gatherer, Records
from simengine.why.instead import instead
from tests.engine.made_facts import made

LED = made(LeaderActivated, 50, 9, broker=1, epoch=3, pe=7, start=30, leo=30, isr=[1])

Append = tuple[int, int, int, int, int]  # seq, broker, base, end, epoch


def told(appends: list[Append], lost: Spans, at: int = 9) -> str:
    """What is said of offsets that epoch 2 wrote, lost at a moment after those appends."""
    gatherer = Gatherer([Records(0, base, end, 2) for base, end in lost])
    for seq, broker, base, end, epoch in appends:
        gatherer.feed(made(Appended, seq, 5, broker=broker, base=base, count=end - base, epoch=epoch))
    text, rules = instead(LED, lost, [made(RecordsLost, 60, at, 50)], gatherer.found)
    assert rules == (("TRUNC-6", "LOG-4") if "there" in text or "other" in text else ("TRUNC-6",))
    return text


@pytest.mark.parametrize(
    ("appends", "lost", "text"),
    [
        ([(1, 1, 0, 30, 0)], [(30, 40)], "ends at 30"),
        ([(1, 1, 0, 30, 0)], [(10, 20)], "holds other records there, of epoch 0"),
        ([(1, 1, 0, 12, 0), (2, 1, 12, 30, 1)], [(10, 20)], "holds other records there, of epochs 0 and 1"),
        ([(1, 1, 0, 30, 0)], [(10, 40)], "holds other records at offsets 10–29, of epoch 0, and ends at 30"),
        ([(1, 1, 0, 30, 0)], [(10, 11), (35, 36)], "holds other records at offset 10, of epoch 0, and ends at 30"),
    ],
)
def test_a_log_that_is_long_enough_holds_other_records(appends: list[Append], lost: Spans, text: str) -> None:
    """TRUNC-6, LOG-4: its end explains the loss of those offsets only which it does not reach."""
    assert told(appends, lost) == text


def test_what_a_log_had_before_it_was_cut_is_not_what_stands_there() -> None:
    """The newest append to an offset counts, of that broker, and none after the loss."""
    appends = [(1, 1, 0, 30, 2), (2, 1, 10, 30, 1), (3, 2, 10, 30, 0), (70, 1, 10, 30, 3)]
    assert told(appends, [(10, 20)]) == "holds other records there, of epoch 1"


def test_what_was_cut_off_before_the_leadership_does_not_stand_beyond_the_end() -> None:
    assert told([(1, 1, 0, 40, 0)], [(30, 40)]) == "ends at 30"


def test_a_loss_that_comes_late_tells_what_the_leader_has_written_since() -> None:
    """S26: a former leader acknowledges while the new one, whose log ended there, goes on."""
    assert told([], [(30, 40)], 99) == "ended at 30 when it began to lead"
    assert told([(55, 1, 30, 45, 3)], [(30, 40)], 99) == "holds other records there, of epoch 3"
    some = "holds other records at offsets 30–34, of epoch 3, and ended at 30 when it began to lead"
    assert told([(55, 1, 30, 35, 3)], [(30, 40)], 99) == some


def test_an_epoch_that_the_run_does_not_tell_is_not_named() -> None:
    """Records that stood in the log when the run began were not appended in it."""
    assert told([], [(10, 20)]) == "has no records of that epoch there"
    assert told([(1, 1, 15, 30, 0)], [(10, 40)]) == "has no records of that epoch there"


def test_appends_of_any_epoch_are_evidence_and_acknowledgements_of_the_lost_one_alone() -> None:
    gatherer = Gatherer([Records(0, 10, 20, 2)])
    found: Evidence = gatherer.found
    for epoch in (1, 2):
        gatherer.feed(made(CallsSettled, epoch, 5, count=10, offset=10, epoch=epoch, error=ERR_NONE))
        gatherer.feed(made(Appended, epoch, 5, broker=1, base=10, count=10, epoch=epoch))
    assert [ack.records.epoch for ack in found.acks] == [2]
    assert [seen.records.epoch for seen in found.appends] == [1, 2]
    had = found.had(1, [Records(0, 10, 20, 2)], 9)
    assert had is not None
    assert had.seq == 2
