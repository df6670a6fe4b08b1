"""The group coordinator and its groups."""
