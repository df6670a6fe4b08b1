"""Stored documents of earlier versions on the page: what it says of them (tests/links)."""

import sqlite3

from playwright.sync_api import Page, expect

from tests.browser.pages import made, opened, token
from tests.links.stored import documents, put
from tests.rooms.site import QUIET, Site


def test_a_document_that_is_computed_otherwise_or_refused_today_says_so(page: Page, site: Site) -> None:
    run = made(page, QUIET.decode())
    shared = page.request.post(f"{run}/share", data={"at_us": 0}, headers=token(page)).json()
    otherwise = next(one for one in documents() if one.today and one.is_told)
    refused = next(one for one in documents() if one.refused)
    with sqlite3.connect(site.data / "highwater.sqlite3", timeout=20) as database:
        ids = [put(database, shared["id"], number, one) for number, one in enumerate((otherwise, refused))]
    opened(page, f"/s/{ids[0]}")
    told = f"The server was updated. This run was computed by version {otherwise.engine}."
    expect(page.get_by_text(told)).to_be_visible()
    page.goto(f"/s/{ids[1]}")
    expect(page.get_by_test_id("ended")).to_contain_text(refused.refused)
