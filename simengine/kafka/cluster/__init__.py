"""A cluster put together, and what an administrator asks of it."""
