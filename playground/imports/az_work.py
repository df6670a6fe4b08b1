"""Works of the engine service for the AZ answer of a stored cluster: its lines, its lists, its runs, its edits.

Every function is given the run as it is stored and, but for the head, the edits as JSON; each begins with the same two
steps: the cluster without what was done to it, and the cluster as edited.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from playground.engine.limits import LONG, QUICK, TABLE
from playground.engine.once import AnswerPart
from playground.engine.works import work
from playground.scenarios import documents
from simengine.importers.assumed import ASSUMED, LABELS
from simengine.importers.model import NO_LEADER
from simengine.questions.az import edits as az_edits
from simengine.questions.az import partition_list
from simengine.questions.az import run as az_run
from simengine.questions.az import table as az_table
from simengine.questions.az.about import RATE_OF
from simengine.questions.az.causes import running_racks
from simengine.questions.az.cell import ACKS, ANY_BROKER, ANY_TWO, AzCell, AzLoss
from simengine.questions.az.edits import COME_BACK, VALUES, Edits, EditsError
from simengine.questions.az.losses import loss_of
from simengine.questions.az.moments import at_moment
from simengine.questions.az.site_rows import loss_document, site_rows
from simengine.questions.az.whys import AzCause, causes_of
from simengine.scenario import Document
from simengine.scenario.action_words import clauses, node_names
from simengine.scenario.model import Caption
from simengine.scenario.not_simulated import not_simulated
from simengine.scenario.sites import only_cluster
from simengine.words.phrases import plural

Answer = dict[str, Any]


@work(QUICK, is_kept=True)
def head(stored: documents.StoredScenario) -> Answer:
    """``head``: what is out in the cluster before anything happens to it, "" where all is well; and ``assumed``.

    ``not_simulated``: keys that have no effect here. ``sites``: the names of several clusters, none for one.
    """
    document = documents.of_stored(stored)
    told = {"assumed": _assumed_lines(document), "not_simulated": not_simulated(document)}
    if document.clusters:
        return {"head": "", **told, "sites": list(document.clusters)}
    return {"head": _head(document), **told}


@work(TABLE, is_kept=True)
def site_lines(stored: documents.StoredScenario) -> Iterator[Answer]:
    """The effect of the loss of each of several clusters: a row each, as soon as its run has ended."""
    yield from site_rows(documents.of_stored(stored))


@work(QUICK)
def site_run(stored: documents.StoredScenario, site: str) -> Answer:
    """The run in which a cluster is lost, as it is stored: ``checked``; ``error`` where there is no such cluster."""
    document = documents.of_stored(stored)
    if site not in document.clusters:
        return {
            "error": f"There is no cluster {site!r}. Clusters: {', '.join(document.clusters) or 'none has a name'}."
        }
    return {"checked": documents.check(loss_document(document, site))}


def _head(document: Document) -> str:
    down = [str(broker.id) for broker in document.brokers if broker.state != "running"]
    offline = sum(state.leader == NO_LEADER for topic in document.topics for state in topic.initial.values())
    sentences: list[str] = []
    if down:
        sentences.append(
            f"Broker{'' if len(down) == 1 else 's'} {', '.join(down)} {'is' if len(down) == 1 else 'are'} down."
        )
    if offline:
        sentences.append(f"{_count(offline)} {'is' if offline == 1 else 'are'} offline already.")
    begun = az_run.begun(document)
    if begun:
        told = clauses(", ".join(str(entry.action) for entry in begun), node_names(document))
        sentences.append(f"At its start: {told}.")
    return " ".join([*sentences, "Nothing else has happened to it yet."]) if sentences else ""


def _count(partitions: int) -> str:
    return f"{partitions:,} partition{'' if partitions == 1 else 's'}"


def _assumed_lines(document: Document) -> list[str]:
    """The lines of ``about`` that an import writes there, without those that the answer has as fields."""
    _, found, lines = document.about.partition(ASSUMED)
    keys = ["profile" if key == "version" else key for key in (*VALUES, "stay_out")]
    fields = (RATE_OF, *(f"{LABELS[key]}: " for key in keys))
    return [line for line in lines.splitlines() if not line.startswith(fields)] if found else []


@dataclass(frozen=True, slots=True)
class _Cluster:
    """``built``: the cluster without anything that was done to it but what it begins with; ``kept``: as it is opened.

    ``document``: as edited, at the moment of the loss.
    """

    built: Document
    edits: Edits
    kept: Document
    document: Document

    @classmethod
    def of(cls, stored: documents.StoredScenario, edits: str) -> "_Cluster":
        """Raises DocumentError or EditsError."""
        document = only_cluster(documents.of_stored(stored))
        built = document.cut_before(0).model_copy(update={"timeline": az_run.begun(document)})
        read = az_edits.read(json.loads(edits))
        made = az_edits.edited(built, read)
        document = at_moment(made, read.outside)
        return cls(built, read, document if read.outside == COME_BACK else made, document)

    def loss(self, row: str, pick: str) -> AzLoss:
        """A row that is there. Raises ValueError."""
        loss = loss_of(self.document, row, pick, self.edits.dies)
        if loss is None:
            raise ValueError(f"there is no row {row!r} with {pick!r}")
        return loss


@work(QUICK, is_kept=True)
def checked(stored: documents.StoredScenario, edits: str, row: str | None, pick: str) -> Answer:
    """True if edits can be made, and there is the row if one is named: ``error``, with ``refused`` edits, or the row.

    ``row``, ``pick`` and ``event``, the loss as a clause.
    """
    try:
        cluster = _Cluster.of(stored, edits)
    except EditsError as wrong:
        return {"error": str(wrong), "refused": wrong.refused}
    if row is None:
        return {}
    loss = loss_of(cluster.document, row, pick, cluster.edits.dies)
    if loss is not None:
        return {"row": loss.key, "pick": loss.pick, "event": loss.event}
    any_of = [f"{ANY_BROKER} with a broker that runs", f"{ANY_TWO} with two AZs"]
    rows = ", ".join([*running_racks(cluster.document), *any_of])
    return {"error": f"There is no row {row!r} with {pick!r}. Rows: {rows}."}


@work(TABLE, is_kept=True)
def lines(stored: documents.StoredScenario, edits: str) -> Iterator[Answer | AnswerPart]:
    """The lines of the answer; and each row's cells, for whoever asks for one (``row``)."""
    cluster = _Cluster.of(stored, edits)
    cells: list[Answer] = []
    for line in az_table.lines(cluster.built, cluster.edits):
        if "parts" not in line:
            yield line
            continue
        cells.append(line["parts"])
        if len(cells) == len(ACKS):
            of_moment = json.dumps({**json.loads(edits), "outside": line["moment"]}, sort_keys=True)
            yield AnswerPart(row.question(stored, of_moment, cells[0]["row"], cells[0]["pick"]), cells)
            cells = []


@work(LONG, is_kept=True)
def row(stored: documents.StoredScenario, edits: str, key: str, pick: str) -> list[Answer]:
    """Both cells of a row, given what is picked in it."""
    cluster = _Cluster.of(stored, edits)
    loss = cluster.loss(key, pick)
    cells = [az_run.run_cell(cluster.document, loss, acks, cluster.edits.disks) for acks in ACKS]
    return [{**asdict(cell), "pick": loss.pick} for cell in cells]


@work(QUICK)
def listed(stored: documents.StoredScenario, edits: str, key: str, pick: str, sent_text: str, cells: bytes) -> Answer:
    """The list behind a figure of a row with these cells: ``total``, ``offset`` and ``rows``, or ``csv``; ``error``."""
    cluster, sent = _Cluster.of(stored, edits), json.loads(sent_text)
    try:
        of = partition_list.read(sent)
        rows = partition_list.rows(cluster.document, cluster.loss(key, pick), *_cells(cells), of)
    except partition_list.ListError as wrong:
        return {"error": str(wrong)}
    if sent.get("format") == "csv":
        return {"csv": partition_list.as_csv(rows)}
    return {"total": len(rows), "offset": of.offset, "rows": rows[of.offset : of.offset + of.limit]}


@work(QUICK)
def run(
    stored: documents.StoredScenario,
    edits: str,
    key: str,
    pick: str,
    acks: str,
    cells: bytes | None,
    bodies: list[str],
) -> Answer:
    """The run of a cell as it is stored: ``checked``, with the outcome where the row's cells are known.

    ``same``: which of some stored documents is this run, whatever that says of its outcome; None for none.
    """
    cluster = _Cluster.of(stored, edits)
    loss = cluster.loss(key, pick)
    document = az_run.cell_document(cluster.document, loss, acks)
    bare = json.loads(documents.stored_text(document))
    same = next((number for number, body in enumerate(bodies) if _without_captions(body) == bare), None)
    if cells is not None:
        told = _told(loss, _cells(cells), acks)
        outcome = Caption.model_construct(at_us=document.until_us, text=told, kind="outcome")
        document = document.model_copy(update={"captions": [outcome]})
    return {"checked": documents.check(document), "same": same}


def _without_captions(body: str) -> Any:
    plain = json.loads(body)
    plain.pop("captions", None)
    return plain


def _cells(found: bytes) -> tuple[AzCell, AzCell]:
    safe, fast = (az_table.cell_of(parts) for parts in json.loads(found))
    return safe, fast


def _told(loss: AzLoss, cells: tuple[AzCell, AzCell], acks: str) -> str:
    """The outcome of a cell: the verdict at the end of its run, and the causes."""
    return " ".join([cells[ACKS.index(acks)].outcome, *map(_in_words, causes_of(loss, *cells))])


def _in_words(cause: AzCause) -> str:
    many = plural(len(cause.parts), "partition", "partitions")
    return f"{cause.title} ({cause.note})." if cause.is_internal else f"{many}: {cause.title} ({cause.note})."


@work(QUICK)
def edited(stored: documents.StoredScenario, edits: str) -> Answer:
    """The cluster as edited, as it is stored: ``checked``; nothing where the edits change nothing."""
    cluster = _Cluster.of(stored, edits)
    return {} if cluster.kept == cluster.built else {"checked": documents.check(cluster.kept)}
