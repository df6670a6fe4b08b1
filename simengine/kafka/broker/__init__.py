"""A broker's process: its life, its requests, and what it knows of the metadata."""
