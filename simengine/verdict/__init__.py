"""The fate of every record and the outages of every partition, from the run itself."""
