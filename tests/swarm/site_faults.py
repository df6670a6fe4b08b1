"""The faults of many nodes or links of a swarm run together: sites are lost, links go and come back one by one."""

from simengine.kernel.random import Stream
from tests.swarm.luck import pick

Timed = list[tuple[int, str]]  # moments (us) and actions
SITES = 3


def lost_sites(brokers: list[int], voters: list[int], stream: Stream, moments: list[int], scale: int) -> Timed:
    """Losses of a site, by power or by its links: the brokers that would share a rack."""
    found: Timed = []
    for at in moments:
        site = int(stream.below(SITES))
        own = [b for b in brokers if b % SITES == site] or brokers[:1]
        others = [node for node in (*brokers, *voters) if node not in own]
        back = at + int(stream.between(1, 90)) * 10_000 * scale
        if int(stream.below(2)):
            found += [(t, f"{verb} {node}") for t, verb in ((at, "kill"), (back, "start")) for node in own]
        else:
            ends = f"{','.join(map(str, own))}|{','.join(map(str, others))}"
            found += [(at, f"cut {ends}"), (back, f"heal {ends}")]
    return found


def tangled_links(brokers: list[int], voters: list[int], stream: Stream, moments: list[int], scale: int) -> Timed:
    """Links of one broker that are cut one by one, and healed one by one in another order."""
    found: Timed = []
    for at in moments:
        broker = brokers[int(stream.below(len(brokers)))]
        others = [node for node in (*brokers, *voters) if node != broker]
        step = 1 + int(stream.below(20_000 * scale))
        for verb, begin in (("cut", at), ("heal", at + step * len(others))):
            left = list(others)
            order = [left.pop(int(stream.below(len(left)))) for _ in others]
            found += [(begin + i * step, f"{verb} {broker}|{other}") for i, other in enumerate(order)]
    return found


def cut_ends(brokers: list[int], voters: list[int], stream: Stream) -> str:
    """The two ends of one cut; empty if there is nobody at one of them."""
    everybody = [*brokers, *voters]
    broker = pick(stream, brokers)
    others = [node for node in everybody if node != broker]
    peers = [node for node in brokers if node != broker]
    shape = pick(stream, ("one-way", "pair", "one from all", "from controllers", "brokers only", "halves"))
    if shape == "one-way" and peers:
        return f"{broker}>{pick(stream, peers)}"
    if shape == "pair" and peers:
        return f"{broker}|{pick(stream, peers)}"
    if shape == "one from all":
        return f"{broker}|{','.join(map(str, others))}"
    if shape == "from controllers":
        return f"{broker}|{','.join(map(str, voters))}"
    if shape == "brokers only" and peers:
        return f"{broker}|{','.join(map(str, peers))}"
    half = len(everybody) // 2
    left = [node for i, node in enumerate(everybody) if (i * 7 + half) % 2 == 0]
    right = [node for node in everybody if node not in left]
    return f"{','.join(map(str, left))}|{','.join(map(str, right))}" if left and right else ""
