"""Compile the engine with mypyc into build/engine/<hash of the sources>, unless that is there already.

    python tools/build_engine.py            build if the sources changed; says in one line what runs now
    python tools/build_engine.py --force    build anew

The list of modules and the C level stand in pyproject.toml under [tool.highwater.engine]. The sources are copied first,
so an edit during the build cannot slip in under the wrong hash; the finished folder is moved into place in one step.
Without a C compiler or Python's headers nothing is built, the engine runs interpreted, and the status is still 0.
"""

import argparse
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
KEPT_BUILDS: Final = 4  # older ones go: a process that still runs one keeps its files open
FAST_FLAGS: Final = (  # the first that the compiler takes: calls between modules become direct ones, or are inlined
    ("-flto=auto", "-fvisibility=hidden", "-fno-semantic-interposition"),
    ("-fvisibility=hidden", "-fno-semantic-interposition"),
)
KEPT_OBJECTS: Final = 800  # C objects kept from build to build, so that an edit compiles what changed: four builds
sys.path.insert(0, str(ROOT))
if __name__ == "__main__":
    os.environ["HIGHWATER_ENGINE"] = "interpreted"  # this process only reads the list

from simengine.form import BUILD_LOCK, BUILDS, GROUP, CompilePlan, plan  # noqa: E402

OBJECTS: Final = BUILDS.parent / "objects"


def missing() -> str | None:
    """The reason why this machine cannot compile, with the cure; None when nothing is missing."""
    compiler = _compiler()
    if shutil.which(compiler) is None:
        return f"no C compiler ({compiler} is not on PATH; on Debian and Ubuntu: apt-get install gcc)"
    if not (Path(sysconfig.get_paths()["include"]) / "Python.h").exists():
        return "no Python headers (Python.h; on Debian and Ubuntu: apt-get install python3-dev)"
    return None


def _compiler() -> str:
    named = os.environ.get("CC") or str(sysconfig.get_config_var("CC") or "cc")
    first = named.split()[0]
    return first if shutil.which(first) else "cc"


def say(text: str) -> None:
    """One line of progress, at once."""
    print(f"engine: {text}", flush=True)


def build(wanted: CompilePlan) -> None:
    """Compile the planned modules and move them to their folder; raises what mypyc and the compiler raise."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory(dir=BUILDS, prefix="making-") as name:
        work = Path(name)
        shutil.copytree(ROOT / "simengine", work / "simengine", ignore=shutil.ignore_patterns("__pycache__"))
        for folder in {Path(path).parent for path in wanted.beside}:
            shutil.copytree(
                ROOT / folder, work / folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__")
            )
        if plan().folder != wanted.folder:
            raise SystemExit("engine: a source changed while it was being copied; run `make engine` again")
        say(f"translating {len(wanted.compiled)} modules to C (mypyc)")
        with _inside(work):
            extensions = _translate(wanted)
            _compile(extensions, work / "done")
        (work / "done").rename(wanted.folder)
    say(f"compiled in {time.monotonic() - started:.0f} s")


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _translate(wanted: CompilePlan) -> list[Any]:
    """C sources and setuptools extensions of the modules, by mypyc, in the current folder."""
    from mypyc.build import mypycify

    # a configuration of its own: that of `make check` loads Django
    Path("mypy.ini").write_text(
        f"[mypy]\nstrict = True\nwarn_unused_ignores = False\nfollow_imports = silent\n"
        f"explicit_package_bases = True\npython_version = 3.{sys.version_info.minor}\n"
        f"cache_dir = {BUILDS.parent / 'mypyc-cache'}\n"
    )
    options = ["--config-file", "mypy.ini", *wanted.compiled]
    extensions: list[Any] = mypycify(
        options, opt_level=wanted.opt_level, multi_file=True, group_name=GROUP, target_dir="c", verbose=False
    )
    fast = next((flags for flags in FAST_FLAGS if _takes(flags)), ())
    for extension in extensions:
        extension.extra_compile_args += fast
        extension.extra_link_args += fast
    return extensions


def _takes(flags: tuple[str, ...]) -> bool:
    """True if the compiler builds a library with these options."""
    Path("probe.c").write_text("int probe(void) { return 0; }\n")
    command = [_compiler(), *flags, "-shared", "-fPIC", "probe.c", "-o", "probe.so"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def _compile(extensions: list[Any], out: Path) -> None:
    """Compile all C sources on every core, with progress, and link each extension into `out`."""
    from setuptools._distutils.ccompiler import new_compiler
    from setuptools._distutils.sysconfig import customize_compiler

    compiler = new_compiler()
    customize_compiler(compiler)
    headers = b"".join(path.read_bytes() for path in sorted(Path("c").rglob("*.h")))
    common = hashlib.sha256(headers + repr([os.environ.get("CC"), *_flags(), version("mypy")]).encode())
    jobs = [(extension, source) for extension in extensions for source in extension.sources]
    say(f"compiling {len(jobs)} C files on {os.cpu_count()} cores")

    def compile_one(job: tuple[Any, str]) -> str:
        extension, source = job
        kept = OBJECTS / f"{_key(common, extension, source)}.o"
        if kept.exists():
            kept.touch()
            return str(kept)
        folders = [*extension.include_dirs, sysconfig.get_paths()["include"]]
        made = compiler.compile(
            [source], output_dir="o", include_dirs=folders, extra_postargs=extension.extra_compile_args
        )
        Path(made[0]).replace(kept)
        return str(kept)

    objects: dict[str, list[str]] = {extension.name: [] for extension in extensions}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for number, ((extension, _), made) in enumerate(zip(jobs, pool.map(compile_one, jobs), strict=True), start=1):
            objects[extension.name].append(made)
            if number % 20 == 0:
                say(f"  {number} of {len(jobs)}")
    say("linking it as a whole (as long again as the compiling, on two cores)")
    for extension in extensions:
        target = out / (extension.name.replace(".", "/") + str(sysconfig.get_config_var("EXT_SUFFIX")))
        target.parent.mkdir(parents=True, exist_ok=True)
        compiler.link_shared_object(objects[extension.name], str(target), extra_postargs=extension.extra_link_args)


def _flags() -> list[Any]:
    return sysconfig.get_config_vars("CC", "CFLAGS", "CCSHARED")


def _key(common: Any, extension: Any, source: str) -> str:
    """The key of a C source's object: the source, all headers, the compiler and its options."""
    digest = common.copy()
    digest.update(repr((source, extension.extra_compile_args)).encode())
    digest.update(Path(source).read_bytes())
    return str(digest.hexdigest())


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Hold the lock on builds: a second build waits, and then mostly finds its work done."""
    BUILDS.mkdir(parents=True, exist_ok=True)
    OBJECTS.mkdir(parents=True, exist_ok=True)
    with BUILD_LOCK.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another build runs; waiting for it")
            fcntl.flock(file, fcntl.LOCK_EX)
        for left in BUILDS.glob("making-*"):  # by a build that was ended
            shutil.rmtree(left, ignore_errors=True)
        yield


def prune(keep: Path) -> None:
    """Drop all but the newest builds and objects."""
    for file in sorted(OBJECTS.iterdir(), key=lambda file: file.stat().st_mtime)[:-KEPT_OBJECTS]:
        file.unlink()
    folders = sorted(
        (folder for folder in BUILDS.iterdir() if folder.is_dir() and folder != keep),
        key=lambda folder: folder.stat().st_mtime,
    )
    for folder in folders[: -(KEPT_BUILDS - 1)]:
        shutil.rmtree(folder, ignore_errors=True)


def main(argv: list[str]) -> int:
    """Build what is missing; status 1 only when a compiler was there and failed."""
    parser = argparse.ArgumentParser(description="Compile the engine with mypyc.")
    parser.add_argument("--force", action="store_true", help="build even when these sources are compiled already")
    force = parser.parse_args(argv).force
    if lack := missing():
        say(f"interpreted: {lack}")
        return 0
    with one_at_a_time():
        wanted = plan()
        if force:
            shutil.rmtree(wanted.folder, ignore_errors=True)
        if wanted.folder.is_dir():
            say("compiled (up to date)")
            return 0
        try:
            build(wanted)
        except (Exception, SystemExit) as problem:  # noqa: BLE001  # whatever mypyc or the compiler raise
            say(f"the build failed ({problem}); the interpreted form runs. `make engine` tries again")
            return 1
        prune(wanted.folder)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
