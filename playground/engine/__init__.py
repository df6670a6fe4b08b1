"""The engine outside the web process: work that grows with what somebody sends."""
