"""The digest of all static files: it stands in their addresses, so that a browser keeps them until one changes."""

import hashlib
from pathlib import Path


def digest(folder: Path) -> str:
    """12 hexadecimal digits that change with the name or the bytes of any file in a folder."""
    found = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        found.update(f"{path.relative_to(folder)}\n{path.stat().st_size}\n".encode())
        found.update(path.read_bytes())
    return found.hexdigest()[:12]
