"""Documents that lose a cluster, fail over, and go back by one of the plans that teams use.

Each begins as the given document does, without its timeline. What a plan needs from the start is added to it: the
topics to which producers move, and the flow back, whose process does not run at first.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple

from simengine.mirror.filters import NameFilter
from simengine.plans.names import PlainNames, forget_copies, rename_all, rename_clients
from simengine.plans.sample import sampled
from simengine.scenario import Document, DocumentError, load, to_plain
from simengine.scenario.config_keys import IDENTITY_POLICY
from simengine.scenario.durations import format_duration
from simengine.scenario.mirror_plan import flows_of
from simengine.scenario.mirror_settings import mirror_settings
from simengine.scenario.mirrors import FACTOR_SUFFIX, Mirror
from simengine.scenario.moves import Applications, original_name, remote_prefixes
from simengine.scenario.parts import written_parts
from simengine.scenario.problems import FieldError, Problem
from simengine.scenario.references import OFFSETS_TOPIC
from simengine.scenario.verbs import KILL_SITE, START_SITE

Plain = dict[str, Any]

S: Final = 1_000_000
BACK: Final = "mirror-back"  # the process of the flow back
POLICY: Final = "replication.policy.class"
FACTOR_MAX: Final = 3


@dataclass(frozen=True)
class Times:
    """Durations in us. ``lost``: when the source is lost; the rest follow one another; ``settle``: until the end."""

    lost: int = 60 * S
    detect: int = 30 * S
    decide: int = 60 * S
    switch: int = 15 * S
    repair: int = 1800 * S  # from the switch until the lost cluster is brought back
    copy_back: int = 90 * S  # from there until clients move back
    drain: int = 20 * S  # between producers and groups
    settle: int = 90 * S

    @property
    def acted(self) -> int:
        """The moment at which the failover begins."""
        return self.lost + self.detect + self.decide

    @property
    def switched(self) -> int:
        """The moment at which clients are open in the target."""
        return self.acted + self.switch

    @property
    def repaired(self) -> int:
        """The moment at which the lost cluster is brought back."""
        return self.switched + self.repair

    @property
    def back(self) -> int:
        """The moment at which producers move back."""
        return self.repaired + self.copy_back

    @property
    def end(self) -> int:
        """The moment at which the run ends."""
        return self.back + self.drain + self.settle


@dataclass(frozen=True)
class MovedClient:
    """A client of the source that moves, and its id in the target."""

    id: str
    there: str
    is_producer: bool


class PlanDraft:
    """A document in the making: ``source`` is lost, ``target`` takes over.

    ``leaves_running``: nobody ends the processes beside the lost cluster; they write what they hold when it is back.
    ``has_elr``: the source has eligible leader replicas.
    """

    def __init__(self, doc: Document, source: str, target: str, times: Times, leaves_running: bool = False) -> None:
        self.source = source
        self.target = target
        self.times = times
        self.leaves_running = leaves_running
        self.plain: Plain = to_plain(doc)
        self.flow = next((one for one in doc.mirrors if (one.source, one.target) == (source, target)), None)
        self._back = next((one for one in doc.mirrors if (one.source, one.target) == (target, source)), None)
        self._doc = doc
        parts = written_parts(doc)
        self.has_elr = parts[source].elr
        self._flows = flows_of(doc.mirrors, parts)
        self._prefixes = remote_prefixes([doc])
        self._timeline: list[tuple[int, str]] = []
        self._captions: list[tuple[int, str]] = []
        self.notes: list[str] = []  # sentences on what else differs from the given document
        self.names = PlainNames(self._flows, {source, target})
        for key in ("timeline", "captions", "expect", "closing"):
            self.plain.pop(key, None)
        self.clients = self._clients()
        self.add_topics()

    def at(self, us: int, *actions: str) -> None:
        """Add actions at a time."""
        self._timeline += [(us, action) for action in actions]

    def caption(self, us: int, text: str) -> None:
        """Add a caption that shows from a time on."""
        self._captions.append((us, text))

    def _clients(self) -> list[MovedClient]:
        parts = self._doc.clusters
        there = parts[self.target]
        taken = [*(one.id for one in there.producers), *(one.id for one in there.consumers)]
        names = Applications()
        here = [(one.id, True) for one in parts[self.source].producers if one.state == "open"]
        here += [(one.id, False) for one in parts[self.source].consumers if one.state == "open"]
        return [MovedClient(i, names.client_at((self.source, i), self.target, taken), kind) for i, kind in here]

    def add_topics(self) -> None:
        """Topics of the target to which clients move, as runbooks make them long before; a flow makes its own."""
        there = self.part(self.target)
        known = self._topic_names(self.target)
        read = {self.original(name) for name in known}
        written = {one.topic for one in self._doc.clusters[self.source].producers}
        for topic in self._doc.clusters[self.source].topics:
            name = self.original(topic.name)
            wanted = topic.name in written or (name not in read and topic.name in self._read_topics())
            if wanted and name not in known:
                known.add(name)
                lists = [self._replicas(n) for n in topic.numbers]
                there.setdefault("topics", []).append({"name": name, "assignment": lists})

    def _topic_names(self, cluster: str) -> set[str]:
        """The topics of a cluster, and those that flows to it make."""
        pair = {self.source, self.target} if self.flow is None else set()
        flows = [flow for flow in self._flows if flow.mirror.target == cluster]
        made = [flow for flow in flows if {flow.mirror.source, cluster} != pair]
        listed = {topic["name"] for topic in self.part(cluster).get("topics", [])}
        return listed.union(*(flow.copies.values() for flow in made))

    def _read_topics(self) -> set[str]:
        consumers = self._doc.clusters[self.source].consumers
        return {name for one in consumers for name in (*one.topics, *(topic for topic, _ in one.partitions))}

    def _add_offsets_topic(self) -> None:
        """The topic that the groups which move need, where neither a group nor a flow has made it."""
        there = self.part(self.target)
        has_group = any(consumer.get("group") for consumer in there.get("consumers", []))
        is_known = any(topic["name"] == OFFSETS_TOPIC for topic in there.get("topics", []))
        if self.flow is None and not has_group and not is_known:
            there.setdefault("topics", []).append({"name": OFFSETS_TOPIC, "assignment": [self._replicas(0)]})

    def _replicas(self, n: int) -> list[int]:
        """Brokers of the target for partition ``n`` of a topic."""
        brokers = [node_id(node) for node in self.part(self.target)["cluster"]["brokers"]]
        return [brokers[(n + k) % len(brokers)] for k in range(min(FACTOR_MAX, len(brokers)))]

    def part(self, cluster: str) -> Plain:
        """The document's entry of one cluster."""
        found: Plain = self.plain["clusters"][cluster]
        return found

    def original(self, topic: str) -> str:
        """The name of a topic where its records are written first."""
        return original_name(topic, self._prefixes)

    @property
    def keeps_names(self) -> bool:
        """True if the flow names remote topics as their source does."""
        flow = self.flow
        return flow is not None and mirror_settings(flow, self._doc.version).identity_policy

    def fail_over(self) -> None:
        """Lose the source, stop its flow, move all clients."""
        times, source, target = self.times, self.source, self.target
        self._add_offsets_topic()
        self.at(times.lost, f"{KILL_SITE} {source}")
        self.caption(times.lost, f"{source} goes dark.")
        self.caption(times.lost + times.detect, "Somebody notices.")
        if self.flow is not None:
            self.at(times.acted, f"kill {self.flow.process}")
        self.caption(times.acted, f"The decision: fail over to {target}.")
        if self.leaves_running:
            self.at(times.switched, *(f"close {source}/{one.id}" for one in self.clients))
        self.at(times.switched, *(f"move {source}/{one.id} {target}" for one in self.clients))
        self.caption(times.switched, f"Producers and groups start in {target}.")

    def keep_names(self) -> None:
        """Let the flows between both clusters keep the names of topics, from the start of the run. Raises FieldError.

        A flow back that runs would copy each copy back, so it waits until the lost cluster is back.
        """
        rename_all(self.plain, self.names)
        here, back = self._plain_flow(self.source, self.target), self._plain_flow(self.target, self.source)
        policies = [self._policy_of(one) for one in (here, back) if one is not None]
        if back is not None and policies != [IDENTITY_POLICY] * 2:
            back["history"] = False  # under these names it has copied nothing
            if back.get("state") != "down":
                back.update(state="down", process=self._free_process())
                why = f"it would copy each copy back, so it copies nothing until {self.source} is back"
                self.notes.append(f"{self.target}->{self.source} keeps the names too: {why}.")
        for one in (here, back):
            if one is not None:
                one["config"] = {**one.get("config", {}), POLICY: IDENTITY_POLICY}

    def forget_copies(self) -> None:
        """Let no flow have copied between both clusters. A client reads the topics that are there without copies."""
        self.flow = None
        for cluster in (self.source, self.target):
            forget_copies(self.part(cluster), cluster, self.names)
        self.add_topics()
        for cluster in (self.source, self.target):
            rename_clients(self.part(cluster), partial(self._name_without_copies, cluster))

    def _name_without_copies(self, cluster: str, topic: str) -> str:
        """The name of a topic where nothing is copied; "" if the cluster has no such topic then."""
        name = self.names.of(cluster, topic)
        return name if name in self._topic_names(cluster) else ""

    def _plain_flow(self, source: str, target: str) -> Plain | None:
        flows: list[Plain] = self.plain.get("mirrors", [])
        return next((one for one in flows if (one["source"], one["target"]) == (source, target)), None)

    def _policy_of(self, flow: Plain) -> Any:
        return flow.get("config", {}).get(POLICY)

    def _free_process(self) -> str:
        """A process for the flow back alone."""
        taken = {one.process for one in self._doc.mirrors}
        return next(name for n in range(1, len(taken) + 2) if (name := BACK if n == 1 else f"{BACK}-{n}") not in taken)

    def mirror_back(self, start_us: int) -> None:
        """Run a flow from the target to the source: the document's own, or a new one configured like the other flow."""
        here, back = self._plain_flow(self.source, self.target), self._plain_flow(self.target, self.source)
        assert here is not None and self.flow is not None, "only a plan with a flow mirrors back"
        if back is None:
            new = {"source": self.target, "target": self.source, "process": self._free_process(), "state": "down"}
            back = {**new, "config": dict(here.get("config", {}))}
            self.plain["mirrors"].append(back)
        process = str(back.get("process", Mirror.model_fields["process"].default))
        if back.get("state") == "down" or process == self.flow.process:
            self.at(start_us, f"start {process} after 5s")

    def left_to_do(self) -> list[str]:
        """The work that the plan leaves: the forward flow, which the failover stopped, does not run after the way back.

        No plan starts it. Beside a flow back that keeps the names it would copy each copy once more.
        """
        flow = self.flow
        if flow is None or any(action.startswith(f"start {flow.process} ") for _, action in self._timeline):
            return []
        name = f"{self.source}->{self.target}"
        here, back = self._plain_flow(self.source, self.target), self._plain_flow(self.target, self.source)
        told = f"At the end {name} does not run and {self.target} gets no copies"
        if here is None or back is None or self._policy_of(here) != IDENTITY_POLICY:
            return [f"{told}: the action start {flow.process} lets it copy again."]
        process = back.get("process", Mirror.model_fields["process"].default)
        stop = f"kill {process} ends {self.target}->{self.source}, which would copy each copy back"
        return [f"{told}. First {stop}; then start {flow.process} lets it copy again, also what came back."]

    def topics_back(self) -> dict[str, str]:
        """By consumer: the topics that it reads after the way back, its own and the flow's copies of them."""
        flow = self._back or self.flow
        assert flow is not None, "only a plan with a flow mirrors back"
        settings = mirror_settings(flow, self._doc.version)
        admitted = NameFilter(settings.topics, settings.topics_exclude)
        there = [topic["name"] for topic in self.part(self.target).get("topics", []) if admitted.admits(topic["name"])]
        found = {}
        for consumer in self._doc.clusters[self.source].consumers:
            topics = [*consumer.topics, *(topic for topic, _ in consumer.partitions)]
            originals = [name for topic in topics if (name := self.original(topic)) in there]
            copies = [f"{self.target}{settings.separator}{name}" for name in originals]
            found[consumer.id] = ",".join(dict.fromkeys([*topics, *copies]))
        return found

    @property
    def copies(self) -> str:
        """The name that a topic of the applications has as a copy in the source: ``west.orders``."""
        flow = self._back or self.flow
        separator = "." if flow is None else mirror_settings(flow, self._doc.version).separator
        written = [self.original(one.topic) for one in self._doc.clusters[self.source].producers]
        return f"{self.target}{separator}{(written or ['orders'])[0]}"

    def move_back(self, topics: dict[str, str] | None = None) -> None:
        """Producers move back, and groups when they have read what was left; ``topics``: those of consumers then."""
        times, read = self.times, topics or {}
        back = [
            (one.is_producer, f"move {self.target}/{one.there} {self.source} {read.get(one.id, '')}".rstrip())
            for one in self.clients
        ]
        self.at(times.back, *(action for is_producer, action in back if is_producer))
        self.at(times.back + times.drain, *(action for is_producer, action in back if not is_producer))
        self.caption(times.back, f"Producers go back to {self.source}, groups {times.drain // S} s later.")

    def document(self, title: str, about: str) -> Document:
        """The document as it stands. Raises DocumentError."""
        timeline = sorted(self._timeline, key=lambda entry: entry[0])
        self.plain["timeline"] = [{"at": format_duration(at), "do": do} for at, do in timeline]
        captions = sorted(self._captions, key=lambda entry: entry[0])
        self.plain["captions"] = [{"at": format_duration(at), "text": text} for at, text in captions]
        comes_back = timeline[-1][0] >= self.times.repaired
        end = self.times.end if comes_back else self.times.switched + self.times.settle
        return load({**self.plain, "title": title, "about": about, "until": format_duration(end)})


def swap(draft: PlanDraft) -> None:
    """Mirror back with the default policy: copies go to topics that bear the target's name, such as {copies}.

    Groups read them from the way back on.
    """
    if draft.keeps_names:
        names = f"{draft.source}->{draft.target} has the identity policy, so its way back is the next plan"
        raise FieldError(names, IDENTITY_POLICY, "the default policy")
    draft.fail_over()
    draft.at(draft.times.repaired, f"{START_SITE} {draft.source}")
    draft.mirror_back(draft.times.repaired + 10 * S)
    draft.move_back(draft.topics_back())


def identity(draft: PlanDraft) -> None:
    """Mirror back under the same names, into the topics that the source still has."""
    draft.keep_names()
    draft.fail_over()
    draft.at(draft.times.repaired, f"{START_SITE} {draft.source}")
    draft.mirror_back(draft.times.repaired + 10 * S)
    draft.move_back()


def rebuild(draft: PlanDraft) -> None:
    """Bring the source back with empty disks, and mirror everything back under the same names."""
    draft.keep_names()
    draft.fail_over()
    draft.at(draft.times.repaired, *_empty_starts(draft))
    if draft.has_elr:
        draft.at(draft.times.repaired + 15 * S, f"elect unclean {draft.source}/all")
        draft.notes.append("With ELR no empty replica may lead, so an unclean election gives each partition a leader.")
    draft.mirror_back(draft.times.repaired + 20 * S)
    draft.move_back()


def dual_run(draft: PlanDraft) -> None:
    """No copying back: consumers run in both clusters for a while, so that those in the target can read the rest."""
    draft.fail_over()
    times, source, target = draft.times, draft.source, draft.target
    draft.at(times.repaired, f"{START_SITE} {source}")
    producers = [one for one in draft.clients if one.is_producer]
    consumers = [one for one in draft.clients if not one.is_producer]
    draft.at(times.back, *(f"move {target}/{one.there} {source}" for one in producers))
    draft.at(times.back, *(f"open {source}/{one.id}" for one in consumers))
    draft.at(times.back + times.drain, *(f"close {target}/{one.there}" for one in consumers))
    draft.caption(times.back, f"Consumers run in both clusters for {times.drain // S} s.")


def _empty_starts(draft: PlanDraft) -> list[str]:
    cluster = draft.plain["clusters"][draft.source]["cluster"]
    controllers = [node for node in cluster.get("controllers", []) if not (isinstance(node, dict) and "broker" in node)]
    starts = [f"start {draft.source}/{node_id(node)}" for node in controllers]
    return starts + [f"start {draft.source}/{node_id(node)} empty" for node in cluster["brokers"]]


def node_id(node: Any) -> int:
    """The id of a broker or controller of a plain document."""
    return int(node["id"] if isinstance(node, dict) else node)


@dataclass(frozen=True)
class Plan:
    """Its title, how it changes a draft, and whether it needs a flow from the source to the target."""

    title: str
    write: Callable[[PlanDraft], None]
    needs_flow: bool

    def about(self, draft: PlanDraft) -> str:
        """One sentence or two on it, with names of the document."""
        return " ".join((self.write.__doc__ or "").split()).replace("{copies}", draft.copies)


WAYS: Final[dict[str, Plan]] = {
    "swap": Plan("Swap the direction, default policy", swap, True),
    "identity": Plan("Swap the direction, identity policy", identity, True),
    "rebuild": Plan("Rebuild the old home empty, mirror back", rebuild, True),
    "dual-run": Plan("Dual run, no copying back", dual_run, False),
}


class PlanDocuments(NamedTuple):
    """The document of each plan that can be made, and the reason of each that cannot.

    ``abouts``: a sentence or two on each. ``sample``: what they leave out of the given document; "" for nothing.
    """

    abouts: dict[str, str]
    made: dict[str, Document]
    refused: dict[str, str]
    sample: str


def documents_of(
    plans: dict[str, Plan], doc: Document, source: str, target: str, times: Times, leaves_running: bool = False
) -> PlanDocuments:
    """A document for each plan that this document can follow. Raises FieldError for clusters that it does not have."""
    check_pair(doc, source, target)
    doc, sample = sampled(doc, times.end)
    found = PlanDocuments({}, {}, {}, sample)
    for key, plan in plans.items():
        draft = PlanDraft(doc, source, target, times, leaves_running)
        found.abouts[key] = plan.about(draft)
        if plan.needs_flow and draft.flow is None:
            found.refused[key] = _no_flow(doc, source, target)
            continue
        try:
            plan.write(draft)
            about = " ".join([found.abouts[key], *draft.notes, *draft.left_to_do()])
            found.made[key] = draft.document(f"{plan.title}: {source} is lost, {target} takes over", about)
            found.abouts[key] = about
        except DocumentError as error:
            found.refused[key] = _why_refused(error.problems[0])
        except FieldError as error:
            found.refused[key] = f"{error.message}."
    return found


def _no_flow(doc: Document, source: str, target: str) -> str:
    """The reason why a plan with a flow cannot be made without one, and what to do."""
    other = f"; the flow {target}->{source} copies the other way" if _has_flow(doc, target, source) else ""
    entry = f"mirrors: [{{source: {source}, target: {target}}}]"
    cure = f"Add the flow {source} → {target} in the run's Settings, or {entry} in its document, and compare again"
    return f"No flow copies from {source} to {target}{other}. {cure}."


def _has_flow(doc: Document, source: str, target: str) -> bool:
    return any((one.source, one.target) == (source, target) for one in doc.mirrors)


def _why_refused(problem: Problem) -> str:
    """The reason why a plan has no document; of a topic that Kafka would not create, what follows from it."""
    key = problem.path.partition(".config.")[2]
    if not key.endswith(FACTOR_SUFFIX):
        allowed = f" Allowed: {problem.allowed}." if problem.allowed else ""
        return f"In this plan {problem.message}.{allowed} Change {problem.path or 'the run'}, and run the plans again."
    why = f"{problem.message} with {problem.value} replicas"
    return f"{why}. Kafka refuses the topic, and the flow copies nothing. With {key} of {problem.allowed} it would run."


def check_pair(doc: Document, source: str, target: str) -> None:
    """Raises FieldError unless both are clusters of the document, and not the same."""
    if not doc.clusters:
        raise FieldError("a plan moves clients from one cluster to another", "", "a document with clusters:")
    for name in (source, target):
        if name not in doc.clusters:
            raise FieldError(f"there is no cluster {name!r}", name, ", ".join(doc.clusters))
    if source == target:
        raise FieldError(
            "clients move to another cluster", target, ", ".join(one for one in doc.clusters if one != source)
        )
