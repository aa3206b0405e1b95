"""goblin-stack: a repository states its rules as data, and one command proves which of them hold."""

__version__ = "0.1.0"
