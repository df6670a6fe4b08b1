"""Facts: what a run states, the table of their fields, and the trace that keeps them."""
