"""The output of kafka-reassign-partitions.sh, alone: the assignment that is built, and that it is told."""

from simengine.importers.report import import_text
from tests.importers.test_field_faults import imported, states, warned

PLAN = '{{"version":1,"partitions":[{{"topic":"a","partition":0,"replicas":[{}],"log_dirs":["any","any"]}}]}}\n'
CURRENT = "Current partition replica assignment\n" + PLAN.format("1,2")
PROPOSED = "\nProposed partition reassignment configuration\n" + PLAN.format("2,3")
COMMAND = "$ kafka-reassign-partitions.sh --bootstrap-server b:9092 --topics-to-move-json-file t --generate\n"


def test_of_a_current_and_a_proposed_assignment_the_current_one_is_built_and_said() -> None:
    result = imported(COMMAND + CURRENT + PROPOSED)
    assert sorted(states(result)) == [1, 2]
    assert warned(
        result, "The current assignment is built. The proposed one moves a-0, and nothing tells that it was done."
    )
    assert warned(result, "Not built, for it alone names them: broker 3.")


def test_a_proposal_alone_is_built_as_if_it_had_been_done() -> None:
    result = imported(PROPOSED)
    assert sorted(states(result)) == [2, 3]
    assert warned(result, "Only a proposed assignment stands in it.")


def test_a_reassignment_that_was_started_is_built_as_it_was_before() -> None:
    text = CURRENT + "\nSave this to use as the --reassignment-json-file option during rollback\n"
    result = imported(text + "Successfully started partition reassignment for a-0\n")
    assert warned(result, "A reassignment was started. It is built as it was before")


def test_beside_a_listing_the_listing_counts_and_no_plan_is_built() -> None:
    row = "\tTopic: a\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\n"
    result = imported(COMMAND + CURRENT + PROPOSED + row)
    assert sorted(states(result)) == [1, 2]
    assert not warned(result, "The current assignment is built.")


def test_the_command_alone_is_a_command_without_output() -> None:
    assert import_text(COMMAND)["label"] == "a command without its output"


def test_a_reassignment_that_goes_on_keeps_what_it_adds_and_removes_and_its_lines_are_read() -> None:
    result = imported("Current partition reassignments:\nloads-0: replicas: 1,2,3,4. adding: 4. removing: 1.\n")
    assert result["unread"] == []
    begin = result["scenario"]["topics"][0]["initial"]["0"]
    assert (begin["isr"], begin["adding"], begin["removing"]) == ([1, 2, 3], [4], [1])
