"""Network commands in shell: found at any depth, and not where a word only looks like one."""

from __future__ import annotations

import pytest

from goblin.facts.netshell import Hit, hits
from goblin.facts.shelltokens import ShellError

REACHES = [
    "curl x",
    "X=$(/usr/bin/curl y)",
    "a && curl x",
    "a || curl x",
    "true | ssh h",
    "! curl x",
    "time curl x",
    "{ curl x; } 2>/dev/null",
    "(cd x && npm ci)",
    "if curl x; then :; fi",
    "if :; then :; elif curl x; then :; fi",
    "while read x; do scp a b; done < f",
    "f() { nc -l; }",
    "for x in $(curl a); do :; done",
    "case $(curl a) in x) ;; esac",
    "case a in a) curl x ;; esac",
    "[[ -n $(curl a) ]]",
    "echo $(( $(curl x) + 1))",
    "diff <(curl a) b",
    'echo "$(curl y)"',
    'echo "`wget y`"',
    "echo $'it\\'s' $(curl x)",
    "x=${y:-$(curl z)}",
    "x=$(echo $(curl z))",
    "echo hi > $(curl z)",
    "cat <<< $(curl x)",
    "cat <<E\n$(npm x)\nE\n",
    "A=1 B=2 rsync a b",
    "c''url x",
    "\\curl x",
    "env X=1 curl",
    "/usr/bin/env -u A curl x",
    "env -S 'curl x'",
    "command curl x",
    "exec curl x",
    "builtin eval 'curl x'",
    "sudo -u nobody curl",
    "timeout -k 1 5 curl x",
    "xargs -n 1 curl < f",
    "busybox wget x",
    "find . -exec curl {} \\;",
    "bash -c 'curl x'",
    'bash -c "curl $X"',
    "bash -ec 'a; pip3 install x'",
    "bash <<E\ncurl x\nE",
    "python3 - <<E\nimport socket\nE",
    "python3 -c 'import socket'",
    "python3 -m pip install x",
    "eval 'curl x'",
    "trap 'curl x' EXIT",
    "exec 3<>/dev/tcp/a/80",
    "cat < /dev/udp/a/80",
    "git -C x fetch",
    "git -c a=b push",
    "git clone x",
]
STAYS = [
    "# curl",
    "a # curl x",
    "echo curl",
    "echo 'x; curl y'",
    "x='$(curl)'",
    "cat <<'E'\nnpm x\n$(curl y)\nE\n",
    "cat <<E\nnpm x\nE\n",
    "echo a#curl",
    "curl=1",
    "x=(curl wget)",
    "command -v curl",
    "type curl",
    "git log --grep fetch",
    "git -C fetch status",
    "curlew x",
    "xargs echo curl",
    "for curl in a b; do :; done",
    "case curl in curl) ;; esac",
    "",
]


@pytest.mark.parametrize("script", REACHES)
def test_it_is_found(script: str) -> None:
    """One hit or more."""
    assert hits(script)


@pytest.mark.parametrize("script", STAYS)
def test_it_is_not_found(script: str) -> None:
    """A name that no shell would run."""
    assert hits(script) == []


def test_lines_are_those_of_the_file() -> None:
    """From 1, inside substitutions and here-documents too; each place once."""
    script = "a\nb $(c |\n  curl x)\ncat <<E\none\n$(wget y)\nE\nnc z; nc z\r\n"
    assert hits(script) == [Hit(3, "curl"), Hit(6, "wget"), Hit(8, "nc")]


@pytest.mark.parametrize("script", ["if x; then", "echo 'a", "x=$(a", "eval 'if'", "(" * 99, "coproc curl"])
def test_what_cannot_be_read_is_said_and_not_guessed(script: str) -> None:
    """Fail closed."""
    with pytest.raises(ShellError):
        hits(script)
