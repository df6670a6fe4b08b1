"""Documents that are valid and heavy, as a stranger may send them."""

import json


def document(*, brokers: int, topics: int, partitions: int, factor: int, producers: int = 0, readers: int = 0) -> bytes:
    """So many topics of so many partitions each; a producer writes to one topic, a reader reads all of them."""
    assignment = [[(i + j) % brokers + 1 for j in range(factor)] for i in range(partitions)]
    names = [f"t{i}" for i in range(topics)]
    return json.dumps(
        {
            "format": 1,
            "cluster": {"brokers": list(range(1, brokers + 1))},
            "topics": [{"name": name, "assignment": assignment} for name in names],
            "producers": [{"id": f"w{i}", "topic": names[i % topics], "rate": 1} for i in range(producers)],
            "consumers": [{"id": f"c{i}", "topics": names} for i in range(readers)],
        }
    ).encode()


LARGE = document(brokers=100, topics=100, partitions=100, factor=3, producers=900)  # some seconds to open
TOO_LARGE = document(brokers=100, topics=100, partitions=100, factor=20, readers=950)  # a minute and 4 GiB
