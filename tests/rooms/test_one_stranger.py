"""One stranger asks for much; whoever else is here shares, describes, carries on and looks back meanwhile."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from playground.rooms.limits import FACTS_ANSWER_MAX, RANGE_MAX_US, SOCKETS_AN_ADDRESS_MAX
from playground.scenarios.rates import NEWCOMER_S
from tests.rooms.crowd import WITHIN_S, asking, refused, watching
from tests.rooms.site import QUIET, Browser, Site, Socket
from tests.rooms.test_client_leaves import LONG_RUN

STRANGER, HERE, ELSEWHERE = "10.0.0.66", "10.0.0.1", "10.0.0.2"
COMPUTED_S = 4.0  # it takes about ten to compute a minute of FACTS_RUN
HOUR_US = 3_600_000_000
SLOWER = 4  # on a busy machine: so many times what it takes without a stranger
PASTE_BYTES = 3_900_000
ONE_VALUE = "Topic: orders\tPartition: 0\tLeader: 1\tReplicas: 1" + ",1" * (PASTE_BYTES // 2)
ONE_LINE = "h1:9092 (id: 1 rack: a) -> (" * (PASTE_BYTES // 28)  # takes a second to read
FACTS_RUN = LONG_RUN.replace(b"rate: 500", b"rate: 4000")


@pytest.fixture
def behind_proxy(tmp_path: Path) -> Iterator[Site]:
    """A site that is told the addresses of its visitors."""
    running = Site(tmp_path)
    running.environment["HIGHWATER_PROXIES"] = "127.0.0.1"
    running.start()
    try:
        yield running
    finally:
        running.stop()


def until(is_so: Callable[[], bool], words: str) -> None:
    deadline = time.monotonic() + WITHIN_S
    while not is_so():
        assert time.monotonic() < deadline, words
        time.sleep(0.05)


def timed(act: Callable[[], object]) -> float:
    began = time.monotonic()
    act()
    return time.monotonic() - began


def uses_the_site(person: Browser, run_id: str) -> None:
    """Describe, share, carry on and draw a run of one's own."""
    described = person.get(f"/s/{run_id}/describe?at_us=2000000")
    assert described.status == 200 and "Topic: orders" in described.text
    assert person.get(f"/s/{run_id}/still?at_us=1000000").status == 200
    for verb, body in (("share", {"at_us": 2_000_000}), ("carry-on", {"at_us": 2_000_000})):
        answer = person.post(f"/s/{run_id}/{verb}", body)
        assert answer.status == 201, answer.text


def thrown_away(site: Site, number: int, run_id: str) -> list[str]:
    """Cookies that the site has just given out at the stranger's address."""
    fresh = [Browser(site, forwarded=STRANGER) for _ in range(number)]
    for browser in fresh:
        browser.open(f"/s/{run_id}")
    return ["; ".join(f"{cookie.name}={cookie.value}" for cookie in browser.jar) for browser in fresh]


@pytest.mark.parametrize(
    "has_cookies",
    [pytest.param(False, id="no cookie", marks=pytest.mark.only_long), pytest.param(True, id="cookies thrown away")],
)
def test_twelve_describes_of_a_long_run_hold_up_nobody_else(behind_proxy: Site, has_cookies: bool) -> None:
    stranger, person = Browser(behind_proxy, forwarded=STRANGER).ready(), Browser(behind_proxy, forwarded=HERE).ready()
    neighbour = Browser(behind_proxy, forwarded=STRANGER).ready()
    long_run, mine, theirs = (
        who.make(body) for who, body in ((stranger, LONG_RUN), (person, QUIET), (neighbour, QUIET))
    )
    for who in (person, neighbour):
        who.get("/rooms/none/verdict")  # both are seen
    time.sleep(NEWCOMER_S + 0.1)
    path = f"/s/{long_run}/describe?at_us={HOUR_US}"
    cookies = thrown_away(behind_proxy, 12, long_run) if has_cookies else ()
    with asking(behind_proxy, STRANGER, [path] * 12, cookies) as crowd:
        until(lambda: bool(refused(crowd, 429)), "the stranger has all places that he may have")
        took = timed(lambda: uses_the_site(person, mine)), timed(lambda: uses_the_site(neighbour, theirs))
        assert any(one.waits for one in crowd), "both were done before the stranger"
    print(f"beside twelve long describes: {took[0]:.2f} s for another address, {took[1]:.2f} s for the same one")
    assert all("from your address" in words for words in refused(crowd, 429))
    fresh = Browser(behind_proxy, forwarded=STRANGER).get(f"/s/{long_run}/describe?at_us=300000000")
    assert fresh.status == 200, "those who left have left their places"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(ONE_VALUE, id="one value", marks=pytest.mark.only_long),
        pytest.param(ONE_LINE, id="one line with keys"),
    ],
)
def test_pastes_of_one_line_of_megabytes_hold_up_no_share(behind_proxy: Site, text: str) -> None:
    stranger, person = (Browser(behind_proxy, forwarded=address).ready() for address in (STRANGER, HERE))
    run_id = person.make(QUIET)
    calm_s = max(timed(lambda: uses_the_site(person, run_id)) for _ in range(3))
    is_over = threading.Event()

    def paste() -> None:
        while not is_over.is_set():  # another text each time: no answer is kept
            assert stranger.post("/import/preview", {"text": f"{text}{time.monotonic()}"}).status in (200, 429)

    pastes = [threading.Thread(target=paste) for _ in range(2)]
    for one in pastes:
        one.start()
    try:
        took_s = max(timed(lambda: uses_the_site(person, run_id)) for _ in range(5))
    finally:
        is_over.set()
        for one in pastes:
            one.join()
    print(f"calm {calm_s:.2f} s, beside pastes {took_s:.2f} s")
    assert took_s < max(2.0, SLOWER * calm_s)


def looks_back(person: Browser, run_id: str, at_us: int) -> None:
    """Send the requests that the page sends when somebody goes to a moment."""
    answers = [
        person.get(f"/rooms/{run_id}/snapshot?at_us={at_us}"),
        person.get(f"/rooms/{run_id}/facts?from_us={at_us}&to_us={at_us + 500_000}&stream=flights"),
        person.get(f"/rooms/{run_id}/facts?from_us=0&to_us={at_us}"),
    ]
    assert [answer.status for answer in answers] == [200] * 3, [
        answer.text for answer in answers if answer.status > 200
    ]


def test_forty_ranges_of_facts_hold_up_no_look_at_the_past(behind_proxy: Site) -> None:
    person, watcher = Browser(behind_proxy, forwarded=HERE).ready(), Browser(behind_proxy, forwarded=ELSEWHERE).ready()
    run_id = person.make(FACTS_RUN)
    path = f"/rooms/{run_id}/facts?stream=flights&from_us="
    too_large = [f"{path}{n * 1_000_000}&to_us={n * 1_000_000 + RANGE_MAX_US}" for n in range(20)]
    large = [f"{path}{n * 1_000_000}&to_us={n * 1_000_000 + 9_000_000}" for n in range(20)]
    with person.room(run_id) as viewer:
        viewer.do("reach", t=2 * RANGE_MAX_US)
        with asking(behind_proxy, STRANGER, too_large + large) as crowd:
            until(lambda: len(refused(crowd, 413)) >= 2, "ranges with too many facts are refused")
            took = [timed(lambda who=who: looks_back(who, run_id, 30_000_000)) for who in (person, watcher)]  # type: ignore[misc]
            waiting = sum(one.waits for one in crowd)
            assert waiting, "both were done before the stranger"
        assert viewer.do("step")["k"] == "ack"
    print(
        f"beside {waiting} ranges of facts: {took[0]:.2f} s for the owner, {took[1]:.2f} s for a visitor that watches"
    )


def test_a_range_with_too_many_facts_is_refused_before_it_is_computed(behind_proxy: Site) -> None:
    person = Browser(behind_proxy, forwarded=HERE).ready()
    run_id = person.make(FACTS_RUN)
    with person.room(run_id) as viewer:
        viewer.do("reach", t=RANGE_MAX_US)
        for stream in ("flights", "state"):
            path = f"/rooms/{run_id}/facts?from_us=0&to_us={RANGE_MAX_US}&stream={stream}"
            answer = person.get(path)
            assert answer.status == 413 and f"one answer carries {FACTS_ANSWER_MAX}" in answer.text, answer.text
            assert timed(lambda path=path: person.get(path)) < COMPUTED_S  # type: ignore[misc]


@contextmanager
def picture(viewer: Socket) -> Iterator[list[float]]:
    """The times that the picture of a viewer stood between two frames with facts, in seconds."""
    gaps: list[float] = []
    is_over = threading.Event()

    def look() -> None:
        while not is_over.is_set():
            gaps.append(timed(lambda: viewer.until("facts", WITHIN_S)))

    reader = threading.Thread(target=look)
    reader.start()
    try:
        yield gaps
    finally:
        is_over.set()
        reader.join()


def turned_away(person: Browser, run_id: str) -> str:
    """The reason why somebody is not let into a room, "" if he is."""
    with person.socket(f"/ws/room/{run_id}") as viewer:
        while (frame := viewer.receive())["k"] not in ("snap", "end"):
            pass
        return str(frame.get("reason", ""))


def test_six_hundred_pages_of_one_address_lock_nobody_else_out(behind_proxy: Site) -> None:
    person, neighbour = Browser(behind_proxy, forwarded=HERE).ready(), Browser(behind_proxy, forwarded=STRANGER).ready()
    run_id, other_run = person.make(QUIET), neighbour.make(QUIET)
    with person.room(run_id) as viewer:
        viewer.do("play")
        with picture(viewer) as gaps, watching(behind_proxy, STRANGER, run_id, SOCKETS_AN_ADDRESS_MAX):
            until(lambda: "from your address" in turned_away(neighbour, run_id), "the address has its share")
            assert not turned_away(Browser(behind_proxy, forwarded=ELSEWHERE).ready(), run_id), "others find a place"
            assert not turned_away(person, run_id), "and the owner"
            person.moves_to(STRANGER)
            assert not turned_away(person, run_id), "also at that address"
            assert not turned_away(neighbour, other_run), "where other runs can be opened too"
            seen = len(gaps)
            until(lambda: len(gaps) > seen + 30, "the owner's picture goes on")
    print(f"beside {SOCKETS_AN_ADDRESS_MAX} pages that come: the picture stands {max(gaps):.2f} s at most")
