"""The page and the command line say every action in the same words."""

import json
import subprocess
from pathlib import Path

from simengine.scenario import load
from simengine.scenario.action_words import asked, clauses, counted, inside
from simengine.scenario.verbs import VERBS
from tools.node import NODE

ROOT = Path(__file__).resolve().parent.parent.parent
SCENARIOS = sorted((ROOT / "tests" / "scenarios").glob("*.yaml"))
NAMED = {  # racks, topics and clients may be called as a sentence begins
    "power-loss a": "a loses power",
    "power-loss a,b 20": "a and b lose power",
    "power-loss the,1": "the and broker 1 lose power",
    "power-loss a 0": "a goes dark",
    "power-loss a,1 0": "a and broker 1 go dark",
    "kill-rack an": "an is taken down",
    "start-rack a": "a is brought back",
    "acks all 1": "all is now written with acks=1",
    "rate a 5": "a sends 5 records/s",
    "resend the t-0 3 4": "the sends the records of calls 3–6 to t-0 again",
    "open an": "an is opened",
    "crash a": "a crashes",
    "commit a": "a commits what it has read",
}
MORE = [
    "start 2 empty",
    "start 2 after 3s",
    "start 2 wiped",
    "start 2 empty after 5s",
    "start 2 wiped after 5s",
    "power-loss all",
    "power-loss all 0",
    "power-loss 1 0",
    "power-loss 1,az-b 20",
    "power-loss 1",
    "cut 1>2",
    "cut P|1,2",
    "heal 1|2",
    "slow-link az-a|1 0s",
    "slow-link 1>2,3 80ms",
    "slow 1 off",
    "slow 1 serving 50",
    "slow 1 serving off",
    "slow 1 50",
    "slow 1 1000",
    "rate P 1000.5",
    "send P orders-0 20000",
    "rate P 5 orders-0",
    "send P orders-0 1",
    "resend P orders-0 3 1",
    "resend P orders-0 3 4",
    "slow-link 1|2 500ms",
    "cut 1,100|2",
    "config cluster a.b true",
    "config broker.2 a.b true",
    "config broker.events a.b true",
    "intercept i P t-0 3 drop-response 0s",
    "intercept i P t-0 3 hold-request 0s",
    "intercept i P t-0 3 delay-response 1s",
    "release i",
    "late-heartbeat 2",
    "elect unclean all",
    "reassign t-0 cancel",
    "reassign t-0 3,1,2",
    "reassign east/t-0 3,1,2",
    "reassign east/t-0 cancel",
    "create t 2,1/1,3",
    "delete t",
    "partitions t 6000",
    "commit C",
    "commit C t-0 17",
    "acks orders 1",
    "kill 100, kill 1",
    "start 1, kill 1, send P t-0 1",
    "kill-site east",
    "move east/P west",
    "move east/g west orders,east.orders",
    "start-site east",
    "kill east/1",
    "stop east/100",
    "power-loss east/1,east/az-a 0",
    "cut east|west",
    "cut east/1,east/2>west/az-a",
    "config east/cluster a.b true",
    "config east/broker.2 a.b true",
    "elect preferred east/all",
    "elect unclean east/t-0",
    "hold 7",
    "deliver 7",
    "drop 7",
    "open C",
    "close C",
    "crash C",
    *NAMED,
]


def name(node: int | str) -> str:
    return f"broker {node}" if int(str(node).rpartition("/")[2]) < 100 else f"controller {node}"


def test_every_action_has_the_same_words_on_the_page_and_on_the_command_line(tmp_path: Path) -> None:
    used = [str(entry.action) for path in SCENARIOS for entry in load(path.read_bytes()).timeline]
    actions = sorted(dict.fromkeys([*used, *MORE]))
    assert {action.split(" ")[0] for action in actions} == set(VERBS)
    file = tmp_path / "actions.json"
    file.write_text(json.dumps(actions))
    words = [NODE, ROOT / "tests/js/action_words_twin.js", file]
    told = subprocess.run(words, capture_output=True, text=True, check=True)
    ours = {action: [clauses(action, name), asked(action, name), counted(action.split(", "))] for action in actions}
    assert json.loads(told.stdout) == ours


def test_actions_are_asked_for_and_counted_by_their_kind() -> None:
    assert asked("start 2 empty", name) == "start broker 2 empty"
    assert asked("kill 100", name) == "kill controller 100"
    assert asked("acks orders 1", name) == "acks orders 1"
    assert counted(["kill 1", "hold 7", "kill 2", "start 1", "send P t-0 1"]) == "2 kills, 2 other actions, 1 start"


def test_every_action_has_words_of_its_own() -> None:
    bare = [action for action in MORE if clauses(action, name) == action]
    assert bare == []


def test_a_name_that_is_an_article_stays_as_it_is_written() -> None:
    assert {action: clauses(action, name) for action in NAMED} == NAMED
    own = [
        clauses(action, name)[0] for action in ("power-loss all 5", "heal", "elect unclean t-0", "release i", "hold 7")
    ]
    assert own == ["A"] * 5


def test_an_action_is_a_clause_in_plain_words() -> None:
    said = [
        clauses(action, name)
        for action in ("cut 0|1,2", "reassign t-0 3,1,2", "slow-link 1|2 500ms", "elect unclean all")
    ]
    assert said == [
        "The links between broker 0 and brokers 1 and 2 are cut",
        "t-0 is to be on brokers 3, 1 and 2",
        "The links between broker 1 and broker 2 are slower by 500ms",
        "An unclean election is requested for all partitions",
    ]
    assert inside("reassign east/t-0 1", name) == "east/t-0 is to be on broker east/1"
    assert inside("reassign east/t-0 3,1", name) == "east/t-0 is to be on brokers east/3 and east/1"
    assert inside("rate P 1000.5", name) == "P sends 1,000.5 records/s"
    assert inside("slow 2 1000", name) == "broker 2 fetches at most 1,000 records/s"
    assert inside("rate P 1", name) == "P sends 1 record/s"
    assert inside("slow 2 1", name) == "broker 2 fetches at most 1 record/s"
    assert inside("send P orders-0 20000", name) == "P sends 20,000 records to orders-0"
    assert inside("kill 2", name) == "broker 2 is killed"
