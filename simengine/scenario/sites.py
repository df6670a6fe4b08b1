"""Several clusters in one document: whose names an action uses, and the world-wide numbers of each cluster's nodes.

An action names a node ``east/1``, a partition ``east/orders-0``, a client ``east/app``, a rack ``east/az-a``; what it
is in the names of that cluster alone, `localised` says. Actions on links, on messages and a bare ``heal`` are of the
world and keep their names. With one cluster names have no prefix.
"""

from typing import Final, NamedTuple

from simengine.kernel.site import BASE_STEP, SEPARATOR, Site
from simengine.kernel.titles import partition_title
from simengine.scenario.actions import NODE_VERBS, Action, created_partitions
from simengine.scenario.arguments import split_ends, split_link
from simengine.scenario.expect.language import Expectation
from simengine.scenario.metric_names import GROUP_LAG, METRICS
from simengine.scenario.model import NO_CLUSTER, ClusterPart, Document, InitialPartition
from simengine.scenario.moved_names import MovedNames
from simengine.scenario.near import nearest
from simengine.scenario.problems import DocumentError, FieldError, Problem, shown
from simengine.scenario.references import Names

USAGE_OF_PROCESS: Final = "kill, stop, start [after <duration>], pause or resume <process>"
# lists of brokers in `initial`
MEMBERS: Final = ("isr", "elr", "last_known", "adding", "removing", "failed", "copying")
WORLD: Final = ""  # stands for the cluster of an action that is of no single one


def localised(action: Action, sites: list[str]) -> tuple[str, Action]:
    """The cluster whose names an action uses (`WORLD`: of no single one), and the action in its names."""
    if "site" in action.named:
        return _site(action.named["site"], sites), action
    if not action.places_of_names or is_of_all(action):
        return WORLD, action
    local = list(action.args)
    found: dict[str, str] = {}
    for place in action.places_of_names:
        ends = [_split(end, sites) for end in action.args[place].split(",")]
        found.update((site, end) for (site, _), end in zip(ends, action.args[place].split(","), strict=True))
        local[place] = ",".join(rest for _, rest in ends)
    if len(found) > 1:
        raise FieldError("an action is of one cluster", " and ".join(found.values()))
    return next(iter(found)), Action(action.verb, tuple(local))


def is_of_all(action: Action) -> bool:
    """True if an action asks every cluster for the same: an election for all its partitions."""
    return action.named.get("scope") == "all"


def of_cluster(expectation: Expectation, sites: list[str]) -> tuple[str, Expectation]:
    """The cluster that the subject of an expectation says, and the expectation in the names of that cluster.

    ``fact: east/LeaderActivated`` is about the facts of that cluster, in its own numbers. Raises FieldError.
    """
    site, subject = _split(str(expectation.subject), sites)
    return site, expectation._replace(subject=int(subject) if subject.isdecimal() else subject)


def unfit(action: Action) -> str:
    """The word of an action on a broker that an action on a process of MirrorMaker does not take; "" if it fits."""
    return action.args[1] if "host" in action.named else ""


def _site(name: str, sites: list[str]) -> str:
    if name not in sites:
        raise FieldError(f"there is no cluster {name!r}", name, ", ".join(sites))
    return name


def _split(name: str, sites: list[str]) -> tuple[str, str]:
    site, slash, rest = name.partition(SEPARATOR)
    if not slash:
        raise FieldError(f"{name!r} does not say which cluster it is of", name, f"such as {sites[0]}/{name}")
    return _site(site, sites), rest


class AlertSubjects(NamedTuple):
    """The names by which an alert rule may say whose series it reads."""

    brokers: list[str]
    controllers: list[str]
    topics: list[str]
    partitions: list[str]
    groups: list[str]
    processes: list[str]

    def label(self, metric: str, of: str) -> str:
        """The label that a rule's ``of`` compares: of names that are several things, a group, topic, then partition."""
        if metric == GROUP_LAG and of in self.groups:
            return "group"
        if METRICS[metric].of_partitions and of in self.topics:
            return "topic"
        return "partition" if METRICS[metric].of_partitions and of in self.partitions else "process"


class WorldNames:
    """Everything that can be named in a world of several clusters, by cluster; of one without a name, its names."""

    def __init__(self, documents: dict[str, Document]) -> None:
        self._of = {name: Names.of(doc) for name, doc in documents.items()}
        self._is_named = WORLD not in documents
        self._processes = list(dict.fromkeys(one.process for doc in documents.values() for one in doc.mirrors))
        self._flows = {f"{one.source}->{one.target}": one.target for doc in documents.values() for one in doc.mirrors}
        self._moves = MovedNames(self._of, documents.values())
        for names in self._of.values():
            names.is_one_of_several = self._is_named

    def localised(self, action: Action) -> tuple[str, Action]:
        """The cluster that an action is of (`WORLD`: of no single one), and the action in its names."""
        if not self._is_named or (action.verb in NODE_VERBS and action.args[0] in self._processes):
            return WORLD, action
        if self._processes and action.verb in NODE_VERBS and SEPARATOR not in action.args[0]:
            name, known = action.args[0], [*self._processes, f"{next(iter(self._of))}/{action.args[0]}"]
            raise FieldError(f"there is no process {name!r}", name, ", ".join(known), nearest(name, self._processes))
        return localised(action, list(self._of))

    def add(self, action: Action) -> None:
        """Takes note of what `action` creates, for the actions after it."""
        try:
            site, local = self.localised(action)
        except FieldError:
            return  # what is wrong with it is told where it is checked
        if "mover" in local.named:
            self._moves.add(site, local.args)
        elif site in self._of:
            self._of[site].add(local)

    def check(self, action: Action) -> None:
        """Raises FieldError when `action` names what does not exist, or a key that cannot be changed."""
        site, local = self.localised(action)
        if site in self._of:
            self._of[site].check(local)
            if "mover" in local.named:
                self._moves.check(site, local.args)
        elif "link" in local.named:
            self._link(local.named["link"])
        elif local.verb in NODE_VERBS and (form := unfit(local)):
            raise FieldError(f"{local.args[0]} is a process of MirrorMaker, not a broker", form, USAGE_OF_PROCESS)

    def will_create(self, action: Action) -> None:
        """Add the names that a `create`, `partitions` or `move` of the timeline makes; expectations may use them."""
        if "mover" in action.named:
            self.add(action)
            return
        try:
            site, local = self.localised(action)
        except FieldError:
            return
        if "new_topic" in local.named:
            self._of[site].topics[local.named["new_topic"]] = range(created_partitions(local.args))
        else:
            self._of[site].add(local)

    def of_expectation(self, expectation: Expectation) -> tuple[Names, Expectation]:
        """The names of the cluster that an expectation is of, and it in these; raises FieldError."""
        if expectation.kind == "mirror":
            return self._of_flow(shown(expectation.subject)), expectation
        if not self._is_named:
            return self._of[WORLD], expectation
        site, local = of_cluster(expectation, list(self._of))
        return self._of[site], local

    def alert_subjects(self) -> AlertSubjects:
        """Names that an alert rule's `of` may give. Names that actions create are included after `will_create`."""
        found = AlertSubjects([], [], [], [], [], self._processes)
        for site, names in self._of.items():
            prefix = site + SEPARATOR if site else ""
            found.brokers.extend(f"{prefix}{broker}" for broker in names.brokers)
            found.controllers.extend(f"{prefix}{controller}" for controller in names.controllers)
            found.topics.extend(prefix + topic for topic in names.topics)
            found.partitions.extend(
                partition_title(prefix + topic, number) for topic, numbers in names.topics.items() for number in numbers
            )
            found.groups.extend(prefix + group for group in names.groups)
        return found

    def _of_flow(self, name: str) -> Names:
        """The names of the target of a flow, called east->west; raises FieldError."""
        if name not in self._flows:
            known = ", ".join(self._flows) or "none exist"
            raise FieldError(f"there is no mirror {name!r}", name, known, nearest(name, list(self._flows)))
        return self._of[self._flows[name]]

    def _link(self, text: str) -> None:
        left, _, right = split_link(text)
        for end in (*split_ends(left), *split_ends(right)):
            if wrong := self.end_problem(end):
                raise wrong
        if left == right and SEPARATOR in left and left.partition(SEPARATOR)[2] not in self._racks():
            raise FieldError(f"a link has two ends, and {left} would be both", left, "two different ends")

    def _racks(self) -> list[str]:
        return [rack for names in self._of.values() for rack in names.racks]

    def end_problem(self, end: str) -> FieldError | None:
        """The fault of one end of a link, or None."""
        if not self._is_named:
            return self._of[WORLD].end_problem(end)
        if end in self._of or end in self._processes:
            return None
        try:
            site, rest = _split(end, list(self._of))
        except FieldError as wrong:
            return wrong
        return self._of[site].end_problem(rest)


ONE_CLUSTER_ONLY: Final = (
    "This takes a document of one cluster, with cluster: in place of clusters:. So do the commands decide, why, and az "
    "with --row or --edits, and on the page causes and neutral names. The playground and the commands check, run, "
    "compare, report, alerts, expect, plans and az take several clusters."
)


def only_cluster(doc: Document) -> Document:
    """A document of one cluster, for what looks at one. Raises DocumentError for several."""
    if doc.clusters:
        raise DocumentError([Problem("", "", ONE_CLUSTER_ONLY)])
    return doc


def named(action: Action, site: str) -> Action:
    """An action of a document of one cluster, in the names of a world in which that cluster has one."""
    if not action.args:  # a bare heal: of all links
        return Action(action.verb, (f"{site}>{site}",))
    words = list(action.args)
    for place in action.places_of_names:
        words[place] = _with_cluster(words[place], site)
    if "link" in action.named:
        left, sign, right = split_link(words[0])
        words[0] = f"{_with_cluster(left, site)}{sign}{_with_cluster(right, site)}"
    return Action(action.verb, tuple(words))


def _with_cluster(names: str, site: str) -> str:
    return ",".join(f"{site}{SEPARATOR}{name}" for name in names.split(","))


def together(documents: dict[str, Document], seed: int) -> Document:
    """One document of several that are of one cluster each, by the names that these get; with their timelines."""
    keys = ClusterPart.model_fields
    parts = {
        name: ClusterPart.model_construct(**{key: getattr(doc, key) for key in keys}) for name, doc in documents.items()
    }
    timeline = [
        entry.model_copy(update={"action": named(entry.action, name)})
        for name, doc in documents.items()
        for entry in doc.timeline
    ]
    timeline.sort(key=lambda entry: entry.at_us)
    until_us = max(doc.until_us for doc in documents.values())
    return Document.model_construct(
        format=1, cluster=NO_CLUSTER, clusters=parts, timeline=timeline, seed=seed, until_us=until_us
    )


def as_named(doc: Document, name: str) -> Document:
    """A document of one cluster, written as one of several with that cluster alone; expectations are left out.

    ``name``: one that a cluster can have. A document of several clusters stays as it is.
    """
    if doc.clusters:
        return doc
    kept = {key: getattr(doc, key) for key in ("title", "about", "until_us", "closing_us", "captions")}
    return together({name: doc}, doc.seed).model_copy(update=kept)


def bases(documents: dict[str, Document]) -> list[Site]:
    """The places of these clusters in one world: each begins at the next thousand that no node before it has."""
    found: list[Site] = []
    free = 0
    for index, (name, doc) in enumerate(documents.items()):
        found.append(Site(index, name, free))
        ids = [*(broker.id for broker in doc.brokers), *(controller.id for controller in doc.controllers)]
        newest = free + max(ids)
        free = (newest // BASE_STEP + 1) * BASE_STEP
    return found


def renumbered(doc: Document, base: int) -> Document:
    """A document whose brokers and controllers have world-wide numbers."""
    if not base:
        return doc

    def up(ids: list[int]) -> list[int]:
        return [i + base for i in ids]

    def initial(start: InitialPartition) -> InitialPartition:
        lists = {key: up(getattr(start, key)) for key in MEMBERS}
        by_broker = {key: {i + base: v for i, v in getattr(start, key).items()} for key in ("lag", "logs")}
        leader = start.leader + base if start.leader >= 0 else start.leader
        return start.model_copy(update={"leader": leader, **lists, **by_broker})

    cluster, phases = doc.cluster, doc.phases
    brokers = [broker.model_copy(update={"id": broker.id + base}) for broker in cluster.brokers]
    controllers = [
        node.model_copy(update={"id": node.id + base, "broker": None if node.broker is None else node.broker + base})
        for node in cluster.controllers
    ]
    active = None if cluster.active is None else cluster.active + base
    topics = [
        topic.model_copy(
            update={
                "assignment": [up(replicas) for replicas in topic.assignment],
                "observers": up(topic.observers),
                "initial": {number: initial(start) for number, start in topic.initial.items()},
            }
        )
        for topic in doc.topics
    ]
    pinned = {
        "heartbeat_us": {i + base: us for i, us in phases.heartbeat_us.items()},
        "isr_check_us": {i + base: us for i, us in phases.isr_check_us.items()},
        "fencing_order": up(phases.fencing_order),
    }
    nodes = {"brokers": brokers, "controllers": controllers, "active": active}
    return doc.model_copy(
        update={
            "cluster": cluster.model_copy(update=nodes),
            "topics": topics,
            "producers": [one.model_copy(update={"via": up(one.via)}) for one in doc.producers],
            "consumers": [one.model_copy(update={"via": up(one.via)}) for one in doc.consumers],
            "phases": phases.model_copy(update=pinned),
        }
    )
