"""A number for a text that is the same in every process."""

from typing import Final

from mypy_extensions import i64

MASK32: Final = 0xFFFFFFFF
_FNV_PRIME: Final = 0x01000193


def text_key(text: str) -> i64:
    """32 bits of a text (FNV-1a over its UTF-8 bytes); the language's own ``hash`` differs from process to process."""
    key: i64 = 0x811C9DC5
    for byte in text.encode():
        key = ((key ^ byte) * _FNV_PRIME) & MASK32
    return key
