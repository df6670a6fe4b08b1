"""Actions of the timeline in words, by the clauses of `verbs`. `actionwords.js` does the same on the page."""

import re
from collections.abc import Callable, Iterable
from itertools import zip_longest
from typing import Final

from simengine.scenario.actions import NODE_VERBS
from simengine.scenario.arguments import split_link
from simengine.scenario.model import Document
from simengine.scenario.verb import OTHER
from simengine.scenario.verbs import VERBS, form_of

NodeName = Callable[[int | str], str]  # of a number, or of ``east/1``, a node of a named cluster
Who = Callable[[str], str]
Args = dict[str, str]  # of an action, by kind

_OWN_WORDS: Final = re.compile(  # an article before a verb is a name: rack "a" loses power
    r"(?:broker|controller)s? (?:[A-Za-z][A-Za-z0-9_-]*/)?\d|"
    r"(?:the|all|an|a) (?!(?:and|is|loses|goes|sends|commits) |crashes)"
)
_TOKEN: Final = re.compile(r"\{(\w+)(?:\+(\w+)|\?(\w+):(\w+))?\}")
_BROKER: Final = re.compile(r"((?:[A-Za-z][A-Za-z0-9_-]*/)?)broker\.(\d+)", re.ASCII)
_NUMBER: Final = re.compile(r"\d+", re.ASCII)
_NAMED: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*/\d+", re.ASCII)
_WHOLE: Final = re.compile(r"^\d+", re.ASCII)


def node_names(doc: Document) -> NodeName:
    """The names of the nodes of a document: ``broker 2``, ``controller 100``."""
    return names_beside(brokers_of(doc))


def brokers_of(doc: Document) -> list[int | str]:
    """The brokers of a document as actions name them: ``2``, and ``east/1`` where its clusters have names."""
    named = [f"{name}/{broker.id}" for name, part in doc.clusters.items() for broker in part.cluster.brokers]
    return [*(broker.id for broker in doc.brokers), *named]


def names_beside(brokers: Iterable[int | str]) -> NodeName:
    """The names of nodes where these are the brokers."""
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
    found = form_of(verb, tuple(words))
    if found is None:
        return action
    args = {slot.kind: word or slot.default for slot, word in zip_longest(found.slots, words) if slot.kind}
    return _TOKEN.sub(lambda token: _said(token, args, lambda ids: _hosts(ids, name)), found.clause)


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
    """The number of actions of each kind, in the order of the first of each: ``2 kills, 1 start``."""
    verbs = [VERBS.get(action.split(" ", 1)[0]) for action in actions]
    kinds = [verb.noun if verb else OTHER for verb in verbs]
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


def _between(link: str, who: Who) -> str:
    """A selection of links: ``0|1,2`` both ways, ``0>1`` one way."""
    left, sign, right = split_link(link)
    return f"from {who(left)} to {who(right)}" if sign == ">" else f"between {who(left)} and {who(right)}"


def _figure(number: str) -> str:
    """``1000.5`` with separators: ``1,000.5``."""
    return _WHOLE.sub(lambda whole: f"{int(whole[0]):,}", number)


def _a_second(rate: str) -> str:
    return f"{_figure(rate)} {'record/s' if rate == '1' else 'records/s'}"


def _replicas(text: str, args: Args, who: Who) -> str:
    """Brokers by their ids in the cluster of the partition."""
    site, slash, _ = args["partition"].rpartition("/")
    return who(",".join(f"{site}{slash}{broker}" for broker in text.split(",")))


def _scope(text: str) -> str:
    cluster = text.removesuffix("/all")
    return "all partitions" if text == "all" else f"all partitions of {cluster}" if cluster != text else text


def _subject(text: str, who: Who) -> str:
    broker = _BROKER.fullmatch(text)
    cluster = text.removesuffix("/cluster")
    whole = "the cluster" if text == "cluster" else f"cluster {cluster}" if cluster != text else text
    return who(f"{broker[1]}{broker[2]}") if broker else whole


def _said(token: re.Match[str], args: Args, who: Who) -> str:
    """The words that stand in a clause for a token such as ``{node}``."""
    kind, added, several, one = token.groups()
    if added:
        return str(int(args[kind]) + int(args[added]) - 1)
    if several:
        return str(several if "," in args[kind] else one)
    return _CALLED[kind](args[kind], args, who) if kind in _CALLED else args[kind]


# how an argument of a kind is called, by all arguments of its action; others are called as they are written
_CALLED: Final[dict[str, Callable[[str, Args, Who], str]]] = {
    **dict.fromkeys(("node", "host", "broker", "hosts"), lambda text, _, who: who(text)),
    **dict.fromkeys(("rate", "limit"), lambda text, _, __: _a_second(text)),
    **dict.fromkeys(("count", "size"), lambda text, _, __: _figure(text)),
    "link": lambda text, _, who: _between(text, who),
    "message": lambda text, _, __: "a message",
    "replicas": _replicas,
    "scope": lambda text, _, __: _scope(text),
    "subject": lambda text, _, who: _subject(text, who),
}
