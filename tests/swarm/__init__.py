"""Random clusters under random faults: draw documents, run them with all checks on, heal them, shrink what fails."""
