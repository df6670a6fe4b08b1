"""Links: a shared copy, a branch, a deleted run, what another browser may do, and a run that is carried on."""

import json
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from playground.scenarios import documents
from playground.scenarios.replies import GONE, NOT_FOUND
from simengine.scenario import load
from simengine.world.world import build
from tests.rooms.site import QUIET, Browser, Site


def _acted(person: Browser) -> tuple[str, int]:
    run_id = person.make(QUIET)
    with person.room(run_id) as viewer:
        viewer.do("speed", value=2_000_000)
        viewer.do("play")
        while viewer.t < 700_000:
            viewer.receive()
        viewer.do("pause")
        at_us = viewer.do("act", do="kill 1")["at_us"]
    return run_id, int(at_us)


def test_the_first_page_is_a_running_sandbox_of_ones_own(site: Site) -> None:
    person = Browser(site).ready()
    boot = person.open()
    assert boot["owner"] and boot["sandbox"]
    assert boot["moment_us"] == 1_000_000  # it opens warm: after a second of traffic
    with person.socket(boot["socket"]) as viewer:
        assert viewer.until("facts")["clock"]["playing"]
    assert person.open("/play")["scenario"] == boot["scenario"]
    assert person.open("/play?new=1")["scenario"] != boot["scenario"]
    assert Browser(site).ready().open()["scenario"] != boot["scenario"]


def test_a_shared_link_opens_the_same_view_for_anybody_paused_at_the_moment(site: Site, person: Browser) -> None:
    run_id, at_us = _acted(person)
    shared = person.post(f"/s/{run_id}/share", {"at_us": at_us}).json()
    stranger = Browser(site).ready()
    boot = stranger.open(shared["url"])
    assert boot["frozen"] and not boot["owner"] and boot["moment_us"] == at_us
    with stranger.socket(boot["socket"]) as viewer:
        hello = viewer.until("hello")
        snap = viewer.until("snap")
    world = build(load(person.get(f"/s/{run_id}.json").body))
    world.run(at_us)
    assert json.loads(json.dumps(snap["view"])) == json.loads(json.dumps(world.snapshot()))
    assert not snap["clock"]["playing"]
    assert hello["notice"] is None


def test_a_live_run_has_no_room_of_one_s_own(site: Site, person: Browser) -> None:
    run_id, at_us = _acted(person)
    stranger = Browser(site).ready()
    shared = person.post(f"/s/{run_id}/share", {"at_us": at_us}).json()
    own = stranger.open(shared["url"])["socket"]  # of a shared copy: it ends with the key of the browser
    key = own.partition("~")[2]
    assert key
    with stranger.socket(f"/ws/room/{run_id}~{key}") as viewer:
        assert "one room, for everybody" in viewer.until("end")["reason"]
    assert stranger.get(f"/rooms/{run_id}~{key}/snapshot?at_us=0&as=json").status == 404


def test_two_strangers_on_a_shared_link_have_a_clock_each(site: Site, person: Browser) -> None:
    run_id, at_us = _acted(person)
    shared = person.post(f"/s/{run_id}/share", {"at_us": at_us}).json()
    first, second = Browser(site).ready(), Browser(site).ready()
    one, two = first.open(shared["url"]), second.open(shared["url"])
    assert one["room"] != two["room"]
    with first.room(one["room"]) as playing, second.room(two["room"]) as still:
        assert playing.do("play")["k"] == "ack"
        playing.until("facts")
        assert still.t == at_us
        assert "starts a new run" in playing.do("act", do="kill 2")["reason"]
    with second.socket(one["socket"]) as stranger:
        assert "another browser" in stranger.until("end")["reason"]


def test_a_branch_in_the_past_says_where_it_came_from_and_leaves_the_other_as_it_was(person: Browser) -> None:
    run_id, _ = _acted(person)
    before = person.get(f"/s/{run_id}.json").body
    made = person.post(f"/s/{run_id}/fork", {"at_us": 300_000, "do": "kill 3"})
    assert made.status == 201
    branch = person.open(made.json()["url"])
    assert branch["parent"]["id"] == run_id and branch["cut_us"] == 300_000 and branch["owner"]
    document = person.get(f"/s/{branch['scenario']}.json").json()
    assert [entry["do"] for entry in document["timeline"]] == ["kill 3", "kill 1"]
    assert branch["later"]["brief"] == "with what came after: 1 kill"
    assert person.get(f"/s/{run_id}.json").body == before
    with person.room(branch["scenario"]) as viewer:
        assert viewer.t == 300_000


def test_an_impossible_branch_is_refused_in_words(person: Browser) -> None:
    run_id = person.make(QUIET)
    assert "kill" in person.post(f"/s/{run_id}/fork", {"at_us": 3, "do": "kil 3"}).json()["error"]
    assert "at_us" in person.post(f"/s/{run_id}/fork", {"at_us": "3"}).json()["error"]
    assert person.post(f"/s/{run_id}/fork", raw=b"{").status == 400
    for path in ("fork", "undo", "share", "carry-on"):
        long = person.post(f"/s/{run_id}/{path}", raw=b"{" + b" " * 16 * 1024 + b'"at_us": 0}')
        assert long.status == 400 and "at most 16 KiB" in long.json()["error"]


def test_a_branch_of_what_has_not_happened_yet_is_refused_in_words(person: Browser) -> None:
    run_id, at_us = _acted(person)
    answer = person.post(f"/s/{run_id}/fork", {"at_us": 86_400_000_000, "do": "kill 3"})
    assert answer.status == 400 and "86400.000 s has not been simulated yet" in answer.json()["error"]
    assert person.post(f"/s/{run_id}/fork", {"at_us": at_us + 1, "do": "kill 3"}).status == 400


def test_a_wrong_document_is_answered_with_every_problem(person: Browser) -> None:
    answer = person.post("/api/documents", raw=QUIET.replace(b"min.insync.replicas", b"min.isnync.replicas"))
    assert answer.status == 400
    assert answer.json()["problems"][0]["near"] == "min.insync.replicas"


def test_a_request_without_the_csrf_token_is_refused(site: Site) -> None:
    person = Browser(site)
    answer = person.post("/s/nothing/fork")
    assert answer.status == 403
    assert "the header X-CSRFToken" in answer.json()["error"]
    form = Request(f"{site.url}/s/nothing/delete", data=b"", headers={"Accept": "text/html"})
    with pytest.raises(HTTPError) as refused:
        urlopen(form)
    page = refused.value.read().decode()
    assert refused.value.code == 403 and "<h1>Not done</h1>" in page and 'class="top"' in page


def test_a_deleted_link_answers_410_with_words_and_its_room_ends(site: Site, person: Browser) -> None:
    run_id, at_us = _acted(person)
    branch = person.post(f"/s/{run_id}/fork", {"at_us": at_us, "do": "kill 2"}).json()["id"]
    stranger = Browser(site).ready()
    assert stranger.post(f"/s/{run_id}/delete").status == 403
    with stranger.room(run_id) as viewer:
        assert person.post(f"/s/{run_id}/delete").status == 200
        assert viewer.until("end")["kind"] == "deleted"
    for path in (f"/s/{run_id}", f"/s/{run_id}/about", f"/s/{run_id}.yaml"):
        answer = stranger.get(path)
        assert answer.status == 410 and GONE in answer.text
    assert stranger.get(f"/s/{branch}.yaml").status == 200


def test_a_link_that_never_was_answers_404_with_words(person: Browser) -> None:
    answer = person.get("/s/nothing")
    assert answer.status == 404 and NOT_FOUND in answer.text


def test_the_edit_link_lets_another_browser_act(site: Site, person: Browser) -> None:
    run_id = person.make(QUIET)
    path = _edit_path(person, run_id)
    stranger = Browser(site).ready()
    assert "edit/" not in stranger.get(f"/s/{run_id}/about").text
    assert stranger.get(path[:-3] + "xyz").status == 404
    assert stranger.post(path[:-3] + "xyz").status == 404
    assert "You may act on this run" in stranger.get(path).text
    with stranger.room(run_id) as viewer:
        assert viewer.do("act", do="kill 1")["k"] != "ack"  # to look at the link grants nothing
    assert stranger.post(path).status == 200
    with stranger.room(run_id) as viewer:
        assert viewer.do("act", do="kill 1")["k"] == "ack"


def test_a_new_edit_link_takes_the_old_one_s_rights_at_once(site: Site, person: Browser) -> None:
    run_id = person.make(QUIET)
    path = _edit_path(person, run_id)
    guest = Browser(site).ready()
    assert guest.post(path).status == 200
    assert "1 browser came by it" in person.get(f"/s/{run_id}/about").text
    assert guest.post(f"/s/{run_id}/new-edit-link").status == 403
    with guest.room(run_id) as watching, person.room(run_id) as owns:
        assert watching.do("play")["k"] == "ack"
        assert person.post(f"/s/{run_id}/new-edit-link").status == 200
        assert "replaced its edit link" in watching.until("watches")["reason"]
        for command, values in (("act", {"do": "kill 1"}), ("pause", {}), ("reach", {"t": 9_000_000})):
            assert watching.do(command, **values)["k"] == "refused"
        assert owns.do("act", do="kill 2")["k"] == "ack"
    assert guest.open(f"/s/{run_id}")["owner"] is False
    assert guest.post(f"/s/{run_id}/delete").status == 403
    gone = guest.get(path)
    assert gone.status == 404 and "replaced its edit link by a new one" in gone.text
    assert guest.post(path).status == 404
    assert guest.post(_edit_path(person, run_id)).status == 200
    assert guest.open(f"/s/{run_id}")["owner"] is True


def _edit_path(person: Browser, run_id: str) -> str:
    about = person.get(f"/s/{run_id}/about").text
    return about[about.index(f"/s/{run_id}/edit/") :].split("<")[0]


def test_my_runs_lists_what_this_browser_made(site: Site, person: Browser) -> None:
    run_id = person.make(QUIET)
    assert f"run-{run_id}" in person.get("/runs").text
    assert f"run-{run_id}" not in Browser(site).ready().get("/runs").text


def test_a_run_shared_under_neutral_names_says_none_of_its_own(person: Browser) -> None:
    run_id = person.make(QUIET)
    shared = person.post(f"/s/{run_id}/share", {"at_us": 1_000_000, "neutral": True}).json()
    text = person.get(f"/s/{shared['id']}.yaml").text
    assert "orders" not in text and "topic-1" in text
    page, about = person.get(f"/s/{shared['id']}").text, person.get(f"/s/{shared['id']}/about").text
    fork = person.post(f"/s/{shared['id']}/fork", {"at_us": 500_000, "do": "kill 1"}).json()["id"]
    told = person.get(f"/s/{fork}/about").text
    for text in (page, about, told):
        assert run_id not in text and "orders" not in text and "Three brokers" not in text


def test_the_state_at_a_moment_is_told_as_kafka_topics_does(person: Browser) -> None:
    run_id, at_us = _acted(person)
    text = person.get(f"/s/{run_id}/describe?at_us={at_us}").text
    assert "Topic: orders" in text and "Partition: 1" in text and "Isr: " in text
    assert person.get(f"/s/{run_id}/describe?at_us=soon").status == 400
    assert person.get(f"/s/{run_id}/describe").text == text, "without a moment it is the newest, not the start"


def test_a_page_without_scripts_shows_the_verdict_of_a_shared_run(site: Site, person: Browser) -> None:
    run_id, at_us = _acted(person)
    shared = person.post(f"/s/{run_id}/share", {"at_us": at_us}).json()
    stranger = Browser(site).ready()
    page = stranger.get(shared["url"]).text
    assert f'<noscript><meta http-equiv="refresh" content="0; url={shared["url"]}/still"></noscript>' in page
    assert "Turn on JavaScript" in page.split("<noscript>")[2]
    still = stranger.get(f"{shared['url']}/still").text
    assert "Turn on JavaScript" in still and 'class="still"' in still
    assert "Broker 1 is killed." in still.split("still-events")[1]


def test_a_run_is_carried_on_from_its_state(person: Browser) -> None:
    run_id, _ = _acted(person)
    with person.room(run_id) as viewer:
        viewer.do("step")
        viewer.do("step")
        end_us = viewer.t
    old = person.get(f"/rooms/{run_id}/snapshot?at_us={end_us}").msgpack()
    made = person.post(f"/s/{run_id}/carry-on", {"at_us": end_us})
    assert made.status == 201, made.text
    with person.socket(f"/ws/room/{made.json()['id']}") as viewer:
        new = viewer.until("snap")["view"]
    for before, after in zip(old["partitions"][:2], new["partitions"][:2], strict=True):
        for key in ("leader", "epoch", "isr", "elr", "replicas"):
            assert after[key] == before[key], key
        ends = {broker: copy["leo"] for broker, copy in before["copies"].items()}
        assert {broker: copy["leo"] for broker, copy in after["copies"].items()} == ends
    assert new["brokers"]["1"]["process"] == "down"


def test_a_stored_digest_that_todays_engine_does_not_compute_is_told(own_site: Site) -> None:
    import sqlite3

    person = Browser(own_site).ready()
    run_id, at_us = _acted(person)
    shared = person.post(f"/s/{run_id}/share", {"at_us": at_us}).json()
    with sqlite3.connect(own_site.data / "highwater.sqlite3") as database:
        database.execute(
            "UPDATE scenarios_scenario SET digest = 'feedfeedfeedfeed', engine = 'older' WHERE id = ?", [shared["id"]]
        )
    boot = person.open(shared["url"])
    with person.socket(boot["socket"]) as viewer:
        notice = viewer.until("hello")["notice"]
    assert notice["computed_by"] == "older" and notice["today"] != "older"


def test_a_downloaded_document_lasts_until_what_the_page_shows_and_its_last_action(person: Browser) -> None:
    """Rooms play on past a document's end; the file that is run elsewhere has to come as far."""
    run_id = person.make(QUIET)
    own = load(person.get(f"/s/{run_id}.yaml").text).until_us
    assert load(person.get(f"/s/{run_id}.yaml?at_us={own + 7}").text).until_us == own + 7
    assert load(person.get(f"/s/{run_id}.json?at_us=5").text).until_us == own
    late = documents.with_actions(load(QUIET), [(own + 3_000_000, "kill 1")])
    assert documents.lasting(late, 5).until_us == own + 3_000_000
    refused = person.get(f"/s/{run_id}.yaml?at_us=soon")
    assert refused.status == 400 and "whole microseconds" in refused.text


def test_a_document_of_one_cluster_is_downloaded_as_one_of_several_under_a_name(person: Browser) -> None:
    run_id = person.make(QUIET)
    alone, several = (load(person.get(f"/s/{run_id}.json{query}").text) for query in ("", "?cluster=east"))
    assert list(several.clusters) == ["east"]
    assert several.clusters["east"].topics == alone.topics
    refused = person.get(f"/s/{run_id}.json?cluster=1%2F2")
    assert refused.status == 400 and "allowed: a letter" in refused.text


def test_who_asks_for_the_head_of_a_page_alone_gets_it_and_makes_no_sandbox(site: Site, person: Browser) -> None:
    run_id = person.make(QUIET)
    for path in (
        "/",
        "/play",
        f"/s/{run_id}",
        f"/s/{run_id}/about",
        f"/s/{run_id}/still",
        "/runs",
        "/gallery",
        "/what-if",
    ):
        with urlopen(Request(site.url + path, method="HEAD")) as answer:
            assert answer.status == 200 and answer.read() == b"", path
            made = "highwater-" in str(answer.headers.get_all("Set-Cookie", []))
            assert not made or path not in ("/", "/play"), "a browser that has a sandbox is known from then on"
