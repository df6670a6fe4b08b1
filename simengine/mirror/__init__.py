"""MirrorMaker 2: copies topics and group positions from one cluster to another (MM-1..10)."""
