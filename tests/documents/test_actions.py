import pytest

from simengine.scenario.actions import Action, parse
from simengine.scenario.arguments import rate_milli
from simengine.scenario.problems import FieldError
from simengine.scenario.references import Names
from simengine.scenario.verbs import VERBS
from tests.documents.helpers import document

LINES = [
    ("kill 2", ("2",)),
    ("stop 100", ("100",)),
    ("start 2", ("2",)),
    ("start 2 empty", ("2", "empty")),
    ("slow 2 serving 20", ("2", "serving", "20")),
    ("slow 2 serving off", ("2", "serving", "off")),
    ("start 2 wiped", ("2", "wiped")),
    ("start 2 empty after 5s", ("2", "empty", "after", "5s")),
    ("start 2 wiped after 500ms", ("2", "wiped", "after", "500ms")),
    ("pause 0", ("0",)),
    ("resume 0", ("0",)),
    ("kill-rack az-a", ("az-a",)),
    ("kill-site east", ("east",)),
    ("start-site east", ("east",)),
    ("kill east/1", ("east/1",)),
    ("rate east/P 5 east/t-0", ("east/P", "5", "east/t-0")),
    ("elect preferred east/all", ("preferred", "east/all")),
    ("resume 2 slow", ("2", "slow")),
    ("power-loss 1", ("1",)),
    ("power-loss az-a,2 3", ("az-a,2", "3")),
    ("power-loss all", ("all",)),
    ("start-rack az-a", ("az-a",)),
    ("cut 1|2,3", ("1|2,3",)),
    ("cut az-a>P", ("az-a>P",)),
    ("heal", ()),
    ("heal 1|2", ("1|2",)),
    ("slow-link az-a|az-b 80ms", ("az-a|az-b", "80ms")),
    ("slow 2 20", ("2", "20")),
    ("slow 2 off", ("2", "off")),
    ("acks orders all", ("orders", "all")),
    ("rate P 0.5", ("P", "0.5")),
    ("rate P 10 orders-1", ("P", "10", "orders-1")),
    ("send P my-topic-0 5", ("P", "my-topic-0", "5")),
    ("resend P my-topic-0 3 2", ("P", "my-topic-0", "3", "2")),
    ("config orders min.insync.replicas 2", ("orders", "min.insync.replicas", "2")),
    ("config broker.1 unclean.leader.election.enable true", ("broker.1", "unclean.leader.election.enable", "true")),
    ("config cluster min.insync.replicas 2", ("cluster", "min.insync.replicas", "2")),
    ("elect preferred all", ("preferred", "all")),
    ("elect unclean orders-0", ("unclean", "orders-0")),
    ("reassign orders-0 3,1,2", ("orders-0", "3,1,2")),
    ("reassign orders-0 cancel", ("orders-0", "cancel")),
    ("create new 3 6", ("new", "3", "6")),
    ("create new 2,1/1,3", ("new", "2,1/1,3")),
    ("delete orders", ("orders",)),
    ("partitions orders 6", ("orders", "6")),
    ("start 2 after 1.5s", ("2", "after", "1.5s")),
    ("late-heartbeat 2", ("2",)),
    ("intercept i1 P orders-0 3 drop-response 0s", ("i1", "P", "orders-0", "3", "drop-response", "0s")),
    ("release i1", ("i1",)),
    ("hold 1234", ("1234",)),
    ("deliver 1234", ("1234",)),
    ("drop 1234", ("1234",)),
    ("open P", ("P",)),
    ("close P", ("P",)),
    ("crash C", ("C",)),
    ("move east/C west", ("east/C", "west")),
    ("move east/g west orders,east.orders", ("east/g", "west", "orders,east.orders")),
    ("commit C", ("C",)),
    ("commit C orders-0 5", ("C", "orders-0", "5")),
]


@pytest.mark.parametrize(("line", "args"), LINES)
def test_an_action_is_read_and_written_back(line: str, args: tuple[str, ...]) -> None:
    action = parse(line)
    assert action == Action(line.split(maxsplit=1)[0], args)
    assert str(action) == line


def test_every_verb_is_tried_here() -> None:
    assert {line.split()[0] for line, _ in LINES} == set(VERBS)


@pytest.mark.parametrize(
    ("loose", "canonical"),
    [
        ("  kill   2 ", "kill 2"),
        ("acks orders -1", "acks orders all"),
        ("cut 1,1|2", "cut 1|2"),
        ("slow-link 1|2 off", "slow-link 1|2 0s"),
        ("slow-link 1|2 1000ms", "slow-link 1|2 1s"),
        ("reassign orders-0 [3,1,2]", "reassign orders-0 3,1,2"),
        ("rate P 010.50", "rate P 10.5"),
        ("kill 02", "kill 2"),
    ],
)
def test_one_action_has_one_canonical_line(loose: str, canonical: str) -> None:
    assert str(parse(loose)) == canonical
    assert parse(canonical) == parse(loose)


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("", "missing"),
        ("kil 2", "did you mean kill?"),
        ("delete-topic orders", "the verb is delete"),
        ("partitions orders", "missing"),
        ("partitions orders 1", "number of partitions"),
        ("kill", "kill <node>"),
        ("kill 2x", "node id"),
        ("kill 1 2", "too much"),
        ("start 1 emtpy", "did you mean empty?"),
        ("start 1 empty after", "missing"),
        ("slow 1 serving", "missing"),
        ("slow 1 serving fast", "limit in records/s"),
        ("slow 1 20 30", "too much"),
        ("start 1 empty for 5s", "after"),
        ("start 1 after 5s empty", "too much"),
        ("cut 1", "two sides"),
        ("cut 1|2|3", "two sides"),
        ("cut 1|", "node, client or rack"),
        ("acks orders 2", "0, 1, all"),
        ("acks orders", "acks <topic> 0|1|all"),
        ("rate P fast", "records/s"),
        ("rate P 10 orders", "<topic>-<partition>"),
        ("rate P 2000000", "at most 1000000"),
        ("send P orders-0 0", "from 1"),
        ("elect prefered all", "did you mean preferred?"),
        ("reassign orders-0 1,1", "twice"),
        ("create t 0 1", "from 1"),
        ("commit C orders-0", "missing"),
        ("slow-link 1|2 80", "duration"),
        ("slow-link 1|2 2m", "at most 1m"),
        ("x" * 3000, "at most 2000 characters"),
    ],
)
def test_a_wrong_action_says_what_is_allowed(line: str, word: str) -> None:
    with pytest.raises(FieldError) as caught:
        parse(line)
    assert word in str(caught.value)
    assert isinstance(caught.value, ValueError)


def test_rates_are_exact_thousandths() -> None:
    assert rate_milli("0.001") == 1
    assert rate_milli("10") == 10_000


def test_checking_an_action_twice_changes_nothing() -> None:
    names = Names.of(document())
    names.check(parse("create new 3 2"))
    names.check(parse("create new 3 2"))
    with pytest.raises(FieldError):
        names.check(parse("elect preferred new-1"))
    names.add(parse("create new 3 2"))
    names.check(parse("elect preferred new-1"))
