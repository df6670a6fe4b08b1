"""A consumer: positions, fetches, commits, its membership of a group."""
