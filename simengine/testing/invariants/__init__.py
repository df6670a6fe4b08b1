"""Named properties that must hold after every event of a run (``spec/invariants.md`` sections 1.1-1.4)."""
