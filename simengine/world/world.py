"""A run: a document set going. ``build`` makes it, ``World.run`` advances it, ``World.act`` adds to its timeline."""

import gc
from functools import partial
from typing import Final

from simengine.alerts.account import account_of
from simengine.alerts.incidents import IncidentLog
from simengine.alerts.watch import NEVER as NEVER_SCRAPED
from simengine.alerts.watch import AlertWatch
from simengine.facts.decisive import RequestRefused
from simengine.facts.errors import ERROR_NAMES
from simengine.facts.trace import Trace
from simengine.kafka.cluster.cluster import Cluster
from simengine.scenario.actions import Action, parse
from simengine.scenario.model import Document
from simengine.scenario.moves import remote_prefixes
from simengine.scenario.naming import alert_labels
from simengine.scenario.parts import parts_of
from simengine.scenario.problems import FieldError
from simengine.scenario.sites import WorldNames, bases, is_of_all, renumbered
from simengine.verdict.book import VerdictCounters
from simengine.verdict.final import is_settled, records_of, verdict_of
from simengine.verdict.metrics import of_node, readings
from simengine.verdict.outage import NEVER
from simengine.verdict.sites import verdict_of_sites
from simengine.world import view
from simengine.world.assembly import ClusterBuild
from simengine.world.client_moves import ClientMoves
from simengine.world.cluster_run import ClusterRun, Watching
from simengine.world.execution import Executor
from simengine.world.failover_start import failover_start
from simengine.world.failovers import with_failovers
from simengine.world.ground import SharedWorld
from simengine.world.lost_sites import with_lost_sites
from simengine.world.mirrors.assembly import MirrorAssembly
from simengine.world.mirrors.metrics import mirror_readings
from simengine.world.mirrors.verdict import with_mirrors
from simengine.world.scheduled import ActionEvent
from simengine.world.scraping import broken_at_start, scraped

ALL: Final = ("all",)


class Refused(Exception):
    """An action that the run does not take: the message says why and what is allowed."""


class World:
    """One run of one document. Times are microseconds since its start.

    Everything it does follows from the document and the actions added; how ``run`` is cut into calls does not matter.
    """

    def __init__(self, doc: Document, watching: Watching | None = None) -> None:
        self.doc = doc
        parts = parts_of(doc)
        ground = SharedWorld(doc.seed, doc.network)
        starts = partial(failover_start, self)
        self.moves = ClientMoves(ground, remote_prefixes(parts.values()), starts)
        self.cluster_runs: list[ClusterRun] = []
        for site, part in zip(bases(parts), parts.values(), strict=True):
            self.cluster_runs.append(ClusterRun(renumbered(part, int(site.base)), ground, self.moves, site, watching))
        self.sim = ground.sim
        self.net = ground.net
        self.catalog = ground.catalog
        self.mirrors = MirrorAssembly(doc, self.cluster_runs, ground)
        self.is_named = bool(doc.clusters)  # with one cluster that has no name nobody need say which
        if self.is_named:
            ground.connect(doc)
        self.trace: Trace = self.sim.trace
        self._names = WorldNames(parts)
        self.timeline: list[tuple[int, Action]] = []
        self.alerts = AlertWatch(doc.alerts, alert_labels(doc))
        self._incidents = IncidentLog(broken_at_start(self.cluster_runs), self.catalog.partition_names)
        for run in self.cluster_runs:
            run.begin(NEVER if doc.closing_us is None else doc.closing_us)
        self.mirrors.begin()
        for entry in doc.timeline:
            self._schedule(entry.at_us, entry.action)
        for run in self.cluster_runs:
            run.begin_faults()

    # -- the only cluster

    @property
    def only(self) -> ClusterRun:
        """The cluster of a world that has one."""
        assert len(self.cluster_runs) == 1, "this looks at one cluster, and the world has several"
        return self.cluster_runs[0]

    @property
    def cluster(self) -> Cluster:
        """The Kafka processes of the only cluster."""
        return self.only.cluster

    @property
    def cluster_parts(self) -> ClusterBuild:
        """The only cluster, assembled."""
        return self.only.parts

    @property
    def executor(self) -> Executor:
        """Carries out actions on the only cluster."""
        return self.only.executor

    @property
    def book(self) -> VerdictCounters:
        """The book of the only cluster."""
        return self.only.book

    @property
    def now_us(self) -> int:
        """The time up to which the run has been executed."""
        return int(self.sim.now)

    @property
    def events(self) -> int:
        """Events executed so far."""
        return int(self.sim.events)

    def run(self, until_us: int, budget: int = 0) -> int:
        """Execute all events up to ``until_us``, at most ``budget`` (0: no limit); returns the time reached.

        The garbage collector rests meanwhile: events make no cycles, and looking for some costs a tenth of the time.
        """
        collects = gc.isenabled()
        gc.disable()
        try:
            return self._run(until_us, budget)
        finally:
            if collects:
                gc.enable()

    def _run(self, until_us: int, budget: int) -> int:
        """From one scrape of the alert rules to the next; a scrape comes after all events of its moment."""
        last = self.events + budget
        while NEVER_SCRAPED != self.alerts.next_us <= until_us:
            left = last - self.events if budget else 0
            if budget and not left:
                return self.now_us
            reached = int(self.sim.run(self.alerts.next_us, left))
            if reached < self.alerts.next_us:
                return reached
            self.alerts.scrape(scraped(self.cluster_runs, self.mirrors, self.alerts))
        left = last - self.events if budget else 0
        return self.now_us if budget and not left else int(self.sim.run(until_us, left))

    def _schedule(self, at_us: int, action: Action) -> None:
        number = len(self.timeline)
        self.timeline.append((at_us, action))
        self._names.add(action)
        site, local = self._names.localised(action)
        run = next((run for run in self.cluster_runs if run.site.name == site), self.cluster_runs[0])
        is_shared = is_of_all(local) and not site
        others = [other.executor for other in self.cluster_runs if other is not run and is_shared]
        self.sim.calendar.push_action(ActionEvent(run.executor, local, number, action, others), at_us)

    def check(self, text: str) -> Action:
        """The action that a text says, if this run can take it; raises ``Refused``."""
        try:
            action = parse(text)
            self._names.check(action)
        except FieldError as wrong:
            raise Refused(str(wrong)) from None
        return action

    def act(self, at_us: int, text: str) -> int:
        """Add an action at ``at_us``, or just after now if that is past; returns its time; raises ``Refused``."""
        action = self.check(text)
        at_us = max(at_us, self.now_us + 1)
        self._schedule(at_us, action)
        return at_us

    def without_effect(self) -> dict[int, str]:
        """Actions that changed nothing when their time came, by their places in ``timeline``, and why.

        Either the state that they ask for was there already, or the controller refused the call.
        """
        facts = {
            fact: number for run in self.cluster_runs for fact, number in run.executor.action_index_by_fact.items()
        }
        found = {number: why for run in self.cluster_runs for number, why in run.executor.no_effect_reasons.items()}
        for fact in self.trace.decisive:
            if not isinstance(fact, RequestRefused):
                continue
            number = facts.get(int(fact.cause), -1)
            if number >= 0 and self.timeline[number][1].args[1:] != ALL:  # others of all partitions may get a leader
                found[number] = f"the controller refuses it: {ERROR_NAMES[int(fact.error)]}"
        return found

    def digest(self) -> str:
        """16 hex digits over every fact so far."""
        return self.trace.digest()

    def snapshot(self) -> dict[str, object]:
        """The view that the screen shows now; equal to the fold of all facts."""
        return view.snapshot(self)

    def processes(self) -> list[tuple[str, str]]:
        """Kafka id and state of every controller, then of every broker: a small part of ``snapshot``."""
        return view.processes(self)

    def names(self) -> dict[str, object]:
        """The names behind the numbers in facts."""
        return view.names(self)

    def called(self, node: int) -> str:
        """A broker or controller as actions name it: its Kafka id, with the cluster before it where that has a name."""
        site = max((run.site for run in self.cluster_runs if run.site.base <= node), key=lambda site: int(site.base))
        return f"{site.prefix}{int(site.kafka_id(node))}"

    def verdict(self) -> dict[str, object]:
        """The verdict so far: lost, doubled, hidden and blocked records, the event that decided it, and the alerts."""
        return {**self._verdict(), "alerts": self.alerts_account()}

    def alerts_account(self) -> dict[str, object]:
        """The alerts so far: each with its times, and what no alert saw."""
        self._incidents.read(self.trace.decisive)
        return account_of(self.alerts, self._incidents)

    def _verdict(self) -> dict[str, object]:
        if self.is_named:
            verdict = verdict_of_sites([run.book for run in self.cluster_runs], self.names())
            if self.mirrors.processes:
                verdict = with_mirrors(verdict, self.mirrors)
            left = [source for source, _ in self.moves.starts]
            return with_failovers(self, with_lost_sites(self.cluster_runs, self.mirrors, left, verdict))
        return verdict_of(self.book, self.names())

    def is_settled(self) -> bool:
        """The verdict's ``settled`` without the verdict: nothing is out, and no partition changed for 30 s."""
        return all(is_settled(run.book, self.now_us) for run in self.cluster_runs)

    def metrics(self, node: int = -1) -> list[dict[str, object]]:
        """The JMX metrics of the processes (or one of them, by number) now: a row a reading (MET-*).

        Rows of MirrorMaker have node -1 and name their process.
        """
        found = [readings(run.cluster) if node < 0 else of_node(run.cluster, node) for run in self.cluster_runs]
        rows = [reading.row() for some in found for reading in some]
        return rows if node >= 0 else rows + mirror_readings(self.mirrors)

    def record_fates(self) -> list[dict[str, object]]:
        """The fate of every record that a producer sent, calls of equal fate as one row."""
        return [row for run in self.cluster_runs for row in records_of(run.book, self.names())]

    def active_controller(self) -> int:
        """Kafka id of the active controller of the only cluster, -1 if there is none."""
        return self.only.active_controller()

    def logs(self) -> dict[int, dict[int, list[tuple[int, int, int, int, int]]]]:
        """Every replica's log (dead brokers too): per partition and broker, (base, count, epoch, client, n) a batch."""
        found: dict[int, dict[int, list[tuple[int, int, int, int, int]]]] = {}
        for broker in (broker for run in self.cluster_runs for broker in run.cluster.brokers):
            for replica in broker.hosted:
                batches = [
                    (int(b.base), int(b.count), int(b.epoch), int(b.client), int(b.n)) for b in replica.log.batches
                ]
                found.setdefault(int(replica.p), {})[int(broker.id)] = batches
        return found


def build(doc: Document) -> World:
    """A run of a checked document, at time 0."""
    return World(doc)
