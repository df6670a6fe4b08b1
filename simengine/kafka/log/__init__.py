"""A partition's log: batches, epochs, segments, producer states."""
