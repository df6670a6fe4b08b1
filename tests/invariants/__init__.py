"""Named properties that must hold after every event of a run (docs/invariants.md)."""
