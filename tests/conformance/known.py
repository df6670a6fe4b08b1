"""The recordings that the engine does not explain, each with what is known of the reason."""

from typing import Final

KNOWN: Final = {
    "f038": "The real history is rare in the runs: fewer than one in a hundred takes it, and rule 1 asks for more.",
    "f054": (
        "Broker 0 was paused while the response to its heartbeat was on its way. It took it in when it was resumed, "
        "and sent the next heartbeat only 2 s later. In the runs its heartbeats have another phase."
    ),
    "w019": (
        "A batch expired in the millisecond in which the next record was sent, and a broker timed a request out before "
        "the producer did, so that the next request in its queue was written. Each is rare in the runs."
    ),
    "w417": (
        "A response NOT_ENOUGH_REPLICAS came in the millisecond in which the batch's delivery.timeout.ms was over, so "
        "the batch failed with it. In the runs that is rare (PC-15)."
    ),
    "m046": (
        "A cut of 12 s ends within the 3 s in which the worker looks for its coordinator. The real worker found it in "
        "time. In the runs it gives its tasks up, so the group's positions are copied no further."
    ),
}
