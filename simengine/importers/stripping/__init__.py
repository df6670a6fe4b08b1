"""Takes off what stands around the lines of an output: prefixes, quote marks, diffs, line numbers, borders, strings.

This happens once, in front of all readers (``strip.undecorated``). The beginnings of known outputs (``anchors``) tell
what belongs to an output and what was put in front of it.
"""
