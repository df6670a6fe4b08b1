"""The latencies of the links of a swarm run: every link has its own latency, drawn from a lognormal distribution."""

from typing import Any, Final

from simengine.kernel.random import Stream

MEDIANS_US: Final = (200, 500, 1000, 1000, 2000, 5000, 20_000, 50_000)  # of one run
# the 16 middles of sixteenths of a lognormal distribution with sigma 0.7, in percent of its median
LOGNORMAL: Final = (27, 40, 49, 58, 67, 76, 85, 95, 106, 118, 132, 150, 173, 203, 252, 368)
SLOW_PERCENT: Final = 20  # runs that have one slow pair of brokers
SLOWER: Final = 20
ONE_WAY_PERCENT: Final = 19  # of a heartbeat's interval: twice that with jitter, and the same back


def network(seed: int, brokers: list[int], others: list[str], heartbeat_us: int) -> dict[str, Any]:
    """The part of a document; ``others`` are the names of controllers and clients. Jitter is as large as latency.

    LIVE-1: a heartbeat that takes longer than its interval is given up, so no round trip does but on the slow pair.
    """
    stream = Stream(seed, "swarm", "latency")
    median = MEDIANS_US[int(stream.below(len(MEDIANS_US)))]
    ends = [*map(str, brokers), *others]
    links: list[dict[str, Any]] = []
    for i, a in enumerate(ends):
        for b in ends[i + 1 :]:
            latency = median * LOGNORMAL[int(Stream(seed, f"swarm link {a}-{b}", "latency").below(16))] // 100
            latency = min(latency, heartbeat_us * ONE_WAY_PERCENT // 100)
            links.append({"between": [a, b], "latency": f"{latency}us", "jitter": f"{latency}us"})
    if int(stream.below(100)) < SLOW_PERCENT:
        one, two = (brokers[int(stream.below(len(brokers)))] for _ in "12")
        if one != two:
            links.append({"between": [str(one), str(two)], "latency": f"{median * SLOWER}us"})
    return {"latency": f"{median}us", "jitter": f"{median}us", "links": links}
