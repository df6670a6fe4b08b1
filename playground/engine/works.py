"""What the engine service can be asked: the name of the work, and the function that does it.

A function takes one plain argument (bytes, text, number, list, map) and returns plain data. It reads no database.
"""

from typing import Final

CHECK: Final = "check"
PREVIEW: Final = "preview"
BUILD: Final = "build"

WORKS: Final = {
    CHECK: "playground.scenarios.documents:check",
    PREVIEW: "playground.imports.work:preview_of",
    BUILD: "playground.imports.work:built_of",
}
