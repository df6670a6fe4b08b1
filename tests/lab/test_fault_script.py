from typing import Any

import pytest

from simengine.recordings.errors import RecordingError
from tests.lab.fault_script import script_of_plain
from tests.lab.lab_grammar import RECORDED_AS, VERBS_KNOWN
from tests.lab.lab_verbs import VERBS

OPEN = {"do": "producer", "args": ["P"], "acks": "1"}


def script(*timeline: dict[str, Any], **changes: object) -> dict[str, Any]:
    return {"name": "T", "setup": [OPEN], "timeline": list(timeline), **changes}


def test_a_script_that_says_little_gets_three_brokers_three_controllers_and_one_topic() -> None:
    given = script_of_plain(script(), "4.2.1").given
    assert given.brokers == {0: None, 1: None, 2: None}
    assert given.controllers == (100, 101, 102)
    assert [(topic.name, topic.assignment) for topic in given.topics] == [("t", ((0, 1, 2),))]
    assert [(client.id, client.config) for client in given.clients] == [("P", {"acks": "1"})]


def test_a_step_has_a_time_or_a_rest_and_named_arguments() -> None:
    read = script_of_plain(
        script(
            {"at": 1.5, "do": "send", "args": ["P"], "topic": "t", "values": ["a"]},
            {"after": 2, "do": "stop", "args": [1], "background": True},
        ),
        "4.2.1",
    )
    send, stop = read.timeline
    assert (send.at, send.after, send.details) == (1.5, 0, {"topic": "t", "values": ["a"]})
    assert (stop.at, stop.after, stop.plain()) == (None, 2, {"args": [1], "background": True})


@pytest.mark.parametrize(
    ("whole", "message"),
    [
        (script(steps=[]), "the script: unknown key (got 'steps'); allowed: name, title, cluster"),
        ({"name": "T"}, "timeline: missing"),
        (
            script(cluster={"racks": 2}),
            "cluster: unknown key (got 'racks'); allowed: brokers, controllers, elr, config",
        ),
        (script(cluster={"brokers": {"12": None}}), "cluster.brokers: wrong ids (got [12]); allowed: 0 to 9"),
        (script(cluster={"controllers": []}), "cluster.controllers: wrong ids (got []); allowed: 100 to 109"),
        (script({"args": [1]}), "timeline[0].do: wrong kind of value"),
        (script({"do": "explode"}), "timeline[0]: unknown verb (got 'explode'); allowed: kill, stop, start"),
        (script({"do": "proxy"}), "timeline[0]: unknown verb (got 'proxy'); allowed: kill"),
        (
            script({"do": "kill", "args": [7]}),
            "timeline[0].args: unknown node (got 7); allowed: 0, 1, 2, 100, 101, 102",
        ),
        (script({"do": "rate", "args": ["Q"], "topic": "t", "per_s": 1}), "unknown client (got 'Q'); allowed: P"),
        (script({"do": "wait_isr", "args": ["t"]}), "timeline[0].args: wait_isr takes another number of arguments"),
        (
            script({"do": "wait_isr", "args": ["t", "3"]}),
            "timeline[0].args[1]: wrong kind of value (got '3'); allowed: int",
        ),
        (
            script({"do": "kill_site", "args": ["east"]}),
            "timeline[0].args[0]: unknown word (got 'east'); allowed: active",
        ),
        (
            script({"do": "stop_active_controller", "background": True}),
            "timeline[0].background: stop_active_controller is recorded with the nodes it chose (got True); "
            "allowed: false",
        ),
        (script({"do": "describe"}), "timeline[0].topic: describe needs it; allowed: str"),
        (script({"at": 3, "do": "heal"}, {"at": 2, "do": "heal"}), "timeline[1].at: before an earlier step (got 2)"),
        (script({"at": "3", "do": "heal"}), "timeline[0].at: wrong kind of value (got '3'); allowed: a number"),
    ],
)
def test_a_wrong_script_is_refused_with_the_place_the_value_and_what_is_allowed(
    whole: dict[str, Any], message: str
) -> None:
    with pytest.raises(RecordingError) as refused:
        script_of_plain(whole, "4.2.1")
    assert message in str(refused.value)


def test_every_verb_that_a_script_may_name_can_be_done() -> None:
    assert set(VERBS) == set(VERBS_KNOWN)
    assert set(RECORDED_AS) <= set(VERBS)
