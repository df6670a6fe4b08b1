"""The parts that every Kafka client has: connections, metadata, settings, and the interface to the verdict."""
