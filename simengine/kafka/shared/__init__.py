"""Modules that every part of a cluster uses: settings, metadata records, election rules, causes of facts."""
