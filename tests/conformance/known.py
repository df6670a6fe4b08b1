"""The recordings that the engine does not explain, each with what is known of the reason."""

from typing import Final

KNOWN: Final = {
    "f038": "The real history is rare in the runs: fewer than one in a hundred takes it, and rule 1 asks for more.",
    "f054": (
        "Broker 0 was paused while the response to its heartbeat was on its way. It took it in when it was resumed, "
        "and sent the next heartbeat only 2 s later. In the runs its heartbeats have another phase."
    ),
    "f419": (
        "One record went out by acks=0 in the 156 ms in which the leader’s process was being killed. A simulated process "
        "dies at once."
    ),
    "w015": (
        "One record went out by acks=0 in the 30 ms in which the leader’s process was being killed. A simulated "
        "process dies at once."
    ),
    "w019": (
        "A batch expired in the millisecond in which the next record was sent, and a broker timed a request out before "
        "the producer did, so that the next request in its queue was written. Each is rare in the runs."
    ),
    "w025": (
        "A record was sent in the millisecond in which the batch before it expired. It joined that batch, so that for "
        "a moment no call was open. In the runs it always begins a new batch."
    ),
}
