"""Second accounts of a run: its metrics, fates and times, counted again by another way than the engine's own."""
