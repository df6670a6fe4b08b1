"""AlterPartition at the controller (AP-2, AP-3, AP-7): check each proposal, and change what may be changed."""

from mypy_extensions import i64

from simengine.facts.errors import (
    ERR_FENCED_LEADER_EPOCH,
    ERR_INELIGIBLE_REPLICA,
    ERR_INVALID_REQUEST,
    ERR_INVALID_UPDATE_VERSION,
    ERR_NEW_LEADER_ELECTED,
    ERR_NONE,
    ERR_NOT_CONTROLLER,
    ERR_UNKNOWN_TOPIC_OR_PARTITION,
)
from simengine.facts.kinds import REASON_ALTER_PARTITION
from simengine.kafka.controller.election import ELECT_ANY, PartitionChange
from simengine.kafka.shared.config import ClusterConfig
from simengine.kafka.shared.metadata import MetadataImage, PartitionRegistration, Record
from simengine.kafka.wire.controller_api import AlterRequest, IsrDecision, IsrProposal


def decide_proposals(
    image: MetadataImage, config: ClusterConfig, request: AlterRequest
) -> tuple[list[Record], list[IsrDecision]]:
    """Records for the accepted proposals, and a decision for each."""
    records: list[Record] = []
    decisions: list[IsrDecision] = []
    for proposal in request.proposals:
        base = image.partition(proposal.p)
        error = check_proposal(image, request.broker_id, proposal, base)
        if error != ERR_NONE or base is None:
            decisions.append(IsrDecision(proposal.p, error, [], -1, -1, -1))
            continue
        change = PartitionChange(base, image, config, ELECT_ANY)
        change.target_isr = sorted(proposal.isr) if config.isr_sorted else proposal.isr  # ISR-9
        change.recovered = proposal.recovered
        record = change.build(REASON_ALTER_PARTITION, proposal.cause)
        now = base
        if record is not None and record.partition is not None:
            now = record.partition
            records.append(record)
        error = ERR_NEW_LEADER_ELECTED if now.leader != request.broker_id else ERR_NONE  # AP-7
        decisions.append(IsrDecision(proposal.p, error, now.isr, now.leader, now.epoch, now.pe))
    return records, decisions


def check_proposal(image: MetadataImage, sender: i64, proposal: IsrProposal, base: PartitionRegistration | None) -> i64:
    """AP-2, in Kafka's order of tests."""
    if base is None:
        return ERR_UNKNOWN_TOPIC_OR_PARTITION
    if proposal.epoch > base.epoch or proposal.pe > base.pe:
        return ERR_NOT_CONTROLLER
    if proposal.epoch < base.epoch:
        return ERR_FENCED_LEADER_EPOCH
    if base.leader != sender:
        return ERR_INVALID_REQUEST
    if proposal.pe < base.pe:
        return ERR_INVALID_UPDATE_VERSION
    if sender not in proposal.isr:
        return ERR_INVALID_REQUEST
    for broker in proposal.isr:
        if broker not in base.replicas:
            return ERR_INVALID_REQUEST
    for i in range(len(proposal.isr)):
        if not is_eligible(image, proposal.isr[i], proposal.bes[i]):
            return ERR_INELIGIBLE_REPLICA
    return ERR_NONE


def is_eligible(image: MetadataImage, broker: i64, be: i64) -> bool:
    """Active, and in the incarnation that fetched; -1 is exempt (REG-5)."""
    return image.is_active(broker) and (be == -1 or be == image.broker_epoch(broker))
