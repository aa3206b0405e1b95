"""The runner of pages sees a command that does not do what its page says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.pages import faults, follow

GOOD = """# Title

Text.

```sh
mkdir made
cd made
echo one > file
```

Then, in the same shell:

```sh
test "$(cat file)" = one
cat nothing  # exit 1
cat <<'END' > two
`three` # exit 9 is text here
END
```

<!-- not run: needs a network -->
```sh
curl https://example.invalid
```

1. In a list:

   ```sh
   test -s two
   ```

```console
$ false
```
"""


def test_a_page_is_followed_in_one_shell_and_one_folder(tmp_path: Path) -> None:
    """Folders, files and variables of one block are there in the next."""
    assert follow(GOOD, "good.md", tmp_path) == ""
    assert (tmp_path / "page/made/two").read_text() == "`three` # exit 9 is text here\n"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("false", "bad.md:5: ended with 1"),
        ("no-such-command-anywhere", "bad.md: line 5: no-such-command-anywhere"),
        ("true  # exit 1", "bad.md:5: ended with 0, not 1"),
        ("exit 3  # exit 3", "exit 3"),
        ("false | true", "bad.md:5: ended with 1"),
        ("echo $UNSET_ANYWHERE", "UNSET_ANYWHERE"),
    ],
)
def test_a_command_that_fails_is_named_with_the_line_of_the_page(
    tmp_path: Path, command: str, said: str
) -> None:
    """Each way to fail is seen, and what follows is not run."""
    page = f"# Title\n\nText.\n```sh\n{command}\ntouch later\n```\n"
    assert said in follow(page, "bad.md", tmp_path)
    assert not (tmp_path / "page/later").exists()


@pytest.mark.parametrize(("start", "there"), [("repository", ".git"), ("installed", ".goblin/goblin.yaml")])
def test_a_page_may_start_where_its_reader_stands(tmp_path: Path, start: str, there: str) -> None:
    """In a repository of the reader's own, or in one with goblin installed."""
    page = f"# Title\n\n<!-- start: {start} -->\n\n```sh\ntest -e {there}\n```\n"
    assert follow(page, "start.md", tmp_path) == ""


def test_what_would_escape_being_run_is_a_fault() -> None:
    """Shell under another name, a missing reason, an unknown target and an unknown start."""
    page = """# Title
<!-- start: nowhere -->
```bash
true
```
<!-- not run: -->
```sh
true
```
```sh
make test
make V=1 tset
```
"""
    assert faults(page, ["test"]) == [
        "4: mark shell as `sh` (run) or `console` (shown), not bash",
        "8: say why it is not run",
        "12: the Makefile has no target tset",
        "no such start: nowhere",
    ]


def test_a_fence_that_is_never_closed_is_refused() -> None:
    """Its commands would silently be text."""
    with pytest.raises(AssertionError, match="line 3: the fence is never closed"):
        faults("# Title\n\n```sh\ntrue\n", [])
