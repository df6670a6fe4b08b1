"""The protocol of Kafka replication, one file a concept."""
