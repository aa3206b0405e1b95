"""The tests: a tree that mirrors `src/goblin/` and `checks/`, with helpers in `tests/support/`."""
