"""Runs of a real cluster: reads them, and runs their script here, told in the same form."""
