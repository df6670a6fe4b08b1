"""The paste dialog: text of a real cluster becomes a scenario document."""
