"""What became of every record and for how long partitions were out, from the run itself."""
