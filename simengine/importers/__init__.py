"""Text that people paste (outputs of Kafka's tools) into a scenario document, with every doubt stated."""
