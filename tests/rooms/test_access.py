"""The rights of visitors: every cell of docs/access.md, asked of the running site as owner, guest, viewer, stranger."""

from collections.abc import Iterator

import pytest
from websockets.exceptions import InvalidStatus

from playground.rooms.wire import COMMANDS, PING
from tests.faults.inputs import FRAMES, routes
from tests.rooms.access import ASKED, ROLES, Row, World, tables
from tests.rooms.site import Browser, Socket

TABLE = tables()
LIVE = tables("Commands on the socket of a live run")
COPY = tables("Commands in a shared copy")
ENDS = ("POST delete", "POST api-delete", "POST new-edit-link")  # each visitor asks for a run of its own
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, redis_url: str) -> Iterator[World]:
    del redis_url  # an experiment that is sent waits for it
    made = World(tmp_path_factory.mktemp("access"))
    try:
        yield made
    finally:
        made.site.stop()


def of_runs() -> list[Row]:
    return [row for row in TABLE if "scenario_id" in routes()[row.route]]


def run_for(world: World, row: Row) -> str:
    """The run that a row is asked of."""
    if row.route == "az-site-open":
        return world.clusters
    return world.new_run() if row.name in ENDS else world.run


def named(row: Row) -> str:
    return row.name


def test_every_route_and_every_command_has_its_row_and_every_row_four_cells() -> None:
    assert {row.route for row in TABLE} == set(routes())
    assert {row.name for row in LIVE} == {row.name for row in COPY} == set(COMMANDS)
    for found in (TABLE, LIVE, COPY):
        assert len({row.name for row in found}) == len(found)
    assert all(set(row.cells) == set(ROLES) and set(row.cells.values()) <= {"yes", "own", "no"} for row in TABLE)


@pytest.mark.parametrize("row", TABLE, ids=named)
def test_each_visitor_may_what_the_table_says(world: World, row: Row) -> None:
    for role in ASKED:
        browser = world.visitor(role)
        answer = world.ask(row, browser, run_for(world, row))
        told = f"{row.name} as {role}: {answer.status} {answer.text[:300]}"
        if row.cells[role] == "no":
            assert answer.status == 403 and len(answer.text) > 20, told
            continue
        assert answer.status in (200, 201, 204), told
        if row.cells[role] == "own":
            assert world.is_whose(answer, browser), told


@pytest.mark.parametrize("row", [row for row in TABLE if row.method == "POST"], ids=named)
def test_no_page_of_another_site_does_anything_with_the_owner_s_cookies(world: World, row: Row) -> None:
    for headers in ({"X-CSRFToken": ""}, {"Origin": "https://evil.example"}, {"Origin": "null"}):
        answer = world.ask(row, world.owner, world.run, **headers)
        assert answer.status == 403 and "token" in answer.text, headers


@pytest.mark.parametrize("route", sorted(routes()))
def test_a_method_without_a_row_and_a_foreign_host_are_refused_in_words(world: World, route: str) -> None:
    listed = {row.method: row for row in TABLE if row.route == route}
    row = next(iter(listed.values()))
    token = {"X-CSRFToken": world.owner.cookie("csrftoken"), "Accept": "application/json"}
    for method in METHODS:
        if method not in listed:
            answer = world.owner.ask(method, world.path(row, world.run), b"" if method != "GET" else None, token)
            assert answer.status == 405 and "Allowed: " in answer.text, method
    foreign = world.ask(row, world.owner, world.run, Host="evil.example")
    assert foreign.status == 400 and "host name" in foreign.text


def test_a_deleted_run_answers_410_with_words_to_everybody_under_each_of_its_addresses(world: World) -> None:
    run = world.new_run()
    addresses = [(row, world.path(row, run)) for row in of_runs()]
    assert world.owner.post(f"/s/{run}/delete").status == 200
    for row, path in addresses:
        for role in ROLES:
            if row.cells[role] != "no" or role != "stranger":
                browser = world.visitor(role)
                token = {"X-CSRFToken": browser.cookie("csrftoken")}
                answer = browser.ask(row.method, path, b"{}" if row.method == "POST" else None, token)
                assert answer.status == 410 and "has deleted it" in answer.text, (row.name, role, answer.text[:200])


@pytest.mark.parametrize("role", ROLES)
def test_each_visitor_may_on_the_socket_of_a_live_run_what_the_table_says(world: World, role: str) -> None:
    run = world.new_run()
    world.owner.get(f"/s/{run}")
    with world.visitor(role).room(run) as viewer:
        assert obeyed(viewer, LIVE) == {row.name: row.cells[role] for row in LIVE}


@pytest.mark.parametrize("role", ROLES[:3])
def test_each_visitor_moves_the_clock_of_a_copy_s_room_of_its_own_and_nobody_acts(world: World, role: str) -> None:
    browser, other = world.visitor(role), world.visitor("viewer" if role != "viewer" else "owner")
    room = browser.open(f"/s/{world.copy}")["room"]
    with browser.room(room) as viewer:
        assert obeyed(viewer, COPY) == {row.name: row.cells[role] for row in COPY}
    for who, address in ((other, room), (browser, world.copy), (Browser(world.site), room)):
        with who.socket(f"/ws/room/{address}") as refused:
            assert refused.until("end")["kind"] == "deleted"
    for row in TABLE:
        if "<str:room>" in routes()[row.route]:
            closed = world.ask(row, other, room)
            assert closed.status == 404 and "belongs to another browser" in closed.text
            assert world.ask(row, browser, room).status == 200


def obeyed(viewer: Socket, rows: list[Row]) -> dict[str, str]:
    """The response of a socket to the first valid form of every command, refusals in words: yes or no."""
    said: dict[str, str] = {}
    for command in (row.name for row in rows):
        if command == PING:
            viewer.send(command)
            said[command] = "yes" if viewer.until("pong")["is_in"] else "no"
            continue
        answer = viewer.do(command, **FRAMES[command][0])
        assert answer["k"] == "ack" or len(answer["reason"]) > 20
        said[command] = "yes" if answer["k"] == "ack" else "no"
    return said


def test_a_page_of_another_site_opens_no_socket(world: World) -> None:
    here = world.site.url
    for origin in ("https://evil.example", "null", f"{here}1", here.replace("http:", "https:")):
        with pytest.raises(InvalidStatus) as refused:
            world.owner.socket(f"/ws/room/{world.run}", origin=origin)
        assert refused.value.response.status_code == 403
