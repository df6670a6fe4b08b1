"""The commands of `python -m simengine`: each module here is one, with `main(argv) -> exit status` and a docstring."""
