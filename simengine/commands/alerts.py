"""Run a document and print when each alert would have fired; or print its rules as a file for Prometheus."""

import json

from simengine.alerts.account import alert_lines
from simengine.alerts.prometheus import rule_file
from simengine.commands.shared.command_document import parser_for, read
from simengine.world.world import build


def main(argv: list[str]) -> int:
    """Returns 0, or 1 when the document cannot be used."""
    parser = parser_for("alerts", __doc__, "how long to run")
    parser.add_argument("--prometheus", action="store_true", help="print the rules as a YAML rule file; nothing is run")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    options = parser.parse_args(argv)
    given = read(options, takes_several=True)
    if given is None:
        return 1
    document, until_us = given
    if options.prometheus:
        print(rule_file(document), end="")
        return 0
    world = build(document)
    world.run(until_us)
    account = world.alerts_account()
    print(json.dumps(account, ensure_ascii=False) if options.json else "\n".join(alert_lines(account)))
    return 0
