"""Alert rules on a run: when each would have fired, what no alert saw, and the rules as a file for Prometheus."""
