"""The store of rows: whole blocks or none, each once, below any URL that Arrow reads."""

import errno
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import boto3
import pyarrow as pa
import pytest
from moto.server import ThreadedMotoServer

from playground.environment import ROOT, EnvironmentProblem, results_url
from playground.whatif.pipeline.arrivals import Arrivals
from playground.whatif.pipeline.blocks import Block
from playground.whatif.pipeline.results import Results, ResultsProblem, encoded
from playground.whatif.rows_v1 import convert
from tests.whatif.kept import numbers, results_in, row_of, rows_of


def test_rows_come_back_in_the_order_of_runs_each_once(tmp_path: Path) -> None:
    results = results_in(tmp_path, (4, 8), (0, 4), (2, 6))  # the last by a worker that was taken for dead
    assert numbers(results, 0, 8) == list(range(8))
    assert numbers(results, 3, 5) == [3, 4]
    assert results.row(5) == row_of(5)
    assert results.row(8) is None


def test_what_is_not_whole_has_no_name_of_a_block(tmp_path: Path) -> None:
    results = results_in(tmp_path, (0, 4))
    (tmp_path / "one" / "runs-000000004-000000008.parquet.draft").write_bytes(rows_of(4, 8)[:100])
    assert results.blocks() == [Block(0, 4)]


@pytest.mark.parametrize("data", [b"", rows_of(4, 8)[:-20], rows_of(4, 7)])
def test_a_file_that_is_damaged_or_lacks_rows_is_computed_again(tmp_path: Path, data: bytes) -> None:
    results = results_in(tmp_path, (0, 4))
    (tmp_path / "one" / "runs-000000004-000000008.parquet").write_bytes(data)
    arrivals = Arrivals(results)
    arrivals.find()
    assert arrivals.settle(Block(0, 8)) == [Block(4, 8)]


def test_an_experiment_that_goes_on_later_reads_only_what_others_kept_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = results_in(tmp_path, (0, 4))
    before = Arrivals(results)
    before.find()
    before.close(goes_on=True)
    results.put(Block(4, 8), rows_of(4, 8))
    read: list[Block] = []
    table = results.table

    def noted(block: Block, columns: Sequence[str]) -> pa.Table:
        read.append(block)
        return table(block, columns)

    monkeypatch.setattr(results, "table", noted)
    for expected in ([Block(4, 8)], [Block(4, 8), Block(0, 4), Block(4, 8)]):
        after = Arrivals(results)
        after.find()
        assert after.figures([Block(0, 8)])["seed"].to_pylist() == [1, 2, 3, 4] * 2
        assert read == expected, "figures are remembered for one time"


def test_rows_that_arrive_without_all_of_their_block_are_not_kept(tmp_path: Path) -> None:
    arrivals = Arrivals(results_in(tmp_path))
    arrivals.addInPlace([], [(Block(0, 4), rows_of(0, 3), 1.0), (Block(4, 8), rows_of(4, 8), 1.0)])
    assert arrivals.settle(Block(0, 8)) == [Block(0, 4)]
    assert arrivals.results.blocks() == [Block(4, 8)]


def test_figures_are_those_of_the_wanted_runs_by_variant_and_seed(tmp_path: Path) -> None:
    arrivals = Arrivals(results_in(tmp_path, (2, 6)))
    arrivals.find()
    arrivals.addInPlace([], [(Block(0, 4), rows_of(0, 4), 1.0)])
    arrivals.settle(Block(0, 8))
    assert arrivals.figures([Block(0, 6)])["lost"].to_pylist() == [0, 2, 4, 1, 3, 5]
    assert "topics" not in arrivals.figures([Block(0, 6)]).column_names


def test_a_full_disk_raises_an_error_where_rows_are_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    arrivals = Arrivals(results_in(tmp_path))
    monkeypatch.setattr(Results, "_write", full)
    arrivals.addInPlace([], [(Block(0, 4), rows_of(0, 4), 1.0)])
    with pytest.raises(OSError, match="No space left"):
        arrivals.settle(Block(0, 4))
    assert arrivals.settle(Block(0, 4)) == [Block(0, 4)]  # told once


def test_a_folder_that_was_removed_is_empty_and_can_be_removed_again(tmp_path: Path) -> None:
    results = results_in(tmp_path, (0, 4))
    results.remove()
    results.remove()
    assert results.blocks() == []
    assert not (tmp_path / "one").exists()


def test_a_folder_that_cannot_be_made_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(
        ResultsProblem, match=r"file/rows/one cannot be written: .*HIGHWATER_RESULTS names where"
    ) as told:
        Results((tmp_path / "file" / "rows").as_uri(), "one").prepare()
    assert "rrno" not in str(told.value)


def test_a_store_that_is_not_there_is_refused_in_words_without_its_keys() -> None:
    url = "s3://user:hidden@bucket/rows?endpoint_override=127.0.0.1:9&scheme=http&region=here"
    with pytest.raises(ResultsProblem) as told:
        Results(url, "one").prepare()
    assert str(told.value).startswith("s3://bucket/rows/one cannot be written: ")
    assert "HIGHWATER_RESULTS names where" in str(told.value)
    assert "hidden" not in str(told.value)


@pytest.mark.parametrize("place", ["file:///proc/rows", "file:///sys/rows"])
def test_a_folder_where_none_can_be_made_is_refused_in_words_and_is_no_full_disk(place: str) -> None:
    with pytest.raises(ResultsProblem, match=f"{place}/one cannot be written: .*HIGHWATER_RESULTS names where"):
        Results(place, "one").prepare()


@pytest.fixture(scope="module")
def store() -> Iterator[str]:
    """An S3-compatible store with a bucket; the options of its URL."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    keys = {"aws_access_key_id": "key", "aws_secret_access_key": "secret", "region_name": "us-east-1"}
    boto3.client("s3", endpoint_url=f"http://{host}:{port}", **keys).create_bucket(Bucket="rows")
    yield f"endpoint_override={host}:{port}&scheme=http&region=us-east-1"
    server.stop()


def test_rows_are_kept_in_an_object_store(store: str) -> None:
    results = Results(f"s3a://key:secret@rows/what/if?{store}", "one")
    assert results.url == "s3a://rows/what/if/one"
    assert results.blocks() == []
    results.prepare()
    results.put(Block(4, 8), rows_of(4, 8))
    results.put(Block(0, 4), rows_of(0, 4))
    again = Arrivals(Results(f"s3://key:secret@rows/what/if?{store}", "one"))
    again.find()
    assert again.settle(Block(0, 9)) == [Block(8, 9)]
    assert numbers(again.results, 2, 6) == [2, 3, 4, 5]
    assert again.figures([Block(0, 8)])["lost"].to_pylist() == [0, 2, 4, 6, 1, 3, 5, 7]
    results.remove()
    assert results.blocks() == []


def test_a_bucket_is_made_where_the_url_allows_that(store: str) -> None:
    results = Results(f"s3://key:secret@fresh?{store}&allow_bucket_creation=true", "one")
    results.prepare()
    results.put(Block(0, 4), rows_of(0, 4))
    assert results.blocks() == [Block(0, 4)]


def test_a_bucket_that_is_not_there_is_refused_in_words(store: str) -> None:
    with pytest.raises(ResultsProblem, match=r"s3://nowhere/one cannot be written: .*HIGHWATER_RESULTS names where"):
        Results(f"s3://key:secret@nowhere?{store}", "one").prepare()


def test_hdfs_without_its_library_is_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HADOOP_HOME", raising=False)
    with pytest.raises(ResultsProblem, match=r"hdfs://host:8020/rows/one cannot be used: .*HIGHWATER_RESULTS names"):
        Results("hdfs://host:8020/rows", "one")


@pytest.mark.parametrize("url", ["ftp://host/rows", "s3:///rows", "file://host/rows", "rows", "hdfs:/rows"])
def test_an_address_that_cannot_be_one_is_refused_at_the_start(
    url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HIGHWATER_RESULTS", url)
    with pytest.raises(EnvironmentProblem, match=r"HIGHWATER_RESULTS is .*allowed are file:///folder, s3a://bucket"):
        results_url(tmp_path)


def test_without_an_address_rows_lie_in_the_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("HIGHWATER_RESULTS", raising=False)
    assert results_url(tmp_path) == f"file://{tmp_path}/whatif"


def test_rows_of_an_earlier_version_are_taken_over(tmp_path: Path) -> None:
    results = results_in(tmp_path)
    old = tmp_path / "one"
    for name, numbers_of_it in (("shard-00000", (1, 0)), ("shard-00000", (3, 2)), ("shard-00001-kept", (8, 9, 5, 4))):
        (old / name).mkdir(exist_ok=True)
        (old / name / f"part-{numbers_of_it[0]}.parquet").write_bytes(encoded([row_of(i) for i in numbers_of_it]))
    (old / "shard-00000" / "_SUCCESS").touch()
    (old / "shard-00002-of-a1").mkdir()
    (old / "shard-00002-of-a1" / "part.parquet").write_bytes(rows_of(10, 12))
    convert(results, 1, "AB")
    assert results.blocks() == [Block(0, 4), Block(4, 6), Block(8, 10)]
    assert numbers(results, 0, 12) == [0, 1, 2, 3, 4, 5, 8, 9]
    assert not list(old.glob("shard-*"))


def test_a_fresh_process_that_sends_rows_loads_no_pandas() -> None:
    code = "import sys; from tests.whatif.kept import rows_of; rows_of(0, 3); print('pandas' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
