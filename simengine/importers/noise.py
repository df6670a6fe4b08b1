"""Lines that surround an output without being part of it: prompts, commands, log lines, fences, ellipses.

``why_noise`` names what a line is, so that a report can say why it gave nothing; it never decides what data is.
"""

import re
from typing import Final

LINE_CHARS_MAX: Final = 4_000  # what a line is, its beginning tells
COMMAND: Final = "a prompt or a command, no data"
LOG_LINE: Final = "a log line or a message of the tool, no data"
_ELLIPSIS = re.compile(
    r"^\W{0,40}(?:\.{3,40}|\u2026|<snip>|\(snip\)|snip|<truncated>)\W{0,40}$|^(?=[^.]*\.\.\.)[\s.|>#*-]+$|"
    r"^\W{0,9}\.{3}[\w ,()]{0,40}\b(?:lines|rows|more|omitted|truncated|partitions)\b[\w ,]{0,40}\W{0,9}$",
    re.IGNORECASE,
)
_FENCE = re.compile(
    r"^\s{0,40}(?:[-*+] {1,4})?(?:```|~~~)[\w.+{} -]{0,40}$|^\s{0,40}\[/?(?:code|quote|source)[^\]]*\]\s*$|"
    r"^\s{0,40}\{(?:noformat|code|quote|panel)(?::[^}]{0,80})?\}\s*$",
    re.IGNORECASE,
)
_ELLIPSIS_WORDS: Final = ("...", "\u2026", "snip", "<truncated>")
_RULE = re.compile(r"^\W+$")
_PROMPT = re.compile(
    r"^\s*(?:[$%\u276f\u279c] |# ?(?:\./|bin/|/|kafka-)|PS [A-Z]:\\[^>]*>|[A-Z]:\\[^>]*>|\[[\w.@~:/ -]+\]\s*[$#%]|"
    r"[\w.-]+@[\w.-]+[:\s][^$#%>]*[$#%>]|(?:ba|z|k)?sh-[\d.]+[$#]|[\w./~-]+\s?[$#%]\s+\S|\[zk: )"
)
_COMMAND = re.compile(
    r"kafka-[a-z-]{1,40}(?:\.sh|\.bat)?\s+-|\bkafka-[a-z-]{1,40}\.(?:sh|bat)\b|--(?:bootstrap-server|zookeeper|describe|topic|command-config)\b|"
    r"\b(?:kubectl|oc|docker|docker-compose|podman|ssh|sudo|dsh)\s+\S+|\b(?:kafkacat|kcat)\s+-"
)
_COMMAND_WORDS: Final = ("kafka", "--", "kubectl", "oc", "docker", "podman", "ssh", "sudo", "dsh", "kcat")
_LOG = re.compile(
    r"\W*\d{4}[-/.]\d\d[-/.]\d\d[ T,]+\d\d:\d\d|(?:WARNING|Note|Error)\b|\s*at [\w.$]+\(|Caused by:|"
    r"%\d\||Command failed|Error while executing|command terminated with|(?:real|user|sys)\s+\d+m|"
    r"Warning: Permanently added |(?:Shared c|C)onnection to \S{1,260} closed|Pseudo-terminal will not be allocated|"
    r"\s*at java\.|Script (?:started|done) |\s*\(?(?:END|--More--)\)?\s*$|\s*\(kafka\.|\s*\(org\.apache\.kafka\."
)  # how such a line begins
_LEVEL = re.compile(r"\b(?:WARN|INFO|ERROR|DEBUG|TRACE|FATAL)\b|Exception\b")
_LEVEL_WORDS: Final = ("WARN", "INFO", "ERROR", "DEBUG", "TRACE", "FATAL", "Exception")
_LOG_WORDS: Final = ("SLF4J", "OpenJDK", "Picked up ", "VM warning", "Unable to use a TTY", "Defaulted container")
_GREETING = re.compile(
    r"\s*(?:Defaulted container|Unable to use a TTY|Picked up |OpenJDK|Java HotSpot|SLF4J:|Last login)"
)


def is_greeting(line: str) -> bool:
    """True if a container, a shell or Java wrote the line in front of a tool's output, if anything."""
    return bool(_GREETING.match(line))


def why_noise(line: str) -> str | None:
    """The kind of a line without data, in words; None if it is none of the usual kinds."""
    line = line[:LINE_CHARS_MAX]
    if is_ellipsis(line):
        return "an ellipsis: lines were cut out here"
    if _FENCE.match(line) or _RULE.match(line):
        return "markup or a ruler, no data"
    if _PROMPT.match(line) or holds(line, _COMMAND_WORDS) and _COMMAND.search(line):
        return COMMAND
    if _LOG.match(line) or holds(line, _LOG_WORDS) or holds(line, _LEVEL_WORDS) and _LEVEL.search(line):
        return LOG_LINE
    return None


def is_ellipsis(line: str) -> bool:
    """True if the line says that others were cut out."""
    return holds(line.lower(), _ELLIPSIS_WORDS) and bool(_ELLIPSIS.match(line))


def holds(line: str, words: tuple[str, ...]) -> bool:
    """True if any word is in the line: ten times as fast as a pattern that begins with one of them."""
    for word in words:
        if word in line:
            return True
    return False


def is_continued(line: str) -> bool:
    """True if a shell line goes on in the next one."""
    stripped = line.rstrip()
    return stripped.endswith(("\\", "`", "^")) and not stripped.endswith("```")
