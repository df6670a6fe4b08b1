"""Read what Kafka's tools printed about a cluster, or its files; one JSON object, its scenario is the document.

Several clusters are the sites of one document: NAME=FILE for each. The object then has a reading for each under
"sites", and --assume NAME.KEY=VALUE and --rack NAME.ID=RACK say which one they are of. --mirrors FILE is MirrorMaker's
configuration (mm2.properties, Strimzi's KafkaMirrorMaker2, or connectors as JSON): its flows become the mirrors.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any, Final

from simengine.importers import limits
from simengine.importers.assumed import AssumedError
from simengine.importers.mirror_paste import read_mirrors, with_mirrors
from simengine.importers.mirrors import Mirrors
from simengine.importers.report import import_text
from simengine.importers.sites import BETWEEN_MS, SitesError, between_ms, check_names, joined

UNREADABLE_STATUS: Final = 2


def main(argv: list[str]) -> int:
    """The command. Exit status 0 when an object was printed (also for a rejected paste), 2 for an unreadable file."""
    parser = argparse.ArgumentParser(prog="python -m simengine import", description=__doc__)
    parser.add_argument("files", nargs="+", metavar="FILE", help="the pasted text; - reads standard input")
    parser.add_argument("--assume", action="append", default=[], metavar="KEY=VALUE", help="an assumed value instead")
    parser.add_argument("--rack", action="append", default=[], metavar="ID=RACK", help="the AZ of a broker")
    parser.add_argument("--between", default=BETWEEN_MS, metavar="MS", help="latency between sites, one way (30)")
    parser.add_argument("--mirrors", metavar="FILE", help="MirrorMaker's configuration, for several clusters")
    arguments = parser.parse_args(argv)
    try:
        files, latency = _named(arguments.files), between_ms(arguments.between)
        if arguments.mirrors and "" in files:
            raise SitesError(f"--mirrors needs the clusters that it copies between: east={files['']} west=FILE")
        mirrors = read_mirrors(_read(arguments.mirrors)) if arguments.mirrors else None
        edits = [_of_site(text, list(files)) for text in arguments.assume]
        racks = [_of_site(text, list(files)) for text in arguments.rack]
        found = {
            name: import_text(
                _read(file),
                {key: value for site, key, value in edits if site in (name, "")},
                {int(broker): rack for site, broker, rack in racks if site in (name, "")},
            )
            for name, file in files.items()
        }
    except OSError as error:
        print(f"{error.filename} cannot be read: {error.strerror}", file=sys.stderr)
        return UNREADABLE_STATUS
    except (AssumedError, SitesError, ValueError) as error:
        print(error, file=sys.stderr)
        return UNREADABLE_STATUS
    print(json.dumps(found[""] if "" in found else _together(found, latency, mirrors), indent=2))
    return 0


def _named(files: list[str]) -> dict[str, str]:
    """The files by the names of their sites; a single one without a name is the cluster "". Raises SitesError."""
    if len(files) == 1 and "=" not in files[0]:
        return {"": files[0]}
    pairs = [file.partition("=") for file in files]
    bare = [name for name, equals, _ in pairs if not equals]
    if bare:
        raise SitesError(f"{bare[0]} has no name. Several clusters are given as NAME=FILE, such as east={bare[0]}.")
    check_names([name for name, _, _ in pairs])
    return {name: file for name, _, file in pairs}


def _together(found: dict[str, dict[str, Any]], latency_ms: float, mirrors: Mirrors | None) -> dict[str, Any]:
    """The reading of each site, and the document of all where each has one, with the flows between them."""
    documents = {name: result.pop("scenario") for name, result in found.items()}
    if not all(documents.values()):
        return {"sites": found, "scenario": None}
    document = joined(documents, latency_ms)
    if mirrors is None:
        return {"sites": found, "scenario": document}
    document, told = with_mirrors(document, mirrors)
    return {"sites": found, "mirrors": told, "scenario": document}


def _read(name: str) -> bytes:
    """At most one byte more than is allowed: enough to tell that it is too much."""
    if name == "-":
        return sys.stdin.buffer.read(limits.BYTES_MAX + 1)
    with Path(name).open("rb") as file:
        return file.read(limits.BYTES_MAX + 1)


def _of_site(text: str, sites: list[str]) -> tuple[str, str, str]:
    """The site ("" for all), the key and the value of [NAME.]KEY=VALUE. Raises ValueError."""
    key, equals, value = text.partition("=")
    if not equals or not key or not value:
        raise ValueError(f"{text!r} is no KEY=VALUE pair.")
    site, point, rest = key.partition(".")
    return (site, rest, value) if point and site in sites else ("", key, value)
