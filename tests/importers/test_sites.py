"""Several pastes as the sites of one document, on the command line."""

import json
from pathlib import Path

import pytest

from simengine.commands import import_
from simengine.facts.decisive import PartitionChanged
from simengine.scenario import load
from simengine.world.world import build
from tests.engine.cluster import SECOND, stated
from tests.importers import samples

OTHER = samples.MODERN.replace("parcels", "letters")


def pasted(folder: Path, **texts: str) -> list[str]:
    """Arguments of the command: NAME=FILE of each text."""
    for name, text in texts.items():
        (folder / name).write_text(text)
    return [f"{name}={folder / name}" for name in texts]


def test_the_command_reads_a_file_for_each_site(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = pasted(tmp_path, east=samples.MODERN, dr=OTHER)
    assert import_.main([*files, "--assume", "dr.acks=1", "--assume", "log_end=500", "--rack", "east.1=az-9"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {name: told["status"] for name, told in found["sites"].items()} == {"east": "accept", "dr": "accept"}
    document = load(found["scenario"])
    assert list(document.clusters) == ["east", "dr"]
    assert (document.network.latency_us, document.network.jitter_us) == (30_000, 6_000)
    told, _, assumed = document.about.partition("Assumed:\n")
    assert told == "east and dr are built from pasted listings. "
    assert {"east: acks: all", "dr: acks: 1"} <= {line.partition(" (")[0] for line in assumed.split("\n")}
    assert assumed.endswith("latency between clusters, one way: 30 (ms; no paste tells it)")
    east, dr = document.clusters.values()
    assert (east.producers[0].acks, dr.producers[0].acks) == ("all", "1")
    assert (east.cluster.brokers[0].rack, dr.cluster.brokers[0].rack) == ("az-9", None)


def test_a_site_that_cannot_be_read_leaves_no_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert import_.main(pasted(tmp_path, east=samples.MODERN, west="hello")) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["scenario"] is None
    assert found["sites"]["west"]["status"] == "reject"


def test_files_without_names_are_refused_with_the_cure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    [east] = pasted(tmp_path, east=samples.MODERN)
    assert import_.main([east, "other.txt"]) == 2
    assert "Several clusters are given as NAME=FILE, such as east=other.txt" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("names", "wrong"),
    [
        (["east", "east"], "Two sites are called east."),
        (["east", "1"], "'1' is no name of a site. Allowed: a letter, then at most 31 letters"),
        ([f"s{number}" for number in range(9)], "There are 9 sites. Allowed: 1 to 8."),
    ],
)
def test_wrong_names_of_sites_are_refused(names: list[str], wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert import_.main([f"{name}=x" for name in names]) == 2
    assert wrong in capsys.readouterr().err


def test_the_distance_between_sites_can_be_given(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = pasted(tmp_path, east=samples.MODERN, west=OTHER)
    assert import_.main([*files, "--between", "80"]) == 0
    assert load(json.loads(capsys.readouterr().out)["scenario"]).network.latency_us == 80_000
    assert import_.main([*files, "--between", "far"]) == 2
    assert "The latency between sites is far. Allowed: 0 to 500 ms." in capsys.readouterr().err


def test_the_sizes_of_each_site_decide_how_long_its_new_disk_is_copied(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """FET-18: one site's sizes are pasted (3 GB, 30 s a log), the other's are typed (6 GB at 300 MB/s, 20 s)."""
    listing = "Topic: {0}\tPartitionCount: 1\tReplicationFactor: 3\tConfigs: \n" + (
        "\tTopic: {0}\tPartition: 0\tLeader: 1\tReplicas: 1,2,3\tIsr: 1,2,3\n"
    )
    sizes = (
        '{"version":1,"brokers":[{"broker":1,"logDirs":[{"logDir":"/d","error":null,"partitions":'
        '[{"partition":"a-0","size":3000000000,"offsetLag":0,"isFuture":false}]}]}]}\n'
    )
    files = pasted(tmp_path, east=listing.format("a") + sizes, dr=listing.format("b"))
    assert import_.main([*files, "--assume", "dr.log_gb=6", "--assume", "dr.copy_mb_per_s=300"]) == 0
    made = json.loads(capsys.readouterr().out)["scenario"]
    told = {name: (part["basis"]["log_mb"], part["basis"]["from"]["log_gb"]) for name, part in made["clusters"].items()}
    assert told == {"east": (3_000, "read"), "dr": (6_000, "yours")}
    deaths = [{"at": "5s", "do": f"kill {site}/2"} for site in told]
    made["timeline"] = deaths + [{"at": "45s", "do": f"start {site}/2 empty after 1s"} for site in told]
    run = build(load(made))
    run.run(100 * SECOND)
    back: dict[int, float] = {}
    for fact in stated(run, PartitionChanged):
        if len(fact.isr) == 3:
            back[int(fact.p)] = fact.t / SECOND
    _, _, dr, east = sorted(back.values())  # the first two are of __consumer_offsets, which is small
    assert 65 <= dr <= 71
    assert 75 <= east <= 81


def mirrored(tmp_path: Path, text: str) -> list[str]:
    """Two pasted clusters and a configuration of MirrorMaker, as arguments of the command."""
    file = tmp_path / "mm2.properties"
    file.write_text(text)
    return [*pasted(tmp_path, east=samples.MODERN, west=samples.MODERN), "--mirrors", str(file)]


def test_mirrors_between_pasted_clusters_stand_in_the_document(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = "clusters = east, west, south\neast->west.enabled = true\n"
    text = head + "east->south.enabled = true\nemit.heartbeats.enabled = no\n"
    assert import_.main(mirrored(tmp_path, text + "east->west.topics = pay.*\n")) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["scenario"]["mirrors"] == [{"source": "east", "target": "west", "config": {"topics": "pay.*"}}]
    assert load(found["scenario"]).mirrors[0].process == "mirror-maker"
    assert found["mirrors"]["flows"] == ["east->west"]
    assert found["mirrors"]["left"] == [
        {"flow": "east->south", "reasons": ["south is no cluster of the document. Allowed: east, west."]}
    ]
    assert [one["line"] for one in found["mirrors"]["unread"]] == [4]


def test_a_flow_that_mirror_maker_could_not_start_is_left_with_the_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert import_.main(mirrored(tmp_path, "east->west.enabled = true\nreplication.factor = 9\n")) == 0
    found = json.loads(capsys.readouterr().out)
    assert "mirrors" not in found["scenario"]
    (left,) = found["mirrors"]["left"]
    assert "MirrorMaker cannot make its remote topics (got 9)" in left["reasons"][0]


def test_what_is_no_configuration_of_mirror_maker_is_said_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert import_.main(mirrored(tmp_path, "hello")) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["mirrors"]["reason"].startswith("This is no configuration of MirrorMaker 2.")
    load(found["scenario"])


def test_mirrors_need_several_clusters(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "one.txt"
    file.write_text(samples.MODERN)
    assert import_.main([str(file), "--mirrors", str(file)]) == 2
    assert "--mirrors needs the clusters that it copies between" in capsys.readouterr().err
