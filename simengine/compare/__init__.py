"""Compares runs on one clock: their figures, where they part, and what differs in each partition."""
