"""Producers and consumers: what an application's Kafka client does."""
