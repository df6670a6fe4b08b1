"""Records what a real Kafka does under a script of faults, or writes random scripts."""

import argparse
import re
import sys
import time
from pathlib import Path
from typing import Final

from simengine.commands.shared.command_numbers import at_least
from simengine.recordings.errors import RecordingError
from simengine.recordings.json_values import json_object, read_file
from tests.lab.again import script_of_recording
from tests.lab.archive import archived
from tests.lab.distribution import MIRROR, Distribution, check_machine, prepared
from tests.lab.errors import LabError
from tests.lab.export import text
from tests.lab.fault_script import LabScript, script_of_plain
from tests.lab.mirror_lab_script import MirrorLabScript, mirror_script_of_plain
from tests.lab.mirror_record import record_mirror
from tests.lab.plain import Plain
from tests.lab.random_scripts import FAMILY_NAMES, write_random
from tests.lab.record import record

KAFKA_VERSION: Final = "4.2.1"
MIRROR_VERSION: Final = "4.2.0"
MIRROR_LEVELS: Final = 4  # objects of a recording of two clusters that are opened, in its text


def main(argv: list[str]) -> int:
    """Run the command; its status: 0 done, 1 a recording failed, 2 a script is wrong or the machine lacks something."""
    options = _parser().parse_args(argv)
    try:
        if options.command == "random":
            write_random(options.folder, options.family, options.seed, options.count)
            return 0
        return _record_all(options.script, options.out, options.kafka, options.mirror)
    except (LabError, RecordingError, OSError) as error:
        print(error, file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.lab", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("record", help="run a script, or all scripts of a folder, and write what happened")
    one.add_argument("script", type=Path, help="a script (JSON), or a folder of them")
    one.add_argument("out", type=Path, help="the file of the recording; a folder for a folder of scripts")
    one.add_argument("--kafka", type=_version, default=KAFKA_VERSION, help=f"the version that runs ({KAFKA_VERSION})")
    one.add_argument(
        "--mirror", type=_version, default=MIRROR_VERSION, help=f"MirrorMaker's version ({MIRROR_VERSION})"
    )
    many = commands.add_parser("random", help="write random scripts into a folder")
    many.add_argument("folder", type=Path)
    many.add_argument("--family", choices=FAMILY_NAMES, default="random", help="which kind of scripts (random)")
    many.add_argument("--seed", type=at_least(0), default=1, help="the first seed (1); the others follow it")
    many.add_argument("--count", type=at_least(1), default=1, help="how many scripts (1)")
    return parser


def _version(text: str) -> str:
    """A version from 4.0.0 on."""
    if not re.fullmatch(r"[4-9]\.\d+\.\d+", text):
        raise argparse.ArgumentTypeError(f"{text!r} is no version of Kafka from 4.0.0 on, such as {KAFKA_VERSION}")
    return text


def _record_all(path: Path, out: Path, kafka: str, mirror: str) -> int:
    """Record each script that has no recording yet. A run that fails does not end the others."""
    files = {file: out / file.name for file in sorted(path.glob("*.json"))} if path.is_dir() else {path: out}
    if not files:
        raise LabError(f"{path}: no script (*.json) in this folder")
    scripts = {file: read_file(file, lambda text: _script(json_object(text), kafka)) for file in files}
    check_machine()
    distribution = archived(prepared(kafka))
    failed = 0
    for file, target in files.items():
        if path.is_dir() and target.exists():
            print(f"lab: {target} is there already", flush=True)
            continue
        started = time.monotonic()
        try:
            recorded = _record(scripts[file], distribution, mirror)
        except LabError as error:
            print(f"lab: {file}: {error}", file=sys.stderr, flush=True)
            failed += 1
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(recorded)
        print(f"lab: wrote {target} in {time.monotonic() - started:.0f} s", flush=True)
    return 1 if failed else 0


def _script(whole: Plain, kafka: str) -> LabScript | MirrorLabScript:
    if "clusters" in whole:
        return mirror_script_of_plain(whole, kafka)
    return script_of_plain(script_of_recording(whole) if "actions" in whole else whole, kafka)


def _record(script: LabScript | MirrorLabScript, distribution: Distribution, mirror: str) -> str:
    """The text of a recording."""
    if isinstance(script, MirrorLabScript):
        return text(record_mirror(script, distribution, prepared(mirror, MIRROR)), MIRROR_LEVELS)
    return text(record(script, distribution))
