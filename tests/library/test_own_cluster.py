"""A question asked of a pasted cluster: its two runs there, or the reason why it is not asked."""

import pytest
from django.test import Client

from playground.imports.forms import PastedText
from playground.imports.preview import imported
from playground.library.own_cluster import NO_CONTROLLERS, NO_PARTITION, SEVERAL, NotAskable, own_documents
from playground.library.question_list import Question, read_questions
from simengine.compare.comparison import compare
from simengine.scenario import Document, load, to_plain

DESCRIBED = """Topic: orders PartitionCount: 2 ReplicationFactor: 3 Configs: min.insync.replicas=2
Topic: orders Partition: 0 Leader: 1 Replicas: 1,2,3 Isr: 1,2,3
Topic: orders Partition: 1 Leader: 4 Replicas: 4,3,1 Isr: 4,3,1
Topic: single PartitionCount: 1 ReplicationFactor: 1 Configs:
Topic: single Partition: 0 Leader: 1 Replicas: 1 Isr: 1
"""
QUESTIONS = {one.key: one for one in read_questions()}
ASKABLE = [one for one in QUESTIONS.values() if one.mine]


def cluster(text: str = DESCRIBED, **more: object) -> Document:
    """The document of a paste."""
    _, built = imported(PastedText(text))
    assert built is not None
    return load(built.document | more)


def test_each_question_has_two_runs_of_its_own_or_says_why_not() -> None:
    assert {(len(one.mine), bool(one.why_not_mine)) for one in QUESTIONS.values()} == {(2, False), (0, True)}
    assert len(ASKABLE) == 11


@pytest.mark.parametrize("question", ASKABLE, ids=[one.key for one in ASKABLE])
def test_the_runs_are_documents_of_one_topic(question: Question) -> None:
    a, b = own_documents(question, cluster())
    assert [topic.name for topic in a.topics] == ["orders"]
    assert [(one.topic, one.rate_milli) for one in a.producers] == [("orders", 10_000)]
    assert [one.topics for one in a.consumers] == [["orders"]]
    assert a.title != b.title
    assert a.model_copy(update={"title": ""}) != b.model_copy(update={"title": ""})
    assert a.until_us == max(entry.at_us for entry in a.timeline) + 60_000_000


def topics(*wanted: tuple[str, int, str]) -> str:
    """A paste: the name, the minimum in sync and the ISR of each topic on brokers 1, 2 and 3."""
    return "\n".join(
        f"Topic: {name} PartitionCount: 1 ReplicationFactor: 3 Configs: min.insync.replicas={least}\n"
        f"Topic: {name} Partition: 0 Leader: 1 Replicas: 1,2,3 Isr: {isr}"
        for name, least, isr in wanted
    )


def told(document: Document) -> str:
    """The caption with which both runs of a question begin."""
    runs = own_documents(QUESTIONS["how-long-is-a-failover"], document)
    captions = {tuple((one.at_us, one.text) for one in run.captions) for run in runs}
    (((at_us, text),),) = captions
    assert at_us == 0
    return text


def test_the_topic_that_risks_most_is_asked_and_the_page_says_what_is_left_out() -> None:
    whole = "1,2,3"
    two = cluster(topics(("orders", 2, whole), ("pay", 1, whole), ("behind", 1, "1,2")))
    assert told(two) == (
        "The question is asked of pay-0. Of the topics, pay risks most: acks=all, min.insync.replicas=1, 3 replicas. "
        "Left out: orders. "
        "It cannot be asked of behind: no partition there has a producer and two replicas, all in sync."
    )
    weak = [{"id": "W", "topic": "orders", "rate": 1, "acks": 1}, {"id": "S", "topic": "pay", "rate": 1}]
    assert "Of the topics, orders risks most: acks=1, min" in told(load(to_plain(two) | {"producers": weak}))
    alike = cluster(topics(*((name, 2, whole) for name in "abcdef")))
    assert told(alike) == (
        "The question is asked of a-0. Of the topics, a is the first that risks most: acks=all, "
        "min.insync.replicas=2, 3 replicas. Left out: b, c, d and 2 more."
    )
    assert told(cluster(topics(("orders", 2, whole)))) == "The question is asked of orders-0."


@pytest.mark.parametrize(
    ("key", "figure", "values"),
    [
        ("acks-1-and-the-leader-dies", "lost", (2, 0)),
        ("acks-all-with-a-minimum-of-1", "lost", (175, 0)),
        ("never-acknowledged-is-not-lost", "refused", (655, 0)),
        ("how-long-is-a-failover", "writes_stopped_s", (11.0, 4.5)),
    ],
)
def test_the_runs_differ_as_those_of_the_question_do(key: str, figure: str, values: tuple[float, float]) -> None:
    runs = own_documents(QUESTIONS[key], cluster())
    sides = compare(runs, max(run.until_us for run in runs))["sides"]
    assert tuple(round(side[figure], 1) for side in sides) == values


def test_what_belongs_to_the_run_of_the_cluster_and_to_clients_left_out_goes() -> None:
    clients = [{"id": name, "topic": topic, "rate": 10} for name, topic in (("P", "orders"), ("Q", "single"))]
    links = [{"between": [name, 1], "latency": "9ms"} for name in ("P", "Q")]
    own = cluster(producers=clients, network={"links": links}, closing="20s", phases={"preferred": "250s"})
    a, b = own_documents(QUESTIONS["acks-1-and-the-leader-dies"], own)
    assert [len(to_plain(run)["network"]["links"]) for run in (a, b)] == [1, 1]
    assert (a.closing_us, a.faults, "phases" in to_plain(a)) == (None, None, False)


def test_a_cluster_of_which_it_cannot_be_asked_is_told_why() -> None:
    key, controllers = "acks-1-and-the-leader-dies", "two-of-three-controllers-are-gone"
    one_copy = "\n".join(line for line in DESCRIBED.splitlines() if "single" in line)
    behind = DESCRIBED.replace("Isr: 1,2,3", "Isr: 1,2").replace("Isr: 4,3,1", "Isr: 4,1")
    few = cluster(cluster={"brokers": [1, 2, 3, 4], "controllers": [100]})
    five = cluster(cluster={"brokers": [1, 2, 3, 4], "controllers": [100, 101, 102, 103, 104]})
    east = {"cluster": {"brokers": [1]}}
    several = load({"format": 1, "title": "Two", "clusters": {"east": east, "west": east}})
    for asked, document, reason in (
        (key, cluster(one_copy), NO_PARTITION),
        (key, cluster(behind), NO_PARTITION),
        (controllers, few, NO_CONTROLLERS),
        (controllers, five, NO_CONTROLLERS),
        (key, several, SEVERAL),
        ("an-az-goes-dark", cluster(), QUESTIONS["an-az-goes-dark"].why_not_mine),
    ):
        with pytest.raises(NotAskable) as refused:
            own_documents(QUESTIONS[asked], document)
        assert str(refused.value) == reason


@pytest.mark.django_db
def test_the_page_of_a_paste_is_told_the_question() -> None:
    told = Client().get("/questions/an-az-goes-dark/mine").json()
    assert told == {
        "title": "An AZ goes dark. Are three replicas enough?",
        "why_not": QUESTIONS["an-az-goes-dark"].why_not_mine,
    }
    assert Client().get("/questions/none/mine").status_code == 404
