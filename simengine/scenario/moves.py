"""Applications that move to another cluster (``move east/app west``): their ids and their topics there.

A moved application is another client process. It keeps its id unless the target has a client of that id, and a move
back opens the client that it was, unless it names other topics. A consumer reads every topic of the target that holds
records of the topics that it read: those of the same original name, ``orders`` and ``east.orders`` (MM-2). A producer
writes to the original name.
"""

from collections.abc import Collection, Iterable
from typing import Final

from simengine.scenario.mirror_settings import mirror_settings
from simengine.scenario.model import Document
from simengine.scenario.problems import FieldError

SEPARATOR: Final = "."

Place = tuple[str, str]  # a cluster, and the id of a client there


class Applications:
    """The clients of different clusters that are the same application."""

    def __init__(self) -> None:
        self._home: dict[Place, Place] = {}  # of a client that has moved here: where the application began
        self._clients: dict[tuple[Place, str], str] = {}  # of an application and a cluster: its client there

    def client_at(self, at: Place, target: str, taken: Collection[str], is_new: bool = False) -> str:
        """The id of the client at ``target`` of an application that is a client ``at`` now; the same at each call.

        ``taken``: the ids of other clients of the target. ``is_new``: another client than the one before.
        """
        known = self.known_at(at, target)
        if known and not is_new:
            return known
        home = self._home.get(at, at)
        name = home[1]
        while name in taken or (target, name) in self._home:
            name = f"{home[0]}{SEPARATOR}{name}"
        self._clients[home, target] = name
        self._home[target, name] = home
        return name

    def known_at(self, at: Place, target: str) -> str:
        """The newest client at ``target`` of an application; "" where it has not been there."""
        home = self._home.get(at, at)
        return self._clients.get((home, target), home[1] if home[0] == target else "")


def remote_prefixes(docs: Iterable[Document]) -> list[str]:
    """The prefixes of remote topics' names, by the flows of these documents: ``east.``."""
    flows = [(flow, mirror_settings(flow, doc.version)) for doc in docs for flow in doc.mirrors]
    return list(
        dict.fromkeys(flow.source + settings.separator for flow, settings in flows if not settings.identity_policy)
    )


def original_name(topic: str, prefixes: list[str]) -> str:
    """The name of a topic where its records were written first."""
    prefix = next((one for one in prefixes if topic.startswith(one) and topic != one), "")
    return original_name(topic[len(prefix) :], prefixes) if prefix else topic


def read_there(topics: Iterable[str], there: Iterable[str], prefixes: list[str]) -> list[str]:
    """The topics of the target that hold records of ``topics``: first those that were written there."""
    wanted = {original_name(topic, prefixes) for topic in topics}
    found = [topic for topic in there if original_name(topic, prefixes) in wanted]
    return sorted(found, key=lambda topic: (topic not in wanted, topic))


def topics_there(
    topics: list[str], is_producer: bool, given: str, there: Collection[str], prefixes: list[str]
) -> list[str]:
    """The topics that a moved client uses: those ``given`` in a comma list, else by its present topics.

    Raises FieldError where the target has none.
    """
    if given:
        names = given.split(",")
        missing = [name for name in names if name not in there]
        if missing:
            raise FieldError(f"there is no topic {missing[0]!r}", missing[0], ", ".join(sorted(there)[:20]))
        if is_producer and len(names) > 1:
            raise FieldError("a producer moves to one topic", given, ", ".join(names))
        return names
    copies = read_there(topics, there, prefixes)
    found = [name for name in copies if name == original_name(name, prefixes)] if is_producer else copies
    if not found:
        name = original_name(topics[0], prefixes)
        allowed = f"create it before, or name a topic: {', '.join(copies or sorted(there)[:20])}"
        raise FieldError(f"there is no topic {name!r} to move to", name, allowed)
    return found[:1] if is_producer else found
