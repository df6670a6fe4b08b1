"""Attacks by documents and pastes: valid ones that cost much, aliases that grow, one line without an end."""

from collections.abc import Callable

from tests.faults.strangers import documents
from tests.faults.strangers.stranger import Attack, Stranger

PASTE_BYTES = 3_900_000


def opened(document: Callable[[], bytes], browsers: int = 1, times: int = 1) -> Attack:
    """Save a document and open its room so many times, in so many browsers at once, and stay."""

    def attack(stranger: Stranger) -> None:
        body = document()

        def visit() -> None:
            browser = stranger.browser()
            answer = stranger.note(browser.post("/api/documents", raw=body))
            if answer.status == 201:
                for _ in range(times):
                    stranger.tried(lambda: stranger.enter(browser, answer.json()["id"]))

        stranger.at_once(browsers, visit)
        stranger.hold()

    return attack


def aliases(stranger: Stranger) -> None:
    """A text of 20,000 characters that 999 captions stand for, saved and read again."""
    browser, body = stranger.browser(), documents.one_text_a_thousand_times()

    def save() -> None:
        answer = stranger.note(browser.post("/api/documents", raw=body))
        if answer.status == 201:
            stranger.note(browser.get(f"/s/{answer.json()['id']}.yaml"))

    stranger.again(4, save)


def pasted(piece: str) -> Attack:
    """Paste one piece of text repeated to 3.9 MB, two at once, again and again."""

    def attack(stranger: Stranger) -> None:
        browser, text = stranger.browser(), piece * (PASTE_BYTES // len(piece))
        stranger.again(2, lambda: stranger.note(browser.post("/import/preview", {"text": text})))

    return attack


def pasted_fields(head: str, piece: str) -> Attack:
    """Paste one line: a describe's row whose last field goes on for 3.9 MB."""

    def attack(stranger: Stranger) -> None:
        browser, text = stranger.browser(), head + piece * (PASTE_BYTES // len(piece))
        stranger.again(2, lambda: stranger.note(browser.post("/import/preview", {"text": text})))

    return attack
