"""The questions about a cluster: each takes a document, runs it as often as it needs, and gives the answer."""
