"""From a checked document to a running world: clusters, clients, actions, faults, views."""
