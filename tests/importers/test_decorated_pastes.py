"""Whatever stands around the lines of an output, the cluster is that of the bare output."""

import json
from collections.abc import Callable
from typing import Any

import pytest
import yaml

from simengine.importers.report import import_text
from simengine.importers.stripping.strip import undecorated
from tests.importers import samples
from tests.importers.test_foreign import CRUISE
from tests.importers.test_json_partitions import KAFKACTL
from tests.importers.test_partition_tables import KAF, SHEETS
from tests.importers.test_printed_by_programs import DESCRIPTION
from tests.importers.test_zookeeper import BROKERS, STATES, TOPIC

QUORUM = """\
NodeId  DirectoryId             LogEndOffset  Lag  LastFetchTimestamp  LastCaughtUpTimestamp  Status
4       knuNd8k4S9u-8YMnEOdofw  1595          0    4 ms ago            5 ms ago               Leader
9       dnAw7IxCTI-vxgYU-NiYDQ  1595          0    386 ms ago          386 ms ago             Observer"""
POOL = """\
apiVersion: kafka.strimzi.io/v1
kind: KafkaNodePool
metadata:
  name: b
spec:
  replicas: 3
  roles:
    - broker"""
LOG_DIRS = json.dumps(
    {"version": 1, "brokers": [{"broker": 3, "logDirs": [{"partitions": [{"partition": "t-0", "size": 1}]}]}]}, indent=1
)
API_VERSIONS = """\
k1:9092 (id: 1 rack: az-a isFenced: false) -> (
\tProduce(0): 0 to 13 [usable: 13],
\tFetch(1): 4 to 18 [usable: 18]
)
k2:9092 (id: 2 rack: az-b isFenced: true) -> (
\tProduce(0): 0 to 13 [usable: 13],
\tFetch(1): 4 to 18 [usable: 18]
)"""
ENDPOINTS = """\
ID         HOST     PORT   RACK   STATE      ENDPOINT_TYPE
1          k1       9092   az-a   unfenced   broker
2          k2       9092   az-b   fenced     broker"""
OUTPUTS = {
    "describe": samples.MODERN.rstrip("\n"),
    "kcat": samples.KCAT.rstrip("\n"),
    "kcat as JSON": json.dumps(json.loads(samples.KCAT_JSON), indent=2),
    "quorum": QUORUM,
    "Strimzi": POOL,
    "log dirs": LOG_DIRS,
    "kaf": KAF.rstrip("\n"),
    "sheet": SHEETS["commas"].rstrip("\n"),
    "ZooKeeper": (TOPIC + STATES + BROKERS).rstrip("\n"),
    "Java": DESCRIPTION.rstrip("\n"),
    "Cruise Control": CRUISE.rstrip("\n"),
    "api versions": API_VERSIONS,
    "endpoints": ENDPOINTS,
    "reassignments": "Current partition reassignments:\no-0: replicas: 1,2,3. adding: 3. removing: 1.",
    "kafkactl": yaml.dump(KAFKACTL[0]).rstrip("\n"),
}


def lines(change: Callable[[int, str], str]) -> Callable[[str], str]:
    return lambda text: "\n".join(change(number, line) for number, line in enumerate(text.split("\n"), 1))


DECORATIONS: dict[str, Callable[[str], str]] = {
    "quote": lines(lambda _, line: f"> {line}"),
    "comment": lines(lambda _, line: f"# {line}"),
    "cat -n": lines(lambda number, line: f"{number:6d}\t{line}"),
    "editor": lines(lambda number, line: f"{number:>4} | {line}"),
    "grep -n": lines(lambda number, line: f"{number}:{line}"),
    "numbers on the left": lines(lambda number, line: f"{number + 7:<4}{line}"),
    "log4j": lines(lambda number, line: f"[2026-01-01 00:00:{number:02},{number:03}] INFO {line}"),
    "compose logs": lines(lambda _, line: f"kafka-1  | {line}"),
    "journal": lines(lambda number, line: f"Nov 29 01:{number:02}:14 host kafka[12]: {line}"),
    "added in a diff": lines(lambda _, line: f"+{line}"),
    "hunk": lambda text: "--- a/x\n+++ b/x\n@@ -1,3 +1,9 @@\n-gone: 1\n" + lines(lambda _, line: f" {line}")(text),
    "quoted diff": lines(lambda _, line: f"> +{line}"),
    "table": lines(lambda _, line: f"| {line} |"),
    "list of strings": lines(lambda _, line: f"  {json.dumps(line)},"),
    "program": lines(lambda _, line: f"    {line + chr(10)!r}"),
    "one string": json.dumps,
    "message of a log": lambda text: json.dumps({"level": "info", "message": text}),
    "Docker's log": lines(lambda _, line: json.dumps({"log": line + "\n", "stream": "stdout"})),
    "kubectl logs --timestamps": lines(
        lambda number, line: f"2026-11-30T10:12:{number:02}.48201377{number % 10}Z {line}"
    ),
    "compose logs -t": lines(lambda number, line: f"kafka-1  | 2026-11-30T10:12:{number:02}.482013Z {line}"),
    "ts": lines(lambda number, line: f"Nov 30 10:12:{number:02} {line}"),
    "stern": lines(lambda _, line: f"prod-kafka-0 kafka {line}"),
    "pod and container": lines(lambda _, line: f"[pod/prod-kafka-0/kafka] {line}"),
    "quote with entities": lines(lambda _, line: "&gt; " + line.replace('"', "&quot;")),
    "pre": lambda text: f"<pre><code>{text.replace('<', '&lt;')}</code></pre>",
    "blanks that do not break": lambda text: text.replace(" ", "\u00a0"),
    "byte order mark": lambda text: "\ufeff" + text,
    "colours": lines(lambda _, line: f"\x1b[32m{line}\x1b[0m\x1b[K"),
    "tmux": lines(lambda _, line: f"\u2502{line:<200}\u2502"),
    "mail, twice quoted": lines(lambda _, line: f"> > {line}"),
    "Jira": lambda text: f"{{noformat:title=prod}}\n{text}\n{{noformat}}",
    "CRLF": lambda text: text.replace("\n", "\r\n"),
}


def cluster(text: str) -> Any:
    scenario = import_text(text)["scenario"]
    return {key: value for key, value in scenario.items() if key not in ("about", "title")} if scenario else None


@pytest.mark.parametrize("decoration", DECORATIONS)
@pytest.mark.parametrize("output", OUTPUTS)
def test_the_cluster_is_that_of_the_bare_output(output: str, decoration: str) -> None:
    bare = cluster(OUTPUTS[output])
    assert bare is not None
    assert cluster(DECORATIONS[decoration](OUTPUTS[output])) == bare


def test_line_numbers_are_no_nodes_of_the_quorum() -> None:
    scenario = import_text(DECORATIONS["numbers on the left"](QUORUM))["scenario"]
    assert [one["id"] for one in scenario["cluster"]["brokers"]] == [9]
    assert [one["id"] for one in scenario["cluster"]["controllers"]] == [4]


def test_ids_that_rise_below_a_head_are_no_line_numbers() -> None:
    text = "ID HOST PORT RACK\n" + "".join(f"{number} h{number} 9092 r\n" for number in range(1, 5))
    assert [one["id"] for one in import_text(text)["scenario"]["cluster"]["brokers"]] == [1, 2, 3, 4]


def test_the_new_side_of_a_diff_counts_and_what_it_removes_is_listed() -> None:
    result = import_text(
        "@@ -1,7 +1,7 @@\n"
        + lines(lambda _, line: f" {line}")(POOL).replace("   replicas: 3", "-  replicas: 5\n+  replicas: 3")
    )
    assert len(result["scenario"]["cluster"]["brokers"]) == 3
    assert [one["text"] for one in result["unread"] if not one["noise"]] == ["-  replicas: 5"]
    assert "The paste is a diff: its new side is read, 1 line that it removes is left out." in result["notes"]


def test_a_config_beside_resources_is_listed_as_unread_and_warned_of() -> None:
    result = import_text(f"config:\n  min.insync.replicas: 2\n```\n{POOL}\n```\n")
    assert [one["line"] for one in result["unread"] if not one["noise"]] == [1, 2]
    assert any("Line 2 sets min.insync.replicas = 2" in warning for warning in result["warnings"])


@pytest.mark.parametrize("output", [name for name in OUTPUTS if name != "describe"])
def test_prose_below_any_output_is_listed_as_unread(output: str) -> None:
    result = import_text(f"{OUTPUTS[output]}\n\nThis is what we saw today\n")
    assert [one["text"] for one in result["unread"] if not one["noise"]] == ["This is what we saw today"]


def test_a_mark_inside_a_line_that_is_not_quoted_stays() -> None:
    first = "On Monday Ana <ana@mail.example> wrote:"
    paste = undecorated("\n".join([first, *(f"> {line}" for line in samples.MODERN.rstrip("\n").split("\n")[1:] * 2)]))
    assert paste.lines[0].text == first
    assert paste.lines[1].text.startswith("Topic: parcels")
