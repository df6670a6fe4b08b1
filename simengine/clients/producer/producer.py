"""A producer: an application that calls ``send``, and its Kafka client (PC-1..14, IDEM-1..8).

The process survives in the model while the application restarts: calls keep their numbers. Changing acks closes the
client (its calls end under the old settings) and opens another with a producer id of its own.
"""

from typing import Final, final

from mypy_extensions import i64

from simengine.clients.network.ledger import ClientListener
from simengine.clients.network.network_client import NetworkClient
from simengine.clients.network.settings import ProducerSettings
from simengine.clients.producer.calls import BlockedCall, SendCalls
from simengine.clients.producer.interception import Interception
from simengine.clients.producer.producer_batch import ProducerBatch
from simengine.clients.producer.sender import Sender
from simengine.clients.producer.sending_client import SendingClient
from simengine.clients.producer.topic_changes import rebook, take_up
from simengine.facts.decisive import ClientChanged, WriteFailed
from simengine.facts.errors import ERR_NONE
from simengine.facts.kinds import (
    CLIENT_CLOSED,
    CLIENT_CRASHED,
    CLIENT_OPEN,
)
from simengine.facts.traffic import calls_made, calls_settled, producer_queue
from simengine.kafka.wire.api import ClientServer, MetadataAnswer
from simengine.kernel.network import Network
from simengine.kernel.random import Stream
from simengine.kernel.site import ALONE, Site

FIRST_CALL_MIN_US: Final = 5_000  # a rate asked for now begins so much later, as a driver program does
FIRST_CALL_MAX_US: Final = 10_000
MILLI_PERIOD_US: Final = 1_000_000_000
PHASE_MAX_US: Final = 1 << 30  # of the first call of a rate that stands from the beginning


@final
class Producer(SendingClient):
    """A producer client; ``number`` is its index among the clients, its node id is -1 - number."""

    __slots__ = (
        "_bootstrap",
        "_brokers",
        "_calls_of",
        "_draining",
        "_generation",
        "_net",
        "_phase",
        "_sender",
        "_spare",
        "acked",
        "blocked",
        "calls",
        "failed",
        "handed_over",
        "ledger",
        "resend",
        "settings",
        "spread",
        "state",
    )

    def __init__(
        self,
        net: Network,
        client_id: str,
        rack: str,
        settings: ProducerSettings,
        ledger: ClientListener,
        site: Site = ALONE,
    ) -> None:
        super().__init__(net, client_id, rack, site)
        self.settings = settings
        self.resend: i64 = 0  # times that the application sends a record again whose call failed
        self.ledger = ledger
        self.state: i64 = CLIENT_CLOSED
        self.acked: i64 = 0
        self.handed_over: i64 = 0
        self.failed: i64 = 0
        self.calls: list[SendCalls] = []
        self.blocked: BlockedCall | None = None  # the call in which the application's thread hangs (PC-14)
        self._calls_of: list[int] = []
        self.spread: list[int] = []  # the topic's partitions that it knows of, if it names none itself
        self._net = net
        self._brokers: list[ClientServer] = []
        self._bootstrap: list[int] = []
        self._sender: Sender | None = None
        self._draining: list[Sender] = []
        self._spare: list[Sender] = []
        self._generation: i64 = 0
        self._phase: Stream = net.sim.stream(self.name, "phase of calls")

    def attach(self, brokers: list[ClientServer], bootstrap: list[int]) -> None:
        """Name the brokers there are, and the ids of those it asks first (none: all); once, before ``open``."""
        self._brokers = brokers
        self._bootstrap = bootstrap

    def sender(self) -> Sender | None:
        """The network half; None while it is closed."""
        return self._sender

    def is_stuck_out_of_order(self) -> bool:
        """True if brokers will refuse some batch until its delivery timeout (IDEM-5, IDEM-7)."""
        sender = self._sender
        return sender is not None and sender.sequences.is_stuck_out_of_order(sender.queues)

    def calls_to(self, p: i64) -> SendCalls:
        """The calls to partition p."""
        while len(self._calls_of) <= p:
            self._calls_of.append(-1)
        i = self._calls_of[p]
        if i >= 0:
            return self.calls[i]
        self._calls_of[p] = len(self.calls)
        calls = SendCalls(self, p)
        self.calls.append(calls)
        return calls

    def has_calls_to(self, p: i64) -> bool:
        """True if the producer has a place for calls to partition p."""
        return p < len(self._calls_of) and self._calls_of[p] >= 0

    # -- what the timeline does

    def open(self, cause: i64) -> None:
        """Start the application; rates set before go on."""
        assert self.state != CLIENT_OPEN, "a producer that is open cannot be opened"
        self.up = True
        self.listening = True
        self._start_sender()
        self._say(CLIENT_OPEN, cause)
        for calls in self.calls:
            if calls.rate_milli > 0:
                self.begin(calls, calls.rate_milli, False)

    def close(self, cause: i64) -> None:
        """Stop the application in good order: no further calls, those made end under their own time limits."""
        assert self.state == CLIENT_OPEN, "only an open producer can be closed"
        for calls in self.calls:
            calls.stop()
        self._say(CLIENT_CLOSED, cause)
        self._retire_sender()

    def is_closing(self) -> bool:
        """True if it was closed, and some of its calls have not ended."""
        return self.state != CLIENT_OPEN and bool(self._draining)

    def crash(self, cause: i64) -> None:
        """The process dies: nothing more is sent, no call ends."""
        assert self.state == CLIENT_OPEN or self._draining, "only a running producer can crash"
        self.die()
        for calls in self.calls:
            calls.stop()
        if self.blocked is not None:
            self.blocked.abandon()
        if self._sender is not None:
            self._draining.append(self._sender)
            self._sender = None
        for sender in self._draining:
            sender.abandon()
            self._spare.append(sender)
        self._draining = []
        for calls in self.calls:
            if calls.queued or calls.in_flight:
                calls.moved(-calls.queued, -calls.in_flight)
        self._say(CLIENT_CRASHED, cause)

    def set_acks(self, acks: i64, cause: i64) -> None:
        """Restart the application with other acks (IDEM-1 decides anew about idempotence); rates go on unbroken."""
        settings = self.settings.copy()
        settings.acks = acks
        if self.state == CLIENT_OPEN:
            self._retire_sender()  # a call that blocks in it was made, and ends, in the old mode
        self.settings = settings
        if self.state == CLIENT_OPEN:
            self._start_sender()
        self._say(self.state, cause)

    def set_rate(self, partitions: list[int], rate_milli: i64, cause: i64) -> None:
        """Call so many times per 1000 s in all, shared out evenly over these partitions, beginning within 10 ms."""
        n: i64 = len(partitions)
        k: i64 = 0
        for p in partitions:
            share = rate_milli // n + (1 if k < rate_milli % n else 0)
            k += 1
            calls = self.calls_to(p)
            if self.state == CLIENT_OPEN:
                self.begin(calls, share, True)
            else:
                calls.rate_milli = share
        self._say(self.state, cause)

    def send(self, p: i64, count: i64) -> None:
        """Call ``send`` so many times now."""
        assert self.state == CLIENT_OPEN, "only an open producer can send"
        self.call(self.calls_to(p), count)

    def send_again(self, p: i64, n: i64, count: i64) -> None:
        """The application sends again what calls n .. n+count-1 sent, as far as they were made."""
        calls = self.calls_to(p)
        for part in calls.resends.parts(n, min(count, calls.made - n)):
            calls.resends.ask(part.of, part.count, part.time + 1)

    def intercept(self, rule: Interception) -> None:
        """Have a proxy meddle with one request (not with acks=0, which has no answer)."""
        self.interceptions.append(rule)

    def release(self, name: str) -> None:
        """Let through what the rule of this name holds, or drop the rule if it has not come to that."""
        self.interceptions = [rule for rule in self.interceptions if rule.name != name]
        if self._sender is not None:
            self._sender.release(name)
        for sender in self._draining:
            sender.release(name)

    # -- figures

    def rate_milli(self) -> i64:
        """Records per 1000 s over all partitions."""
        total: i64 = 0
        for calls in self.calls:
            total += calls.rate_milli
        return total

    def _say(self, state: i64, cause: i64) -> None:
        self.state = state
        acks, rate_milli = self.settings.acks, self.rate_milli()
        self.sim.trace.state(ClientChanged(cause, client=self.number, state=state, acks=acks, rate_milli=rate_milli))

    # -- inside

    def begin(self, calls: SendCalls, rate_milli: i64, at_once: bool) -> None:
        """Call at a rate from now on."""
        first_at = self.sim.now
        if at_once:
            first_at += self._phase.between(FIRST_CALL_MIN_US, FIRST_CALL_MAX_US)
        elif rate_milli > 0:
            first_at += self._phase.below(min(MILLI_PERIOD_US // rate_milli, PHASE_MAX_US))
        calls.start(rate_milli, first_at)

    def _start_sender(self) -> None:
        if self._spare:
            sender = self._spare.pop()
        else:
            sender = Sender(self._net, self, self._brokers, self._bootstrap, self.settings)
        self._generation += 1
        sender.start(self.settings, (self.number << 20) + self._generation)
        self._sender = sender
        sender.metadata.want([int(calls.p) for calls in self.calls if not calls.is_over])

    def _retire_sender(self) -> None:
        sender = self._sender
        assert sender is not None, "an open producer has a sender"
        if self.blocked is not None:
            self.blocked.close()
            self.go_on()
        self._sender = None
        self._draining.append(sender)
        sender.close()

    def drained(self, sender: NetworkClient) -> None:
        """A closing sender has nothing left."""
        assert isinstance(sender, Sender), "a producer has senders"
        self._draining = [other for other in self._draining if other is not sender]
        self._spare.append(sender)

    def call(self, calls: SendCalls, count: i64) -> None:
        """The application calls ``send`` now."""
        sender = self._sender
        assert sender is not None, "calls need an open producer"
        n = calls.made
        calls.made += count
        calls_made(self.sim.trace, client=self.number, p=calls.p, n=n, count=count)
        self.ledger.called(self.number, calls.p, n, count, self.settings.acks)
        calls.queued += count
        sender.add(calls, n, count)
        if calls.queued != calls.queued_said:
            self.say_queue(calls)

    def knows(self, p: i64) -> bool:
        """True if ``send`` would find the partition in the client's metadata, or wait for it."""
        sender = self._sender
        return sender is None or sender.metadata.knows(p)

    def block(self, calls: SendCalls) -> None:
        """A call finds no metadata of its topic: the application's thread waits in it (PC-14)."""
        sender = self._sender
        assert sender is not None, "calls need an open producer"
        blocked = BlockedCall(calls, calls.made)
        calls.made += 1
        calls_made(self.sim.trace, client=self.number, p=calls.p, n=blocked.n, count=1)
        self.ledger.called(self.number, calls.p, blocked.n, 1, self.settings.acks)
        calls.moved(1, 0)
        self.blocked = blocked
        self.sim.after(self.settings.max_block_us, blocked)
        sender.metadata.want([int(calls.p)])
        sender.metadata.request_update()

    def metadata_came(self, sender: NetworkClient) -> None:
        """A client knows more: a call that waited for that enters the queue, and the thread goes on."""
        blocked = self.blocked
        current = self._sender
        if blocked is not None and current is sender and current.metadata.knows(blocked.calls.p):
            self.blocked = None
            current.add(blocked.calls, blocked.n, 1)
            self.go_on()

    def topics_changed(self, sender: NetworkClient, answer: MetadataAnswer) -> bool:
        """A refresh names partitions that are new or gone; whether the producer writes to any of them."""
        assert isinstance(sender, Sender), "a producer has senders"
        return take_up(self, sender, answer)

    def rebooked(self, batch: ProducerBatch, p: i64, acks: i64) -> None:
        """The calls of a batch belong to the partition that it will be sent to."""
        rebook(self, batch, p, acks)

    def go_on(self) -> None:
        """No call blocks any more."""
        for calls in self.calls:
            calls.catch_up()

    def has_room(self) -> bool:
        """True if ``send`` returns at once. Otherwise buffer.memory is exhausted, and the application waits for it."""
        sender = self._sender
        if sender is None or sender.buffer_pool.has_room():
            return True
        sender.wait_for_memory()
        return False

    def say_queue(self, calls: SendCalls) -> None:
        """State how many records wait and are under way."""
        calls.queued_said = calls.queued
        producer_queue(self.sim.trace, client=self.number, p=calls.p, queued=calls.queued, inflight=calls.in_flight)

    def settle(self, calls: SendCalls, batch: ProducerBatch, acks: i64, error: i64, offset: i64, epoch: i64) -> None:
        """Calls ended, well or badly."""
        p = calls.p
        count = batch.count
        if error != ERR_NONE:
            self.failed += count
            if self.resend > 0 and not calls.is_over:
                calls.resends.failed(batch.n, count, self.resend)
            if not calls.has_failed:
                calls.has_failed = True
                self.say_failed(p, error, True)
        elif offset < 0:
            self.handed_over += count
        else:
            self.acked += count
        if error == ERR_NONE:
            calls.is_retried = calls.has_failed = False
        calls_settled(
            self.sim.trace, client=self.number, p=p, n=batch.n, count=count, offset=offset, epoch=epoch, error=error
        )
        self.ledger.settled(self.number, p, batch.n, count, acks, offset, epoch, error, batch.may_be_written)

    def say_failed(self, p: i64, error: i64, has_ended: bool) -> None:
        """State that a write failed: an attempt, or the calls for good."""
        self.sim.trace.state(WriteFailed(0, client=self.number, p=p, error=error, ended=int(has_ended)))

    def abandoned(self, p: i64, batch: ProducerBatch, acks: i64, may_be_written: bool) -> None:
        """The process died under these calls."""
        self.ledger.abandoned(self.number, p, batch.n, batch.count, acks, may_be_written)
