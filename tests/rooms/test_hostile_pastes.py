"""A paste of 4 MB, of whatever kind, is read outside the web process: the page stays alive for everybody else."""

import statistics
import threading
import time

from tests.rooms.site import Browser, Site

KINDS = ("Topic: ", " ", "\n", "\t", "{", "<", '"', "|", "\\n", "a" * 1024 + " ", "Partition: ", "CurrentVoters: [1,")
LENGTH = 3_900_000
TOLD = (200, 400, 429, 503)  # read, longer than a request or than an address may send at once, or busy: in words
ALIVE_S = 0.2  # what a visitor notices; half of the answers at least, on a machine that reads all these pastes as well


def test_the_page_answers_while_hostile_pastes_are_read(site: Site) -> None:
    statuses: dict[str, int] = {}

    def send(kind: str) -> None:
        text = (kind * (LENGTH // len(kind) + 1))[:LENGTH]
        sender = Browser(site).ready()
        sender.get("/import")
        statuses[kind] = sender.post("/import/preview", {"text": text}).status

    threads = [threading.Thread(target=send, args=(kind,)) for kind in KINDS]
    for thread in threads:
        thread.start()
    visitor = Browser(site)
    took = []
    while any(thread.is_alive() for thread in threads):
        asked = time.monotonic()
        assert visitor.get("/alive").status == 200
        took.append(time.monotonic() - asked)
        time.sleep(0.1)
    assert len(statuses) == len(KINDS) and set(statuses.values()) <= set(TOLD), statuses
    assert statistics.median(took) < ALIVE_S, took
    print(f"/alive: {len(took)} answers, median {statistics.median(took):.3f} s, longest {max(took):.3f} s")
