"""The names that a ``move`` may use, and the clients that it adds to the names of its target."""

from collections.abc import Iterable

from simengine.scenario.model import Document
from simengine.scenario.moves import Applications, remote_prefixes, topics_there
from simengine.scenario.problems import FieldError
from simengine.scenario.references import Names, member


class MovedNames:
    """Follows the moves of a timeline over the names of all clusters."""

    def __init__(self, names: dict[str, Names], documents: Iterable[Document]) -> None:
        self._names = names
        self._prefixes = remote_prefixes(documents)
        self._applications = Applications()

    def check(self, site: str, args: tuple[str, ...]) -> None:
        """Raises FieldError when these clients cannot move so."""
        name, target, *given = args
        others = [one for one in self._names if one != site]
        member("other cluster", target, others)
        for client in self._names[site].moving(name):
            self._check_client(site, client, target, "".join(given))

    def _check_client(self, site: str, client: str, target: str, given: str) -> None:
        here, there = self._names[site], self._names[target]
        if self._is_known(site, client, target, given):
            return
        self._topics(here, client, target, given)
        if here.group_of(client) and not there.has_group_offsets:
            allowed = f"a topic __consumer_offsets among the topics of {target}"
            raise FieldError(f"{target} has no __consumer_offsets: it has had no group", target, allowed)

    def _is_known(self, site: str, client: str, target: str, given: str) -> bool:
        """True if a client that moves is one of the target from before, with the topics that it had there."""
        known, there = self._applications.known_at((site, client), target), self._names[target]
        if not known or not given:
            return bool(known)
        own = [there.producers[known]] if known in there.producers else there.reads[known]
        return set(given.split(",")) == set(own)

    def _topics(self, here: Names, client: str, target: str, given: str) -> list[str]:
        is_producer = client in here.producers
        topics = [here.producers[client]] if is_producer else here.reads[client]
        try:
            return topics_there(topics, is_producer, given, self._names[target].topics, self._prefixes)
        except FieldError as wrong:
            raise FieldError(f"{target}: {wrong.message}", wrong.value, wrong.allowed, wrong.near) from None

    def add(self, site: str, args: tuple[str, ...]) -> None:
        """Takes note of the clients that appear at the target; a move that cannot be adds none."""
        name, target, *given = args
        try:
            self.check(site, args)
        except FieldError:
            return
        here, there = self._names[site], self._names[target]
        for client in list(here.moving(name)):
            if self._is_known(site, client, target, "".join(given)):
                continue
            topics = self._topics(here, client, target, "".join(given))
            taken = (*there.producers, *there.consumers)
            found = self._applications.client_at((site, client), target, taken, is_new=True)
            there.take_in(found, topics, here.group_of(client), client in here.producers)
