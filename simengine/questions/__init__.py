"""What is asked of a cluster: a question takes a document, runs it as often as it needs, and says the answer."""
