"""Bans: code that may not be written here, found in source text (docs/decisions/0006)."""
