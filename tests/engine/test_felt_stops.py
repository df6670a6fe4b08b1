"""A stop is what calls and readers got; what the controllers' record says besides is told as that (STOP-2..4)."""

import re
from typing import Any

import pytest

from simengine.explain.examine import examine
from simengine.questions.listing import listing
from simengine.scenario import load
from simengine.verdict.moment_words import moment_words
from simengine.world.world import World, build
from tests.engine.cluster import SECOND

DOCUMENT = """
format: 1
until: 90s
cluster: {brokers: [1, 2, 3], controllers: [100, 101, 102]}
topics: [{name: orders, assignment: ASSIGNMENT, config: {min.insync.replicas: LEAST}}]
producers: [{id: P, topic: orders, rate: 20, acks: ACKS}MORE]
consumers: [READERS]
timeline: [ACTIONS]
"""
READER = "{id: C, partitions: [[orders, 0]], config: {auto.offset.reset: earliest}}"
UNHEARD = "{at: 10s, do: 'cut 1,2,3|100,101,102'}"
ISOLATED = "{at: 5s, do: 'cut 1|2,3,100,101,102'}", "{at: 30s, do: heal}"


def text(
    *actions: str,
    acks: str = "all",
    least: int = 2,
    assignment: str = "[[1, 2, 3]]",
    more: str = "",
    reader: str = READER,
) -> str:
    """A document of three brokers, on which these actions happen."""
    told = DOCUMENT.replace("ASSIGNMENT", assignment).replace("LEAST", str(least)).replace("ACKS", f"'{acks}'")
    return told.replace("MORE", more).replace("READERS", reader).replace("ACTIONS", ", ".join(actions))


def run(document: str, seconds: int = 60) -> World:
    world = build(load(document))
    world.run(seconds * SECOND)
    return world


def topic(world: World) -> dict[str, Any]:
    """The verdict on the topic."""
    topics: Any = world.verdict()["topics"]
    return next(one for one in topics if one["topic"] == "orders")


@pytest.mark.parametrize("seconds", [25, 40, 60])
def test_brokers_that_hear_of_no_controller_go_on_and_nobody_is_said_to_wait(seconds: int) -> None:
    """FLT-5: the controllers' record has no leader that works; every call succeeds and every record is read."""
    world = run(text(UNHEARD), seconds)
    found = topic(world)
    assert found["acked"] == found["calls"] == found["delivered"]
    assert found["longest_wait_us"] < SECOND / 10
    assert (found["no_response"], found["hidden"], found["unreadable"]) == ({"all": 0}, 0, 0)
    assert found["write_down_1_us"] > SECOND
    assert found["sentence"] == (
        "Nothing lost yet. No send() waited longer than 1 s. By the servers' record a partition had no "
        f"working leader for {found['write_down_1_us'] / SECOND:.1f} s."
    )


def test_once_the_links_are_whole_a_stop_is_no_longer_than_calls_waited() -> None:
    found = topic(run(text(UNHEARD, "{at: 40s, do: heal}")))
    assert found["write_down_client_us"] <= found["longest_wait_us"] < 5 * SECOND


def test_groups_commit_at_a_coordinator_that_hears_of_no_controller() -> None:
    member = "{id: G, group: g, topics: [orders], config: {auto.offset.reset: earliest}}"
    world = run(text(UNHEARD, reader=member), 58)
    assert "No group" not in str(world.verdict()["sentence"])
    dead = run(text(UNHEARD, "{at: 30s, do: kill 1}", "{at: 30s, do: kill 2}", reader=member), 50)
    assert "No group can join or commit" in str(dead.verdict()["sentence"])


def test_describe_prints_what_a_broker_answers_and_says_where_the_controllers_record_differs() -> None:
    document = load(text(UNHEARD))
    world = run(text(UNHEARD))
    told = listing(world, document)
    assert told.startswith("# As broker 1 answers: it has not heard of all that the controllers have committed.\n")
    assert "\tLeader: 1\tReplicas: 1,2,3\tIsr: 1,2,3\t" in told
    whole = listing(run(text()), load(text()))
    assert whole.startswith("Topic: orders\t")
    dead = listing(run(text(*(f"{{at: 5s, do: kill {broker}}}" for broker in (1, 2, 3)))), load(text()))
    assert dead.startswith("# No broker responds: this is the controllers' record.\n")


def test_responses_of_a_leader_that_was_replaced_are_in_vain_and_no_silence() -> None:
    """LIVE-5, PROD-4: it answers acks=1 at once, and all of it is lost."""
    document = text(*ISOLATED, acks="1", least=1, reader="")
    found = topic(run(document))
    assert found["no_response"] == {"1": 0}
    assert found["longest_wait_us"] < SECOND
    assert 15 * SECOND < found["vain_us"] < 30 * SECOND
    vain = f"For {found['vain_us'] / SECOND:.1f} s every record that a partition acknowledged to a producer was"
    assert f" {vain} already lost." in found["sentence"]
    incident = examine(load(document), 60 * SECOND)["incidents"][0]
    (part,) = incident["rto"]["1"]["partitions"]
    assert part["vain_us"] > 20 * SECOND
    assert part["client_us"] < SECOND


def test_each_mode_of_acks_that_stopped_is_named() -> None:
    other = ", {id: Q, topic: orders, rate: 20, acks: '1'}"
    pause = "{at: 10s, do: stop 2}", "{at: 11s, do: stop 3}", "{at: 20s, do: pause 1}", "{at: 50s, do: resume 1}"
    said = topic(run(text(*pause, "{at: 55s, do: start 2}", more=other), 59))["sentence"]
    assert "Writes with acks=all " in said
    assert " and with acks=1 for " in said
    only_all = topic(run(text(*pause[:2], "{at: 50s, do: start 2}", more=other)))["sentence"]
    assert "Writes with acks=all stood still for " in only_all
    assert "acks=1" not in only_all


@pytest.mark.parametrize("more", ["", ", {id: Q, topic: orders, rate: 20}"])
def test_a_cut_between_clients_and_brokers_is_no_stop_of_the_servers(more: str) -> None:
    """FLT-4: whether another producer reaches the leader or not."""
    found = topic(run(text("{at: 10s, do: 'cut C,P|1,2,3'}", "{at: 30s, do: heal}", more=more)))
    assert found["write_down_client_us"] > 19 * SECOND
    assert (found["write_down_all_us"], found["read_down_us"], found["write_same_us"]) == (0, 0, 0)
    assert " (the topic itself stayed writable). A reader got nothing for 2" in found["sentence"]
    assert found["sentence"].endswith(" (the topic itself stayed readable).")


def test_a_reader_that_is_cut_off_when_it_has_everything_is_idle() -> None:
    """STOP-4: no record stands that it lacks, and no call waits."""
    found = topic(run(text("{at: 5s, do: rate P 0}", "{at: 10s, do: 'cut C|1,2,3'}", "{at: 50s, do: heal}")))
    assert found["read_down_client_us"] == 0
    assert found["sentence"] == "Nothing was lost and nothing stopped."


def test_the_servers_time_in_brackets_is_of_that_very_stop() -> None:
    """All brokers are away while nobody calls; later the leader dies, and calls wait."""
    away = [f"{{at: 8s, do: {verb} {broker}}}" for verb, broker in (("kill", 1), ("kill", 2), ("kill", 3))]
    back = [f"{{at: 25s, do: start {broker}}}" for broker in (1, 2, 3)]
    actions = "{at: 5s, do: rate P 0}", *away, *back, "{at: 40s, do: rate P 20}"
    world = run(text(*actions, reader="", acks="1"), 44)
    leader = world.snapshot()["partitions"][0]["leader"]  # type: ignore[index]
    found = topic(run(text(*actions, f"{{at: 45s, do: kill {leader}}}", reader="", acks="1")))
    assert 0 < found["write_same_us"] <= found["write_down_client_us"] < found["write_down_1_us"] - 10 * SECOND
    assert f" ({found['write_same_us'] / SECOND:.1f} s by the servers)." in found["sentence"]


@pytest.mark.parametrize("action", ["power-loss 1", "pause 1"])
def test_a_fetch_that_a_dark_leader_does_not_answer_is_a_stop_of_its_reader(action: str) -> None:
    """PROD-12: nothing is written meanwhile, as the only producer waits at the same leader."""
    found = topic(run(text(f"{{at: 6s, do: {action}}}", least=1)))
    assert 25 * SECOND < found["read_down_client_us"] < 35 * SECOND
    assert found["read_same_us"] < found["read_down_client_us"]
    assert "A reader got nothing for " in found["sentence"]


@pytest.mark.parametrize(("hit", "undo"), [("power-loss 1", "start 1"), ("pause 1", "resume 1"), ("cut 1|C,P", "heal")])
def test_a_reader_whose_fetches_are_given_up_one_after_the_other_gets_nothing_until_a_response(
    hit: str, undo: str
) -> None:
    """STOP-4: request.timeout.ms ends a fetch after 30 s; the next one has no response either."""
    world = run(text(f"{{at: 6s, do: '{hit}'}}", f"{{at: 70s, do: {undo}}}", least=1, assignment="[[1]]"), 90)
    [reader] = world.book.account(0).reading.readers
    [(since, until)] = reader.out.intervals
    assert since < 7 * SECOND < 70 * SECOND < until
    assert topic(world)["read_down_client_us"] == until - since


def test_an_idle_reader_whose_fetches_are_answered_waits_for_nothing() -> None:
    """Also where the leader's process ends: its connection breaks, and the reader asks another broker."""
    quiet = "{at: 5s, do: rate P 0}"
    assert topic(run(text(quiet)))["read_down_client_us"] == 0
    assert topic(run(text(quiet, "{at: 10s, do: kill 1}")))["read_down_client_us"] == 0


def test_the_longest_stop_is_the_longest_of_the_headline_with_its_own_begin() -> None:
    """The reader waits longer than the producer: it alone is cut off."""
    actions = "{at: 10s, do: kill 1}", "{at: 25s, do: 'cut C|1,2,3'}", "{at: 50s, do: heal}"
    found = topic(run(text(*actions)))
    assert found["read_down_client_us"] > found["write_down_client_us"] + SECOND
    assert 24.4 * SECOND <= found["stop_since_us"] < 26 * SECOND, "a fetch that was sent just before the cut"
    words = moment_words(found)
    assert words.startswith("the longest stop, a reader’s, began at 2")
    assert words.endswith(" caused by what happened at 25.000 s: the links between C and brokers 1, 2 and 3 are cut")


def test_records_that_cannot_be_read_go_back_to_the_death_that_hid_them_not_to_a_stall_before() -> None:
    actions = "{at: 30s, do: pause 3}", "{at: 31.5s, do: kill 2}", "{at: 31.5s, do: kill 1}"
    found = topic(run(text(*actions, acks="1"), 50))
    assert found["unreadable"] > found["hidden"] > 0
    assert found["deciding"]["t"] >= 31.5 * SECOND


def test_a_stop_of_some_partitions_is_told_of_these() -> None:
    """Only the calls to the partition that broker 1 led alone wait; those to the other succeed."""
    partial = run(text("{at: 10s, do: kill 1}", "{at: 30s, do: start 1}", assignment="[[1], [2]]", least=1))
    found = topic(partial)["sentence"]
    assert found.startswith("Nothing acknowledged was lost. Writes to 1 of 2 partitions stood still for 2"), found
    every = run(text("{at: 10s, do: kill 1}", "{at: 30s, do: start 1}", assignment="[[1], [1]]", least=1))
    assert "Writes stood still for 2" in topic(every)["sentence"]


def test_two_stops_are_told_as_a_time_in_all_and_one_is_not() -> None:
    """Reader and producer are cut from the brokers for 20 s, once and twice."""
    once = "{at: 10s, do: 'cut C,P|1,2,3'}", "{at: 30s, do: heal}"
    twice = *once, "{at: 50s, do: 'cut C,P|1,2,3'}", "{at: 70s, do: heal}"
    more = ", {id: Q, topic: orders, rate: 20}"
    for actions, in_all in ((once, ""), (twice, " in all")):
        found = topic(run(text(*actions, more=more), 90))["sentence"]
        assert re.search(rf"Writes stood still for \d+\.\d s{in_all} \(", found), found
        assert re.search(rf"A reader got nothing for \d+\.\d s{in_all} \(", found), found


def test_a_mode_of_acks_whose_calls_wait_no_longer_than_theta_is_not_said_to_be_stopped() -> None:
    """HW-2: acks=all has no response from 10 s on; acks=1 has, until the leader dies half a second before the look."""
    other = ", {id: Q, topic: orders, rate: 20, acks: '1'}"
    actions = "{at: 10s, do: kill 2}", "{at: 10s, do: kill 3}", "{at: 39500ms, do: pause 1}"
    said = topic(run(text(*actions, more=other), 40))["sentence"]
    assert "Writes with acks=all have been stopped for" in said, said


def test_the_longest_stop_is_of_those_that_the_sentence_names() -> None:
    """Two stops of the producer are longer together than the reader's one, which is the longest by itself."""
    world = run(
        text(
            "{at: 5s, do: 'cut P|1,2,3'}",
            "{at: 20s, do: heal}",
            "{at: 26s, do: 'cut C|1,2,3'}",
            "{at: 30s, do: 'cut P|1,2,3'}",
            "{at: 55s, do: heal}",
        ),
        90,
    )
    began = moment_words(topic(world))
    assert began.startswith("the longest stop, of writes, began at 5."), began


KILLED_LATER = [
    ("cut P|1", "kill 1", "1"),  # the leader dies before anybody is elected
    ("cut P|1", "kill 2", "1"),  # a follower dies, and no call waits for that
    ("pause 3", "kill 2", "all"),
    ("pause 1", "kill 1", "1"),
]


@pytest.mark.parametrize(("first", "later", "acks"), KILLED_LATER)
@pytest.mark.parametrize("rate", [3, 20])
def test_a_stop_goes_back_to_what_began_it_and_not_to_a_later_kill(
    first: str, later: str, acks: str, rate: int
) -> None:
    document = text(
        f"{{at: 10s, do: '{first}'}}", f"{{at: 10.9s, do: {later}}}", "{at: 40s, do: heal}", acks=acks, least=1
    ).replace("rate: 20", f"rate: {rate}")
    found = topic(run(document))
    assert found["stop_since_us"] < 10.5 * SECOND
    assert found["deciding"]["t"] == 10 * SECOND, found["deciding"]["text"]


@pytest.mark.parametrize(
    ("first", "again"),
    [("cut 1|2", "cut 2|1"), ("cut 1|2,3", "cut 1|2"), ("cut 2|3,1", "cut 1|2"), ("kill 2", "kill 2")],
)
def test_a_stop_that_goes_on_goes_back_to_the_newest_cut_or_death_that_keeps_it_up(first: str, again: str) -> None:
    """HW-1: the follower does not fetch in the moment for which it is back."""
    undo = "start 2" if first == "kill 2" else "heal"
    actions = f"{{at: 10s, do: '{first}'}}", f"{{at: 11s, do: {undo}}}", f"{{at: 11.05s, do: '{again}'}}"
    found = topic(run(text(*actions, assignment="[[1, 2]]"), 15))
    assert found["sentence"].startswith("Nothing lost. Writes have been stopped for")
    assert moment_words(found).startswith("the stop that goes on is kept up by what happened at 11.050 s: ")


def test_a_shorter_stop_that_goes_on_does_not_hide_an_earlier_one() -> None:
    """The producer's calls wait for 40 s, are answered, and wait again for some seconds."""
    acts = ["{at: 5s, do: kill 1}", "{at: 45s, do: start 1}", "{at: 75s, do: kill 1}"]
    said = topic(run(text(*acts, assignment="[[1]]", least=1), 80))["sentence"]
    pattern = r"Writes have waited [345]\.\d s for a leader\. An earlier stop of writes lasted 4\d\.\d s\."
    assert re.search(pattern, said), said


def test_the_longer_stop_that_goes_on_stands_alone() -> None:
    acts = ["{at: 5s, do: kill 1}", "{at: 10s, do: start 1}", "{at: 40s, do: kill 1}"]
    said = topic(run(text(*acts, assignment="[[1]]", least=1), 85))["sentence"]
    assert "Writes have waited 4" in said
    assert "earlier" not in said


def emptied(back: int) -> list[str]:
    """Broker 1 dies at 5 s and comes back without its disk; somebody lets it lead all the same."""
    empty, elect = f"{{at: {back}s, do: start 1 empty}}", f"{{at: {back + 4}s, do: elect unclean all}}"
    return ["{at: 5s, do: kill 1}", empty, elect]


@pytest.mark.parametrize(("back", "is_told"), [(45, True), (9, False)])
def test_a_long_stop_that_is_over_is_told_beside_a_loss(back: int, is_told: bool) -> None:
    """The only replica comes back without its disk: what it had is gone, and calls had waited for it."""
    acts = emptied(back)
    said = topic(run(text(*acts, assignment="[[1]]", least=1, reader=""), 85))["sentence"]
    assert "are gone." in said
    assert bool(re.search(r"gone\. Writes stood still for 4\d\.\d s", said)) is is_told, said


@pytest.mark.parametrize("many", [False, True])
def test_the_headline_of_many_topics_tells_the_long_stop_beside_a_loss_too(many: bool) -> None:
    acts = emptied(45)
    document = text(*acts, assignment="[[1]]", least=1, reader="")
    if many:
        more = "".join(f", {{name: t{i}, assignment: [[2, 3]]}}" for i in range(4))
        document = document.replace("}}]\nproducers", f"}}}}{more}]\nproducers")
    said = str(run(document, 85).verdict()["sentence"])
    assert re.search(r"gone( in 1 topic)?\. Writes stood still for (up to )?4\d\.\d s", said), said
