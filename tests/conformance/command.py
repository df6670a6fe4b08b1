"""True if runs of the engine explain what a real cluster did, one line a recording."""

import argparse
import json
import sys
from pathlib import Path
from typing import Final

from simengine.commands.shared.command_numbers import at_least
from simengine.recordings.errors import RecordingError
from tests.conformance import table
from tests.conformance.conform import JOBS, LADDER, RUNS_MAX, MirrorVerdict, Unusable, Verdict, conform
from tests.conformance.mirror_table import mirror_row

SEEDS_HELP: Final = (
    f"how many runs a recording may take at most (default {RUNS_MAX}): fewer are made where fewer explain it, "
    f"first {LADDER[0]}, then more"
)


def main(argv: list[str]) -> int:
    """Run the command; its exit status: 0 all explained, 1 not all, 2 a recording cannot be read or run."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path, help="recordings, or folders of them")
    parser.add_argument("--seeds", type=at_least(1), default=RUNS_MAX, help=SEEDS_HELP)
    parser.add_argument("--jobs", type=at_least(1), default=JOBS, help=f"processes ({JOBS})")
    parser.add_argument("--json", action="store_true", help="one JSON object a recording, with every disagreement")
    parser.add_argument("--table", type=Path, help='write the table of the page "How true is this?" to this file')
    options = parser.parse_args(argv)
    try:
        files = _files(options.paths)
        if options.table is not None:
            with options.table.open("a", encoding="utf-8"):
                pass  # seen before the first run, not after the last
    except RecordingError as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print(f"--table {options.table}: cannot be written to: {error.strerror}", file=sys.stderr)
        return 2
    verdicts: list[Verdict | MirrorVerdict] = []
    explained = 0
    unusable = 0
    for verdict in conform(files, options.seeds, options.jobs):
        print(json.dumps(verdict.plain()) if options.json else verdict.line(), flush=True)
        if isinstance(verdict, Unusable):
            unusable += 1
        else:
            explained += verdict.comparison.is_explained
            verdicts.append(verdict)
    if options.table is not None:
        table.write(
            options.table,
            [table.row(verdict) for verdict in verdicts if isinstance(verdict, Verdict)],
            [mirror_row(verdict) for verdict in verdicts if isinstance(verdict, MirrorVerdict)],
        )
    print(f"explained {explained} of {len(files)}", file=sys.stderr if options.json else sys.stdout)
    if unusable:
        return 2
    return 0 if explained == len(files) else 1


def _files(paths: list[Path]) -> list[Path]:
    files: list[Path] = []
    for path in paths:
        files += sorted(path.glob("*.json")) if path.is_dir() else [path]
    if not files:
        raise RecordingError(str(paths[0]), "no recording (*.json) in this folder")
    return files
