"""goblin-install: what should be on disk (plan), and putting it there whole or not at all (apply)."""
