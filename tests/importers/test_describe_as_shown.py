"""Listings as terminals, editors, trackers and programs show them: colours, drawn tabs, JSON around them, cut-offs."""

import json

import pytest

from simengine.importers.recognise import read
from simengine.importers.report import import_text
from tests.importers import samples
from tests.importers.test_describe import facts, header, row

LINES = samples.MODERN.splitlines()
TWO_ROWS = (
    "Topic: t\tPartitionCount: 2\tReplicationFactor: 2\tConfigs: \n"
    "\tTopic: t\tPartition: 0\tLeader: {leader}\tReplicas: 1,2\tIsr: {isr}\n"
    "\tTopic: t\tPartition: 1\tLeader: 2\tReplicas: 2,1\tIsr: 2,1\n"
)

SHOWN: dict[str, str | bytes] = {
    "the first byte of the colours lost": "\n".join(f"[1;32m{line}[0m" for line in LINES),
    "the first byte of the colours spelled": "\n".join(f"^[[32m{line}^[[0m^[[K" for line in LINES),
    "cat -A": "\n".join(line.replace("\t", "^I") + "$" for line in LINES),
    "cat -A of a file from Windows": "\n".join(line.replace("\t", "^I") + "^M$" for line in LINES),
    "cat -n": "\n".join(f"{number:6d}\t{line}" for number, line in enumerate(LINES, start=1)),
    "grep -n": "\n".join(f"{number}:{line}" for number, line in enumerate(LINES, start=1)),
    "tabs drawn as arrows": samples.MODERN.replace("\t", "\u2192   "),
    "an answer of Ansible": json.dumps({"rc": 0, "stdout": samples.MODERN, "stderr": ""}),
    "lines of an answer of Ansible": json.dumps({"stdout_lines": LINES}, indent=2),
    "log lines as JSON": "\n".join(json.dumps({"ts": "2026-01-01", "line": line}) for line in LINES),
    "one cell a line": samples.MODERN.replace("\t", "\n"),
    "one cell a line, double spaced": samples.MODERN.replace("\t", "\n").replace("\n", "\n\n"),
    "a pane of tmux": "\n".join(f"\u2502{line.expandtabs()}   \u2502" for line in LINES),
    "Jira": "{noformat}\n" + samples.MODERN + "{noformat}\n",
    "a pager": samples.MODERN.replace("\nTopic: stops", "\n--More--\nTopic: stops") + "(END)\n",
    "watch": "Every 2.0s: kafka-topics.sh --describe     host: Tue Jan  2 10:00:00 2026\n\n" + samples.MODERN,
    "time": samples.MODERN + "\nreal\t0m2.301s\nuser\t0m3.100s\nsys\t0m0.204s\n",
    "a mail around it": "On Monday Ann wrote:\n>\n" + "\n".join(f"> {line}" for line in LINES) + "\n\nHi Ann,\nhelp!\n",
    "cells in quotes": "\n".join('"' + line.replace("\t", '","') + '"' for line in LINES),
    "a stored mail": "\n".join(line.replace("=", "=3D").replace("\t", "=09") + "=20" for line in LINES),
    "UTF-32": samples.MODERN.encode("utf-32"),
    "UTF-16 without its mark": samples.MODERN.encode("utf-16-be"),
}


@pytest.mark.parametrize("name", SHOWN)
def test_the_facts_stay_as_they_are_shown(name: str) -> None:
    assert facts(read(SHOWN[name])) == samples.MODERN_FACTS


@pytest.mark.parametrize(
    "leader", ["none (last known: 2)", "none \U0001f525", "None", "NONE", "-1 <-- here", "none !!"]
)
def test_a_comment_behind_no_leader_is_left_out(leader: str) -> None:
    assert facts(read(TWO_ROWS.format(leader=leader, isr="1"))) == (2, 1, 2, 1, 1, 0)


@pytest.mark.parametrize("isr", ["1 (2 is dead)", "[1]", "1  <== shrunk", "1\u526f\u672c\u30102,1\u3011"])
def test_a_comment_behind_an_isr_is_left_out(isr: str) -> None:
    assert facts(read(TWO_ROWS.format(leader=1, isr=isr))) == (2, 1, 2, 1, 0, 0)


@pytest.mark.parametrize(
    "words", ["[... 48 more lines ...]", "...40 rows omitted...", "... (many more partitions) ..."]
)
def test_words_for_lines_that_were_cut_out_are_a_doubt(words: str) -> None:
    reading = read(
        TWO_ROWS.format(leader=1, isr="1,2").replace(
            "\n\tTopic: t\tPartition: 1", f"\n{words}\n\tTopic: t\tPartition: 1"
        )
    )
    assert facts(reading) == (2, 1, 2, 0, 0, 0)
    assert any("cut out" in warning for warning in reading.warnings)


def test_partitions_of_kcat_without_their_topic_become_one_topic_which_is_not_counted() -> None:
    rows = [line for line in samples.KCAT.splitlines() if "partition 0, leader -1" in line or "partition 1" in line]
    result = import_text("\n".join(rows))
    assert result["status"] == "accept-warn"
    assert (result["summary"]["topics"], result["summary"]["partitions"]) == (0, 2)


def test_topics_that_jq_took_out_of_a_listing_are_read() -> None:
    topics = json.loads(samples.KCAT_JSON)["topics"]
    for text in (json.dumps(topics), "\n".join(json.dumps(topic, indent=2) for topic in topics)):
        assert facts(read(text)) == samples.KCAT_JSON_FACTS


def test_a_kcat_object_without_its_end_is_refused_by_name() -> None:
    result = import_text(samples.KCAT_JSON[:-20])
    assert (result["status"], result["kind"]) == ("reject", "kcat")
    assert "not whole" in result["reason"]


def test_a_kcat_topic_without_a_legal_name_is_left_out() -> None:
    result = import_text(samples.KCAT_JSON.replace('"parcels"', '"a b"'))
    assert result["summary"]["topics"] == 0
    assert "'a b'" in result["warnings"][0]


def test_a_warning_of_the_tool_between_the_halves_of_a_wrapped_row_parts_nothing() -> None:
    warning = "[2026-01-01 00:00:00,123] WARN [AdminClient clientId=a] Connection to node 2 failed. (org.apache.kafka)"
    whole = (header() + row()).expandtabs(8).splitlines()
    for width in range(40, len(whole[1])):
        halves = [whole[0], whole[1][:width], warning, whole[1][width:]]
        reading = read("\n".join(halves))
        assert facts(reading) == (3, 1, 1, 0, 0, 0), halves
        assert reading.warnings == []


def test_an_isr_that_a_screen_cut_off_with_an_ellipsis_is_a_doubt() -> None:
    reading = read(header() + row(isr="1,2").rstrip("\n") + "\u2026\n")
    assert any("breaks off in its Isr (1,2 is left of it)" in warning for warning in reading.warnings)


def test_a_config_key_that_a_terminal_broke_in_two_is_read_whole_however_wide_other_lines_are() -> None:
    text = (
        "Topic: c\tTopicId: abcdEFGHijklMNOPqrstuv\tPartitionCount: 1\tReplicationFactor: 1\tand a line that is wider\n"
        "Configs: min.insync.replicas=2,retention.ms=86400000,unclean.leader.elec\n"
        "tion.enable=true\n"
        "\tTopic: c\tPartition: 0\tLeader: 1\tReplicas: 1\tIsr: 1\n"
    )
    reading = read(text)
    assert reading.cluster is not None
    configs = reading.cluster.topics["c"].configs
    assert configs == {
        "min.insync.replicas": "2",
        "retention.ms": "86400000",
        "unclean.leader.election.enable": "true",
    }
    assert not reading.unread


def test_a_line_of_another_program_is_not_taken_for_the_end_of_a_config() -> None:
    text = (
        "Topic: c\tPartitionCount: 1\tReplicationFactor: 1\tConfigs: cleanup.policy=compact,delete\n"
        "retention.ms=5\n"
        "\tTopic: c\tPartition: 0\tLeader: 1\tReplicas: 1\tIsr: 1 and more than any other line of the paste has in it\n"
    )
    reading = read(text)
    assert reading.cluster is not None
    assert reading.cluster.topics["c"].configs == {"cleanup.policy": "compact,delete"}
