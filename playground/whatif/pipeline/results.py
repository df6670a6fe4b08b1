"""The rows of experiments: one Parquet file a block, below a URL, read and written by Arrow's file systems.

The worker that drives Spark writes here, and executors of a cluster that reach the same place (`SharedResults`). A file
has its name when all its rows are in it: elsewhere than in an object store, which shows no object before its end, it is
written aside first.
"""

import contextlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from secrets import token_hex
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

import pyarrow as pa
import pyarrow.fs as pafs
import pyarrow.json as pj
import pyarrow.parquet as pq

from playground.whatif.pipeline.blocks import Block, pieces
from playground.whatif.pipeline.plan import Json
from playground.whatif.pipeline.schema import FIGURES, NAMES, ROW

_NAME: Final = re.compile(r"runs-(\d+)-(\d+)\.parquet")
PROBE: Final = "probe"
OF_THE_PLACE: Final = (
    PermissionError,
    NotADirectoryError,
    FileExistsError,
    FileNotFoundError,
)  # not of the disk: another place helps
CURE: Final = "HIGHWATER_RESULTS names where the rows of experiments are kept"


class ResultsProblem(Exception):
    """The rows cannot be kept there, or not be read; the message says where, why and what to do."""


def encoded(rows: Sequence[Json]) -> bytes:
    """Rows as one Parquet file.

    Arrow reads them as JSON: of Python's lists it asks pandas, which a fresh process loads for 1.5 s.
    """
    lines = "\n".join(map(json.dumps, rows)).encode()
    whole = pj.ReadOptions(use_threads=False, block_size=len(lines) + 1)
    table = pj.read_json(pa.BufferReader(lines), whole, pj.ParseOptions(explicit_schema=ROW))
    out = pa.BufferOutputStream()
    pq.write_table(table.select(NAMES).cast(ROW), out)
    return bytes(out.getvalue())


def figures_of(data: bytes) -> bytes:
    """The columns of rows (`encoded`) that statistics read, as a Parquet file."""
    out = pa.BufferOutputStream()
    pq.write_table(pq.read_table(pa.BufferReader(data), columns=list(FIGURES)), out)
    return bytes(out.getvalue())


class Results:
    """The rows of one experiment, in a folder of its own below the URL."""

    def __init__(self, url: str, experiment: str) -> None:
        """Raises ResultsProblem where the URL names no file system that can be reached."""
        self.url = f"{_without_keys(url).rstrip('/')}/{experiment}"
        try:
            self._files, root = pafs.FileSystem.from_uri(_in_arrow_s_words(url))
        except (OSError, ValueError) as problem:
            raise ResultsProblem(f"{self.url} cannot be used: {_first_line(problem)}. {CURE}.") from problem
        self._folder = f"{root.rstrip('/')}/{experiment}"
        self._is_store = isinstance(self._files, pafs.S3FileSystem)

    @property
    def local_folder(self) -> Path | None:
        """The folder, where it is one of this machine."""
        return Path(self._folder) if isinstance(self._files, pafs.LocalFileSystem) else None

    def prepare(self) -> None:
        """Make the folder, and see that it can be written. Raises ResultsProblem, or OSError for a full local disk."""
        with self._told("written"):
            # a store has no folders; its bucket is made where the URL allows that
            self._files.create_dir(self._folder.partition("/")[0] if self._is_store else self._folder, recursive=True)
            self._write(PROBE, b"")
            self._files.delete_file(f"{self._folder}/{PROBE}")

    def put(self, block: Block, data: bytes) -> None:
        """Keep the rows of a block (`encoded`). Raises as `prepare` does."""
        with self._told("written"):
            self._write(f"runs-{block.first:09d}-{block.last:09d}.parquet", data)

    def _write(self, name: str, data: bytes) -> None:
        place = f"{self._folder}/{name}"
        aside = place if self._is_store else f"{place}.{token_hex(4)}.draft"  # two copies of a task may write at once
        with self._files.open_output_stream(aside) as file:
            file.write(data)
        if aside != place:
            self._files.move(aside, place)

    def mark(self) -> str:
        """Leave a file by which others know that they reach this folder; its name. Raises as `prepare` does."""
        name = f"mark-{token_hex(8)}"
        with self._told("written"):
            self._write(name, b"")
        return name

    def has(self, mark: str) -> bool:
        """True if the folder holds a file of this name. Raises ResultsProblem or OSError."""
        with self._told("read"):
            return bool(self._files.get_file_info(f"{self._folder}/{mark}").type == pafs.FileType.File)

    def blocks(self) -> list[Block]:
        """The blocks whose rows are kept, in order. Raises ResultsProblem."""
        with self._told("read"):
            listed = self._files.get_file_info(pafs.FileSelector(self._folder, allow_not_found=True))
        names = (_NAME.fullmatch(info.base_name) for info in listed)
        return sorted(Block(int(name[1]), int(name[2])) for name in names if name)

    def whole(self, block: Block) -> bool:
        """True if the file of a block can be read and has all its rows."""
        try:
            with self._files.open_input_file(self._place(block)) as file:
                return int(pq.read_metadata(file).num_rows) == block.runs
        except (OSError, pa.ArrowException):
            return False

    def table(self, block: Block, columns: Sequence[str] | None = None) -> pa.Table:
        """The rows of a kept block, in the order of runs; only some columns where these are named.

        A column that the version which wrote the file did not have is null.
        """
        with self._told("read"), self._files.open_input_file(self._place(block)) as file:
            found = pq.ParquetFile(file).read(columns=columns)
        wanted = [name for name in NAMES if columns is None or name in columns]
        for name in (name for name in wanted if name not in found.column_names):
            found = found.append_column(ROW.field(name), pa.nulls(found.num_rows, ROW.field(name).type))
        return found.select(wanted)

    def tables(self, wanted: Iterable[Block], columns: Sequence[str] | None = None) -> Iterator[pa.Table]:
        """The rows of these runs as far as they are kept, block after block in the order of runs, each once."""
        order = sorted(pieces(self.blocks(), wanted), key=lambda piece: piece[1])
        for block, part in order:
            yield self.table(block, columns).slice(part.first - block.first, part.runs)

    def row(self, index: int) -> Json | None:
        """The row of one run, None where it is not kept."""
        for table in self.tables([Block(index, index + 1)]):
            found: Json = table.to_pylist()[0]
            return found
        return None

    def remove(self) -> None:
        """Forget the rows of the experiment."""
        with self._told("removed"), contextlib.suppress(FileNotFoundError):
            self._files.delete_dir(self._folder)

    def _place(self, block: Block) -> str:
        return f"{self._folder}/runs-{block.first:09d}-{block.last:09d}.parquet"

    @contextlib.contextmanager
    def _told(self, verb: str) -> Iterator[None]:
        """Say where it was that something went wrong; an OSError of this machine's disk passes as it is."""
        try:
            yield
        except (OSError, pa.ArrowException) as problem:
            is_of_a_disk = isinstance(problem, OSError) and not isinstance(problem, OF_THE_PLACE)
            if is_of_a_disk and self.local_folder is not None:
                raise
            raise ResultsProblem(f"{self.url} cannot be {verb}: {_first_line(problem)}. {CURE}.") from problem


class SharedResults:
    """The place of the rows, as it is sent to executors. Those that reach it write their rows there themselves.

    A folder of the same path on another machine lacks the mark that the driver left.
    """

    def __init__(self, results: Results) -> None:
        """Raises as `Results.prepare` does."""
        self._results = results
        self._mark = results.mark()

    def keep(self, block: Block, data: bytes) -> bool:
        """Write the rows of a block (`encoded`); False where this process does not reach the place."""
        try:
            if not self._results.has(self._mark):
                return False
            self._results.put(block, data)
        except (OSError, ResultsProblem):
            return False
        return True


def _in_arrow_s_words(url: str) -> str:
    """Hadoop's name of S3 is s3a, Arrow's is s3."""
    return re.sub(r"^s3a:", "s3:", url)


def _without_keys(url: str) -> str:
    """The URL as it can be shown: without user, password and options."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def _first_line(problem: Any) -> str:
    words = re.sub(r"^\[Errno \d+\] | Detail: \[errno \d+\]", "", str(problem).strip())
    return words.splitlines()[0].rstrip(".") if words else type(problem).__name__
