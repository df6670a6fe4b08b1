"""The Kafka version that a paste writes somewhere: a metadata.version, a folder, an image tag, a tool's own word.

Confluent Platform numbers its releases on its own: 7.x is Kafka 3.x, from 8.0 on it is 4.x.
"""

import re
from typing import Final

from simengine.importers.evidence import PastedEvidence, PastedValue
from simengine.importers.noise import holds
from simengine.importers.text import Paste
from simengine.scenario.profiles import VERSIONS

_MARKS: Final = (
    (
        "metadata.version",
        r"metadata\.version\b[^\n]{0,160}FinalizedVersionLevel:\s{0,4}(\d\.\d{1,2})",
        "metadata.version",
    ),
    (
        "metadata.version",
        r"metadata\.version\b(?!.*VersionLevel)[^\n]{0,120}?\b(\d\.\d{1,2})-IV\d",
        "metadata.version",
    ),
    ("kafka_2.1", r"\bkafka_2\.1[0-3]-(\d\.\d{1,2})\.\d", "a folder of Kafka"),
    ("apache/kafka", r"\bapache/kafka(?:-native)?:v?(\d\.\d{1,2})", "an image tag"),
    ("bitnami", r"\bbitnami(?:legacy)?/kafka:v?(\d\.\d{1,2})", "an image tag"),
    ("strimzi/kafka:", r"\bstrimzi/kafka:[\w.-]{1,40}-kafka-(\d\.\d{1,2})", "an image tag"),
    (
        "inter.broker.protocol.version",
        r"inter\.broker\.protocol\.version\s{0,4}[=:]\s{0,4}['\"]?(\d\.\d{1,2})",
        "inter.broker.protocol.version",
    ),
    ("afka version", r"\b[Kk]afka version:?\s{0,4}(\d\.\d{1,2})\.\d", "a log of Kafka"),
    (
        "ersion",
        r"\b[Kk]afka(?:V|_v)ersion['\"]?\s{0,4}[=:]\s{0,4}['\"]?(\d\.\d{1,2})",
        "KafkaVersion",
    ),
    ("(Commit:", r"^\W{0,6}(\d\.\d{1,2})\.\d\s{0,3}\(Commit:", "kafka-topics.sh --version"),
    ("release", r"\brelease[-_ ]{1,3}[Kk]afka[-_ ]{1,3}(\d\.\d{1,2})\b", "a release"),
    ("RELEASE", r"\bRELEASE[-_ ]{1,3}[Kk]afka[-_ ]{1,3}(\d\.\d{1,2})\b", "a release"),
    ("Kafka", r"^\W{0,9}(?:Apache )?Kafka(?: version)?:? v?(\d\.\d{1,2})(?:\.\d{1,2})?\W{0,9}$", "the text"),
)  # a word without which the pattern finds nothing, the pattern, and what says so
_PATTERNS: Final = tuple((word, re.compile(pattern), source) for word, pattern, source in _MARKS)
_CONFLUENT = re.compile(r"\bcp-(?:kafka|server|enterprise-kafka|all-in-one)[\w-]{0,20}:v?([5-8])\.(\d{1,2})")
_ELR_FEATURE = re.compile(r"eligible\.leader\.replicas\.version\b[^\n]{0,160}?FinalizedVersionLevel:\s{0,4}(\d)")
_ANSWER = re.compile(r"\W{0,6}(\d\.\d{1,2})\.\d{1,2}\s*$")
_ZOOKEEPER = re.compile(r"--zookeeper[ =]|\bzookeeper\.connect\b|ZOOKEEPER_CONNECT\b")
_WORDS: Final = ("metadata.version", "protocol.version", "zookeeper", "kafka", "eligible.leader", "cp-", "commit:")
LINE_CHARS_MAX: Final = 2_000


def contribute(paste: Paste, evidence: PastedEvidence) -> None:
    """Add every version that is written, and the level of the ELR feature."""
    is_asked = False  # the line above asks a tool of Kafka for its version
    for line in paste.lines:
        text = line.text[:LINE_CHARS_MAX]
        answer = _ANSWER.match(text) if is_asked else None
        if answer:
            evidence.versions.append(PastedValue(answer.group(1), line.no, "the answer to --version"))
        is_asked = "--version" in text and "kafka-" in text
        if not holds(text.lower(), _WORDS):
            continue
        for word, pattern, source in _PATTERNS:
            match = pattern.search(text) if word in text else None
            if match:
                evidence.versions.append(PastedValue(match.group(1), line.no, source))
        confluent = _CONFLUENT.search(text) if "cp-" in text else None
        if confluent:
            evidence.versions.append(PastedValue(of_confluent(*map(int, confluent.groups())), line.no, "an image tag"))
        if evidence.is_zookeeper is None and _ZOOKEEPER.search(text):
            evidence.is_zookeeper = PastedValue("ZooKeeper", line.no, "a ZooKeeper address")
        feature = _ELR_FEATURE.search(text) if "eligible.leader" in text else None
        if feature:
            evidence.elr = PastedValue(
                "on" if feature.group(1) != "0" else "off", line.no, "kafka-features.sh describe"
            )


def of_confluent(major: int, minor: int) -> str:
    """Kafka's version in a release of Confluent Platform."""
    if major == 8:
        return f"4.{minor}"
    return f"3.{minor}" if major == 7 else f"2.{min(minor, 8)}"


def profile_for(version: str) -> str:
    """The simulated version that is nearest: the newest that is not newer, else the oldest."""
    fitting = [name for name in VERSIONS if number_of(name) <= number_of(version)]
    return max(fitting, key=number_of) if fitting else min(VERSIONS, key=number_of)


def number_of(version: str) -> tuple[int, ...]:
    """Major and minor version, to compare by; nothing for a name without numbers."""
    return tuple(int(part) for part in re.findall(r"\d{1,3}", version)[:2])
