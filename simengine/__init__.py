"""The Highwater engine: a deterministic simulation of Apache Kafka replication and failover."""
