"""The faults of clients in a swarm run: they close or crash and come back, and producers fall idle for a while."""

from typing import Any

from simengine.kernel.random import Stream

Timed = list[tuple[int, str]]  # moments (us) and actions


def restarts(clients: list[dict[str, Any]], stream: Stream, moments: list[int], mean_us: int) -> Timed:
    """Producers and consumers that end, cleanly or not, and are opened again."""
    found: Timed = []
    for at in moments:
        client = clients[int(stream.below(len(clients)))]["id"]
        verb = ("close", "crash")[int(stream.below(2))]
        found += [(at, f"{verb} {client}"), (at + 1 + int(stream.exponential(mean_us)), f"open {client}")]
    return found


def idle_spells(clients: list[dict[str, Any]], stream: Stream, moments: list[int], mean_us: int) -> Timed:
    """Producers that send nothing for a while, and then what they sent before."""
    producers = [client for client in clients if "rate" in client]
    found: Timed = []
    for at in moments:
        producer = producers[int(stream.below(len(producers)))]
        again = at + 1 + int(stream.exponential(mean_us))
        found += [(at, f"rate {producer['id']} 0"), (again, f"rate {producer['id']} {producer['rate']}")]
    return found
