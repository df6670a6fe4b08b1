"""A valid input for each route, frame and stored row: what the hostile ones are made from.

The routes are read from the URL conf, the sockets' from the routing, the frames from the table of commands, the views
of stored documents from the routes that name one: whatever is new there and has no entry here fails the test.
Symbols in braces ({own}, {frozen}…) stand for ids that a `World` has.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import yaml
from django.urls import URLPattern, URLResolver, get_resolver

from playground.environment import ROOT
from playground.rooms.routing import websocket_urlpatterns
from playground.rooms.wire import COMMANDS
from tests.importers import samples
from tests.whatif.plans import DOCUMENT

RUNS: Final = ("{own}", "{acted}", "{frozen}", "{foreign}", "{deleted}", "{damaged}", "{none}")
PAIRS: Final = ("{own}..{acted}", *(f"{{own}}..{run}" for run in RUNS), "{own}..", "..", "..".join(RUNS))
EXPERIMENTS: Final = ("{done}", "{waiting}", "{damaged_experiment}", "{none}")
ROOMS: Final = ("{own}", "{acted}", "{frozen}~{browser}", "{frozen}", "{foreign}", "{deleted}", "{damaged}", "{none}")
PASTES: Final = (
    samples.MODERN,
    samples.OLD,
    samples.KCAT,
    samples.KCAT_JSON,
    "format: 1\ncluster: {brokers: [1, 2]}\n",
)
SITES: Final[dict[str, Any]] = {
    "sites": [{"name": name, "text": samples.MODERN} for name in ("east", "west")],
    "between_ms": 30,
    "mirrors": "clusters = east, west\neast->west.enabled = true\neast->west.topics = .*\n",
}
SMALL: Final[dict[str, Any]] = {**DOCUMENT, "until": "6s", "timeline": DOCUMENT["timeline"][:2]}
EDITS: Final[dict[str, Any]] = {
    "racks": {"1": "az-b"},
    "controllers": {"100": "az-a"},
    "assumed": {"latency_ms": 2, "records_per_s": 10, "version": "4.1", "log_gb": 10, "controllers": 3},
    "dies": "dark",
    "disks": "back",
}
QUESTION: Final = "acks-1-and-the-leader-dies"
LIST: Final[dict[str, Any]] = {
    "row": "az-a",
    "pick": "",
    "of": "write",
    "acks": "all",
    "cause": "",
    "sort": "-topic",
    "offset": 0,
    "limit": 10,
    "format": "csv",
}
FORM: Final[dict[str, Any]] = {
    "doc": "{small}",
    "title": "A title",
    "topics": ["orders"],
    "seeds": 2,
    "first_seed": "1",
    "horizon": "2s",
    "latency": "8ms",
    "axes": {
        "acks": ["1", "all"],
        "min_isr": [1, 2],
        "unclean": [False],
        "rf": [3],
        "lag_ms": [10000],
        "kafka": ["4.2"],
        "fault": [{"kind": "rack", "rack": "az-a", "from": "200ms", "to": "1s", "back": "500ms"}],
    },
    "baseline": {"acks": "all"},
    "left_out": [{"acks": "1", "min_isr": 2}],
    "quick": True,
}


def without(member: str, sent: dict[str, Any]) -> dict[str, Any]:
    """A body without a member that only pages send."""
    return {key: one for key, one in sent.items() if key != member}


RATES: Final = {"kind": "rates", "mttf": "10s", "mttr": "1s"}


@dataclass(frozen=True)
class Valid:
    """One way to ask a route: its method, what may stand in its address, and one body of JSON, of a form or of text.

    ``weight``: how often it is drawn; what starts a process of its own is drawn seldom.
    """

    method: str = "GET"
    segments: dict[str, tuple[str, ...]] = field(default_factory=dict)
    query: dict[str, str] = field(default_factory=dict)
    json: Any = None
    form: dict[str, str] | None = None
    text: tuple[str, ...] = ()
    weight: int = 8


def of_run(method: str = "GET", **more: Any) -> Valid:
    """A route under a run's link."""
    return Valid(method, {"scenario_id": RUNS}, **more)


def of_pair(method: str = "GET", **more: Any) -> Valid:
    """A route under two runs."""
    return Valid(method, {"ids": PAIRS}, **more)


def of_room(**query: str) -> Valid:
    """A route under a room."""
    return Valid("GET", {"room": ROOMS}, query)


def of_experiment(method: str = "GET", **query: str) -> Valid:
    """A route under an experiment."""
    return Valid(method, {"experiment_id": EXPERIMENTS}, query)


def documents() -> tuple[str, ...]:
    """Documents that are valid: every key of the format stands in one of them."""
    files = [ROOT / "simengine/scenario/builtin" / name for name in ("sandbox.yaml", "reference.yaml")]
    files += sorted((ROOT / "tests/scenarios").glob("*.yaml"))[::12]
    return (*(path.read_text() for path in files), yaml.safe_dump(SMALL))


PASTED: Final = {"text": samples.MODERN, "assumed": {"acks": "1", "states": {"1": "down"}}, "racks": {"1": "a"}}
BRANCH: Final = {"at_us": 1_000_000, "do": "kill 1", "later": "keep", "speed": "auto"}

ROUTES: Final[dict[str, tuple[Valid, ...]]] = {
    "alive": (Valid(weight=1),),
    "gallery": (Valid(query={"q": "leader", "about": "x"}),),
    "rules": (Valid(query={"q": "min isr", "about": "x"}),),
    "settings": (Valid(query={"q": "timeout", "about": "x"}),),
    "setting-try": (Valid("POST", {"kind": ("topic", "none"), "setting": ("min.insync.replicas", "none")}),),
    "gallery-source": (Valid(segments={"name": ("s08-leader-dies", "none")}),),
    "gallery-pictures": (Valid("GET", {"section": ("writes", "none")}),),
    "questions": (Valid(weight=1),),
    "question": (Valid("GET", {"key": (QUESTION, "none")}),),
    "question-both": (Valid("POST", {"key": (QUESTION, "none")}),),
    "question-often": (Valid("POST", {"key": (QUESTION, "none")}),),
    "question-mine": (Valid("GET", {"key": (QUESTION, "none")}),),
    "question-mine-ask": (Valid("POST", {"key": (QUESTION, "none"), "scenario_id": RUNS}),),
    "question-open": (Valid("POST", {"key": (QUESTION, "none"), "letter": ("a", "b", "c")}),),
    "gallery-open": (Valid("POST", {"name": ("s08-leader-dies", "none")}, weight=2),),
    "gallery-both": (Valid("POST", {"name": ("s10-unreplicated-data", "s08-leader-dies", "none")}, weight=1),),
    "truth": (Valid(weight=2),),
    "truth-open": (Valid("POST", {"file": ("s01", "none")}, weight=2),),
    "runs": (Valid(query={"q": "x"}),),
    "create-document": (Valid("POST", json=SMALL), Valid("POST", text=documents(), weight=24)),
    "download-yaml": (of_run(query={"at_us": "1000000"}),),
    "download-json": (of_run(query={"at_us": "1000000"}),),
    "about": (of_run(),),
    "rename": (of_run("POST", form={"title": "Another name"}),),
    "edit": (Valid("GET", {"scenario_id": RUNS, "word": ("{edit}", "{none}")}),),
    "home": (Valid(query={"new": "1"}, weight=2),),
    "sandbox": (Valid(query={"new": ""}, weight=2),),
    "playground": (of_run(query={"at": "1"}),),
    "still-picture": (of_run(query={"at_us": "1000000", "theme": "dark", "width": "400"}, weight=4),),
    "still": (of_run(query={"at_us": "1000000"}, weight=4),),
    "fork": (
        of_run("POST", json=BRANCH),
        of_run("POST", json={"shown_us": 10, "do": "config orders min.insync.replicas 1"}),
    ),
    "undo": (of_run("POST", json={"at_us": 3_000_000, "speed": 1000}),),
    "share": (of_run("POST", json={"at_us": 1_000_000, "neutral": True}),),
    "carry-on": (of_run("POST", json={"at_us": 1_000_000, "speed": "auto"}),),
    "describe": (of_run(query={"at_us": "1000000"}),),
    "report": (of_run(query={"at_us": "1000000"}, weight=1),),
    "metric": (of_run(query={"name": "UnderReplicatedPartitions", "of": "1", "at_us": "1000000"}, weight=1),),
    "why": (of_run(query={"at_us": "1000000"}, weight=1),),
    "new-edit-link": (of_run("POST", form={}),),
    "delete": (of_run("POST", form={}),),
    "room-snapshot": (of_room(at_us="0", **{"as": "json"}),),
    "room-facts": (of_room(from_us="0", to_us="1000", stream="state", **{"as": "json"}),),
    "room-verdict": (of_room(at_us="0"),),
    "room-metrics": (of_room(at_us="0", node="1"),),
    "room-alerts": (of_room(),),
    "import": (Valid(query={"text": "x"}),),
    "import-preview": (
        Valid("POST", json=PASTED),
        Valid("POST", json={"text": "{paste}", "controllers": {"3": "b"}}, weight=16),
    ),
    "import-build": (Valid("POST", json=PASTED), Valid("POST", json={"text": "{paste}"})),
    "import-mirrors": (Valid("POST", json=SITES),),
    "az-lines": (of_run("POST", json=EDITS, weight=1),),
    "az-site-open": (of_run("POST", form={"site": "east"}, weight=1),),
    "az-open": (of_run("POST", form={"row": "az-a", "acks": "all", "pick": "", "edits": "{}"}, weight=1),),
    "az-list": (of_run("POST", json={**EDITS, **LIST}, weight=1), of_run("POST", json=LIST, weight=1)),
    "az-keep": (of_run("POST", json=EDITS),),
    "az-sites": (of_run(weight=1),),
    "az": (of_run(),),
    "embed": (Valid("GET", {"ids": (*RUNS, *PAIRS)}, query={"t": "1.5", "theme": "dark", "autoplay": "1"}),),
    "compare": (of_pair(),),
    "compare-yaml": (of_pair(), of_pair(query={"at_us": "1000000"})),
    "compare-figures": (of_pair(query={"at_us": "1000000"}, weight=2),),
    "compare-act": (of_pair("POST", json={"shown_us": 9_000_000, "do": "send writer orders-0 1", "sides": [0]}),),
    "compare-fork": (of_pair("POST", json={**BRANCH, "at_us": 100_000, "sides": [0]}),),
    "compare-undo": (of_pair("POST", json={"at_us": 3_000_000, "speed": 1000}),),
    "compare-report": (of_pair(query={"at_us": "1000000"}, weight=2),),
    "plans": (of_run(),),
    "plans-lines": (of_run("POST", json={"lose": "east", "to": "west", "times": {"lost": 20}}, weight=2),),
    "what-if": (Valid(),),
    "what-if-new": (Valid(query={"doc": "{own}"}), Valid(query={"from": "{done}"}), Valid(query={"doc": "{damaged}"})),
    "what-if-preview": (
        Valid("POST", json=FORM, weight=40),
        Valid("POST", json={**FORM, "axes": {"fault": [RATES, {"kind": "as-is"}]}, "from": "{done}"}, weight=16),
        Valid("POST", json={**FORM, "quick": False}, weight=1),
    ),
    "what-if-run": (Valid("POST", json={**FORM, "quick": False}, weight=1),),
    "what-if-show": (of_experiment(),),
    "what-if-status": (of_experiment(),),
    "what-if-cancel": (of_experiment("POST"),),
    "what-if-delete": (of_experiment("POST"),),
    "what-if-table": (of_experiment(),),
    "what-if-runs": (of_experiment(),),
    "what-if-topics": (of_experiment(),),
    "what-if-parquet": (of_experiment(),),
    "what-if-replay": (of_experiment(variant="A", seed="1"),),
    "what-if-both": (of_experiment(runs="A:1..B:1"),),
    "api": (Valid(weight=2),),
    "api-description": (Valid(weight=2),),
    "api-document": (of_run(query={"cluster": "east"}),),
    "api-fork": (of_run("POST", json=without("speed", BRANCH)),),
    "api-delete": (of_run("POST", json={}),),
    "api-verdict": (of_run(query={"at_us": "1000000"}, weight=2),),
    "api-facts": (of_run(query={"from_us": "0", "to_us": "1000000"}, weight=2),),
    "api-figures": (of_run(query={"at_us": "1000000"}, weight=2),),
    "api-compare": (of_pair(query={"at_us": "1000000"}, weight=2),),
    "api-import": (Valid("POST", json=PASTED),),
    "api-experiments": (Valid("POST", json=without("quick", FORM), weight=1),),
    "api-experiment": (of_experiment(),),
    "api-result": (of_experiment(),),
    "api-cancel": (of_experiment("POST"),),
}

SOCKETS: Final[dict[str, dict[str, tuple[str, ...]]]] = {"ws/room/<str:room>": {"room": ROOMS}}

FRAMES: Final[dict[str, tuple[dict[str, Any], ...]]] = {
    "act": (
        {"do": "kill 1", "shown_us": 1_000, "seen_us": 0, "nonce": "word"},
        {"do": "config orders min.insync.replicas 1"},
        {"do": "cut 1|2,3"},
        {"do": "create new 3 2"},
        {"do": "intercept i writer orders-0 3 drop-response"},
        {"do": "reassign orders-0 3,1,2"},
    ),
    "play": ({},),
    "pause": ({},),
    "speed": ({"value": "auto"}, {"value": 100_000}),
    "ease": ({"value": True},),
    "step": ({"to": "event"}, {"to": "fact"}),
    "reach": ({"t": 2_000_000},),
    "stream": ({"value": "state"},),
    "resync": ({},),
    "have": ({"seq": 10, "t": 1_000},),
    "ping": ({},),
}

STORED: Final = (  # bodies that a disk, an older version or another hand may have left
    "",
    "{}",
    "null",
    "[]",
    '{"format": 1}',
    '{"format": 99, "cluster": {"brokers": [1]}}',
    '{"format": 1, "title": "\\ud800", "cluster": {"brokers": [1]}}',
    '{"format": 1, "cluster": {"brokers": [1], "controllers": [100]}, "timeline": [{"at": "1s", "do": "explode 1"}]}',
    '{"format": 1, "cluster": {"brokers": [1, 2',
    "[" * 10_000,
    "\x01\x02",
)


def routes() -> dict[str, str]:
    """Name -> route of every address of the site, as the URL conf has them."""
    return dict(_walk(get_resolver().url_patterns, ""))


def _walk(patterns: list[URLPattern | URLResolver], before: str) -> Iterator[tuple[str, str]]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns, route)
        else:
            assert pattern.name, f"the route {route!r} has no name"
            yield pattern.name, route


def sockets() -> list[str]:
    """The routes of all sockets."""
    return [str(pattern.pattern) for pattern in websocket_urlpatterns]


def missing() -> list[str]:
    """Routes, sockets and commands without a valid input here, and entries that name none of them."""
    known: dict[str, tuple[Iterable[str], Iterable[str]]] = {
        "route": (routes(), ROUTES),
        "socket": (sockets(), SOCKETS),
        "command": (COMMANDS, FRAMES),
    }
    return [f"{kind} {name}" for kind, (there, here) in known.items() for name in sorted(set(there) ^ set(here))]
