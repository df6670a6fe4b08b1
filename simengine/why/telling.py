"""An examination as lines of text, for the command line."""

from typing import Any

Json = dict[str, Any]


def lines_of(found: Json) -> list[str]:
    """The decision of each topic, then each chain, a line a link, then what each incident cost."""
    lines = [decided_line(topic, one) for topic, one in found["decided"].items()]
    for chain in found["chains"]:
        lines += ["", *chain_lines(chain)]
    if found["untold"]:
        lines += ["", f"and {found['untold']} smaller losses"]
    if not found["chains"]:
        lines = ["Nothing acknowledged was lost."]
    for incident in found["incidents"]:
        lines += [
            "",
            f"{incident['at_us'] / 1e6:.3f} s  {incident['text']}",
            *(f"  {line}" for line in incident["words"]),
        ]
    return lines


def decided_line(topic: str, decision: Json | None) -> str:
    """What decided a topic's loss, and that it was checked."""
    if decision is None:
        return f"{topic}: no single action decided it: left out alone, none of them prevents the loss"
    at = decision["at_us"] / 1e6
    return f"{topic}: decided at {at:.3f} s: {decision['text']} (checked: without it the same run loses nothing of it)"


def chain_lines(chain: Json) -> list[str]:
    """One loss: its head, then its links."""
    head = "1 record" if chain["count"] == 1 else f"{chain['count']} records"
    verb = "was" if chain["count"] == 1 else "were"
    lines = [f"Why {head} of {chain['partition']}, acknowledged with acks={chain['acks']}, {verb} lost:"]
    for link in chain["links"]:
        mark = "* " if link["decides"] else "  "
        rules = f" [{', '.join(link['rules'])}]" if link["rules"] else ""
        lines.append(f"{mark}{link['t'] / 1e6:11.3f} s  {link['text']}{rules}")
    return lines
