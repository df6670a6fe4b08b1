"""Reports of runs: one HTML page each, for whoever was not there."""
