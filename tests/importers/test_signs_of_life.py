"""A broker that answers a tool runs, whatever ISR it is in; what is wrong with its disks is told."""

import json
from typing import Any

from tests.importers.test_field_faults import assumption, imported, states, warned
from tests.importers.test_quorum_states import DESCRIBE

OUT = DESCRIBE.replace("Isr: 1,2", "Isr: 1")
FOLDER: dict[str, Any] = {
    "logDir": "/d1",
    "error": None,
    "partitions": [{"partition": "t-0", "size": 9, "offsetLag": 7}],
}


def log_dirs(second: dict[str, Any]) -> str:
    brokers = [{"broker": 1, "logDirs": [FOLDER]}, {"broker": 2, "logDirs": [second]}]
    return json.dumps({"version": 1, "brokers": brokers}) + "\n"


def test_out_of_every_isr_without_an_answer_is_down() -> None:
    assert states(imported(OUT)) == {1: "running", 2: "down"}


def test_one_that_tells_its_log_directories_runs() -> None:
    result = imported(log_dirs(FOLDER) + OUT)
    assert states(result) == {1: "running", 2: "running"}
    assert assumption(result, "backlog of listed copies")["why"].endswith("as the paste tells")


def test_one_that_tells_its_apis_runs_and_an_error_tells_nothing() -> None:
    answers = "k1:9092 (id: 1 rack: a) -> (\nk2:9092 (id: 2 rack: b) -> {}\n"
    assert states(imported(answers.format("(") + OUT)) == {1: "running", 2: "running"}
    assert states(imported(answers.format("ERROR: DisconnectException") + OUT)) == {1: "running", 2: "down"}


def test_a_log_directory_that_failed_is_told() -> None:
    failed = {"logDir": "/d1", "error": "KafkaStorageException: Disk error", "partitions": []}
    assert warned(imported(log_dirs(failed) + OUT), "Log directories that failed: /d1 of broker 2.")


def test_a_setting_in_which_brokers_differ_is_told() -> None:
    files = "".join(f"node.id={broker}\nmin.insync.replicas={least}\n" for broker, least in ((1, 2), (2, 1)))
    assert warned(imported(files), "min.insync.replicas of the brokers is 2 (line 2")
    assert not warned(imported(files.replace("replicas=1", "replicas=2")), "of the brokers is")


def test_a_share_group_is_no_consumer_group() -> None:
    table = "GROUP   TOPIC  PARTITION  START-OFFSET  LAG\nshare1  t      0          5             10\n"
    assert warned(imported(table + OUT), "kafka-share-groups.sh")
    assert not warned(imported(table + OUT), "kafka-consumer-groups.sh")
