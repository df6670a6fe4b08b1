"""The parts that several commands share: reading a document, numbers, facts as text."""
