"""The AZ table: what the loss of each availability zone, or of each cluster of several, does to a document."""
