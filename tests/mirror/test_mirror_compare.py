"""A source log held against the remote log: what is mirrored, doubled, skipped or different (MM-1, MM-9)."""

from simengine.kafka.log.log import Batch, Log
from simengine.mirror.copies import CopiedRecords
from simengine.world.mirrors.compare import RemoteRun, compared, position_in, remote_runs
from simengine.world.mirrors.words import places_words

APP, MIRROR = 0, 7
MS = 1_000


def log(*batches: tuple[int, int, int, int]) -> Log:
    """A log of (base, count, client, first call); a record is written each ms."""
    found = Log()
    found.reset(batches[0][0])
    for base, count, client, n in batches:
        batch = Batch(base, count, 0, client, n, -1, -1, -1, base * MS)
        batch.until = (base + count - 1) * MS
        found.append(batch)
    return found


FIGURES = ("mirrored", "doubled", "disagree", "skipped", "left", "not_mirrored", "not_mirrored_us")


def run(upstream: int, count: int, downstream: int = 0, n: int | None = None) -> RemoteRun:
    return RemoteRun(downstream, upstream, APP, upstream if n is None else n, count)


def figures(source: Log, end: int, position: int, runs: list[RemoteRun], began: int = 0) -> dict[str, int]:
    found = compared(source, end, position, runs, began)
    return {key: getattr(found, key) for key in FIGURES if getattr(found, key)}


SOURCE = log((0, 60, APP, 0), (60, 40, APP, 60))


def test_what_was_not_copied_yet_is_told_with_the_time_that_it_spans() -> None:
    assert figures(SOURCE, 100, 80, [run(0, 80)]) == {
        "mirrored": 80,
        "left": 20,
        "not_mirrored": 20,
        "not_mirrored_us": 19 * MS,
    }


def test_records_above_the_high_watermark_are_not_owed() -> None:
    assert figures(SOURCE, 80, 80, [run(0, 80)]) == {"mirrored": 80}


def test_copies_made_twice_are_doubled_and_mirrored_once() -> None:
    assert figures(SOURCE, 100, 100, [run(0, 70), run(50, 50)]) == {"mirrored": 100, "doubled": 20}


def test_what_was_passed_over_is_skipped() -> None:
    assert figures(SOURCE, 100, 100, [run(0, 30), run(40, 60)]) == {"mirrored": 90, "skipped": 10, "left": 10}


def test_what_retention_removed_before_it_was_copied_is_skipped_though_the_flow_does_not_know() -> None:
    source = log((0, 60, APP, 0), (60, 40, APP, 60))
    source.start = 60
    assert figures(source, 100, 20, [run(0, 20)]) == {
        "mirrored": 20,
        "skipped": 40,
        "left": 40,
        "not_mirrored": 40,
        "not_mirrored_us": 39 * MS,
    }


def test_what_retention_removed_before_the_flow_began_was_never_its_to_copy() -> None:
    """MM-1: a flow begins at the oldest record that the source has."""
    source = log((0, 60, APP, 0), (60, 40, APP, 60))
    source.start = 60
    assert figures(source, 100, 99, [run(70, 29)], began=70) == {"mirrored": 29, "left": 1, "not_mirrored": 1}
    assert figures(source, 100, 0, [], began=60) == {
        "left": 40,
        "not_mirrored": 40,
        "not_mirrored_us": 39 * MS,
    }


def test_records_whose_copies_went_with_the_targets_log_stay_skipped() -> None:
    """The flow began at 0 and goes on at 90: it does not copy again what the target has lost."""
    assert figures(SOURCE, 100, 90, [run(60, 30)]) == {
        "mirrored": 30,
        "skipped": 60,
        "left": 70,
        "not_mirrored": 10,
        "not_mirrored_us": 9 * MS,
    }


def test_copies_of_records_that_the_source_has_lost_disagree() -> None:
    source = log((0, 60, APP, 0), (60, 20, APP, 90))  # an unclean election: other records stand at 60 and on
    found = figures(source, 80, 100, [run(0, 100)])
    assert found == {"mirrored": 60, "disagree": 40, "skipped": 20, "left": 20}
    assert compared(source, 80, 100, [run(0, 100)]).disagree_at == [(60, 100)]


def test_the_first_ranges_of_records_that_disagree_are_named() -> None:
    places = [
        {"partition": "t-0", "offsets": [(5, 6), (1000, 2000)]},
        {"partition": "t-1", "offsets": [(0, 2), (7, 9)]},
    ]
    assert places_words(places[:1]) == "t-0 at 5 and t-0 at 1,000 to 1,999"
    assert places_words(places) == "t-0 at 5, t-0 at 1,000 to 1,999, t-1 at 0 to 1 and 1 more"


def test_what_stood_before_a_log_that_begins_late_is_not_judged() -> None:
    assert figures(log((50, 50, APP, 50)), 100, 100, [run(0, 100)]) == {"mirrored": 50}


def test_an_empty_source_owes_nothing() -> None:
    assert figures(Log(), 0, 0, []) == {}


def test_the_runs_of_a_remote_log_are_those_of_the_flows_own_producer() -> None:
    copied = CopiedRecords()
    copied.add(0, APP, 0, 10)
    copied.add(15, APP, 15, 5)  # a gap in the source
    remote = log((0, 12, MIRROR, 0), (12, 4, 3, 0), (16, 3, MIRROR, 12))
    found = [(one.downstream, one.upstream, one.n, one.count) for one in remote_runs(remote, [MIRROR], copied)]
    assert found == [(0, 0, 0, 10), (10, 15, 15, 2), (16, 17, 17, 3)]


def test_a_position_is_the_first_offset_from_which_on_nothing_older_is_needed() -> None:
    runs = [run(0, 50, downstream=5), run(60, 40, downstream=55)]
    assert position_in(runs, 20, 95) == 25
    assert position_in(runs, 55, 95) == 55  # 50 to 59 have no copy
    assert position_in(runs, 100, 95) == 95
