"""Requests and responses, and the interfaces through which one process reaches another."""
