"""YAML inside a paste (compose files, Kubernetes resources), with the place where it breaks."""

import re
import textwrap
from collections.abc import Iterator
from typing import Any, Final

import yaml

from simengine.importers.jsontext import json_lines, json_values
from simengine.importers.noise import why_noise
from simengine.importers.text import Line, Paste

YAML_BYTES_MAX: Final = 512 * 1024  # these kinds are only named, and YAML is slow to read
DOCUMENTS_MAX: Final = 500
WRITTEN_OUT_MAX: Final = 4 * YAML_BYTES_MAX  # values and their characters, those behind aliases each time
MERGED_MAX: Final = 20  # mappings that one ``<<`` names
MERGED_KEYS_MAX: Final = 2_000
_START = re.compile(r"^\s*(?:---|[\w.-]+:(?:\s|$)|- |#)")
_BEGIN = re.compile(r"^( {0,40})(?:apiVersion|services|x-[\w-]{1,40}|version|kind):(?:\s|$)|^( {0,40})---\s*$")
_SAME_LEVEL = re.compile(r"\s*(?:---|\.\.\.|#|- |[\w.\"'/-]{1,100}:(?:\s|$))")
_LISTING = re.compile(r"\bTopic:.{0,300}\bPartition|\bLeader:.{0,100}\bReplicas:")
_HERE = re.compile(r"<<-?\s?['\"]?([A-Z_]{2,20})")
HERE_LINES_MAX: Final = 20
_FENCE = re.compile(r"^\s*(?:```|~~~)")


class NumberedMapping(dict[Any, Any]):
    """A mapping that knows on which line of the paste each of its keys stands."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: dict[str, int] = {}


class _Loader(yaml.SafeLoader):
    """Plain values only; a tag like Compose's ``!reset`` changes nothing, and merge keys cannot explode.

    ``numbers``: the number in the paste of each line of the text.
    """

    def __init__(self, text: str, numbers: list[int]) -> None:
        super().__init__(text)
        self.numbers = numbers
        self._size = 0  # of what is read so far, with its aliases written out
        self._sizes: dict[int, int] = {}  # of each node, by its id

    def number(self, mark: yaml.Mark) -> int:
        """The line of the paste that a mark points at."""
        return self.numbers[min(mark.line, len(self.numbers) - 1)] if self.numbers else 1

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        """The next node, unless aliases make a short text stand for a huge one: some code prints what it reads."""
        event, before = self.peek_event(), self._size  # type: ignore[no-untyped-call]  # the stubs leave it out
        node = super().compose_node(parent, index)
        if isinstance(event, yaml.AliasEvent):
            self._size += self._sizes.get(id(node), 1)
        else:
            self._size += 1 + (len(node.value) if isinstance(node, yaml.ScalarNode) else 0)
            self._sizes[id(node)] = self._size - before
        if self._size > WRITTEN_OUT_MAX:
            raise yaml.composer.ComposerError(None, None, "its aliases stand for too much", event.start_mark)
        return node

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        """Merge ``<<`` keys, unless they name each other over and over: each level can double the size."""
        for key, value in node.value:
            is_list = key.tag == "tag:yaml.org,2002:merge" and isinstance(value, yaml.SequenceNode)
            if is_list and len(value.value) > MERGED_MAX:
                raise yaml.constructor.ConstructorError(None, None, "too many mappings are merged", key.start_mark)
        super().flatten_mapping(node)
        if len(node.value) > MERGED_KEYS_MAX:
            raise yaml.constructor.ConstructorError(None, None, "too many keys are merged", node.start_mark)


def _untagged(loader: yaml.SafeLoader, _tag: str, node: yaml.Node) -> Any:
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    assert isinstance(node, yaml.ScalarNode)
    return loader.construct_scalar(node)


def _placed(loader: _Loader, node: yaml.MappingNode) -> Iterator[NumberedMapping]:
    """A mapping as PyYAML makes it, in two steps so that an alias in it may name it."""
    found = NumberedMapping()
    yield found
    found.update(loader.construct_mapping(node))
    found.lines = {str(key.value): loader.number(key.start_mark) for key, _ in node.value}


_Loader.add_multi_constructor("!", _untagged)
_Loader.add_constructor("tag:yaml.org,2002:map", _placed)


class YamlError(ValueError):
    """The text is no YAML; the message names line and column."""


def documents(paste: Paste) -> list[dict[str, Any]]:
    """The mappings among the YAML documents, Kubernetes lists opened. Raises YamlError.

    Between other outputs and prose each part is read by itself; where that fails, all from the first line of YAML on.
    """
    blocks = _blocks(paste.lines)
    if blocks and sum(map(len, blocks)) < sum(bool(line.text.strip()) for line in paste.lines):
        try:
            found = [item for block in blocks for item in _read(block)]
        except YamlError:
            found = []
        if any("kind" in item or "services" in item for item in found):
            paste.yaml = [number for block in blocks for number, _ in block]
            return found
    part = _yaml_part(paste)
    paste.yaml = [number for number, _ in part]
    return _read(part) or _json_documents(paste)


def _json_documents(paste: Paste) -> list[dict[str, Any]]:
    """The resources and compose files that stand in the paste as JSON, as ``kubectl get -o json`` prints them."""
    values = [value for value in json_values(paste.joined(), paste) if _is_document(value)]
    if values:
        paste.yaml = json_lines(paste, _is_document)
    return [item for value in values for item in _opened(value)]


def _is_document(value: Any) -> bool:
    return isinstance(value, dict) and ("kind" in value or "services" in value)


def _read(lines: list[tuple[int, str]]) -> list[dict[str, Any]]:
    """The mappings in numbered lines. Raises YamlError."""
    text = textwrap.dedent("\n".join(text for _, text in lines))
    if len(text) > YAML_BYTES_MAX:
        raise YamlError(f"The YAML has {len(text):,} characters; the limit is {YAML_BYTES_MAX:,}.")
    found: list[dict[str, Any]] = []
    loader = None
    try:
        loader = _Loader(text, [number for number, _ in lines])
        while loader.check_data():  # type: ignore[no-untyped-call]  # the stubs leave it out
            found.extend(_opened(loader.get_data()))
            if len(found) > DOCUMENTS_MAX:
                raise YamlError(f"There are more than {DOCUMENTS_MAX} YAML documents in it.")
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = loader.number(mark) if loader and mark else 0
        place = f"line {line}, column {mark.column + 1}" if mark and line else "an unknown place"
        raise YamlError(f"No YAML parser reads this: {error.problem or error.context} at {place}.") from error
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        raise YamlError(f"No YAML parser reads this: {error}.") from error
    finally:
        if loader is not None:
            loader.dispose()
    return found


def _blocks(lines: list[Line]) -> list[list[tuple[int, str]]]:
    """The parts that begin as a resource or a compose file does and go on as YAML does, each with its line numbers."""
    blocks: list[list[tuple[int, str]]] = []
    indent = -1
    for line in lines:
        text = line.text.replace("\t", "  ")
        begins = _BEGIN.match(text)
        if indent < 0 and begins:
            indent = len(begins.group(1) or begins.group(2) or "")
            blocks.append([])
        if indent >= 0 and text.strip():
            if _goes_on(text, indent) and not _LISTING.search(line.text):
                blocks[-1].append((line.no, text))
            else:
                indent = -1
    return blocks


def _goes_on(text: str, indent: int) -> bool:
    """True if a line can belong to a block: it is deeper than the first one, or a key, an item or a comment."""
    deep = _indent(text)
    return not _FENCE.match(text) and (deep > indent or deep == indent and bool(_SAME_LEVEL.match(text)))


def _yaml_part(paste: Paste) -> list[tuple[int, str]]:
    """The lines from the first one of YAML on, fences dropped, each with its number in the paste."""
    kept = [(line.no, "" if _FENCE.match(line.text) else line.text.replace("\t", "  ")) for line in paste.lines]
    first = next((at for at, (_, text) in enumerate(kept) if _begins_yaml(text)), len(kept))
    return _without_end(kept[first:], paste)


def _begins_yaml(text: str) -> bool:
    return bool(_START.match(text)) and (text.startswith(("---", "#")) or not why_noise(text))


def _without_end(kept: list[tuple[int, str]], paste: Paste) -> list[tuple[int, str]]:
    """The lines up to the end of a here-document, without prompts and commands behind them."""
    ends = [word for line in paste.lines[:HERE_LINES_MAX] for word in _HERE.findall(line.text)]
    for place, (_, text) in enumerate(kept):
        if text.strip() in ends:
            kept = kept[:place]
            break
    base = next((_indent(text) for _, text in kept if text.strip()), 0)
    while kept and (not kept[-1][1].strip() or _is_behind(kept[-1][1], base)):
        kept.pop()
    return kept


def _is_behind(text: str, base: int) -> bool:
    """True if a line is a prompt or a command behind the YAML: one inside it is deeper than its first line."""
    return _indent(text) <= base and why_noise(text) is not None and not _START.match(text)


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def _opened(value: Any) -> list[dict[str, Any]]:
    if not isinstance(value, dict):
        return []
    items = value.get("items")
    if str(value.get("kind", "")).endswith("List") and isinstance(items, list):
        return [item for item in items if isinstance(item, dict)]
    return [value]


def line_of(value: Any, key: str) -> int:
    """The line of the paste on which a key of a mapping stands; 0 where it has none."""
    return value.lines.get(key, 0) if isinstance(value, NumberedMapping) else 0


def first_line(value: Any) -> int:
    """The line of the paste on which a mapping begins; 0 where that is not known."""
    return min(value.lines.values(), default=0) if isinstance(value, NumberedMapping) else 0


def at(value: Any, *path: str) -> Any:
    """The value under a path of keys; None where the path ends early."""
    for key in path:
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value
