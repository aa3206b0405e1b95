"""One module a command: parse options, call, render, return an exit code."""
