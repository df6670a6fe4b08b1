"""The AZ answer's headline: which AZ is the worst, what it names and counts, and which assumptions decide it."""

import re
from dataclasses import replace

import pytest

from simengine.importers.report import import_text
from simengine.questions.az import edits as az_edits
from simengine.questions.az import figures
from simengine.questions.az import table as az_table
from simengine.questions.az.answer import answer
from simengine.questions.az.causes import heaviest_rack
from simengine.questions.az.cell import AzCell
from simengine.questions.az.edits import KILLED, Edits
from simengine.questions.az.tries import decides, is_alike
from simengine.scenario import Document, load, to_plain
from tests.questions.az_clusters import HEADER, ROW, SINGLE, SPREAD, TWICE, answered, cluster, losses, row


def _with_loss(made: AzCell) -> AzCell:
    return replace(made, parts=(replace(made.parts[0], lost=4), *made.parts[1:]))


def test_an_az_that_loses_records_is_worse_than_one_that_only_stops_writes() -> None:
    """Worst first is by lost, then offline, then not writable; a loss with acks=1 is a loss."""
    doc = cluster(SINGLE, SPREAD)
    stops, loses = row(doc, "az-c"), row(doc, "az-b")
    for worse in (replace(loses, safe=_with_loss(loses.safe)), replace(loses, fast=_with_loss(loses.fast))):
        found = answer(doc, [stops, worse])
        assert found.order == ("az-b", "az-c")
        assert "4 acknowledged records are gone in this run" in found.headline
    assert answer(doc, [loses, stops]).order == ("az-c", "az-b"), "where nothing is lost, the longer stop is worse"


def _steps(doc: Document, key: str) -> list[int]:
    """The steps of all figures of a row."""
    made = row(doc, key)
    return [*figures.steps(made.safe), *figures.steps(made.fast)]


def test_the_worst_az_has_the_gravest_cell() -> None:
    """az-b takes one partition off. The others stop the writes of ten, and their cells say "half or more"."""
    doc = cluster(("few", 1, ["4"]), ("many", 2, ["3,2"] * 10))
    found = answered(doc)
    assert max(_steps(doc, "az-b")) < max(_steps(doc, found.worst)) == max(_steps(doc, "az-a"))
    assert found.order[-1] == "az-b"


def test_an_az_that_stops_others_for_seconds_besides_is_worse_than_one_that_does_not() -> None:
    """Both stop p-0 until they are back. az-c leads it too: with acks=1 its clients wait for the new leader."""
    doc = cluster(("p", 2, ["2,1"]))
    assert max(_steps(doc, "az-b")) == max(_steps(doc, "az-c"))
    assert sum(_steps(doc, "az-b")) < sum(_steps(doc, "az-c"))
    found = answered(doc)
    assert found.order[:2] == ("az-c", "az-b")
    assert found.headline.startswith("az-c going dark hurts most: p stops taking acks=all writes until it is back.")


def test_azs_that_do_the_same_harm_are_named_as_one() -> None:
    doc = cluster(("spread", 2, ["1,2,3", "2,3,1", "3,1,2"]))
    found = answered(doc)
    assert found.is_same
    assert re.match(
        r"Any one AZ going dark is the same: acks=all writes pause for up to \d+\.\d s in this run, and go on",
        found.headline,
    )
    assert heaviest_rack(doc) == "az-a"
    killed = answered(doc, dies=KILLED)
    assert killed.headline.startswith("Whichever AZ is killed: acks=all writes pause for up to "), "not for as long"


def test_azs_that_stop_other_topics_or_stop_for_other_times_are_not_called_the_same() -> None:
    apart = answered(cluster(("one", 2, ["1,2"]), ("two", 2, ["2,3"]), ("three", 2, ["3,1"])))
    assert not apart.is_same
    assert re.match(r"az-\w going dark hurts as much as any: \w+ and \w+ stop taking acks=all writes", apart.headline)
    longer = answered(cluster(("t", 2, ["1,2,3"])))
    assert longer.headline.startswith("Whichever AZ goes dark: acks=all writes pause for up to ")


def _with_reader(made: AzCell, us: int) -> AzCell:
    """The cell with a reader of its topic that got nothing for so long, to the end of the run."""
    parts = [part if part.is_internal else replace(part, read_us=us, read_open=True) for part in made.parts]
    return replace(made, parts=tuple(parts))


def test_a_reader_that_waits_longer_than_writes_is_in_the_headline() -> None:
    """PC-7: its fetch waits for one dark broker, and then its metadata request for another one."""
    doc = cluster(("t", 2, ["1,2,3"]))
    plain = row(doc, "az-b")
    for slow in (
        replace(plain, safe=_with_reader(plain.safe, 45_000_000)),
        replace(plain, fast=_with_reader(plain.fast, 45_000_000)),
    ):
        found = answer(doc, [slow])
        assert (
            " and a reader gets nothing for at least 45.0 s in this run, and both go on before it is back."
            in found.headline
        )
        (pauses,) = [fact for fact in found.facts if fact["key"] == "seconds"]
        assert "readers of 1 partition, at least 45.0 s" in pauses["text"]
        assert pauses["small"].endswith("; for longer where its next request goes to another dark broker")
        assert slow.fine_rank > plain.fine_rank
    close = figures.writes(plain.safe).us + 500_000
    alike = replace(plain, safe=_with_reader(plain.safe, close), fast=_with_reader(plain.fast, close))
    assert "a reader gets nothing" not in answer(doc, [alike]).headline


def test_a_reader_that_waits_alone_is_told_though_writes_go_on() -> None:
    doc = cluster(("t", 1, ["1,2,3"]))
    plain = row(doc, "az-b")
    parts = tuple(replace(part, write_us=0, read_us=0) for part in plain.safe.parts if not part.is_internal)
    quiet = replace(
        plain, safe=replace(plain.safe, parts=parts, fences_beside=False), fast=replace(plain.fast, parts=())
    )
    waits = replace(quiet, safe=_with_reader(quiet.safe, 30_000_000))
    assert ": nothing stops." in answer(doc, [quiet]).headline
    said = ": a reader gets nothing for at least 30.0 s in this run, and goes on before it is back."
    assert said in answer(doc, [waits]).headline


def test_the_headline_speaks_of_a_part_of_a_topic_in_the_plural() -> None:
    pairs = ("pair", 2, ["1,2", "2,3", "3,1"])
    assert "2 of 3 partitions of pair stop taking acks=all writes" in answered(cluster(pairs)).headline
    assert "pair stops taking acks=all writes" in answered(cluster(("pair", 2, ["1,2"]))).headline


def test_the_headline_names_whole_topics_before_shares_of_others() -> None:
    """``1 of 2 partitions of part and whole`` would read as one share of both."""
    parts = ("part", 2, ["1,4", "2,3,1"])
    said = answered(cluster(parts, ("whole", 2, ["1,4"]))).headline
    assert "whole and 1 of 2 partitions of part stop taking acks=all writes" in said


def test_the_headline_counts_all_topics_not_those_that_it_names() -> None:
    many = [(f"topic-{n}", 2, ["1,4"]) for n in range(5)]
    found = answered(cluster(*many, SPREAD))
    assert "5 of 7 partitions, in 5 topics, stop taking acks=all writes until it is back" in found.headline
    stops = next(fact for fact in found.facts if fact["key"] == "until_back")
    assert stops["text"].endswith("1 more topic")


@pytest.mark.parametrize(
    ("lists", "said"),
    [
        (["1,4,2", "1,2,3"], "1 of 2 partitions of mixed stops taking"),
        (["1,4,2", "4,1,3", "1,2,3"], "2 of 3 partitions of mixed stop taking"),
    ],
)
def test_the_headline_speaks_of_one_partition_or_of_several(lists: list[str], said: str) -> None:
    assert said in answered(cluster(("mixed", 2, lists))).headline


def test_the_headline_says_what_is_out_already() -> None:
    plain = to_plain(cluster(("pay", 2, ["1,2,3", "5,4,6", "3,2,6"])))
    plain["cluster"]["brokers"][4]["state"] = "down"
    plain["topics"][0]["initial"]["1"] = {"leader": "none", "isr": [5], "leo": 10}
    assert ". 1 of 3 partitions has no leader already. No acknowledged record" in answered(load(plain)).headline
    plain["topics"][0]["initial"]["2"] |= {"isr": [3], "failed": [2, 6]}
    said = answered(load(plain)).headline
    takes = "1 of 3 partitions takes no acks=all writes already, and can neither be written nor read until it is back. "
    assert f"1 of 3 partitions has no leader already. {takes}" in said, "the lost AZ has the only copy in sync"


def test_an_az_that_stops_nothing_is_not_among_those_that_are_the_same() -> None:
    """All brokers of az-c are down, and two of three controllers go on without it: it is no row."""
    plain = to_plain(cluster(("pair", 1, ["1,3,2", "3,1,5"])))
    for broker in plain["cluster"]["brokers"]:
        broker["state"] = "down" if broker["rack"] == "az-c" else "running"
    for state in plain["topics"][0]["initial"].values():
        state["isr"] = [broker for broker in state["isr"] if broker not in (2, 5)]
    found = answered(load(plain))
    assert re.match(
        r"(az-a or az-b going dark is the same|Whichever of az-[ab] and az-[ab] goes dark): ", found.headline
    )


def test_without_an_az_the_answer_says_so() -> None:
    text = HEADER.format(name="t", count=1, least=1) + ROW.format(name="t", number=0, leader=1, ids="1,2")
    doc = load(import_text(text)["scenario"])
    assert answered(doc).headline.startswith("No broker that runs has an AZ")
    assert heaviest_rack(doc) == ""


def test_what_decides_the_headline_is_found_by_trying() -> None:
    doc = cluster(TWICE, SINGLE)
    tried = {line["decides"]["key"]: line["decides"] for line in az_table.lines(doc) if "decides" in line}
    assert tried["controllers"]["decides"] is True
    assert tried["disks"]["decides"] is True
    assert tried["log_gb"]["decides"] is False
    assert all(one["headline"] or one["why"] for one in tried.values())
    assert set(tried) == {field["key"] for field in az_table.outline(doc, losses(doc), az_edits.Edits())["basis"]}


def test_headlines_that_differ_by_little_are_alike() -> None:
    one = "Any one AZ going dark is the same: acks=all writes pause for up to 30.0 s."
    assert is_alike(one, one.replace("30.0", "27.1"))
    assert not is_alike(one, one.replace("30.0", "9.4"))
    assert is_alike("With acks=1 1 acknowledged record is gone.", "With acks=1 3 acknowledged records are gone.")


def test_a_value_that_helps_the_worst_az_is_tried_on_the_others_too() -> None:
    """Each AZ waits for request.timeout.ms: with 5 s instead of 30 s none of them stops for so long."""
    doc = cluster(SPREAD)
    rows = [row(doc, key) for key in ("az-a", "az-b", "az-c")]
    lines = decides(doc, Edits(), rows, answer(doc, rows))
    found = next(one for one in lines if one["key"] == "request_timeout_ms")
    time = re.search(r"for (?:up to|at least) (\d+\.\d) s", found["headline"])
    assert found["decides"]
    assert time is not None
    assert float(time[1]) < 25
