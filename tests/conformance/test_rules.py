"""Each rule of the comparator and each of its tolerances: just inside a recording is explained, just outside not."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from simengine.recordings.model import (
    CHANGED,
    OK,
    BrokerRecord,
    Call,
    ClientEvent,
    Details,
    PartitionRecord,
    Read,
    RecordedAction,
    Recording,
)
from simengine.recordings.reader import read
from tests.conformance.compare import compare
from tests.conformance.controls import two_records_exchanged
from tests.conformance.disagreement import Disagreement
from tests.conformance.fates import EXTRA_COPIES, OUT_OF_ORDER
from tests.conformance.recorded import Recorded

RECORDINGS = Path(__file__).parent / "recordings"
HEAL_S, START_S = 15.0, 40.0
TIMEOUT = "TimeoutException"
DEATH: Details = {"leader": 1, "epoch": 1, "isr": [1, 2]}  # of leader 0
ALONE: Details = {"leader": 1, "epoch": 1, "isr": [1]}


@cache
def recorded(name: str) -> Recording:
    return read(RECORDINGS / f"{name}.json")


def broken(real: Recording, *runs: Recording) -> list[int]:
    """The rules that do not hold when these runs are there three times each."""
    summaries = [Recorded.of(run).summary for run in runs for _ in range(3)]
    return sorted({found.rule for found in compare(Recorded.of(real), summaries).disagreements})


def said(real: Recording, *runs: Recording) -> str:
    summaries = [Recorded.of(run).summary for run in runs for _ in range(3)]
    return "\n".join(map(str, compare(Recorded.of(real), summaries).disagreements))


def s08(*steps: tuple[float, Details], after: str = "") -> Recording:
    """S08 with these steps of its partition, and a script that only healed or only started something (``after``)."""
    true = recorded("s08")
    at = HEAL_S if after == "heal" else START_S
    actions = (RecordedAction(at, at, after, {"args": []}),) if after else ()
    script = (RecordedAction(0.0, 0.0, "rate", {}), *actions, RecordedAction(80.0, 80.0, "describe", {}))
    records = (true.metadata[0], *(PartitionRecord(t, "t-0", changes) for t, changes in steps))
    return replace(true, actions=script, metadata=records, registrations=())


# -- rules 1 and 2


@pytest.mark.parametrize(
    ("after", "in_runs", "inside", "outside"),
    [
        ("", 60.0, 61.4, 61.6),  # STEP_WIDER_S
        ("", 60.0, 58.6, 58.4),
        ("heal", 17.0, 49.4, 49.6),  # and HEAL_LATE_S, on the late side only
        ("heal", 20.0, 18.6, 18.4),
        ("heal", 45.0, 49.9, 50.1),  # HEAL_SPAN_S after the heal
        ("start", 45.0, 49.4, 49.6),  # and START_LATE_S
        ("start", 45.0, 43.6, 43.4),
        ("start", 62.0, 64.9, 65.1),  # START_SPAN_S after the start
    ],
)
def test_rule_2_a_step_may_be_so_early_and_so_late(after: str, in_runs: float, inside: float, outside: float) -> None:
    run = s08((in_runs, DEATH), after=after)
    assert broken(s08((inside, DEATH), after=after), run) == []
    assert broken(s08((outside, DEATH), after=after), run) == [2]


def test_rule_2_the_range_is_that_of_the_matching_runs() -> None:
    late, early = s08((20.0, DEATH)), s08((16.0, DEATH))
    unlike = s08((24.0, ALONE))
    assert broken(s08((18.0, DEATH)), early, late) == []
    assert broken(s08((22.0, DEATH)), early, late, unlike) == [2]


@pytest.mark.parametrize(
    ("after", "inside", "outside"),
    [("", 22.9, 23.1), ("heal", 49.9, 50.1)],  # GROWTH_GAP_S after the step before; HEAL_SPAN_S after the heal
)
def test_rule_1_growth_of_the_isr_close_together_is_one_step(after: str, inside: float, outside: float) -> None:
    def grown(by: list[int], until: float) -> Recording:
        return s08((17.0, ALONE), (20.0, {"isr": by}), (until, {"isr": [0, 1, 2]}), after=after)

    assert broken(grown([1, 2], inside), grown([0, 1], inside)) == []
    assert broken(grown([1, 2], outside), grown([0, 1], outside)) == [1]


def test_rule_1_two_partitions_have_a_matching_run_in_common() -> None:
    true = recorded("s41")

    def stepped(*partitions: str) -> Recording:
        steps = tuple(PartitionRecord(20.0, partition, DEATH) for partition in partitions)
        return replace(true, metadata=(*true.metadata, *steps))

    real = stepped("t-0", "u-0")
    assert broken(real, stepped("t-0"), stepped("u-0")) == [1]
    assert broken(real, stepped("t-0"), stepped("u-0"), real) == []


# -- rule 3


def fenced(*times: float, after: str = "") -> Recording:
    """Broker 2 is fenced at these times, or unfenced at negative ones."""
    events = (BrokerRecord(abs(t), CHANGED, 2, 9, 1 if t > 0 else -1, False, None) for t in times)
    return replace(s08(after=after), registrations=tuple(events))


@pytest.mark.parametrize(
    ("after", "in_runs", "inside", "outside"),
    [("", 60.0, 61.4, 61.6), ("", 60.0, 58.6, 58.4), ("heal", 17.0, 49.4, 49.6), ("start", 45.0, 49.4, 49.6)],
)
def test_rule_3_a_fencing_may_be_early_or_late(after: str, in_runs: float, inside: float, outside: float) -> None:
    assert broken(fenced(inside, after=after), fenced(in_runs, after=after)) == []
    assert broken(fenced(outside, after=after), fenced(in_runs, after=after)) == [3]


def test_rule_3_some_run_has_the_sequence_of_a_broker() -> None:
    real = fenced(20.0, -30.0)
    assert broken(real, fenced(20.0), real) == []
    assert broken(real, fenced(20.0), fenced()) == [3]
    assert broken(fenced(20.0), fenced(20.0, -30.0)) == [3]
    assert "rule 3, broker 2: really unfenced at 30.00 s as number 2" in said(real, fenced(20.0))


def test_rule_3_passes_over_a_report_of_log_directories() -> None:
    """Since 4.3 a broker reports them once it has caught up: the record changes nothing that rule 3 compares."""
    plain = fenced(20.0, -30.0)
    report = BrokerRecord(30.1, CHANGED, 2, 9, 0, False, None)
    assert broken(replace(plain, registrations=(*plain.registrations, report)), plain) == []
    shutdown = report._replace(shutting_down=True)
    assert broken(replace(plain, registrations=(*plain.registrations, shutdown)), plain) == [3]


def test_rule_3_does_not_look_at_a_broker_that_a_late_heartbeat_unfenced() -> None:
    """FLT-8."""
    killed = RecordedAction(10.0, 10.0, "kill", {"args": [2]})
    haunted = fenced(19.0, -20.0, 29.5)
    real = replace(haunted, actions=(killed, *haunted.actions))
    assert broken(real, fenced(19.0)) == []
    assert broken(haunted, fenced(19.0)) == [3]


# -- rule 4


def sent(count: int, failed: int = 0, error: str = TIMEOUT) -> Recording:
    """The last calls of S08, long after its failure; some of them failed."""
    calls = recorded("s08").produce[-count:]
    outcomes = [call._replace(outcome=error) if i < failed else call for i, call in enumerate(calls)]
    return replace(recorded("s08"), produce=tuple(outcomes))


@pytest.mark.parametrize(
    ("real", "inside", "outside"),
    [(100, 125, 126), (100, 75, 74), (4, 6, 7), (4, 2, 1)],  # a quarter of the real number, but at least 2
)
def test_rule_4_counts_lie_in_the_range_widened(real: int, inside: int, outside: int) -> None:
    assert broken(sent(real), sent(inside)) == []
    assert broken(sent(real), sent(outside)) == [4]


def test_rule_4_none_stays_none_and_some_stay_some() -> None:
    assert broken(sent(20, failed=1), sent(20, failed=2)) == []
    assert broken(sent(20), sent(20, failed=1)) == [4]
    assert broken(sent(20, failed=1), sent(20)) == [4]
    assert broken(sent(20), sent(20, failed=1), sent(20)) == []


def test_rule_4_looks_at_the_class_of_exception() -> None:
    assert broken(sent(20, failed=2), sent(20, failed=2, error="NetworkException")) == [4]


def test_rule_4_looks_at_copies_and_order_and_absence() -> None:
    true = recorded("s08")
    log = true.logs["t-0"]
    again = replace(true, logs={"t-0": log._replace(records=(*log.records, log.records[9]))})
    gone = replace(true, logs={"t-0": log._replace(records=log.records[:-1])})
    assert f"really 1 {EXTRA_COPIES}: record P-9, " in said(again, true)
    assert f"really 1 {OUT_OF_ORDER}: record P-" in said(two_records_exchanged(true), true)
    assert "really 1 acknowledged, yet absent from the final log: record P-749, " in said(gone, true)
    assert broken(again, again) == broken(gone, gone) == []


def test_rule_4_counts_only_in_matching_runs() -> None:
    unlike = replace(sent(100), metadata=s08((17.4, ALONE)).metadata)
    assert broken(sent(100), unlike, sent(75)) == []
    assert broken(sent(100), unlike, sent(74)) == [4]


def test_rule_4_a_record_sent_alone_has_the_outcome_of_some_run() -> None:
    def without_ack(value: str) -> Recording:
        calls = [
            call._replace(outcome=TIMEOUT) if (call.partition, call.value) == ("t-0", value) else call
            for call in recorded("s41").produce
        ]
        return replace(recorded("s41"), produce=tuple(calls))

    real = without_ack("3")
    assert broken(real, without_ack("4")) == [4]
    assert broken(real, without_ack("4"), without_ack("3")) == []
    ended = r"really ended TimeoutException at \d+\.\d\d s with 1 copy; in the runs ok with 1 copy"
    first = said(real, without_ack("4")).splitlines()[0]
    assert re.search(rf"record 3, sent at \d+\.\d\d s, {ended}", first)


# -- rules 5 and 6: waits

WAITS = [
    ("", 60.0, 57.1, 56.9),  # WAIT_WIDER_S
    ("", 60.0, 62.9, 63.1),
    ("heal", 76.0, 42.1, 41.9),  # and HEAL_LATE_S where the script healed, on the late side only
    ("heal", 60.0, 62.9, 63.1),
]


def answered(wait: float, after: str) -> Recording:
    """One call, acknowledged after so long."""
    return replace(s08(after=after), produce=(Call("P", "t-0", "P-0", 1.0, 1.0 + wait, OK, 0),))


def delivered(wait: float, after: str) -> Recording:
    """One record, read after so long."""
    first = recorded("s08").logs["t-0"].records[0]
    return replace(s08(after=after), reads=(Read(wait, "C", "t-0", first.offset, first.epoch, first.value),))


@pytest.mark.parametrize(("after", "real", "inside", "outside"), WAITS)
@pytest.mark.parametrize(("rule", "waiting"), [(5, answered), (6, delivered)])
def test_rules_5_and_6_a_wait_may_be_so_short_and_so_long(
    rule: int,
    waiting: Callable[[float, str], Recording],
    after: str,
    real: float,
    inside: float,
    outside: float,
) -> None:
    assert broken(waiting(real, after), waiting(inside, after)) == []
    assert broken(waiting(real, after), waiting(outside, after)) == [rule]


def test_rule_5_a_call_never_answered_waits_to_the_end() -> None:
    never = replace(s08(), produce=(Call("P", "t-0", "none", 20.0, None, None, None),))
    later = replace(s08(), produce=(Call("P", "t-0", "none", 24.0, None, None, None),))
    assert broken(never, later) == [5]
    assert "really up to 60.00 s without an ack while a call was outstanding" in said(never, later)


# -- rule 6


def got(count: int, again: int = 0, phantoms: int = 0) -> Recording:
    """The first reads of S08, all in one poll; some of them again, some with values that the log has not."""
    reads = [r._replace(t=12.0) for r in recorded("s08").reads[:count]]
    wrong = [r._replace(value="elsewhere") for r in reads[:phantoms]]
    return replace(recorded("s08"), reads=(*wrong, *reads[phantoms:], *reads[count - again :]))


@pytest.mark.parametrize(
    ("real", "inside", "outside"),
    [
        (got(100), got(125), got(126)),
        (got(100), got(75), got(74)),
        (got(50, again=4), got(50, again=6), got(50, again=7)),
        (got(50, again=1), got(50, again=3), got(50)),
        (got(50, phantoms=4), got(50, phantoms=2), got(50, phantoms=1)),
        (got(50, phantoms=1), got(50, phantoms=3), got(50)),
    ],
)
def test_rule_6_counts_reads_and_repeats_and_phantoms(real: Recording, inside: Recording, outside: Recording) -> None:
    assert broken(real, inside) == []
    assert broken(real, outside) == [6]


def test_rule_6_what_poll_threw_is_what_it_threw_in_some_run() -> None:
    true = recorded("s08")

    def threw(*classes: str) -> Recording:
        return replace(true, client_events=tuple(ClientEvent(30.0, "C", "error", {"error": name}) for name in classes))

    real = threw("LogTruncationException")
    assert broken(real, threw("LogTruncationException", "LogTruncationException")) == []
    assert broken(real, true, threw("OffsetOutOfRangeException")) == [6]
    assert broken(real, threw("LogTruncationException", "OffsetOutOfRangeException")) == [6]
    assert broken(true, real) == [6]


# -- rule 7


def ended(epoch: int = 1, different: tuple[int, ...] = ()) -> Recording:
    """S08 whose last record has this epoch, and with replicas that differ from the leader's."""
    log = recorded("s08").logs["t-0"]
    records = (*log.records[:-1], log.records[-1]._replace(epoch=epoch))
    return replace(
        recorded("s08"), logs={"t-0": log._replace(records=records, different=dict.fromkeys(different, records[:-1]))}
    )


@pytest.mark.parametrize(
    ("real", "run"),
    [(ended(epoch=2), ended()), (ended(), ended(epoch=2)), (ended(different=(2,)), ended(different=(0,)))],
)
def test_rule_7_the_epochs_and_the_replicas_that_differ(real: Recording, run: Recording) -> None:
    assert broken(real, run) == [7]
    assert broken(real, run, real) == []


def test_rule_7_only_matching_runs_count() -> None:
    real = ended(different=(2,))
    unlike = replace(real, metadata=s08((17.4, ALONE)).metadata)
    assert broken(real, ended(), unlike) == [7]


# -- what is said: the time, the record, what really happened, what the runs did instead, and the rules concerned


def found(real: Recording, *runs: Recording) -> Disagreement:
    """The disagreement that is told first."""
    summaries = [Recorded.of(run).summary for run in runs for _ in range(3)]
    return compare(Recorded.of(real), summaries).disagreements[0]


def with_acks(real: Recording, acks: str) -> Recording:
    return replace(real, clients=tuple(client._replace(config={"acks": acks}) for client in real.clients))


@pytest.mark.parametrize(
    ("acks", "ids"),
    [("all", "(PROD-6, HW-2, ELEC-5, UNC-1, TRUNC-2)"), ("1", "(PROD-4, TRUNC-2)"), ("0", "(PROD-10, PC-9, TRUNC-2)")],
)
def test_a_lost_record_is_named_with_its_times_and_the_rules_of_its_acks(acks: str, ids: str) -> None:
    true = with_acks(recorded("s08"), acks)
    log = true.logs["t-0"]
    call = true.produce[9]
    gone = replace(true, logs={"t-0": log._replace(records=log.records[:9] + log.records[10:])})
    lost = found(gone, true)
    assert (lost.rule, lost.subject, lost.t) == (4, "P on t-0", call.done)
    assert lost.text.startswith(
        f"really 1 acknowledged, yet absent from the final log: record P-9, sent at {call.sent:.2f} s, "
        f"answered at {call.done:.2f} s with offset {call.offset}; 0 in 3 runs"
    )
    assert lost.text.endswith(ids)


@pytest.mark.parametrize(("acks", "ids"), [("all", "(IDEM-3, IDEM-7)"), ("1", "(PC-10)")])
def test_a_doubled_record_is_a_matter_of_idempotence(acks: str, ids: str) -> None:
    true = with_acks(recorded("s08"), acks)
    log = true.logs["t-0"]
    doubled = found(replace(true, logs={"t-0": log._replace(records=(*log.records, log.records[-1]))}), true)
    assert doubled.text.startswith("really 1 extra copies: record P-749, ")
    assert doubled.text.endswith(ids)


def test_what_only_the_runs_have_is_told_with_its_time_there() -> None:
    failed = found(sent(20), sent(20, failed=2))
    first = recorded("s08").produce[-20]
    assert failed.t == first.done
    assert f"really 0 failed, yet in the final log; 2 in 3 runs, the first at {first.sent:.2f} s (PC-11, PROD-8)" in (
        failed.text
    )


def test_a_mere_number_is_told_after_all_that_names_a_moment() -> None:
    """A producer with too few records, which a poll that threw follows in the order of the rules."""
    real = replace(sent(100), client_events=(ClientEvent(30.0, "C", "error", {"error": "LogTruncationException"}),))
    summaries = [Recorded.of(sent(50)).summary] * 3
    assert [one.rule for one in compare(Recorded.of(real), summaries).disagreements] == [6, 4]


def test_a_wait_is_told_with_its_beginning_and_the_record_that_waited() -> None:
    wait = found(answered(60.0, ""), answered(1.0, ""))
    assert wait.t == 1.0
    assert wait.text == (
        "really up to 60.00 s without an ack while a call was outstanding, from 1.00 s on (record P-0); "
        "in the runs 1.00 s, from 1.00 s on (PROD-2, PROD-5, HW-2, PC-7)"
    )


@pytest.mark.parametrize(
    ("leader", "ids"), [(-1, "(ELEC-7, PC-8)"), (1, "(LIVE-3, PC-5, PC-7)"), (0, "(PROD-2, PROD-5, HW-2, PC-7)")]
)
def test_the_rules_of_a_wait_are_those_of_the_leaders_in_it(leader: int, ids: str) -> None:
    def waiting(seconds: float) -> Recording:
        run = s08((20.0, {"leader": leader, "epoch": 1, "isr": [1, 2]}))
        return replace(run, produce=(Call("P", "t-0", "P-0", 10.0, 10.0 + seconds, OK, 0),))

    assert found(waiting(30.0), waiting(1.0)).text.endswith(ids)


def test_a_consumer_that_left_records_out_is_told_with_the_first_of_them() -> None:
    true = recorded("s08")
    half = found(replace(true, reads=true.reads[::2]), true)
    assert half.t == true.reads[2].t
    assert f"the first left out stands before offset 2, read at {true.reads[2].t:.2f} s (CON-1, HW-1)" in half.text


def test_what_poll_threw_is_told_with_its_time() -> None:
    true = recorded("s08")
    threw = replace(true, client_events=(ClientEvent(30.0, "C", "error", {"error": "OffsetOutOfRangeException"}),))
    assert found(threw, true) == Disagreement(
        6, "C", 30.0, "poll really threw OffsetOutOfRangeException at 30.00 s; in the runs nothing (CON-1, CON-5)"
    )
    assert found(true, threw).text == (
        "poll really threw nothing; in the runs OffsetOutOfRangeException (OffsetOutOfRangeException first at 30.00 s) "
        "(CON-1, CON-5)"
    )


def test_a_log_that_ends_otherwise_is_told_with_the_record_where_it_parts() -> None:
    last = recorded("s08").produce[-1]
    other = found(ended(epoch=2), ended())
    assert other.t == last.sent
    assert (
        f"parting at offset 749 with record {last.value}, sent at {last.sent:.2f} s; in the runs +0, +1 (" in other.text
    )
    apart = found(ended(different=(2,)), ended(different=(0,)))
    assert apart.text == (
        "replicas that really end unlike the leader's: 2 (from offset 749 on); in the runs 0 "
        "(TRUNC-2, TRUNC-3, FET-9, FET-14)"
    )


def test_runs_that_scatter_are_told_as_a_range() -> None:
    """Rules 1 and 3: one range for an event, not a group for each time."""
    assert "of the runs that agree until then 6 have fenced at 17.00 to 19.40 s" in said(
        fenced(), fenced(17.0), fenced(19.4)
    )
    assert said(fenced(-30.0), fenced(17.0)).endswith("(LIVE-6, REG-1, TCP-1, LIVE-2, LIVE-3, SHUT-4, QUO-4)"), (
        "of both"
    )
    missing = found(s08(), s08((17.4, DEATH)), s08((19.0, DEATH)))
    assert missing.t == 17.4
    assert missing.text == (
        "nothing really changed after time 0; of 6 runs that agree until then 6 have leader 1, epoch +1, "
        "ISR {1, 2} of [0, 1, 2] at 17.40 to 19.00 s (ELEC-3, LIVE-3, SHUT-1, PREF-1)"
    )
