from pathlib import Path

import pytest

from tests.lab import distribution, record
from tests.lab.command import main
from tests.lab.distribution import check_machine
from tests.lab.errors import LabError, told
from tests.lab.network import CLIENT, LabNetwork


def test_a_missing_program_is_named_with_its_cure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ip").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(LabError) as refused:
        check_machine()
    assert str(refused.value) == (
        "not found: java, javac, jar, mvn. On Debian and Ubuntu: apt-get install default-jdk maven"
    )


def test_only_root_may_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distribution, "NEEDED", {})
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    with pytest.raises(LabError, match="only root may make network namespaces"):
        check_machine()


def test_a_third_recording_at_a_time_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "KEPT", tmp_path)
    with record.slot() as (first, _), record.slot() as (second, _):
        assert (first, second) == (1, 2)
        with pytest.raises(LabError, match="2 recordings are being made on this machine already"), record.slot():
            pass
    with record.slot() as (again, _):
        assert again == 1


def test_since_4_3_the_classes_of_records_are_in_another_package() -> None:
    source = "import org.apache.kafka.common.record.Record;"
    assert distribution.for_version(source, "4.2.1") == source
    assert distribution.for_version(source, "4.3.1") == "import org.apache.kafka.common.record.internal.Record;"


def test_each_host_of_a_slot_has_an_address_of_its_own() -> None:
    network = LabNetwork(2, [0, 9, 100, 109])
    assert [network.address(host) for host in (CLIENT, 0, 9, 100, 109)] == [
        *("10.77.2.5", "10.77.2.10", "10.77.2.19", "10.77.2.200", "10.77.2.209")
    ]


def test_the_command_refuses_a_script_before_it_looks_at_the_machine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "s.json"
    script.write_text('{"timeline": [{"do": "explode"}]}')
    assert main(["record", str(script), str(tmp_path / "out.json")]) == 2
    assert "s.json: timeline[0]: unknown verb (got 'explode')" in capsys.readouterr().err
    assert main(["record", str(tmp_path / "none.json"), str(tmp_path / "out.json")]) == 2
    assert "none.json" in capsys.readouterr().err


def test_a_version_before_4_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["record", "s.json", "out.json", "--kafka", "3.9.0"])
    assert "'3.9.0' is no version of Kafka from 4.0.0 on, such as 4.2.1" in capsys.readouterr().err


def test_an_error_of_java_is_told_without_its_stack() -> None:
    assert (
        told("one\ntwo\nException: three\n\tat A.b(A.java:1)\n\tat C.d(C.java:2)\n", lines=2) == "two\nException: three"
    )
