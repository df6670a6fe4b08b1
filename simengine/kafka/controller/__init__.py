"""The controllers: the quorum, registrations, fencing, elections, reassignments."""
