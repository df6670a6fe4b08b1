"""Bodies sent without cookie and token are refused at the header, in words, and not kept."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from playground.body_limit import LINGER_BYTES_MAX
from playground.held_bodies import (
    HELD_AN_ADDRESS_MAX,
    HELD_MAX,
    MUCH_OF_ADDRESS,
    MUCH_OF_ALL,
    SMALL_BYTES,
    Body,
    HeldBodies,
)
from tests.faults import wire
from tests.faults.bounded_site import GRACE_S, HELD_AN_ADDRESS, LINGER_S, SOON_S, serving
from tests.faults.wire import MIB, Wire, chunk, post
from tests.rooms.site import Browser, Site


@pytest.fixture(scope="module")
def bounded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with serving(tmp_path_factory.mktemp("bodies")) as running:
        yield running


@pytest.mark.parametrize("path", ["/api/documents", "/", "/alive", "/none", "/static/css/base.css"])
def test_a_body_of_unknown_length_is_refused_at_its_header_and_no_file_is_made(bounded: Site, path: str) -> None:
    before, files, client = wire.memory(bounded), wire.removed_files(bounded), Wire(bounded)
    assert client.send(post("Transfer-Encoding: chunked", path=path))
    for _ in range(20):
        if not client.send(chunk(b"x" * MIB)):
            break
        assert wire.removed_files(bounded) == files
    answer = client.rest()
    assert answer.startswith(b"HTTP/1.1 411 "), answer[:200]
    assert b"connection: close" in answer.lower()
    assert "Content-Length" in json.loads(answer.partition(b"\r\n\r\n")[2])["error"]
    assert wire.memory(bounded) - before < 10


def test_chunks_of_one_byte_cost_nothing(bounded: Site) -> None:
    client, before = Wire(bounded), wire.computed(bounded)
    client.send(post("Transfer-Encoding: chunked") + chunk(b"x") * (2 * MIB // 6))
    assert client.rest().startswith(b"HTTP/1.1 411 ")
    assert wire.computed(bounded) - before < 0.5  # h11 takes 5 s for them


@pytest.mark.parametrize("size", [8 * MIB + 1, 400_000_000, 10**19])
def test_a_body_that_is_too_long_is_refused_before_it_comes(bounded: Site, size: int) -> None:
    client, began = Wire(bounded), time.monotonic()
    client.send(post(f"Content-Length: {size}") + b"x" * MIB)  # and the rest is held back
    answer = client.rest()
    assert wire.seconds(began) < LINGER_S + SOON_S
    assert answer.startswith(b"HTTP/1.1 413 "), answer[:200]
    told = json.loads(answer.partition(b"\r\n\r\n")[2])["error"]
    assert told.startswith(f"This request has {size:,} bytes; the limit is 8 MiB") and "Send less" in told


@pytest.mark.parametrize("framing", ["Transfer-Encoding: chunked", "Content-Length: 400000000"])
def test_who_sends_on_after_the_answer_is_cut_off(bounded: Site, framing: str) -> None:
    client = Wire(bounded)
    client.send(post(framing))
    piece = chunk(b"x" * MIB) if "chunked" in framing else b"x" * MIB
    sent = next((number for number in range(100) if not (client.send(piece) and client.is_taken())), 100)
    assert sent < LINGER_BYTES_MAX // MIB + 20, "more than what is thrown away and what two sockets buffer"
    client.close()


def test_a_page_gets_a_page_and_every_answer_has_the_policy(bounded: Site) -> None:
    client = Wire(bounded)
    client.send(post("Content-Length: 9000000", accept="text/html"))
    answer = client.rest().decode()
    assert answer.startswith("HTTP/1.1 413 ") and "Content-Security-Policy" in answer
    assert "<h1>Not answered</h1>" in answer and "9,000,000 bytes" in answer


def test_who_sends_a_little_too_much_to_its_end_reads_the_answer(bounded: Site) -> None:
    answer = Browser(bounded).ready().post("/api/documents", raw=b"x" * 9_000_000)
    assert (answer.status, "9,000,000 bytes" in answer.json()["error"]) == (413, True)


def test_who_asks_first_is_answered_without_sending(bounded: Site) -> None:
    client = Wire(bounded)
    client.send(post("Content-Length: 9000000", "Expect: 100-continue"))
    answer = client.rest()
    assert answer.startswith(b"HTTP/1.1 413 ") and b"100 Continue" not in answer


def test_a_body_that_comes_too_slowly_is_refused(bounded: Site) -> None:
    client, began = Wire(bounded), time.monotonic()
    client.send(post("Content-Length: 5000"))
    while client.send(b"x") and wire.seconds(began) < SOON_S:
        time.sleep(0.1)
    answer = client.rest()
    assert answer.startswith(b"HTTP/1.1 408 "), answer[:200]
    assert "too slowly" in json.loads(answer.partition(b"\r\n\r\n")[2])["error"]


def test_a_slow_body_has_more_time_for_what_came(bounded: Site) -> None:
    client, began = Wire(bounded), time.monotonic()
    size = 12 * 16_384
    client.send(post(f"Content-Length: {size}", "Connection: close"))
    for _ in range(12):
        assert client.send(b"x" * 16_384)
        time.sleep(0.2)
    assert wire.seconds(began) > 2 * GRACE_S
    assert client.rest().startswith(b"HTTP/1.1 403 ")  # whole, and without a token


def test_held_bodies_of_one_address_take_its_share_of_memory_and_no_more(bounded: Site) -> None:
    before = wire.memory(bounded)
    clients = [Wire(bounded) for _ in range(12)]
    for client in clients:
        client.send(post(f"Content-Length: {3 * MIB // 2 + 1}", "Connection: close") + b"x" * (3 * MIB // 2))
    kept = HELD_AN_ADDRESS // (3 * MIB // 2)
    answered = wire.answered(clients, 12 - kept)
    assert wire.memory(bounded) - before < 3 * HELD_AN_ADDRESS / MIB
    for client in clients:
        client.send(b"x")
    answers = {client: client.rest() for client in clients}
    refused = {client for client in clients if b" 429 " in answers[client] and b"Your address" in answers[client]}
    assert refused == answered and len(refused) == 12 - kept
    assert all(answers[client].startswith(b"HTTP/1.1 403 ") for client in clients if client not in refused)


def test_small_requests_of_an_address_go_on_beside_its_held_bodies(bounded: Site) -> None:
    person = Browser(bounded).ready()
    clients = [Wire(bounded) for _ in range(4)]
    for client in clients:
        client.send(post(f"Content-Length: {2 * MIB}") + b"x" * (2 * MIB - 1))
    wire.answered(clients, 2)
    answer = person.post("/api/documents", raw=b"format: 1")
    assert answer.status == 400 and "cluster" in answer.text, answer.text
    for client in clients:
        client.close()


def test_behind_a_proxy_a_share_of_memory_is_a_visitors(tmp_path: Path) -> None:
    with serving(tmp_path, HIGHWATER_PROXIES="127.0.0.1") as site:
        size = 3 * MIB
        answers = {}
        clients = {address: Wire(site) for address in ("10.0.0.1", "10.0.0.2", "10.0.0.3")}
        for address, client in clients.items():
            forwarded = f"X-Forwarded-For: {address}"
            client.send(post(f"Content-Length: {size}", "Connection: close", forwarded) + b"x" * (size - 1))
        for address, client in clients.items():
            client.send(b"x")
            answers[address] = client.rest()[:12]
        assert set(answers.values()) == {b"HTTP/1.1 403"}, answers


@pytest.mark.parametrize("line", ["Topic: orders\r\n", "\x1b[31mTopic: orders\x1b[0m\r\n"])
def test_a_paste_is_no_longer_than_its_text_whatever_json_makes_of_it(tmp_path: Path, line: str) -> None:
    site = Site(tmp_path)
    site.start()
    try:
        text = line * (3_900_000 // len(line))
        answer = Browser(site).ready().post("/import/preview", {"text": text})
    finally:
        site.stop()
    assert answer.status == 200, answer.text[:300]
    assert "lines; the limit is 25,000. Paste fewer topics." in answer.json()["reason"]


def test_what_all_send_is_limited_and_the_largest_body_of_the_address_with_most_is_refused() -> None:
    held = HeldBodies()
    many = [Body("10.0.0.1") for _ in range(3)]
    for body, size in zip(many, (9 * MIB, 12 * MIB, 10 * MIB), strict=True):
        held.add(body, size)
    others = [Body(f"10.0.1.{number}") for number in range(30)]
    for body in others:
        held.add(body, 8 * MIB)
        if many[1].refusal:
            break
    assert [body.refusal for body in many] == [None, MUCH_OF_ALL, None]
    assert not any(body.refusal for body in others)


def test_an_address_that_sends_too_much_loses_the_body_that_made_it_so() -> None:
    held = HeldBodies()
    first, second, small = Body("10.0.0.1"), Body("10.0.0.1"), Body("10.0.0.1")
    held.add(first, HELD_AN_ADDRESS_MAX - MIB)
    held.add(small, SMALL_BYTES)
    held.add(second, 2 * MIB)
    assert (first.refusal, second.refusal, small.refusal) == (None, MUCH_OF_ADDRESS, None)
    for body in (first, second, small):
        held.release(body)
    held.add(again := Body("10.0.0.1"), HELD_AN_ADDRESS_MAX)
    assert again.refusal is None


def test_a_body_that_is_whole_is_not_taken_back() -> None:
    held = HeldBodies()
    whole, new = Body("10.0.0.1"), Body("10.0.0.2")
    held.add(whole, HELD_AN_ADDRESS_MAX)
    whole.is_whole = True
    for number in range(HELD_MAX // HELD_AN_ADDRESS_MAX - 1):
        done = Body(f"10.0.1.{number}")
        held.add(done, HELD_AN_ADDRESS_MAX)
        done.is_whole = True
    held.add(new, MIB)
    assert (whole.refusal, new.refusal) == (None, MUCH_OF_ALL)
