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
    "w025": (
        "A record was sent in the millisecond in which the batch before it expired. It joined that batch, so that for "
        "a moment no call was open. In the runs it always begins a new batch."
    ),
    "w412": (
        "The longest open call of P0 is shorter than in any run. Brokers that lead are cut, paused and stopped one "
        "after another; not looked into further."
    ),
    "w417": (
        "A response NOT_ENOUGH_REPLICAS came in the millisecond in which the batch's delivery.timeout.ms was over, so "
        "the batch failed with it. In the runs such a batch always expires."
    ),
    "m046": (
        "The last committed position of the group on the target is later than in any run by about 1,500 records; not "
        "looked into."
    ),
}
