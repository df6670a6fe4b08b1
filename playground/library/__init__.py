"""Lessons, named questions and the gallery."""
