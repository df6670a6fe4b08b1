"""Experiments (what-if): one document, some axes, many seeds; Spark runs them, the page compares them."""
