"""The matrix of failures: a kill, a freeze, a full disk, a locked database, and what each costs. `make faults`."""
