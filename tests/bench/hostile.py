"""Measures how long /alive takes while 4 MB of each hostile kind is pasted, and while a document of 4 MB is looked at.

This process asks /alive ten times a second; another one sends the hostile text, so that neither delays the other.
One line a kind: the response, its time, the processor time that the web process itself took for it (which holds on a
busy machine too), and the times of /alive meanwhile.

`python -m tests.bench reading` measures without a site how much processor time it takes to read each kind.
"""

import json
import multiprocessing
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any, Final

import psutil

from simengine.importers import limits
from simengine.importers.report import import_text
from tests.bench import pastes
from tests.rooms.site import Browser, Site
from tests.rooms.test_hostile_pastes import KINDS, LENGTH

EVERY_S: Final = 0.1
VIEWS: Final = ("", ".json", ".yaml", "/about", "/still", "/describe", "/why", "/az")
POSTS: Final[dict[str, dict[str, Any]]] = {
    "/fork": {"at_us": 0, "do": "kill 1"},
    "/undo": {"at_us": 2_000_000},
    "/share": {"at_us": 0, "neutral": True},
    "/carry-on": {"at_us": 0},
}
CAPTIONS: Final = 190
CAPTION_LENGTH: Final = 20_000
TOPICS: Final = 9_000
NAME_LENGTH: Final = 200


def measure() -> dict[str, float]:
    """`alive_hostile_ms_max`: the longest answer of /alive, in ms."""
    longest = 0.0
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder))
        site.start()
        try:
            Browser(site).ready().post("/import/preview", {"text": "Topic: t"})  # the process that reads is there
            print(f"{'what':<36} {'answer':>6} {'after s':>8} {'web cpu ms':>10} {'asked':>6} ", end="")
            print(f"{'median ms':>10} {'longest ms':>11}")
            for kind in KINDS:
                longest = max(longest, _line(repr(kind)[:22], site, _paste, kind))
            for kind, document in {"captions": _long_captions(), "topics": _many_topics()}.items():
                run_id = Browser(site).ready().make(document)
                for name, send, what in _looks(run_id):
                    longest = max(longest, _line(f"4 MB of {kind}: {name}", site, send, what))
        finally:
            site.stop()
    return {"alive_hostile_ms_max": longest}


def reading() -> dict[str, float]:
    """`import_cpu_s_max`: the most processor seconds for a paste of 4 MB, or of as many lines as are taken."""
    longest = 0.0
    print(f"{'what':<36} {'MB':>5} {'lines':>7} {'cpu s':>6}")
    repeated = {repr(piece)[:30]: (piece * (limits.BYTES_MAX // len(piece))) for piece in KINDS}
    with multiprocessing.get_context("spawn").Pool(1) as process:
        for kind in [*pastes.KINDS, *repeated]:
            text = repeated[kind] if kind in repeated else pastes.KINDS[kind](pastes.LINES)
            seconds = process.apply(_cpu_s, (text,))
            longest = max(longest, seconds)
            print(f"{kind:<36} {len(text) / 2**20:>5.2f} {text.count(chr(10)) + 1:>7} {seconds:>6.2f}", flush=True)
    return {"import_cpu_s_max": longest}


def _cpu_s(text: str) -> float:
    started = time.process_time()
    import_text(text)
    return time.process_time() - started


def _looks(run_id: str) -> list[tuple[str, Any, Any]]:
    """Everything that is asked of a stored run: name, how it is sent, what is sent."""
    run = f"/s/{run_id}"
    found: list[tuple[str, Any, Any]] = [(view or "playground", _look, f"{run}{view}") for view in VIEWS]
    found += [("my runs", _look, "/runs"), ("/what-if/new", _look, f"/what-if/new?doc={run_id}")]
    found += [(path, _send, (f"{run}{path}", body)) for path, body in POSTS.items()]
    experiment = {"doc": run_id, "seeds": 4, "horizon": "8s", "axes": {"acks": ["1", "all"]}, "quick": True}
    return [*found, ("/what-if/preview", _send, ("/what-if/preview", experiment))]


def _long_captions() -> bytes:
    """A document of nearly 4 MB in few values."""
    captions = [{"at": f"{i}ms", "text": "x" * CAPTION_LENGTH} for i in range(CAPTIONS)]
    return _document([{"name": "t", "assignment": [[1, 2, 3]]}], captions=captions)


def _many_topics() -> bytes:
    """A document of nearly 4 MB in many values, with an action to undo."""
    names = [f"{i:05}".ljust(NAME_LENGTH, "x") for i in range(TOPICS)]
    topics = [{"name": name, "assignment": [[1, 2, 3]], "config": {"min.insync.replicas": 2}} for name in names]
    captions = [{"at": f"{i}ms", "text": "x" * CAPTION_LENGTH} for i in range(60)]
    return _document(topics, captions=captions, timeline=[{"at": "1s", "do": "kill 2"}])


def _document(topics: list[Any], **more: Any) -> bytes:
    cluster = {"brokers": [1, 2, 3], "controllers": [100]}
    return json.dumps({"format": 1, "cluster": cluster, "topics": topics, **more}).encode()


def _line(name: str, site: Site, send: Any, what: Any) -> float:
    """Print one line; the longest answer of /alive in ms."""
    answers: multiprocessing.Queue[tuple[int, float]] = multiprocessing.Queue()
    sender = multiprocessing.Process(target=send, args=(site.port, what, answers))
    visitor = Browser(site)
    assert site.process is not None
    web = psutil.Process(site.process.pid)
    before = _cpu_ms(web)
    sender.start()
    took = []
    while sender.is_alive():
        asked = time.monotonic()
        visitor.get("/alive")
        took.append((time.monotonic() - asked) * 1000)
        time.sleep(EVERY_S)
    status, seconds = answers.get()
    median, longest, web_ms = statistics.median(took), max(took), _cpu_ms(web) - before
    print(
        f"{name:<36} {status:>6} {seconds:>8.2f} {web_ms:>10.0f} {len(took):>6} {median:>10.1f} {longest:>11.1f}",
        flush=True,
    )
    return longest


def _cpu_ms(process: psutil.Process) -> float:
    times = process.cpu_times()
    return 1000 * (times.user + times.system)


class _Address:
    """A site by its port, for a browser in another process."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.url = f"http://127.0.0.1:{port}"


def _paste(port: int, kind: str, answers: "multiprocessing.Queue[tuple[int, float]]") -> None:
    sender = Browser(_Address(port)).ready()
    sender.get("/import")
    text = (kind * (LENGTH // len(kind) + 1))[:LENGTH]
    asked = time.monotonic()
    answers.put((sender.post("/import/preview", {"text": text}).status, time.monotonic() - asked))


def _send(port: int, what: tuple[str, dict[str, Any]], answers: "multiprocessing.Queue[tuple[int, float]]") -> None:
    path, body = what
    sender = Browser(_Address(port)).ready()
    asked = time.monotonic()
    answers.put((sender.post(path, body).status, time.monotonic() - asked))


def _look(port: int, path: str, answers: "multiprocessing.Queue[tuple[int, float]]") -> None:
    viewer = Browser(_Address(port)).ready()
    asked = time.monotonic()
    answers.put((viewer.get(path).status, time.monotonic() - asked))
