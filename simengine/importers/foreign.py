"""Names outputs of other tools, and says what to paste instead. What they seem to hold is counted, never used."""

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from simengine.importers import filtered, limits
from simengine.importers.foreign_table import count_table
from simengine.importers.model import PastedCounts, PasteResult
from simengine.importers.noise import COMMAND, is_greeting, why_noise
from simengine.importers.text import Paste

KIND: Final = "foreign"
NOT_INVENTED: Final = "They are not read, and no topic is made up in their place."
INSTEAD: Final = "Paste the output of kafka-topics.sh --describe or of kcat -L."
_FRAGMENT = re.compile(r"\bLeader:\s{0,9}(?:none|-?\d{1,10})\b.{0,200}\bIsr:")
_TOOL = re.compile(r"\bkafka-[a-z]{1,20}(?:-[a-z]{1,20}){0,3}\b|\bkcat\b|\bkafkacat\b")
_PROMPT = re.compile(r".{0,80}[$#%>]|\W{1,9}")
MIRROR_MAKER_CURE: Final = (
    "It names no brokers. Paste the listing of each of its clusters (kafka-topics.sh --describe) by itself, with Add "
    "another cluster, then this one under MirrorMaker between them. On the command line: import east=FILE west=FILE "
    "--mirrors FILE."
)
_CURES: Final = {
    "a properties file of MirrorMaker 2": MIRROR_MAKER_CURE,
    "a table of kubectl get (Strimzi)": "A table does not show what its resources declare. Paste the output of the "
    "same command with -o yaml.",
    "kubectl describe of a Strimzi resource": "Paste the output of kubectl get -o yaml of the same resources.",
    "the log of Strimzi's operator": "It tells of the partitions that were in its way, not of the cluster. Paste the "
    "Kafka, KafkaNodePool and KafkaTopic resources (kubectl get -o yaml) or the output of kafka-topics.sh --describe.",
    "rpk cluster health (Redpanda)": "It names partitions without their replicas, and Redpanda is no Kafka: its groups "
    "of Raft have no ISR. " + INSTEAD,
    "the console of Amazon MSK": "It shows no topic. Paste the output of kafka-topics.sh --describe, and beside it "
    "that of aws kafka list-nodes, which says in which AZ each broker is.",
    "avn service topic-get (Aiven)": "Its ISR is a number of replicas, and no broker is named. " + INSTEAD,
    "a page of AKHQ": "It counts replicas and does not say where they stand. " + INSTEAD,
}  # the name of a form -> what to do with it, where that is not INSTEAD alone
_MIRROR_MAKER: Final = (
    r"^[ \t]{0,40}clusters\s{0,9}=\s{0,9}\w+\s{0,9},|"
    r"^[ \t]{0,40}[\w-]{1,99}->[\w-]{1,99}\.(?:enabled|topics)\s{0,9}="
)
_KUBECTL_TABLE: Final = (
    r"^[^\w\n]{0,40}NAME[ \t]+(?:CLUSTER[ \t]+PARTITIONS|DESIRED[ \t]+REPLICAS|DESIRED[ \t]+KAFKA|"
    r"READY[ \t]+(?:METADATA[ \t]+STATE|WARNINGS))"
    r"|^[^\w\n]{0,40}kafka\w{0,20}\.kafka\.strimzi\.io/\S"
)
_HEAD: Final = r"^[^\w\n]{0,40}"  # the start of a line, behind quote marks and prompts


def _table(text: str) -> PastedCounts:
    return count_table(text.split("\n")) or PastedCounts()


def _kubectl(text: str) -> PastedCounts:
    partitions = [int(number) for number in re.findall(r"^[ \t]{0,40}Partitions:\s*(\d{1,9})", text, re.MULTILINE)]
    return PastedCounts(topics=len(partitions), partitions=sum(partitions))


def _dotnet(text: str) -> PastedCounts:
    return PastedCounts(partitions=len(re.findall(r"^\s{0,40}InSyncReplicas:", text, re.MULTILINE)))


def _nothing(_text: str) -> PastedCounts:
    return PastedCounts()


class _Form(NamedTuple):
    """A form that is known by a pattern, its name, and how to count what it seems to hold."""

    pattern: str
    name: str
    counted: Callable[[str], PastedCounts] = _nothing


_FORMS: Final = (
    _Form(_HEAD + r"PARTITION\s+LEADER\s+(?:EPOCH\s+)?REPLICAS", "rpk topic describe (Redpanda)", _table),
    _Form(r"^SUMMARY\s+=+\s+NAME\s", "rpk topic describe (Redpanda)"),
    _Form(_HEAD + r"CLUSTER HEALTH OVERVIEW", "rpk cluster health (Redpanda)"),
    _Form(_HEAD + r"GROUP\s+\S{1,249}\s+COORDINATOR\s+\d", "rpk group describe (Redpanda)"),
    _Form(_HEAD + r"PARTITION\s+EARLIEST_OFFSET\s+LATEST_OFFSET\s+ISR", "avn service topic-get (Aiven)"),
    _Form(r"^API Version:\s+kafka\.strimzi\.io", "kubectl describe of a Strimzi resource", _kubectl),
    _Form(r"\bbaseOffset: \d{1,19} lastOffset: |\"type\"\s*:\s*\"[A-Z_]{3,60}_RECORD\"", "kafka-dump-log.sh"),
    _Form(r"\"partitionErrorCode\"\s*:|\bpartitionErrorCode:", "KafkaJS's topic metadata"),
    _Form(r"\"partitionLogDirs\"\s*:", "the JSON of Redpanda Console"),
    _Form(r"\"partitionEpoch\"\s*:", "the JSON of kafka-metadata-shell.sh"),
    _Form(r"\"partitionId\"\s*:", "the JSON of another client (KafkaJS and Redpanda Console write such)"),
    _Form(r"\"(?:isInSyncReplicas|logDirSize)\"\s*:", "the JSON of AKHQ"),
    _Form(r"\"unhealthy_reasons\"\s*:|\"leaderless_partitions\"\s*:", "rpk cluster health (Redpanda)"),
    _Form(r"\bKafka(?:Availability|Roller):\d{1,5} - ", "the log of Strimzi's operator"),
    _Form(r"\"oldestOffset\"\s*:", "the JSON of kafkactl"),
    _Form(r"\"inSyncReplicas\"\s*:\s*\[|\"idString\"\s*:", "the JSON of a Java client's PartitionInfo"),
    _Form(r"\"inSync\"\s*:\s*(?:true|false)|\"offsetMax\"\s*:", "the JSON of Kafka UI"),
    _Form(_HEAD + r"TOPIC\s+PARTITIONS\s+REPLICATION[ _]FACTOR", "a list of topics with counts (kafkactl get topics)"),
    _Form(r"\"Name\"\s*:\s*\"[^\"\n]{1,249}\",\s{1,40}\"Partitions\"\s*:", "the JSON of kafkactl get topics"),
    _Form(_MIRROR_MAKER, "a properties file of MirrorMaker 2"),
    _Form(r"leader:?\s*-?\d+,?\s*replicas:?\s*\[[\d, ]*\]", "a client program's own print-out"),
    _Form(r"^\s{0,40}InSyncReplicas:\s*\[", "a .NET client's own print-out", _dotnet),
    _Form(
        r"\bPartitionMetadata[({]|\bTopicPartition\(topic=|\(\*?(?:sarama|kgo|kadm)\.\w|\(\*kafka\.[A-Z]",
        "a client program's own print-out",
    ),
    _Form(r"\(name=\S{1,249}, internal=\w{1,5}, partitions=", "the Java admin client's TopicDescription"),
    _Form(r"\"replicas\"\s*:\s*\[\s*\{\s*\"broker\"", "the JSON of a REST proxy or of Strimzi's HTTP bridge"),
    _Form(
        r"\"kind\"\s*:\s*\"Kafka(?:Partition|Topic|Replica|Broker)|\"partition_id\"\s*:",
        "the JSON of Confluent's REST API",
    ),
    _Form(
        r"\"oldest\"\s*:\s*\d{1,19}\s*,\s*\"newest\"|\"replicaIDs\"\s*:", "the JSON of another client (kt, kafkactl)"
    ),
    _Form(r"\bCURRENT-OFFSET\s+LOG-END-OFFSET|\bCONSUMER-ID\s+HOST\s+CLIENT-ID", "kafka-consumer-groups.sh"),
    _Form(r"\bGROUP\s+COORDINATOR \(ID\)", "kafka-consumer-groups.sh"),
    _Form(
        _HEAD + r"(?:Dynamic|All|Default) (?:default )?configs for \S|" + _HEAD + r"Configs for \S.{0,300} are ",
        "kafka-configs.sh --describe",
    ),
    _Form(r"\bWatchedEvent state:|^\[zk: ", "zookeeper-shell.sh"),
    _Form(
        _HEAD
        + r"(?:Successfully completed leader election|Valid replica already elected|Error completing leader elec)",
        "kafka-leader-election.sh",
    ),
    _Form(_HEAD + r"Cluster ID: \S", "kafka-cluster.sh cluster-id"),
    _Form(
        r"Error while executing topic command|"
        r"^Topic \S{1,260} (?:doesn't exist|does not exist)|Topic '.{0,260}' does not exist",
        "an error message of kafka-topics.sh",
    ),
    _Form(r"^% (?:ERROR|Fatal error)\b", "an error message of kcat"),
    _Form(r"^%\d\|\d+\.?\d*\|[A-Z]", "the log of a client that is built on librdkafka"),
    _Form(r"['\"]is_internal['\"]\s*:|['\"]offline_replicas['\"]\s*:", "the print-out of a Python client"),
    _Form(_HEAD + r"Partition ID\s+Replicas\s+First Offset", "a table of Kafka UI"),
    _Form(_HEAD + r"Name\s+(?:Count|Size)\s.{0,120}\bFactor\b.{0,40}\bIn Sync", "a page of AKHQ"),
    _Form(r"\bFollowers \(in-sync\)", "a page of Confluent Control Center", _table),
    _Form(
        _HEAD + r"Broker ID\s+Client subnet|^Total number of brokers\s{1,9}\d|^Apache Kafka version\s{1,9}\d",
        "the console of Amazon MSK",
    ),
    _Form(r"^[A-Z]{4,5}\s.{0,60}\[shard\s{1,4}\d", "a log of Redpanda"),
    _Form(r"\"(?:current_lag|maxlag)\"\s*:", "the JSON of Burrow"),
    _Form(r"\borg\.apache\.kafka\.trogdor\.", "a task of Trogdor"),
    _Form(r"^\s{1,40}replicaCount:\s*\d", "values of a Helm chart"),
    _Form(_HEAD + r"Current ACLs for resource", "kafka-acls.sh"),
    _Form(_HEAD + r"TransactionalId\s+Coordinator\s+ProducerId", "kafka-transactions.sh"),
    _Form(r"\bFeature:\s+\S{1,99}\s+SupportedMinVersion:", "kafka-features.sh describe"),
    _Form(r"\brecords/sec \(.{0,40}MB/sec\)", "kafka-producer-perf-test.sh"),
    _Form(_HEAD + r"Found (?:log director|metadata: )", "kafka-storage.sh info"),
    _Form(_HEAD + r"(?:__consumer_offsets|__transaction_state)[ \t\r]*$", "a list of topic names"),
    _Form(r"\"controller_epoch\"\s*:.{0,500}\"isr\"\s*:", "ZooKeeper's state node of one partition"),
    _Form(r"\"listener_security_protocol_map\"\s*:", "ZooKeeper's node of one broker"),
    _Form(_HEAD + r"kafka_[a-z_]{3,99}\{.{0,999}\}\s*-?\d", "Prometheus metrics"),
    _Form(r"\bkafka\.(?:server|controller|cluster):type=\w", "JMX metrics"),
    _Form(r"^[ \t]{0,40}(?:broker\.id|node\.id|process\.roles|log\.dirs|bootstrap\.servers)\s*=", "a properties file"),
    _Form(_HEAD + r"NAME\s+READY\s+STATUS\s+RESTARTS", "kubectl get pods"),
    _Form(_KUBECTL_TABLE, "a table of kubectl get (Strimzi)"),
    _Form(_HEAD + r"CONTAINER ID\s+IMAGE\s+COMMAND", "docker ps"),
    _Form(r"^apiVersion:\s*(?:apps/v1|v1|batch/v1)\s*$", "a Kubernetes manifest"),
    _Form(r"\"NumberOfBrokerNodes\"\s*:|\"BrokerNodeGroupInfo\"\s*:", "aws kafka describe-cluster (Amazon MSK)"),
    _Form(r"^[ \t+~-]{0,40}resource\s+\"(?:kafka_topic|aws_msk_cluster|confluent_kafka_\w{1,40})\"", "Terraform"),
    _Form(_HEAD + r"[A-Za-z0-9._-]{1,249}:\d{1,9}:\d{1,19}$", "kafka-get-offsets.sh"),
    _Form(
        r"^.{0,80}\b(?:INFO|WARN|ERROR|DEBUG|TRACE)\b.{0,5000}\(?(?:kafka|org\.apache\.kafka|state\.change)\.|"
        r"\((?:kafka|org\.apache\.kafka|state\.change)\.[\w.$]{3,100}\)$",
        "a log of Kafka or of a client",
    ),
)


def kubectl_table(text: str) -> PasteResult | None:
    """The rejection of what ``kubectl get`` prints of Strimzi's resources without ``-o yaml``."""
    is_table = "NAME" in text and re.search(_KUBECTL_TABLE, text, re.MULTILINE)
    return named("a table of kubectl get (Strimzi)", PastedCounts()) if is_table else None


def read(text: str) -> PasteResult | None:
    """The foreign output by its name, which its first part tells; None if it is none of the known ones."""
    text = text[: limits.NAMED_CHARS_MAX]
    for pattern, name, counted in _FORMS:
        if re.search(pattern, text, re.MULTILINE):
            return named(name, counted(text))
    if _FRAGMENT.search(text):
        return _fragments()
    facts = count_table(text.split("\n"))
    return named("a table of partitions", facts) if facts is not None else None


def bare(paste: Paste) -> PasteResult | None:
    """Commands without an output, and plain lists of names; None if the paste holds more than that."""
    whole = re.sub(r"[\\`^][ \t]{0,9}\n", " ", paste.joined())  # a command over several lines is one
    filled = [text.strip() for text in whole.split("\n") if text.strip()]
    has_tool = any("kafka" in text or "kcat" in text for text in filled) and any(map(_TOOL.search, filled))
    if has_tool and all(why_noise(text) == COMMAND or _PROMPT.fullmatch(text) or is_greeting(text) for text in filled):
        reading = PasteResult(KIND, "a command without its output")
        found = [
            f"{one.filter} printed nothing: {filtered.nothing_fits(one)}." for one in filtered.printed_nothing(paste)
        ]
        said = " ".join(found) or "This is a command without what it printed."
        reading.rejected = f"{said} No broker is named, so no cluster is built of it alone. {INSTEAD}"
        return reading
    if len(filled) > 1 and all(re.fullmatch(r"[A-Za-z0-9._-]{1,249}", text) for text in filled):
        return named("a list of names, of topics or of groups", PastedCounts())
    return None


def named(name: str, facts: PastedCounts) -> PasteResult:
    """The rejection of a form that is known by name."""
    reading = PasteResult(KIND, name, facts=facts)
    reading.rejected = f"This looks like {name}. {_CURES.get(name) or f'It is not read. {INSTEAD}'}"
    return reading


def mirror_maker(paste: Paste) -> str:
    """A sentence on the place for the paste's MirrorMaker 2 properties; "" if the paste has none."""
    text = paste.joined()
    return MIRROR_MAKER_CURE if "->" in text and re.search(_MIRROR_MAKER, text, re.MULTILINE) else ""


def _fragments() -> PasteResult:
    """The refusal of columns of describe that make up no row."""
    reading = PasteResult(KIND, "parts of rows of kafka-topics.sh --describe")
    reading.rejected = (
        "Columns of kafka-topics.sh --describe stand in this text (Leader, Isr, Elr), but no row of it names a "
        "partition with its replicas. Paste the whole rows, from Topic: to their end."
    )
    return reading


def unknown() -> PasteResult:
    """The answer to a text that no reader knows."""
    reading = PasteResult("unknown", "nothing known")
    reading.rejected = f"Nothing in this text looks like the output of a Kafka tool. {INSTEAD}"
    return reading
