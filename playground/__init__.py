"""The Django app around the engine: documents, live rooms, what-if experiments, imports and the library."""
