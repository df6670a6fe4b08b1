"""Runs of a real cluster: read them, run the same script here, and say whether that explains what really happened."""
