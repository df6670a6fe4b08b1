"""Every answer of the API, good and bad, is as openapi.json describes it. No program here has a cookie."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from playground.api.description import Json, description, resolved
from playground.environment import ROOT
from tests.api.program import Program, wrong
from tests.faults.inputs import PASTES, routes
from tests.rooms.heavy import TOO_LARGE
from tests.rooms.site import QUIET, Browser, Site
from tests.whatif.plans import DOCUMENT

DOCUMENTS = "/api/documents"
ONE = "/api/documents/{document}"
COMPARE = "/api/compare/{documents}"
IMPORT = "/api/import"
EXPERIMENTS = "/api/experiments"
EXPERIMENT = "/api/experiments/{experiment}"
SMALL: Json = {**DOCUMENT, "until": "6s", "timeline": DOCUMENT["timeline"][:2]}
S10 = (ROOT / "tests/scenarios/s10-unreplicated-data.yaml").read_bytes()
BOTH: Json = {"seeds": 2, "horizon": "2s", "axes": {"acks": ["1", "all"]}}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory, redis_url: str) -> Iterator[Program]:
    del redis_url  # an experiment that is sent waits for it
    site = Site(tmp_path_factory.mktemp("api"), module="tests.faults.unlimited_site")
    site.start()
    Browser(site).ready()
    try:
        yield Program(site, {})
    finally:
        site.stop()


def made(program: Program, document: bytes, token: str = "") -> Json:
    answer = program.post(DOCUMENTS, document, token)
    assert answer.status == 201, answer.body
    found: Json = answer.body
    return found


def schemas(value: Any) -> Iterator[Json]:
    """Every schema of the description, with the parameters' own."""
    if isinstance(value, dict):
        yield from (one for key, one in value.items() if key == "schema")
        for one in value.values():
            yield from schemas(one)


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from (one for key, one in value.items() if key == "$ref")
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from references(one)


def test_the_description_is_whole_and_names_every_route_and_no_other() -> None:
    told = description()
    assert told["openapi"] == "3.1.0" and json.loads(json.dumps(told)) == told
    for reference in references(told):
        assert resolved({"$ref": reference}), reference
    for schema in (*schemas(told["paths"]), *told["components"]["schemas"].values()):
        Draft202012Validator.check_schema(schema)
    found = {re.sub(r"<str:\w+>", "{}", f"/{route}") for route in routes().values() if route.startswith("api/")}
    assert {re.sub(r"\{\w+\}", "{}", path) for path in told["paths"]} == found - {"/api/openapi.json"}
    names = [one["operationId"] for item in told["paths"].values() for m, one in item.items() if m in ("get", "post")]
    assert len(names) == len(set(names))


def test_the_site_serves_its_description_and_a_page_of_it(program: Program) -> None:
    assert program.ask("GET", "/api/openapi.json").body == json.loads(json.dumps(description()))
    page = program.ask("GET", "/api").body
    for item in description()["paths"].values():
        for method in ("get", "post"):
            assert method not in item or f'data-testid="{item[method]["operationId"]}"' in page


def test_a_program_without_a_cookie_stores_reads_forks_and_deletes(program: Program) -> None:
    first = made(program, S10)
    token = first["token"]
    again = made(program, json.dumps(SMALL).encode(), token)
    assert "token" not in again
    read = program.get(ONE, document=again["id"])
    assert read.status == 200 and read.body["title"] == SMALL["title"]
    fork = program.post(f"{ONE}/fork", {"at_us": 4_000_000, "do": "kill 2"}, token, document=again["id"])
    assert fork.status == 201
    forked = program.get(ONE, document=fork.body["id"]).body
    assert {"at": "4s", "do": "kill 2"} in forked["timeline"]
    assert program.post(f"{ONE}/delete", None, document=again["id"]).status == 403
    assert program.post(f"{ONE}/delete", None, token, document=again["id"]).status == 204
    assert program.get(ONE, document=again["id"]).status == 410
    assert program.get(ONE, document=fork.body["id"]).status == 200


def test_a_run_is_told_as_the_command_line_tells_it(program: Program) -> None:
    run = made(program, S10)["id"]
    path = ROOT / "tests/scenarios/s10-unreplicated-data.yaml"

    def command(*words: str) -> str:
        simengine = [sys.executable, "-m", "simengine", "run", str(path), "--json", *words]
        return subprocess.run(simengine, cwd=ROOT, capture_output=True, text=True, check=True).stdout

    verdict = program.get(f"{ONE}/verdict", document=run).body
    assert verdict == json.loads(command()) and verdict["verdict"]["topics"][0]["lost"] == 5
    facts = program.get(f"{ONE}/facts", document=run).body
    assert facts["facts"] == [json.loads(line) for line in command("--facts").splitlines()]
    assert facts["left_out"] == 0 and facts["to_us"] == verdict["t"]
    figures = program.get(f"{ONE}/figures", document=run).body
    assert figures["metrics"] == json.loads(command("--metrics"))
    assert (figures["lost"], figures["digest"], figures["t"]) == (5, verdict["digest"], verdict["t"])


def test_a_moment_and_a_range_can_be_asked_for(program: Program) -> None:
    run = made(program, S10)["id"]
    early = program.get(f"{ONE}/verdict", "at_us=1000000", document=run).body
    assert early["t"] == 1_000_000 and early["verdict"]["topics"][0]["lost"] == 0
    assert program.get(f"{ONE}/figures", "at_us=1000000", document=run).body["digest"] == early["digest"]
    every = program.get(f"{ONE}/facts", document=run).body["facts"]
    some = program.get(f"{ONE}/facts", "from_us=20000000&to_us=40000000", document=run).body["facts"]
    assert some and some == [fact for fact in every if 20_000_000 <= fact["t"] <= 40_000_000]


def test_runs_are_compared_with_their_first_difference(program: Program) -> None:
    small = made(program, json.dumps(SMALL).encode())
    fork = program.post(f"{ONE}/fork", {"at_us": 4_000_000, "do": "kill 3"}, document=small["id"]).body
    pair = f"{small['id']}..{fork['id']}"
    told = program.get(COMPARE, "at_us=6000000", documents=pair).body
    assert told["first_difference"]["t_us"] == 4_000_000 and len(told["sides"]) == 2
    assert told["parting"] == told["first_difference"]["sentence"]
    alone = program.get(f"{ONE}/figures", "at_us=6000000", document=small["id"]).body
    assert told["sides"][0]["digest"] == alone["digest"]


UNKNOWN = [
    (f"{ONE}/fork", {"at_us": 1, "doo": "kill 2"}, "doo", "do"),
    (f"{ONE}/fork", {"at_us": 1, "do": "kill 2", "shown": 3}, "shown", ""),
    (f"{ONE}/delete", {"why": "done"}, "why", ""),
    (IMPORT, {"text": PASTES[0], "assume": {"acks": "all"}}, "assume", "assumed"),
    (IMPORT, {"sites": [{"name": "a", "text": "", "rack": {}}]}, "sites[0].rack", "racks"),
    (EXPERIMENTS, {**BOTH, "axis": {}}, "axis", "axes"),
    (f"{EXPERIMENT}/cancel", {"now": True}, "now", ""),
]


@pytest.mark.parametrize(("path", "body", "place", "near"), UNKNOWN)
def test_an_unknown_member_of_a_body_is_refused_by_its_name(
    program: Program, path: str, body: Json, place: str, near: str
) -> None:
    small = made(program, json.dumps(SMALL).encode())["id"]
    answer = program.post(path, body, document=small, experiment="none")
    assert answer.status == 400
    (problem,) = answer.body["problems"]
    assert (problem["path"], problem["near"]) == (place, near)
    assert f"{place} is not a member of this request" in answer.body["error"]


def test_a_paste_becomes_a_document(program: Program) -> None:
    answer = program.post(IMPORT, {"text": PASTES[0], "assumed": {"acks": "all"}})
    assert answer.status == 201
    assert program.get(ONE, document=answer.body["id"]).status == 200


def test_an_experiment_is_started_followed_and_cancelled(program: Program) -> None:
    small = made(program, json.dumps(SMALL).encode())
    answer = program.post(EXPERIMENTS, {**BOTH, "doc": small["id"]}, small["token"])
    assert answer.status == 201, answer.body
    ids = {"experiment": answer.body["id"]}
    assert program.get(f"{EXPERIMENT}/result", **ids).status == 404
    assert program.post(f"{EXPERIMENT}/cancel", None, **ids).status == 403
    computed = [sys.executable, "-m", "tests.faults.finished_experiment", ids["experiment"]]
    subprocess.run(computed, cwd=ROOT, env=program.site.environment, check=True)
    state = program.get(EXPERIMENT, token=small["token"], **ids).body
    assert (state["state"], state["runs_done"], state["is_owner"]) == ("done", 4, True)
    result = program.get(f"{EXPERIMENT}/result", **ids).body
    assert [variant["name"] for variant in result["variants"]] == ["acks=1", "acks=all"] and result["is_final"]
    waiting = program.post(EXPERIMENTS, {**BOTH, "doc": small["id"]}, small["token"]).body["id"]
    assert program.post(f"{EXPERIMENT}/cancel", None, small["token"], experiment=waiting).body["state"] == "cancelled"


def test_a_program_has_the_quota_of_a_browser(program: Program) -> None:
    small = made(program, json.dumps(SMALL).encode())
    for _ in range(3):
        assert program.post(EXPERIMENTS, {**BOTH, "doc": small["id"]}, small["token"]).status == 201
    over = program.post(EXPERIMENTS, {**BOTH, "doc": small["id"]}, small["token"])
    assert (over.status, "the limit is 3" in over.body["error"]) == (429, True)


WRONG: list[tuple[str, Any, dict[str, str], str | None]] = [
    (DOCUMENTS, b"format: 1\ncluster: {brokers: [1]}\nprofile: '3'\n", {}, "profile"),
    (DOCUMENTS, b"{", {}, "line 1, column 2"),
    (f"{ONE}/fork", {"at_us": -1}, {"document": "RUN"}, "at_us"),
    (f"{ONE}/fork", {"at_us": 1, "do": 7}, {"document": "RUN"}, "do"),
    (f"{ONE}/fork", {"at_us": 1, "do": "kill 9"}, {"document": "RUN"}, None),
    (f"{ONE}/fork", b"[]", {"document": "RUN"}, "request"),
    (IMPORT, {"text": "nothing of Kafka"}, {}, ""),
    (IMPORT, {"text": PASTES[0], "assumed": {"acks": "9"}}, {}, "assumed.acks"),
    (IMPORT, b"{", {}, ""),
    (EXPERIMENTS, {**BOTH, "seeds": 1}, {}, "seeds"),
    (EXPERIMENTS, {**BOTH, "horizon": "soon"}, {}, "horizon"),
    (EXPERIMENTS, {**BOTH, "axes": {"acks": ["2"]}}, {}, "acks"),
    (EXPERIMENTS, {**BOTH, "doc": "nowhere"}, {}, "doc"),
]


@pytest.mark.parametrize(("path", "body", "values", "place"), WRONG)
def test_a_wrong_body_is_refused_with_place_value_and_what_is_allowed(
    program: Program, path: str, body: Any, values: dict[str, str], place: str | None
) -> None:
    if values:
        values = {"document": made(program, QUIET)["id"]}
    answer = program.post(path, body, "", None, **values)
    assert answer.status == 400, answer.body
    first = answer.body["problems"][0]
    assert place is None or first["path"] == place, first
    if place in ("profile", "at_us", "do", "seeds", "horizon", "acks"):
        assert first["value"] and first["allowed"]


@pytest.mark.parametrize("what", ["verdict", "facts", "figures"])
def test_a_wrong_moment_is_refused_with_place_value_and_what_is_allowed(program: Program, what: str) -> None:
    run = made(program, QUIET)["id"]
    place = "to_us" if what == "facts" else "at_us"
    answer = program.get(f"{ONE}/{what}", f"{place}=soon", document=run)
    told = answer.body["problems"][0]
    assert (answer.status, told["path"], told["value"]) == (400, place, '"soon"')
    assert told["allowed"].startswith("whole microseconds from 0 to")


@pytest.mark.parametrize(
    ("path", "query", "place", "allowed", "near"),
    [
        (f"{ONE}/figures", "t=24", "t", "at_us", ""),
        (f"{ONE}/verdict", "at_us=1&at_u=2", "at_u", "at_us", "at_us"),
        (f"{ONE}/facts", "at_us=1", "at_us", "from_us, to_us", ""),
        (ONE, "form=yaml", "form", "cluster", ""),
        (COMPARE, "until=3", "until", "at_us", ""),
        (EXPERIMENT, "as=json", "as", "no parameter", ""),
    ],
)
def test_a_parameter_that_is_not_described_is_refused_by_name(
    program: Program, path: str, query: str, place: str, allowed: str, near: str
) -> None:
    answer = program.get(path, query, document="any", documents="any..other", experiment="any")
    told = answer.body["problems"][0]
    assert (answer.status, told["path"], told["allowed"]) == (400, place, allowed)
    assert near in told["near"]
    assert answer.body["error"] == f"{place} is not a parameter of this address; allowed: {allowed}"


def test_a_fork_without_a_moment_is_told_that_it_is_missing(program: Program) -> None:
    run = made(program, QUIET)["id"]
    for body, word in (({}, "at_us is missing"), ({"do": "kill 1"}, "at_us is missing"), ({"at_us": None}, "is null")):
        answer = program.post(f"{ONE}/fork", body, document=run)
        assert answer.status == 400 and word in answer.body["error"], answer.body


def test_what_leads_nowhere_is_told_as_json(program: Program) -> None:
    run = made(program, QUIET)["id"]
    for end in ("", "/verdict", "/facts", "/figures"):
        assert program.get(f"{ONE}{end}", document="nowhere").status == 404
    assert program.post(f"{ONE}/fork", {"at_us": 1}, document="nowhere").status == 404
    assert program.post(f"{ONE}/delete", document="nowhere").status == 404
    assert program.get(COMPARE, documents=f"{run}..nowhere").status == 404
    assert program.get(COMPARE, documents=run).status == 400
    assert program.get(COMPARE, "at_us=x", documents=f"{run}..{run}").status == 400
    for end in ("", "/result"):
        assert program.get(f"{EXPERIMENT}{end}", experiment="nowhere").status == 404
    assert program.post(f"{EXPERIMENT}/cancel", experiment="nowhere").status == 404
    for method, address in (("GET", "/api/nothing"), ("GET", "/api/import"), ("PUT", "/api/documents")):
        answer = program.ask(method, address, b"" if method == "PUT" else None)
        assert answer.status in (404, 405) and not wrong({"$ref": "#/components/schemas/Error"}, answer.body)


def test_a_token_that_this_site_has_not_given_is_refused(program: Program) -> None:
    for token in ("x", "word:signature", made(program, QUIET)["token"] + "x"):
        assert program.post(DOCUMENTS, QUIET, token).status == 401
    run = made(program, QUIET)["id"]
    assert program.get(ONE, token="x", document=run).status == 401


def test_a_page_of_another_site_stores_nothing(program: Program) -> None:
    for origin in ("https://evil.example", "null", program.site.url):
        answer = program.post(DOCUMENTS, QUIET, headers={"Origin": origin, "Content-Type": "text/plain"})
        assert answer.status == 403 and "token" in answer.body["error"], origin


def test_a_run_that_is_too_large_is_refused_at_once(program: Program) -> None:
    run = made(program, TOO_LARGE)["id"]
    assert program.get(f"{ONE}/verdict", document=run).status == 413


def test_the_requests_that_are_described_are_those_that_are_taken() -> None:
    for path, body in (
        (DOCUMENTS, SMALL),
        (f"{ONE}/fork", {"at_us": 1, "do": "kill 1"}),
        (IMPORT, {"text": PASTES[0]}),
        (IMPORT, {"sites": [{"name": "east", "text": PASTES[0]}, {"name": "west", "text": PASTES[0]}]}),
        (EXPERIMENTS, BOTH),
    ):
        schema = description()["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]
        assert wrong(schema, body) == []


def test_every_operation_was_asked_with_a_good_and_a_bad_request(program: Program) -> None:
    for path, item in description()["paths"].items():
        for method in ("get", "post"):
            if method in item:
                statuses = program.asked[(path, method)]
                assert min(statuses) < 300 and max(statuses) >= 400, f"{method} {path}: {statuses}"
