"""Python that reaches the network: by what it imports, and by what it runs."""

from __future__ import annotations

import pytest

from goblin.facts.netimports import PythonError
from goblin.facts.netpython import hits
from goblin.facts.netshell import Hit

REACHES = [
    "import socket",
    "import os, ssl",
    "def f():\n    from urllib import request",
    "from http.client import HTTPConnection",
    "import urllib.request as u",
    "import xmlrpc.client",
    "__import__('socket')",
    "importlib.import_module('httpx')",
    "subprocess.run(['curl', 'x'])",
    "subprocess.run(args=('curl', x))",
    "run(['curl'] + more)",
    "run(['curl', *more])",
    "run(['env', 'X=1', 'curl'])",
    "argv = ['npm', 'ci']\nrun(argv)",
    "Popen(['/usr/bin/git', '-C', 'x', 'push'])",
    "subprocess.run(['bash', '-c', 'wget x'])",
    "os.system('x | curl y')",
    "os.system(f'curl {x}')",
    "os.execvp('curl', ['curl'])",
    "os.execlp('env', 'env', 'curl')",
    "await asyncio.create_subprocess_exec('curl', 'x')",
]
STAYS = [
    "import urllib.parse",
    "import socketry",
    "from . import socket",
    "VERBS = ('curl', 'wget')",
    "# curl\n'curl'",
    "print('curl x')",
    "subprocess.run(['git', 'log'])",
    "subprocess.run(['echo', 'curl'])",
    "run([program, 'curl'])",
    "run('it is', shell=True)",
    "",
]


@pytest.mark.parametrize("program", REACHES)
def test_it_is_found(program: str) -> None:
    """One hit or more."""
    assert hits(program)


@pytest.mark.parametrize("program", STAYS)
def test_it_is_not_found(program: str) -> None:
    """A name that nothing runs."""
    assert hits(program) == []


def test_lines_are_those_of_the_file() -> None:
    """Each place once, in order."""
    assert hits("a = 1\nimport ssl\nrun('curl x; curl y')\n") == [Hit(2, "import ssl"), Hit(3, "curl")]


@pytest.mark.parametrize("program", ["def f(:", "(" * 500, "x = '\0'"])
def test_what_cannot_be_read_is_said(program: str) -> None:
    """Fail closed."""
    with pytest.raises(PythonError):
        hits(program)
