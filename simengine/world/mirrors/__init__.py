"""Flows of MirrorMaker in a run: built from a document, kept in books, held against both logs, told in words."""
