"""Saved documents: links, forks, lineage, export."""
