"""Explains losses: the chain from the decisive event to each loss, and the action that decided it."""
