"""The attacks of one stranger, and their effect on another visitor. `make strangers` writes docs/strangers.md."""
