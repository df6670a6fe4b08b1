"""``auto.offset.reset=by_duration:PT1H``: from the first record that is no older than so long (CON-5, HW-7)."""

from typing import Any

import pytest

from simengine.facts import errors
from simengine.facts.decisive import ConsumerReset
from simengine.kafka.broker.consumer_fetch import handle_offset
from simengine.kafka.log.log import Batch, Log
from simengine.kafka.wire.api import BY_TIME, OffsetRequest
from simengine.scenario import load
from simengine.scenario.durations import ISO_MAX, parse_iso_duration
from simengine.scenario.problems import DocumentError, FieldError
from tests.engine.cluster import SECOND, copy_on, facts, world


def resets(policy: str, timeline: list[tuple[str, str]], until: int) -> list[tuple[float, int, str]]:
    """(time, offset, why) of every position that was found; ten records a second come until a rate says otherwise."""
    names = ("", "earliest", "latest", "truncation", "committed", "by duration")
    run = world(
        producers=[{"id": "P", "topic": "t", "rate": 10}],
        consumers=[
            {"id": "C", "partitions": [["t", 0]], "state": "closed", "config": {"auto.offset.reset": policy}},
        ],
        timeline=[{"at": at, "do": do} for at, do in timeline],
    )
    run.run(until * SECOND)
    return [(round(f.t / SECOND, 1), f.new, names[f.why]) for f in facts(run, ConsumerReset)]


@pytest.mark.parametrize(("duration", "offset"), [("PT4S", 160), ("PT0.35S", 197), ("PT1H", 0), ("P2D", 0)])
def test_a_consumer_begins_with_the_first_record_that_is_no_older(duration: str, offset: int) -> None:
    """CON-5: 200 records in 20 s, evenly."""
    [(at, found, why)] = resets(f"by_duration:{duration}", [("20s", "open C")], 25)
    assert (at, why) == (20.0, "by duration")
    assert abs(found - offset) <= 1


def test_where_no_record_is_so_young_it_asks_again_after_the_request_timeout() -> None:
    """CON-5: the answer names no offset; Kafka's client keeps the partition waiting, without a position."""
    timeline = [("10s", "rate P 0"), ("20s", "open C"), ("40s", "rate P 10")]
    [(at, offset, why)] = resets("by_duration:PT5S", timeline, 90)
    assert (at, why) == (50.0, "by duration")
    assert abs(offset - (100 + 50)) <= 2


@pytest.mark.parametrize(
    ("hw", "epoch_start", "time", "offset", "error"),
    [
        (6, 0, 35, 4, errors.ERR_NONE),  # the first at 40 or later
        (6, 0, 40, 4, errors.ERR_NONE),
        (6, 0, 41, 5, errors.ERR_NONE),
        (6, 0, 51, -1, errors.ERR_NONE),  # the next one is not committed
        (6, 0, 500, -1, errors.ERR_NONE),
        (6, 8, 51, -1, errors.ERR_OFFSET_NOT_AVAILABLE),  # it may be: this leader's high watermark lags
        (6, 8, 35, 4, errors.ERR_NONE),  # what it knows it may say
        (6, 0, -5, 2, errors.ERR_NONE),  # from the log start on
    ],
)
def test_a_leader_finds_the_first_committed_record_of_a_time(
    hw: int, epoch_start: int, time: int, offset: int, error: int
) -> None:
    """HW-7: ten records, one each 10 us; two are below the log start."""
    run = world()
    run.run(2 * SECOND)
    leader = copy_on(run, 0)
    for n in range(10):
        leader.log.append(Batch(n, 1, leader.epoch, 0, n, -1, -1, -1, 10 * n))
    leader.log.start, leader.hw, leader.epoch_start = 2, hw, epoch_start
    got: list[Any] = []

    class Channel:
        def answer(self, answer: Any) -> None:
            got.append(answer)

    handle_offset(leader.broker, Channel(), OffsetRequest(0, BY_TIME, leader.epoch, time))  # type: ignore[arg-type]
    assert (got[0].what, got[0].offset, got[0].error) == (BY_TIME, offset, error)


def test_a_folded_log_finds_the_same_offsets() -> None:
    """Runs keep the times of their first and last record; those between come evenly."""
    log, plain = Log(), Log()
    for n in range(100):
        for each in (log, plain):
            each.append(Batch(3 * n, 3, 1, 0, 3 * n, -1, -1, -1, 1000 * n))
    log.fold(270, 1 << 40)
    assert len(log.batches) < 20
    assert [log.offset_at(1000 * n, 300) for n in (0, 95, 99)] == [plain.offset_at(1000 * n, 300) for n in (0, 95, 99)]
    for n in range(1, 90):
        assert abs(int(log.offset_at(1000 * n, 300)) - int(plain.offset_at(1000 * n, 300))) <= 3
    run = log.batches[0]
    assert run.time_of(run.end - 1) == run.until == 89_000
    part = run.part(30, 60)
    assert (part.time, part.until) == (run.time_of(30), run.time_of(89))
    for time in (0, 1, 500, 44_444, 88_999, 89_000):
        first = run.since(time)
        assert run.time_of(first) >= time
        assert first == run.base or run.time_of(first - 1) < time


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("PT1H", 3600),
        ("P1D", 86_400),
        ("pt0.5s", 0.5),
        ("PT1,5S", 1.5),
        ("P2DT3H4M5S", 183_845),
        ("PT-6M420S", 60),
        ("-PT-3S", 3),
        ("PT0S", 0),
        ("PT0.0000009S", 0),
    ],
)
def test_durations_are_read_as_java_reads_them(text: str, seconds: float) -> None:
    assert parse_iso_duration(text) == int(seconds * SECOND)


def test_a_duration_beyond_all_time_is_all_time() -> None:
    assert parse_iso_duration(f"P{10**17}D") == ISO_MAX


@pytest.mark.parametrize("text", ["", "P", "PT", "P1DT", "1h", "PT1X", "-PT1S", "PT-6H3M", "P1Y", "PT1H1D"])
def test_what_is_no_duration_or_a_negative_one_is_refused(text: str) -> None:
    with pytest.raises(FieldError, match="duration"):
        parse_iso_duration(text)


@pytest.mark.parametrize(
    "policy", ["by_duration", "by_duration:", "by_duration:1h", "by_duration:-PT1H", "BY_DURATION:PT1H"]
)
def test_a_document_with_such_a_policy_is_refused_with_what_is_allowed(policy: str) -> None:
    document = {
        "format": 1,
        "cluster": {"brokers": [0]},
        "topics": [{"name": "t", "assignment": [[0]]}],
        "consumers": [{"id": "C", "partitions": [["t", 0]], "config": {"auto.offset.reset": policy}}],
    }
    with pytest.raises(DocumentError, match="PnDTnHnMn"):
        load(document)
