"""What tests the engine: invariants, random runs, recounts, doubles. Nothing that people use imports it."""
