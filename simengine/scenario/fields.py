"""Types of single fields of a document: how each is read, written back, and described in the JSON Schema."""

import math
import re
from collections.abc import Callable
from typing import Annotated, Any, Final

from pydantic import (
    BeforeValidator,
    Field,
    PlainSerializer,
    PlainValidator,
    WithJsonSchema,
)

from simengine.scenario import actions, arguments, config_keys
from simengine.scenario.actions import Action
from simengine.scenario.durations import ALLOWED, format_duration, parse_duration
from simengine.scenario.invisible import invisible_in, made_visible
from simengine.scenario.limits import (
    ACTION_TEXT_MAX,
    CONFIG_KEYS_MAX,
    ID_MAX,
    LATENCY_US_MAX,
    NESTING_MAX,
    NODE_ID_MAX,
    TIME_US_MAX,
)
from simengine.scenario.near import nearest
from simengine.scenario.problems import FieldError, Problem, pydantic_error, shown
from simengine.scenario.verbs import VERBS

PPM: Final = 1_000_000
NAME_ALLOWED: Final = f"1 to {ID_MAX} characters without spaces, commas, '|' and '>'"
CLUSTER_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,31}")
CLUSTER_ALLOWED: Final = "a letter, then at most 31 letters, digits, '_' and '-'"
DURATION_PATTERN: Final = r"^(0|[0-9]+(\.[0-9]+)?\s*(us|µs|ms|s|m|min|h))$"


def reads(reader: Callable[[object], Any]) -> Callable[[object], Any]:
    """`reader`, whose FieldError becomes an error that pydantic carries."""

    def validate(value: object) -> Any:
        try:
            return reader(value)
        except FieldError as wrong:
            raise pydantic_error([wrong.at("")]) from None

    return validate


def _duration(most: int, wrong: str) -> Any:
    """A duration of at most so many microseconds; ``wrong``: what is said of a longer one."""

    def read(value: object) -> int:
        us = parse_duration(value)
        if us > most:
            raise FieldError(wrong, value, f"at most {format_duration(most)}")
        return us

    return PlainValidator(reads(read)), PlainSerializer(format_duration, return_type=str)


def _word(value: object) -> str:
    text = _visible_name(value, "not a name")
    if text.isdecimal():
        raise FieldError("a number would be taken for a node", value, "a name that is not a number")
    return text


def _rack(value: object) -> str:
    return _visible_name(_with_number(value), "not a rack name")


def _visible_name(value: object, wrong: str, allowed: str = NAME_ALLOWED) -> str:
    if not isinstance(value, str) or not arguments.WORD.fullmatch(value):
        unseen = invisible_in("".join(value.split())) if isinstance(value, str) else ""
        raise FieldError(f"{wrong}: {unseen} cannot be seen" if unseen else wrong, value, allowed)
    return value


def _with_number(value: object) -> object:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _topic(value: object) -> str:
    if not isinstance(value, str) or not arguments.TOPIC.fullmatch(value) or value in (".", ".."):
        raise FieldError(
            "not a topic name",
            value,
            "1 to 249 letters, digits, '.', '_' and '-', and not '.' or '..'",
        )
    return value


def _cluster(value: object) -> str:
    if not isinstance(value, str) or not CLUSTER_NAME.fullmatch(value):
        raise FieldError("not a name of a cluster", value, CLUSTER_ALLOWED)
    return value


def _acks(value: object) -> str:
    text = "all" if value in ("-1", -1) else str(value)
    if isinstance(value, bool) or text not in ("0", "1", "all"):
        raise FieldError("not an acks value", value, "0, 1, all", nearest(text, ("all",)))
    return text


def _rate(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise FieldError("not a rate", value, "records/s, such as 10 or 0.5")
    return arguments.rate_milli(str(value))


def _rate_text(milli: int) -> int | float:
    return milli / 1000 if milli % 1000 else milli // 1000


def _loss(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise FieldError("not a share of messages", value, "a number from 0 to 1, such as 0.01")
    return round(value * PPM)


def _leader(value: object) -> int:
    if value is None or (isinstance(value, str) and value.lower() == "none"):
        return -1
    if isinstance(value, bool) or not isinstance(value, int) or not -1 <= value <= NODE_ID_MAX:
        raise FieldError("not a leader", value, "a broker id, or none", nearest(str(value), ("none",)))
    return value


def _action(value: object) -> Action:
    if isinstance(value, Action):
        return value
    return actions.parse(value)  # type: ignore[arg-type]  # parse refuses what is no text, in words


def _end(value: object) -> str:
    return _visible_name(_with_number(value), "not an end of a link", "a node id, a client id or a rack")


def _text(value: object) -> object:
    return made_visible(value) if isinstance(value, str) else value


def _int_keys(value: object) -> object:
    """A map whose keys are whole numbers, also where JSON made them texts."""
    if not isinstance(value, dict):
        return value
    read: dict[object, object] = {}
    for key, entry in value.items():
        number = int(key) if isinstance(key, str) and re.fullmatch(r"[0-9]{1,10}", key) else key
        if isinstance(number, bool) or not isinstance(number, int):
            raise FieldError("not a number", key, "a whole number")
        if number in read:
            raise FieldError("named twice", key)
        read[number] = entry
    return read


def _plain(value: object, level: int = 0) -> object:
    """Plain data with texts as keys, as JSON would hold it."""
    if level > NESTING_MAX:
        raise FieldError(f"nested deeper than {NESTING_MAX} levels")
    if isinstance(value, dict):
        return {str(key): _plain(entry, level + 1) for key, entry in value.items()}
    if isinstance(value, list):
        return [_plain(entry, level + 1) for entry in value]
    if isinstance(value, float) and not math.isfinite(value):
        raise FieldError("not a finite number", value)
    if value is None or isinstance(value, str | int | float):
        return value
    raise FieldError("not a text, number, list or map", value)


def _plain_map(value: object) -> object:
    if not isinstance(value, dict):
        raise FieldError("not a map", value)
    return _plain(value)


def config_reader(scope: str) -> Callable[[object], dict[str, config_keys.Value]]:
    """A reader of one config map of `scope`; it collects the problems of all keys."""

    def read(value: object) -> dict[str, config_keys.Value]:
        if not isinstance(value, dict):
            raise pydantic_error([Problem("", shown(value), "not a map of keys and values")])
        if len(value) > CONFIG_KEYS_MAX:
            raise pydantic_error([Problem("", str(len(value)), f"at most {CONFIG_KEYS_MAX} keys")])
        found: dict[str, config_keys.Value] = {}
        problems: list[Problem] = []
        for name, raw in value.items():
            try:
                found[str(name)] = config_keys.read(scope, str(name), raw)
            except FieldError as wrong:
                problems.append(wrong.at(str(name)))
        if problems:
            raise pydantic_error(problems)
        return found

    return read


def _config(scope: str) -> Any:
    schema = {
        "type": "object",
        "title": f"Kafka {scope} configuration",
        "additionalProperties": True,
    }
    return (PlainValidator(config_reader(scope)), WithJsonSchema(schema))


_DURATION_SCHEMA: Final = {
    "type": ["string", "integer"],
    "description": ALLOWED,
    "pattern": DURATION_PATTERN,
    "minimum": 0,
    "maximum": 0,
}


TimeUs = Annotated[int, *_duration(TIME_US_MAX, "too late"), WithJsonSchema(_DURATION_SCHEMA)]
LatencyUs = Annotated[int, *_duration(LATENCY_US_MAX, "too long"), WithJsonSchema(_DURATION_SCHEMA)]
Name = Annotated[
    str,
    PlainValidator(reads(_word)),
    WithJsonSchema({"type": "string", "pattern": r"^[^\s,|>]{1,249}$", "description": "a name"}),
]
Rack = Annotated[str, PlainValidator(reads(_rack)), WithJsonSchema({"type": ["string", "integer"]})]
TopicName = Annotated[
    str,
    PlainValidator(reads(_topic)),
    WithJsonSchema({"type": "string", "pattern": "^[A-Za-z0-9._-]{1,249}$", "description": "a topic name"}),
]
ClusterName = Annotated[
    str,
    PlainValidator(reads(_cluster)),
    WithJsonSchema({"type": "string", "pattern": "^[A-Za-z][A-Za-z0-9_-]{0,31}$", "description": CLUSTER_ALLOWED}),
]
Acks = Annotated[
    str,
    PlainValidator(reads(_acks)),
    WithJsonSchema({"enum": ["0", "1", "all", "-1", 0, 1, -1]}),
]
RateMilli = Annotated[
    int,
    PlainValidator(reads(_rate)),
    PlainSerializer(_rate_text, return_type=int | float),
    WithJsonSchema({"type": ["number", "string"], "minimum": 0, "description": "records/s, such as 10 or 0.5"}),
]
LossPpm = Annotated[
    int,
    PlainValidator(reads(_loss)),
    PlainSerializer(lambda ppm: ppm / PPM, return_type=float),
    WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1, "description": "a number from 0 to 1, such as 0.01"}),
]
Leader = Annotated[
    int,
    PlainValidator(reads(_leader)),
    WithJsonSchema({"type": ["integer", "string", "null"], "description": "a broker id, or none"}),
]
ActionField = Annotated[
    Action,
    PlainValidator(reads(_action)),
    PlainSerializer(str, return_type=str),
    WithJsonSchema(
        {
            "type": "string",
            "maxLength": ACTION_TEXT_MAX,
            "pattern": rf"^\s*({'|'.join(VERBS)})(\s|$)",
            "description": "an action, such as kill 2",
            "examples": ["kill 2", "cut 1|2,3", "acks orders all"],
        }
    ),
]
End = Annotated[
    str,
    PlainValidator(reads(_end)),
    WithJsonSchema({"type": ["string", "integer"], "description": "a node id, a client id or a rack"}),
]
PlainMap = Annotated[dict[str, Any], PlainValidator(reads(_plain_map)), WithJsonSchema({"type": "object"})]
NodeId = Annotated[int, Field(strict=True, ge=0, le=NODE_ID_MAX)]
VisibleText = BeforeValidator(_text)
IntKeys = BeforeValidator(reads(_int_keys))
BrokerConfig = Annotated[dict[str, config_keys.Value], *_config(config_keys.BROKER)]
TopicConfig = Annotated[dict[str, config_keys.Value], *_config(config_keys.TOPIC)]
ProducerConfig = Annotated[dict[str, config_keys.Value], *_config(config_keys.PRODUCER)]
ConsumerConfig = Annotated[dict[str, config_keys.Value], *_config(config_keys.CONSUMER)]
MirrorConfig = Annotated[dict[str, config_keys.Value], *_config(config_keys.MIRROR)]
