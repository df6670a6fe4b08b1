"""Actions of the timeline's grammar in words, as the page says them (`actionwords.js` is this file's twin)."""

import re
from collections.abc import Callable, Iterable
from typing import Final

from simengine.scenario.actions import NODE_VERBS
from simengine.scenario.model import Document

NodeName = Callable[[int | str], str]  # of a number, or of ``east/1``, a node of a named cluster
Who = Callable[[str], str]

_OWN_WORDS: Final = re.compile(  # an article before a verb is a name: rack "a" loses power
    r"(?:broker|controller)s? (?:[A-Za-z][A-Za-z0-9_-]*/)?\d|"
    r"(?:the|all|an|a) (?!(?:and|is|loses|goes|sends|commits) |crashes)"
)
_NO_TIME: Final = re.compile(r"0[a-zµ]*")
_BROKER: Final = re.compile(r"((?:[A-Za-z][A-Za-z0-9_-]*/)?)broker\.(\d+)", re.ASCII)
_NUMBER: Final = re.compile(r"\d+", re.ASCII)
_NAMED: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*/\d+", re.ASCII)
_WHOLE: Final = re.compile(r"^\d+", re.ASCII)

_KINDS: Final[dict[str, tuple[str, str]]] = {
    "kill": ("kill", "kills"),
    "stop": ("clean stop", "clean stops"),
    "start": ("start", "starts"),
    "pause": ("pause", "pauses"),
    "resume": ("resume", "resumes"),
    "kill-rack": ("rack taken down", "racks taken down"),
    "start-rack": ("rack brought back", "racks brought back"),
    "kill-site": ("cluster taken down", "clusters taken down"),
    "start-site": ("cluster brought back", "clusters brought back"),
    "power-loss": ("power loss", "power losses"),
    "cut": ("cut", "cuts"),
    "heal": ("heal", "heals"),
    "acks": ("change of acks", "changes of acks"),
    "rate": ("change of rate", "changes of rate"),
    "config": ("change of a setting", "changes of settings"),
    "reassign": ("reassignment", "reassignments"),
    "elect": ("requested election", "requested elections"),
    "create": ("new topic", "new topics"),
    "delete": ("deleted topic", "deleted topics"),
    "partitions": ("change of partitions", "changes of partitions"),
    "move": ("move", "moves"),
}
_OTHER: Final = ("other action", "other actions")


def node_names(doc: Document) -> NodeName:
    """What the nodes of a document are called: ``broker 2``, ``controller 100``."""
    return names_beside(brokers_of(doc))


def brokers_of(doc: Document) -> list[int | str]:
    """The brokers of a document as actions name them: ``2``, and ``east/1`` where its clusters have names."""
    named = [f"{name}/{broker.id}" for name, part in doc.clusters.items() for broker in part.cluster.brokers]
    return [*(broker.id for broker in doc.brokers), *named]


def names_beside(brokers: Iterable[int | str]) -> NodeName:
    """What nodes are called where these are the brokers."""
    known = frozenset(brokers)
    return lambda node: f"broker {node}" if node in known else f"controller {node}"


def sentence(action: str, name: NodeName) -> str:
    """One action, such as ``kill 2``, as a sentence."""
    text = inside(action, name)
    named = not _OWN_WORDS.match(text)  # a topic's or a rack's name stays as it is
    return f"{text}." if named else f"{text[0].upper()}{text[1:]}."


def inside(action: str, name: NodeName) -> str:
    """One action as a clause inside a sentence: ``broker 2 is killed``."""
    verb, *words = action.split(" ")
    return _CLAUSES[verb](words, lambda ids: _hosts(ids, name)) if verb in _CLAUSES else action


def clauses(actions: str, name: NodeName) -> str:
    """The actions of one moment, ``kill 1, kill 2``, without the last stop."""
    return " ".join(sentence(action, name) for action in actions.split(", ")).removesuffix(".")


def asked(action: str, name: NodeName) -> str:
    """One action as it is asked for: ``kill broker 2``; other than of a node, as the timeline writes it."""
    verb, *words = action.split(" ")
    if verb not in NODE_VERBS or not words:
        return action
    return " ".join([verb, _hosts(words[0], name), *words[1:]])


def counted(actions: list[str]) -> str:
    """How many actions of which kind, in the order of the first of each: ``2 kills, 1 start``."""
    kinds = [_KINDS.get(action.split(" ", 1)[0], _OTHER) for action in actions]
    numbers = {kind: kinds.count(kind) for kind in kinds}
    return ", ".join(f"{number} {one if number == 1 else many}" for (one, many), number in numbers.items())


def _hosts(ids: str, name: NodeName) -> str:
    """Nodes as they are called: ``2`` is broker 2, ``az-a`` a rack, ``1,2`` brokers 1 and 2."""
    groups: dict[str, list[str]] = {}
    for node in ids.split(","):
        known = int(node) if _NUMBER.fullmatch(node) else node if _NAMED.fullmatch(node) else None
        kind, _, number = (node, "", "") if known is None else name(known).rpartition(" ")
        groups.setdefault(kind, []).extend([number] if number else [])
    return _listed([f"{kind}{'s' * (len(of) > 1)} {_listed(of)}".strip() for kind, of in groups.items()])


def _listed(names: list[str]) -> str:
    return "".join(names) if len(names) < 2 else f"{', '.join(names[:-1])} and {names[-1]}"


def _between(links: str, who: Who) -> str:
    """A selection of links: ``0|1,2`` both ways, ``0>1`` one way."""
    a, _, b = links.partition(">" if ">" in links else "|")
    if not b:
        return f"from {who(a)}"
    return f"from {who(a)} to {who(b)}" if ">" in links else f"between {who(a)} and {who(b)}"


def _start(words: list[str], who: Who) -> str:
    disk = {"empty": " with an empty disk", "wiped": " with its data wiped"}.get("".join(words[1:2]), "")
    late = f", which takes {words[-1]}" if words[-2:-1] == ["after"] else ""
    return f"{who(words[0])} starts{disk}{late}"


def _power_loss(words: list[str], who: Who) -> str:
    """A host that loses nothing of its page cache only goes dark: no connection is closed."""
    who_goes, is_many = ("all brokers", True) if words[0] == "all" else (who(words[0]), "," in words[0])
    if words[1:] == ["0"]:
        return f"{who_goes} {'go' if is_many else 'goes'} dark"
    return "all brokers lose their power" if words[0] == "all" else f"{who(words[0])} {_s(words[0], 'lose')} power"


def _s(ids: str, verb: str) -> str:
    return verb if "," in ids else f"{verb}s"


def _slow_link(words: list[str], who: Who) -> str:
    where = f"the links {_between(words[0], who)} are"
    return f"{where} at full speed" if _NO_TIME.fullmatch(words[1]) else f"{where} slower by {words[1]}"


def _slow(words: list[str], who: Who) -> str:
    if words[1] == "serving":
        how = "at full speed" if words[2] == "off" else f"with at most {_a_second(words[2])}"
        return f"{who(words[0])} serves fetches {how}"
    if words[1] == "off":
        return f"{who(words[0])} fetches at full speed"
    return f"{who(words[0])} fetches at most {_a_second(words[1])}"


def _figure(number: str) -> str:
    """``1000.5`` with separators: ``1,000.5``."""
    return _WHOLE.sub(lambda whole: f"{int(whole[0]):,}", number)


def _a_second(rate: str) -> str:
    return f"{_figure(rate)} {'record/s' if rate == '1' else 'records/s'}"


def _send(words: list[str], who: Who) -> str:
    producer, partition, count = words
    return f"{producer} sends {_figure(count)} {'record' if count == '1' else 'records'} to {partition}"


def _resend(words: list[str], who: Who) -> str:
    producer, partition, first, count = words
    last = int(first) + int(count) - 1
    calls = f"call {first}" if count == "1" else f"calls {first}–{last}"
    return f"{producer} sends {'the record' if count == '1' else 'the records'} of {calls} to {partition} again"


def _rate(words: list[str], who: Who) -> str:
    return f"{words[0]} sends {_a_second(words[1])}{f' to {words[2]}' if words[2:] else ''}"


def _reassign(words: list[str], who: Who) -> str:
    if words[1] == "cancel":
        return f"the reassignment of {words[0]} is cancelled"
    site, slash, _ = words[0].rpartition("/")  # the list has the ids of the partition's cluster
    brokers = ",".join(f"{site}{slash}{broker}" for broker in words[1].split(","))
    return f"{words[0]} is to be on {who(brokers)}"


def _elect(words: list[str], who: Who) -> str:
    cluster = words[1].removesuffix("/all")
    where = (
        "all partitions" if words[1] == "all" else f"all partitions of {cluster}" if cluster != words[1] else words[1]
    )
    return f"{'an unclean' if words[0] == 'unclean' else 'a preferred'} election is requested for {where}"


def _commit(words: list[str], who: Who) -> str:
    return f"{words[0]} commits {f'{words[2]} of {words[1]}' if words[2:] else 'what it has read'}"


def _config(words: list[str], who: Who) -> str:
    broker = _BROKER.fullmatch(words[0])
    cluster = words[0].removesuffix("/cluster")
    whole = "the cluster" if words[0] == "cluster" else f"cluster {cluster}" if cluster != words[0] else words[0]
    of = who(f"{broker[1]}{broker[2]}") if broker else whole
    return f"{of}: {words[1]} = {words[2]}"


def _intercept(words: list[str], who: Who) -> str:
    _, producer, partition, call, how, *late = words
    what = f"call {call} of {producer} to {partition}"
    if how == "hold-request":
        return f"the request with {what} will be held"
    return f"the answer to {what} will be {'lost' if how == 'drop-response' else f'late by {late[0]}'}"


_CLAUSES: Final[dict[str, Callable[[list[str], Who], str]]] = {
    "kill": lambda words, who: f"{who(words[0])} is killed",
    "stop": lambda words, who: f"{who(words[0])} shuts down cleanly",
    "start": _start,
    "pause": lambda words, who: f"{who(words[0])} is paused",
    "resume": lambda words, who: f"{who(words[0])} goes on",
    "kill-rack": lambda words, who: f"{words[0]} is taken down",
    "power-loss": _power_loss,
    "start-rack": lambda words, who: f"{words[0]} is brought back",
    "kill-site": lambda words, who: f"{words[0]} is taken down",
    "start-site": lambda words, who: f"{words[0]} is brought back",
    "cut": lambda words, who: f"the links {_between(' '.join(words), who)} are cut",
    "heal": lambda words, who: (
        f"the links {_between(' '.join(words), who)} are healed" if words else "all links are healed"
    ),
    "slow-link": _slow_link,
    "slow": _slow,
    "acks": lambda words, who: f"{words[0]} is now written with acks={words[1]}",
    "config": _config,
    "rate": _rate,
    "send": _send,
    "resend": _resend,
    "hold": lambda words, who: "a message is held",
    "deliver": lambda words, who: "a message arrives now",
    "drop": lambda words, who: "a message is lost with its connection",
    "reassign": _reassign,
    "elect": _elect,
    "create": lambda words, who: f"topic {words[0]} is created",
    "delete": lambda words, who: f"topic {words[0]} is deleted",
    "partitions": lambda words, who: f"topic {words[0]} is to have {_figure(words[1])} partitions",
    "open": lambda words, who: f"{words[0]} is opened",
    "close": lambda words, who: f"{words[0]} is closed",
    "crash": lambda words, who: f"{words[0]} crashes",
    "commit": _commit,
    "move": lambda words, who: f"{words[0]} moves to {words[1]}{f' ({words[2]})' if words[2:] else ''}",
    "intercept": _intercept,
    "release": lambda words, who: "a held request goes on",
    "late-heartbeat": lambda words, who: f"a heartbeat that {who(words[0])} had sent arrives after all",
}
