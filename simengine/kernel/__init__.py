"""What any discrete-event simulation needs: calendar, keyed random streams, network."""
