"""Live runs: clock, host, hub, socket, wire."""
