"""Pasted clusters for the tests of the AZ answer."""

from typing import Any

from simengine.importers.report import import_text
from simengine.questions.az import edits as az_edits
from simengine.questions.az import run as az_run
from simengine.questions.az.answer import Answer, answer
from simengine.questions.az.cell import ACKS, AZ, AzCell, AzLoss
from simengine.questions.az.edits import DARK
from simengine.questions.az.figures import cell_json
from simengine.questions.az.losses import rows_of
from simengine.questions.az.row import AzRow
from simengine.scenario import Document, load, to_plain

HEADER = "Topic: {name}\tPartitionCount: {count}\tReplicationFactor: 3\tConfigs: min.insync.replicas={least}\n"
ROW = "\tTopic: {name}\tPartition: {number}\tLeader: {leader}\tReplicas: {ids}\tIsr: {ids}\tElr: \tLastKnownElr: \n"
THREE_SITES = {100: "az-a", 101: "az-b", 102: "az-c"}
SPREAD = ("spread", 2, ["1,2,3", "4,5,6"])
TWICE = ("twice", 2, ["1,4,2"])
SINGLE = ("single", 1, ["5"])


def listing(*topics: tuple[str, int, list[str]]) -> str:
    """The describe listing of topics as (name, min.insync.replicas, replica lists)."""
    text = ""
    for name, least, lists in topics:
        text += HEADER.format(name=name, count=len(lists), least=least)
        text += "".join(
            ROW.format(name=name, number=number, leader=ids.split(",")[0], ids=ids) for number, ids in enumerate(lists)
        )
    return text


def cluster(*topics: tuple[str, int, list[str]], **assumed: Any) -> Document:
    """Six brokers in three AZs (id mod 3), a controller in each."""
    racks = {broker: f"az-{'abc'[broker % 3]}" for broker in range(1, 7)}
    return load(import_text(listing(*topics), {"records_per_s": 2, **assumed}, racks, THREE_SITES)["scenario"])


def quorum(doc: Document, *controllers: dict[str, Any]) -> Document:
    """The same cluster with these controllers."""
    plain = to_plain(doc)
    plain["cluster"]["controllers"] = [{"id": 100 + at, **one} for at, one in enumerate(controllers)]
    return load(plain)


def losses(doc: Document, dies: str = DARK) -> list[AzLoss]:
    """The rows of its table."""
    return rows_of(doc, dies, az_run.at_the_loss(doc, "all", dies == DARK))


def loss_of(doc: Document, key: str, dies: str = DARK) -> AzLoss:
    """One of them."""
    return next(one for one in losses(doc, dies) if one.key == key)


def row(doc: Document, key: str, dies: str = DARK, disks: str = az_edits.BACK) -> AzRow:
    """A row with both of its cells."""
    loss = loss_of(doc, key, dies)
    safe, fast = (az_run.run_cell(doc, loss, acks, disks) for acks in ACKS)
    return AzRow(loss, safe, fast)


def cell(doc: Document, key: str, acks: str, dies: str = DARK) -> AzCell:
    """One cell."""
    return az_run.run_cell(doc, loss_of(doc, key, dies), acks)


def shown(doc: Document, key: str, acks: str, dies: str = DARK) -> Any:
    """One cell as the page gets it."""
    return cell_json(cell(doc, key, acks, dies), 10_000)


def answered(doc: Document, dies: str = DARK, disks: str = az_edits.BACK) -> Answer:
    """The answer from the rows of its AZs."""
    zones = [one.key for one in losses(doc, dies) if one.kind == AZ]
    return answer(doc, [row(doc, key, dies, disks) for key in zones])
