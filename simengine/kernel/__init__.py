"""The parts that any discrete-event simulation needs: calendar, keyed random streams, network."""
