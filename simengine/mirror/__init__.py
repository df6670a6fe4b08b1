"""MirrorMaker 2: copies topics and group positions from one cluster to another (semantics, section 17)."""
