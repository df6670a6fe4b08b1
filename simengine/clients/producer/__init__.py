"""A producer: calls, batches, the sender, retries, idempotence."""
