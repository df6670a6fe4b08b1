"""The skeleton of the site: it answers, and what it answers with is locked down."""

import asyncio
import re
from pathlib import Path

import pytest
from django.test import AsyncClient, Client, RequestFactory
from django.views.defaults import server_error

from playground.static_digest import digest


def test_the_site_says_that_it_is_alive_and_which_engine_runs() -> None:
    response = Client().get("/alive")
    assert response.status_code == 200
    assert re.fullmatch(r"highwater, engine (compiled|interpreted)\n", response.content.decode())


def test_every_answer_carries_a_policy_that_admits_only_our_own_scripts() -> None:
    policy = Client().get("/alive").headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert re.search(r"script-src 'self' 'nonce-[\w-]{22}'", policy)


def test_two_answers_carry_two_nonces() -> None:
    client = Client()
    assert (
        client.get("/alive").headers["Content-Security-Policy"]
        != client.get("/alive").headers["Content-Security-Policy"]
    )


def test_a_page_asked_under_a_foreign_host_name_is_refused() -> None:
    assert Client(headers={"host": "evil.example"}).get("/alive").status_code == 400


@pytest.mark.django_db
def test_a_module_is_asked_for_once_below_the_digest_of_all_static_files(tmp_path: Path) -> None:
    page = Client().get("/play").content.decode()
    address = re.search(r'"(/static/[0-9a-f]{12}/js/kit/kit.js)"', page)
    assert address is not None
    answer = Client().get(address[1])
    assert answer.headers["Cache-Control"] == "max-age=31536000, public, immutable"
    assert answer.content == Client().get("/static/js/kit/kit.js").content
    assert Client().get(address[1].replace("kit.js", "none.js")).status_code == 404
    (tmp_path / "a.js").write_text("1")
    before = digest(tmp_path)
    (tmp_path / "a.js").write_text("2")
    assert digest(tmp_path) != before


def test_a_module_is_asked_for_each_time_below_the_plain_address_and_sent_only_when_it_changed() -> None:
    first = Client().get("/static/js/app/main.js")
    assert first.status_code == 200
    assert first.headers["Content-Type"].startswith("text/javascript")
    assert "max-age=0" in first.headers["Cache-Control"]
    assert b"import" in first.content
    again = Client().get("/static/js/app/main.js", headers={"if-none-match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_no_file_outside_the_static_folder_is_served() -> None:
    assert Client().get("/static/../manage.py").status_code == 404
    assert Client().get("/static/%2e%2e/manage.py").status_code == 404


def test_an_address_without_a_page_and_a_failure_are_answered_in_the_sites_own_look() -> None:
    lost = Client().get("/nothing")
    assert lost.status_code == 404
    assert "<h1>No such page</h1>" in lost.content.decode()
    failed = server_error(RequestFactory().get("/"))
    assert failed.status_code == 500
    assert "<h1>An error on the server</h1>" in failed.content.decode()


BUTTONS = ["/gallery/s08-leader-dies/open", "/truth/s01/open", "/s/abcdefgh/fork", "/import/preview", "/what-if/run"]


@pytest.mark.parametrize("address", BUTTONS)
def test_an_address_behind_a_button_says_so_when_it_is_opened_as_a_page(address: str) -> None:
    page = Client().get(address, headers={"accept": "text/html,*/*"})
    assert (page.status_code, page.headers["Allow"]) == (405, "POST")
    assert "does what a button of a page asks for" in page.content.decode()
    told = Client().get(address, headers={"accept": "application/json"})
    assert told.json() == {"error": "GET is not answered here. Allowed: POST."}


def test_an_address_says_so_too_under_the_server_of_rooms() -> None:
    answer = asyncio.run(AsyncClient().get("/import/preview"))
    assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")
    assert "button" in answer.content.decode()
