"""Random clusters under random faults: draws documents, runs them with all checks on, heals them, shrinks what fails."""
