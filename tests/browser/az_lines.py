"""Lines of an AZ answer as the server sends them, for tests of what the page does with them."""

import json
from typing import Any

Line = dict[str, Any]
WORDS = (
    "nothing",
    "seconds, or at risk",
    "until it is back, under 10 %",
    "until it is back, more",
    "until it is back, half or more",
    "lost for good",
)
ACKS = ("all", "1")
FAR_MS = 50  # a latency from which on az-c does more harm than az-a


def figure(step: int, text: str, more: str, rows: int = 0) -> Line:
    return {"step": step, "word": WORDS[step], "text": text, "more": more, "list": rows}


def field(key: str, label: str, value: Any, unit: str = "", **more: Any) -> Line:
    told = {"said": f"{value}", "from": "assumed", "why": "", "choices": None, "min": 0, "max": 500, "step": 1}
    return {"key": key, "label": label, "value": value, "unit": unit, "decides": None, **told, **more}


def basis(edits: Line) -> list[Line]:
    assumed = edits.get("assumed", {})
    return [
        field("racks", "Racks", {}, said="3 AZs, 1·1·1") | {"from": "yours" if "racks" in edits else "guessed"},
        field("controllers", "Controllers", {}, said="3 in 3 AZs"),
        field("disks", "Its disks", edits.get("disks", "back"), choices=[["back", "come back"], ["gone", "are gone"]]),
        field("latency_ms", "Latency, one way", assumed.get("latency_ms", 1), "ms"),
        field("request_timeout_ms", "request.timeout.ms", 30_000, "ms") | {"why": "Kafka's default"},
        field("log_end", "Records, each log", assumed.get("log_end", 1000)),
        field("rates", "Records/s by topic", assumed.get("rates", ""), lines=True, hint="metrics 100"),
    ]


def azs(edits: Line) -> list[Line]:
    racks = {"1": "az-a", "2": "az-b", "3": "az-c", **edits.get("racks", {})}
    controllers = edits.get("controllers") or {"100": "az-a", "101": "az-b", "102": "az-c"}
    names = sorted(dict.fromkeys([*racks.values(), *controllers.values()]))
    there = {name: [int(one) for one in racks if racks[one] == name] for name in names}
    elect = {name: [int(one) for one in controllers if controllers[one] == name] for name in names}
    more = {"down": [], "has_majority": False, "is_dark": False}
    return [{"name": name, "brokers": there[name], "controllers": elect[name], **more} for name in names]


def outline(edits: Line) -> Line:
    rows = [{"key": az["name"], "kind": "az", "label": az["name"], "note": "1 broker"} for az in azs(edits)]
    rows.append({"key": "any-broker", "kind": "broker", "label": "Any single broker", "note": "worst: broker 1"})
    empty = {"azs": [], "brokers": [], "controllers": [], "has_majority": False, "pick": "", "event": ""}
    counts = {"brokers": 3, "topics": 1, "partitions": 6, "coordinators": 50}
    head: Line = {"label": "", "standing": "Every partition has in-sync copies in two AZs or more.", "moments": 1}
    head |= {"dies": "dark", "disks": "back", "kill_us": 3_000_000, "horizon_us": 48_000_000, "acks": list(ACKS)}
    filled = [{**empty, **row} for row in rows]
    return {"outline": {**head, "counts": counts, "azs": azs(edits), "rows": filled, "tie": "", "basis": basis(edits)}}


def answer(edits: Line) -> Line:
    latency = edits.get("assumed", {}).get("latency_ms", 1)
    fact = {
        "key": "until_back",
        "step": 3,
        "word": WORDS[3],
        "title": "Stops until az-b is back",
        "text": "metrics 1 of 1",
    }
    headline = f"Losing az-b hurts most: metrics stops until it is back, {latency} ms."
    order = ["az-b", "az-a", "az-c"] if float(latency) < FAR_MS else ["az-b", "az-c", "az-a"]
    told = {"headline": headline, "worst": "az-b", "same": False, "order": order}
    disks = {**fact, "key": "disks", "title": "If its disks are gone too", "text": "lost: metrics as a whole"}
    return {"answer": {**told, "facts": [{**fact, "small": ""}, {**disks, "small": ""}]}}


def cells(row: str, edits: Line) -> list[Line]:
    seconds = f"{30 + float(edits.get('assumed', {}).get('latency_ms', 1)):.1f} s"
    write, read = figure(3, "until back", f"5 of 11, others {seconds}", 300), figure(1, seconds, "in this run", 2)
    lost = {"all": figure(0, "0", "by rule"), "1": figure(1, "0–1", "at risk", 3)}
    one = [{"cell": {"row": row, "acks": a, "step": 3, "lost": lost[a], "write": write, "read": read}} for a in ACKS]
    cause = {"count": 300, "step": 3, "title": "1 of 2 replicas left, 2 wanted", "note": "refused", "internal": False}
    return [*one, {"causes": {"row": row, "causes": [{"key": "c0", **cause}, {"key": "c1", **cause, "count": 2}]}}]


def widened(sent: list[Line]) -> list[Line]:
    """The same lines with figures as long as those of a large cluster."""
    lost = {
        "all": figure(5, "1,240 logs", "1,240 GB, offsets", 3),
        "1": figure(1, "0–180", "a partition, or more", 3),
    }
    write = {
        "all": figure(3, "until back", "124 of 200, others 31.0 s", 300),
        "1": figure(1, "31.0 s", "this run (servers 12.0 s)", 300),
    }
    read = figure(3, "until back", "groups 17/50, partitions 24/200", 2)
    told = [(line, line.get("cell")) for line in sent]
    return [
        {**line, "cell": {**cell, "lost": lost[cell["acks"]], "write": write[cell["acks"]], "read": read}}
        if cell
        else line
        for line, cell in told
    ]


def lines(edits: Line) -> list[Line]:
    told = outline(edits)
    rows = [line for row in told["outline"]["rows"] for line in cells(row["key"], edits)]
    return [
        *({"moment": "out", **line} for line in [told, *rows, answer(edits)]),
        {"worst": "out"},
        {"decides": {"key": "disks", "decides": True, "tried": "are gone", "headline": "Other.", "why": ""}},
        {"done": True},
    ]


def body(sent: list[Line]) -> str:
    return "".join(json.dumps(line) + "\n" for line in sent)


def partitions(asked: Line) -> Line:
    """The list behind a figure or a cause: 300 partitions, or 2 of the second cause."""
    number = 2 if asked.get("cause") == "c1" else 300
    places = [("az-a", 1), ("az-b", 2), ("az-c", 3)]
    rows = [
        {
            "topic": "orders",
            "partition": index,
            "internal": False,
            "azs": [
                {"az": az, "brokers": [{"id": broker, "leads": broker == 1, "lost": az == asked["row"]}]}
                for az, broker in places
            ],
            "step": 3,
            "us": None,
            "why": "1 left, min ISR 2",
        }
        for index in reversed(range(number))
    ]
    return {"total": number, "offset": 0, "rows": rows}


def long_names(asked: Line) -> Line:
    """The same list of AZs that have names as long as some data centres give them."""
    told = partitions(asked)
    for row in told["rows"]:
        for place in row["azs"]:
            place["az"] = f"eu-central-1-availability-zone-{place['az']}-datacenter-frankfurt"
    return told
