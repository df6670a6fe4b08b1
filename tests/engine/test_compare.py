"""Runs compared: figures side by side, the first decisive event that differs, what differs in each partition."""

import json
from pathlib import Path

import pytest

from simengine.commands.compare import main
from simengine.compare.comparison import AFTERMATH_US, compare, end_us
from simengine.compare.figures import figure_text
from simengine.scenario import Document, load, to_yaml_all
from simengine.world.world import build

SCENARIOS = Path(__file__).parents[1] / "scenarios"
LOST = SCENARIOS / "s10-unreplicated-data.yaml"
KEPT = SCENARIOS / "s11a-the-same-with-acks-all.yaml"
BASE = """
format: 1
title: {title}
until: 30s
cluster: {{brokers: [1, 2, 3], controllers: [100]}}
topics: [{{name: orders, assignment: [[1, 2, 3]], config: {{min.insync.replicas: 2}}}}]
producers: [{{id: writer, topic: orders, acks: {acks}, rate: 20}}]
timeline: [{timeline}]
"""


def document(title: str, acks: str = "all", timeline: str = "") -> Document:
    """Three brokers and one producer."""
    return load(BASE.format(title=title, acks=acks, timeline=timeline))


def test_the_same_document_twice_differs_in_nothing() -> None:
    doc = document("same", timeline="{at: 2s, do: kill 1}")
    found = compare([doc, doc], 30_000_000)
    assert found["first_difference"] is None
    assert found["parting"] == (
        "No event and no figure differs up to 30.000 s, "
        "and every partition has the same leader, epoch, ISR, HW, LEO and lost records."
    )
    assert not (found["differences"] or found["inputs"] or found["partitions"] or found["settings"])
    assert found["sides"][0] == found["sides"][1]


def test_each_side_has_the_digest_and_the_verdict_that_it_has_alone() -> None:
    documents = [load(LOST.read_text()), load(KEPT.read_text())]
    found = compare(documents, 75_000_000)
    for doc, side in zip(documents, found["sides"], strict=True):
        world = build(doc)
        world.run(75_000_000)
        assert (side["digest"], side["sentence"]) == (world.digest(), world.verdict()["sentence"])


def test_two_runs_with_a_mirror_differ_in_what_the_group_reads_again() -> None:
    text = (SCENARIOS / "mirrors" / "s42-failover.yaml").read_text()
    documents = [
        load(text.replace("sync.group.offsets.enabled: true", f"sync.group.offsets.enabled: {on}"))
        for on in ("false", "true")
    ]
    found = compare(documents, 120_000_000)
    assert [side["moved_again"] for side in found["sides"]] == [950, 40]
    assert [(side["moved_skipped"], side["not_mirrored"]) for side in found["sides"]] == [(0, 0), (0, 0)]
    assert {"key": "moved_again", "label": "Read again if moved", "unit": "records"} in found["figures"]
    assert "moved_again" not in found["sides"][0]["topics"][0]
    assert found["first_difference"]["sentence"] == (
        "They part at 83.013 s. B: west/D goes on at offset 910 of west/east.orders-0, its committed offset. "
        "A: west/D goes on at offset 0 of west/east.orders-0, by auto.offset.reset=earliest."
    )


def test_what_mirrormaker_made_for_itself_is_no_topic_of_the_whole_run() -> None:
    """Its topic of offset syncs is lost with east, and nobody writes to orders then."""
    doc = load((SCENARIOS / "mirrors" / "s42-failover.yaml").read_text())
    (side, _) = compare([doc, doc], 90_500_000)["sides"]
    by_name = {one["topic"]: one["writes_stopped_s"] for one in side["topics"]}
    assert by_name["east/mm2-offset-syncs.west.internal"] > 10
    assert side["writes_stopped_s"] == by_name["east/orders"] == 0


def test_acks_1_and_acks_all_part_where_records_are_gone() -> None:
    found = compare([load(LOST.read_text()), load(KEPT.read_text())], 75_000_000)
    first = found["first_difference"]
    gone = "t-0: 5 acknowledged records are gone, offsets 95–99 of epoch 0."
    before = "Before that, at 11.000 s, B: Writes to t stand still."
    assert first["sentence"] == f"They part at 23.374 s. A: {gone} Not in B. {before}"
    told = [one["text"] for one in found["differences"]]
    assert told == ["Writes to t stand still.", gone, "Writes to t go on."]
    assert [side["lost"] for side in found["sides"]] == [5, 0]
    assert found["partitions"][0]["partition"] == "t-0"
    assert found["partitions"][0]["differs"] == ["hw", "leo", "lost"]
    (setting,) = found["settings"]
    assert (setting["path"], setting["values"][0]["acks"], setting["values"][1]) == ("producers.Q", "1", None)


def test_a_setting_is_told_with_its_default() -> None:
    found = compare([document("one", acks="1"), document("all")], 1_000_000)
    assert found["settings"] == [{"path": "producers.writer.acks", "values": ["1", "all"]}]


def test_a_stop_of_one_run_parts_it_from_the_other_where_no_decisive_event_does() -> None:
    down = "{at: 2s, do: kill 2}, {at: 2s, do: kill 3}, {at: 20s, do: start 2}, {at: 20s, do: start 3}"
    found = compare([document("acks=1", "1", down), document("acks=all", "all", down)], 60_000_000)
    first = found["first_difference"]
    assert 1_900_000 < first["t_us"] < 2_100_000
    assert first["sentence"].endswith("B: Writes to orders stand still. Not in A.")
    assert [one["text"] for one in found["differences"]] == ["Writes to orders stand still.", "Writes to orders go on."]


def test_figures_that_differ_are_told_where_no_event_does() -> None:
    calm, other = document("calm"), load(BASE.format(title="r", acks="all", timeline="").replace("20}]", "21}]"))
    found = compare([calm, other, calm], 30_000_000)
    acked = [side["acknowledged"] for side in found["sides"]]
    assert acked[0] == acked[2] != acked[1]
    assert found["first_difference"] is None
    assert found["parting"] == (
        "No event differs up to 30.000 s, "
        f"but figures do at that moment: acknowledged A {acked[0]}, B {acked[1]}, C {acked[2]}."
    )


def test_a_figure_of_one_topic_is_told_with_the_topic() -> None:
    def two(orders: int, late: int) -> Document:
        text = BASE.replace("topics: [", "topics: [{{name: late, assignment: [[1, 2, 3]]}}, ").format(
            title="two", acks="all", timeline=""
        )
        own = f"{{id: other, topic: late, rate: {late}}}"
        return load(text.replace("rate: 20}]", f"rate: {orders}}}, {own}]"))

    found = compare([two(20, 30), two(30, 20)], 10_000_000)
    assert found["sides"][0]["acknowledged"] == found["sides"][1]["acknowledged"]
    assert ", but figures of late do at that moment: acknowledged A 300, B 200." in found["parting"]


def test_a_figure_that_reads_alike_is_no_difference() -> None:
    assert figure_text(2.25, "s") == "2.3 s"
    assert figure_text(1234, "records") == "1,234"
    assert [figure_text(value, "s") for value in (9.66, 9.74, 0, 0.0694)] == ["9.7 s", "9.7 s", "0.0 s", "69 ms"]


def test_the_usual_latency_is_a_figure_and_none_without_a_call() -> None:
    near, quiet = (
        document("near"),
        load(BASE.format(title="quiet", acks="all", timeline="").replace("rate: 20", "rate: 0")),
    )
    found = compare([near, quiet], 10_000_000)
    assert [side["latency_p50_s"] > 0 for side in found["sides"]] == [True, False]
    assert found["sides"][1]["latency_p50_s"] == 0
    assert "usual send() (median) A " in found["parting"]


def test_a_fault_is_where_runs_part_and_a_setting_is_not() -> None:
    calm = document("calm", timeline="{at: 1s, do: config orders min.insync.replicas 1}")
    killed = document("killed", timeline="{at: 5s, do: kill 1}")
    found = compare([calm, killed], 30_000_000)
    assert found["first_difference"] == {
        "t_us": 5_000_000,
        "lead": "They part at 5.000 s.",
        "sentence": "They part at 5.000 s. B: Broker 1 is killed. Not in A.",
    }
    assert [(one["t_us"], one["sides"]) for one in found["inputs"]] == [(1_000_000, [0])]


def test_the_same_event_some_milliseconds_later_is_no_difference() -> None:
    sooner = document("sooner", timeline="{at: 5s, do: kill 1}")
    later = document("later", timeline="{at: 5.2s, do: kill 1}")
    found = compare([sooner, later], 30_000_000)
    assert not [one for one in found["differences"] if one["text"] == "Broker 1 is killed."]


def test_a_later_time_of_the_same_event_is_told() -> None:
    sooner = document("sooner", timeline="{at: 5s, do: kill 3}")
    later = document("later", timeline="{at: 9s, do: kill 3}")
    found = compare([later, sooner], 30_000_000)
    assert found["first_difference"]["sentence"] == (
        "They part at 5.000 s. B: Broker 3 is killed. A: the same only at 9.000 s."
    )


def test_three_runs_are_told_by_their_letters() -> None:
    calm, killed = document("calm"), document("killed", timeline="{at: 5s, do: kill 1}")
    found = compare([killed, calm, killed], 30_000_000)
    assert found["differences"][0]["sides"] == [0, 2]
    assert found["first_difference"]["sentence"] == ("They part at 5.000 s. A and C: Broker 1 is killed. Not in B.")


def test_the_command_prints_text_and_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(LOST), str(KEPT)]) == 0
    text = capsys.readouterr().out
    assert "They part at 23.374 s." in text
    assert next(line for line in text.splitlines() if line.startswith("Lost ")).split() == ["Lost", "5", "0", "*"]
    assert main([str(LOST), str(KEPT), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == json.loads(json.dumps(compare([load(LOST.read_text()), load(KEPT.read_text())], 75_000_000)))
    assert {"digest", "lost", "doubled", "not_writable_s"} <= set(found["sides"][0])


def test_wrong_numbers_of_documents_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(LOST)]) == 2
    assert main([str(LOST)] * 5) == 2
    assert main(["-", "-"]) == 2
    told = capsys.readouterr().err.splitlines()
    assert told[0] == "1 documents: compare takes 2 to 4"
    assert told[2].startswith("standard input can be one of the documents")


def test_a_document_that_cannot_be_read_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(LOST), str(tmp_path / "none.yaml")]) == 1
    assert "none.yaml: cannot be read" in capsys.readouterr().err


def test_a_client_keeps_its_name_at_the_beginning_of_a_sentence() -> None:
    found = compare([document("closed", timeline="{at: 2s, do: close writer}"), document("open")], 3_000_000)
    assert [one["text"] for one in (*found["inputs"], *found["differences"])] == ["writer is closed."]


def test_runs_that_differ_in_wrong_copies_of_a_mirror_alone_part_where_the_first_is_appended() -> None:
    text = (SCENARIOS / "mirrors" / "s56-mirror-killed.yaml").read_text()
    often = text.replace("emit.heartbeats.enabled", "offset.flush.interval.ms: 5000, emit.heartbeats.enabled")
    found = compare([load(text), load(often)], 100_000_000)
    assert [side["copied_again"] for side in found["sides"]] == [499, 124]
    copies = "{}: east->west, orders: {} extra copies stand in east.orders."
    told = f"{copies.format('A', 499)} {copies.format('B', 124)}"
    assert found["first_difference"]["sentence"] == f"They part at 58.186 s. {told}"
    assert found["first_difference"]["t_us"] > 55_000_000, "the new process starts then"


def test_one_file_may_hold_the_documents_of_all_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "pair.yaml"
    documents = [load(LOST.read_bytes()), load(KEPT.read_bytes())]
    file.write_text(f"# a pair\n---\n{to_yaml_all(documents)}")
    assert main([str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == compare(documents, 75_000_000)
    first, _, second = file.read_text().rpartition("format: 1")
    file.write_text(f"{first}format: 7{second}")
    assert main([str(file)]) == 1
    assert "document 2: format" in capsys.readouterr().err


def test_runs_are_compared_where_the_longest_of_them_ends() -> None:
    short, late = document("short"), document("late", timeline="{at: 31s, do: kill 1}")
    assert end_us([short, load(LOST.read_bytes())]) == 75_000_000
    assert end_us([short, document("in time", timeline="{at: 29s, do: kill 1}")]) == 30_000_000
    assert end_us([short, late]) == 31_000_000 + AFTERMATH_US


def test_the_text_says_when_the_figures_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(LOST), str(KEPT)]) == 0
    assert "\nAt 75s:\n" in capsys.readouterr().out
