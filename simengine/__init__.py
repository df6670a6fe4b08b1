"""The Highwater engine: a deterministic simulation of Apache Kafka replication and failover."""

from simengine.form import engine_form

__all__ = ["engine_form"]
