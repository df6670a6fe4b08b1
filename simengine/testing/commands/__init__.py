"""The commands of `python -m simengine.testing`, as those of `simengine.commands` are made."""
