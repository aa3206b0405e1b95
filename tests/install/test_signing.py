"""`--sign KEY`: the record is signed by a key that stays outside, and a changed record is signed anew."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from goblin.facts.record import PATH as RECORD
from goblin.facts.record import payload_digest, render
from goblin.facts.signature import PATH as SIGNATURE
from goblin.facts.signature import VARIABLE
from goblin.install.journal import digest
from goblin.install.session import Output
from goblin.install.signing import Signing, sign
from goblin.outcome import CannotRun, Outcome, Verdict
from tests.checks.judging import judge, said
from tests.install import crashing
from tests.install.crashing import NEW, OLD
from tests.install.driving import Ran, record_of, run
from tests.install.faults import picture
from tests.support import Repo, build_repo, run_cli

pytestmark = [
    pytest.mark.usefixtures("one_payload"),
    pytest.mark.skipif(
        shutil.which("ssh-keygen") is None,
        reason="there is no ssh-keygen here to make keys with (Debian: apt-get install openssh-client)",
    ),
]


def make_key(folder: Path, name: str, passphrase: str = "") -> Path:
    """A new key pair; the path of its private half."""
    command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", passphrase, "-C", name, "-f", str(folder / name)]
    subprocess.run(command, check=True, capture_output=True)
    return folder / name


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key that may sign, one that may not, one behind a passphrase, and the list of signers."""
    folder = tmp_path_factory.mktemp("keys")
    made = {name: make_key(folder, name, "word" * (name == "locked")) for name in ("mine", "other", "locked")}
    (folder / "bin").mkdir()
    (folder / "bin" / "git").symlink_to(str(shutil.which("git")))
    (folder / "signers").write_text(f"me@example.invalid {made['mine'].with_suffix('.pub').read_text()}")
    return folder


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """A repository with a small payload installed and committed."""
    crashing.release(monkeypatch, "1.0", OLD)
    built = build_repo({"README.md": "x\n"}, tmp_path / "repo")
    assert run(built).code == 0
    built.commit("Install goblin")
    return built


def signed(repo: Repo, key: Path, *, dry_run: bool = False) -> Ran:
    """Sign the record that stands there."""
    ran = Ran()
    ran.code = sign(Signing(str(repo.root), str(key), dry_run), Output(ran.out.append, ran.err.append))
    return ran


def verdict(repo: Repo) -> Outcome:
    """IN-06."""
    return judge(repo, "checks/install.py::a_signed_record_verifies")


def test_the_signature_verifies_and_only_that_file_is_new(
    repo: Repo, keys: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Judged once somebody may sign, by the environment or by git's own configuration."""
    before = picture(repo.root)
    ran = signed(repo, keys / "mine")
    assert ran.code == 0, ran.text
    assert picture(repo.root).keys() - before.keys() == {SIGNATURE}
    assert any("IN-06 judges it once somebody may sign" in line for line in ran.out)
    outcome = verdict(repo)
    assert outcome.verdict is Verdict.SKIP
    assert "gpg.ssh.allowedSignersFile" in outcome.summary
    repo.git("config", "gpg.ssh.allowedSignersFile", str(keys / "signers"))
    assert verdict(repo).verdict is Verdict.PASS
    assert signed(repo, keys / "mine").out == ["no-op: this key has signed this record already"]
    monkeypatch.setenv(VARIABLE, str(keys / "nowhere"))
    assert said(verdict(repo)).startswith(
        "FAIL\nthe allowed signers cannot be believed: GOBLIN_ALLOWED_SIGNERS"
    )
    monkeypatch.setenv(VARIABLE, str(keys / "signers"))
    assert "signed by me@example.invalid (SHA256:" in verdict(repo).summary


def test_a_record_and_a_file_that_were_edited_together_are_seen(
    repo: Repo, keys: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """IN-02 believes the record; the signature does not."""
    monkeypatch.setenv(VARIABLE, str(keys / "signers"))
    signed(repo, keys / "mine")
    record = record_of(repo)
    files = {**record.files, OLD[1].path: digest(b"weaker\n")}
    forged = record._replace(files=files, payload_digest=payload_digest(files))
    repo.write({OLD[1].path: "weaker\n", RECORD: render(forged)})
    assert judge(repo, "checks/install.py::installed_files_keep_their_hash").verdict is Verdict.PASS
    assert "the signature does not hold" in said(verdict(repo))
    signed(repo, keys / "other")
    assert "is none of an allowed signer" in said(verdict(repo))


def test_what_rewrites_a_signed_record_signs_again_or_says_so(
    repo: Repo, keys: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An install, an upgrade, an opt-out, with the key and without; an uninstall takes it along."""
    monkeypatch.setenv(VARIABLE, str(keys / "signers"))
    assert run(repo, sign=str(keys / "mine")).counts.startswith("no-op: ")
    assert verdict(repo).verdict is Verdict.PASS
    ran = run(repo, opt_out=("tokens",))
    assert "record changed: sign again: goblin-install --target . --sign KEY" in ran.out
    assert verdict(repo).verdict is Verdict.FAIL
    crashing.release(monkeypatch, "2.0", NEW)
    ran = run(repo, upgrade=True, sign=str(keys / "mine"))
    assert f"signed {RECORD}: {SIGNATURE}" in ran.out
    assert verdict(repo).verdict is Verdict.PASS
    done = run_cli("goblin-install", "--target", repo.root, "--uninstall", "--purge", cwd=repo)
    assert done.code == 0
    assert picture(repo.root).keys() == {"README.md"}


def test_a_dry_run_plans_the_file(repo: Repo, keys: Path) -> None:
    """And writes nothing."""
    before = picture(repo.root)
    assert signed(repo, keys / "mine", dry_run=True).out == [f"plan: {SIGNATURE}"]
    assert f"plan: {SIGNATURE}" in run(repo, sign=str(keys / "mine"), dry_run=True).out
    assert picture(repo.root) == before


def test_a_key_that_does_not_sign_ends_with_2(
    repo: Repo, keys: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Absent, no key at all, in the tree, behind a passphrase that is never asked for; or no ssh-keygen."""
    (keys / "text").write_text("no key\n")
    (repo / "key").write_bytes((keys / "mine").read_bytes())
    before = picture(repo.root)
    wrong = {
        "nowhere": "there is no such file",
        "text": "nothing was written",
        "locked": "passphrase",
        str(repo / "key"): "inside the repository",
    }
    for name, because in wrong.items():
        with pytest.raises(CannotRun) as caught:
            signed(repo, keys / name)
        assert because in caught.value.message, name
    monkeypatch.setenv("PATH", str(keys / "bin"))
    with pytest.raises(CannotRun, match="ssh-keygen is not on PATH"):
        signed(repo, keys / "mine")
    assert picture(repo.root) == before


def test_a_signature_that_cannot_be_judged_is_no_pass(
    repo: Repo, keys: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without ssh-keygen it could not run (decided 32); a broken record is not signed."""
    monkeypatch.setenv(VARIABLE, str(keys / "signers"))
    signed(repo, keys / "mine")
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(keys / "bin"))
        assert "could not run: the signature cannot be checked: ssh-keygen is not on PATH" in said(
            verdict(repo)
        )
    repo.write({RECORD: repo.read(RECORD).replace('"class": "A"', '"class": "Z"')})
    ran = signed(repo, keys / "mine")
    assert ran.code == 1
    assert "is not sound, and is not signed" in ran.err[0]


@pytest.mark.parametrize("said_of_it", ['valid-before="20200101"', 'valid-after="29990101"'])
def test_a_key_outside_its_time_signs_nothing(
    repo: Repo, keys: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said_of_it: str
) -> None:
    """One that has expired, or is not valid yet, is a FAIL."""
    signers = tmp_path / "signers"
    signers.write_text((keys / "signers").read_text().replace(" ssh-", f" {said_of_it} ssh-", 1))
    monkeypatch.setenv(VARIABLE, str(signers))
    signed(repo, keys / "mine")
    assert verdict(repo).verdict is Verdict.FAIL, said(verdict(repo))


@pytest.mark.parametrize(
    ("options", "code", "because"),
    [
        (["--uninstall"], 2, "--sign and --uninstall are different jobs"),
        (["--re-pin"], 2, "different jobs"),
        (["--opt-in", "anchor"], 2, "--class is missing"),
        ([], 2, "nothing to sign"),
    ],
)
def test_signing_is_a_job_or_part_of_an_install(
    tmp_path: Path, keys: Path, options: list[str], code: int, because: str
) -> None:
    """Alone it signs what stands there."""
    done = run_cli("goblin-install", "--target", ".", "--sign", keys / "mine", *options, cwd=tmp_path)
    assert done.code == code
    assert because in done.err
