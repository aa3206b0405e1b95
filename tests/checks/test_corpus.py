"""RC: what a studied build is made of, neither shipped nor tracked."""

from __future__ import annotations

import hashlib
import io
import json
import os
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from goblin.outcome import Outcome, Verdict
from tests.checks.judging import judge, said
from tests.support import Repo, build_repo
from tests.support.repo import Content

PAYLOAD = b"payload bytes\n"
DIGEST = hashlib.sha256(PAYLOAD).hexdigest()
APK = "a" * 64
EMPTY = hashlib.sha256(b"").hexdigest()
CONFIG = "class: A\nbranch: main\narchive: false\n"
DECLARED = CONFIG + "reference_manifest: manifests/reference.json\nsecurity:\n  build_output: dist out/\n"


def reference(**changed: Any) -> dict[str, Any]:
    """A manifest that is whole."""
    return {
        "schema": "reference-manifest/1",
        "generated_from": "carve run 2",
        "reference_app": {"package": "com.example.app", "version": "1.2.3", "apk_sha256": APK},
        "entries": [{"path": "assets/a.dat", "sha256": DIGEST, "bytes": 14}],
        "entry_count": 1,
        **changed,
    }


def declared(root: Path, files: Mapping[str, Content] | None = None, text: str | None = None) -> Repo:
    """A repository with a reference manifest."""
    manifest = json.dumps(reference()) if text is None else text
    content = {".goblin/goblin.yaml": DECLARED, "manifests/reference.json": manifest, **(files or {})}
    return build_repo(content, root, commit=None)


def rc01(repo: Repo) -> Outcome:
    return judge(repo, "checks/corpus.py::no_shipping_file_is_of_the_corpus")


def rc02(repo: Repo) -> Outcome:
    return judge(repo, "checks/corpus.py::the_reference_manifest_is_whole")


def rc03(repo: Repo, **settings: object) -> Outcome:
    return judge(repo, "checks/corpus.py::no_tracked_file_is_of_the_corpus", **settings)


def rc04(repo: Repo) -> Outcome:
    return judge(repo, "checks/corpus.py::every_acquisition_is_recorded")


class TestShipping:
    """RC-01."""

    def test_nothing_declared_skips(self, tmp_path: Path) -> None:
        """Both rows say so."""
        repo = build_repo({".goblin/goblin.yaml": CONFIG, "dist/a": PAYLOAD}, tmp_path)
        for outcome in (rc01(repo), rc02(repo)):
            assert said(outcome) == "SKIP\nno reference corpus declared (reference_manifest)"

    def test_without_build_output(self, tmp_path: Path) -> None:
        """It passes, and says that nothing was there."""
        assert said(rc01(declared(tmp_path))) == "PASS\n1 entr(y|ies); no build output to scan"

    @pytest.mark.parametrize(
        ("files", "count"),
        [
            ({"dist/a.dat": PAYLOAD + b"x"}, "1 build-output file(s) hashed in dist"),
            ({"dist/a": b"", "out/b": b"b"}, "2 build-output file(s) hashed in dist out"),
            ({"lib/a.dat": PAYLOAD, "dist/b": b"b"}, "1 build-output file(s)"),
            ({"dist/a@": "nowhere", "dist/b": b"b"}, "1 build-output file(s)"),
            ({"dist/.git/a": PAYLOAD, "dist/b": b"b"}, "1 build-output file(s)"),
        ],
    )
    def test_what_is_no_payload(self, tmp_path: Path, files: Mapping[str, Content], count: str) -> None:
        """Another byte, an empty file, another folder, a link that leads nowhere."""
        entries = [*reference()["entries"], {"path": "assets/empty", "sha256": EMPTY, "bytes": 1}]
        repo = declared(tmp_path, files, json.dumps(reference(entries=entries, entry_count=2)))
        assert rc01(repo).verdict is Verdict.PASS, said(rc01(repo))
        assert count in said(rc01(repo))

    @pytest.mark.parametrize(
        "files",
        [
            {"dist/assets/renamed.bin": PAYLOAD},
            {"out/a.dat": PAYLOAD},
            {"dist/with space/\u00e9.dat": PAYLOAD},
            {"dist/link@": "../lab/a.dat", "lab/a.dat": PAYLOAD},
            {"dist/folder@": "../lab", "lab/a.dat": PAYLOAD},
            {"dist/loop@": ".", "dist/a.dat": PAYLOAD},
        ],
    )
    def test_a_payload_is_named_with_its_entry(self, tmp_path: Path, files: Mapping[str, Content]) -> None:
        """Under any name, through links too."""
        outcome = rc01(declared(tmp_path, files))
        assert outcome.verdict is Verdict.FAIL
        assert len(outcome.findings) == 1
        assert "equals assets/a.dat of the corpus" in said(outcome)

    def test_capitals_match(self, tmp_path: Path) -> None:
        """Hex is hex; the whole package counts as well."""
        apk = hashlib.sha256(b"apk").hexdigest()
        app = {"package": "p", "version": "1", "apk_sha256": apk.upper()}
        entries = [{"path": "a", "sha256": DIGEST.upper(), "bytes": 14}]
        text = json.dumps(reference(entries=entries, reference_app=app))
        repo = declared(tmp_path, {"dist/a": PAYLOAD, "dist/b": "apk"}, text)
        assert [f.message for f in rc01(repo).findings] == [
            "equals a of the corpus",
            "equals the package itself of the corpus",
        ]

    def test_archives_are_opened_one_level(self, tmp_path: Path) -> None:
        """Whatever they are called."""
        zipped, tarred = io.BytesIO(), io.BytesIO()
        with zipfile.ZipFile(zipped, "w") as archive:
            archive.writestr("assets/x", PAYLOAD)
        with tarfile.open(fileobj=tarred, mode="w:gz") as packed:
            info = tarfile.TarInfo("x")
            info.size = len(PAYLOAD)
            packed.addfile(info, io.BytesIO(PAYLOAD))
        repo = declared(tmp_path, {"dist/app.bin": zipped.getvalue(), "dist/t.bin": tarred.getvalue()})
        assert [f.path for f in rc01(repo).findings] == ["dist/app.bin!assets/x", "dist/t.bin!x"]

    def test_an_archive_that_cannot_be_looked_into(self, tmp_path: Path) -> None:
        """It was not seen to be clean."""
        outcome = rc01(declared(tmp_path, {"dist/a.zip": b"PK\x03\x04 broken"}))
        assert outcome.verdict is Verdict.FAIL
        assert "dist/a.zip: cannot be looked into" in said(outcome)

    def test_the_manifest_may_not_ship(self, tmp_path: Path) -> None:
        """Itself, or a copy under another name; a slash at the end of the folder changes nothing."""
        repo = declared(tmp_path / "a", {"dist/copy.json": json.dumps(reference())})
        assert "dist/copy.json: a copy of the manifest" in said(rc01(repo))
        config = CONFIG + "reference_manifest: dist/r.json\nsecurity:\n  build_output: [./dist/]\n"
        files = {".goblin/goblin.yaml": config, "dist/r.json": json.dumps(reference())}
        repo = declared(tmp_path / "b", files)
        assert "dist/r.json: the manifest itself lies in the build output dist" in said(rc01(repo))
        assert len(rc01(repo).findings) == 1

    @pytest.mark.parametrize("path", ["../out", "/tmp", "dist/../../x", "~/x"])
    def test_a_folder_that_leaves_the_repository(self, tmp_path: Path, path: str) -> None:
        """Nothing is read there."""
        config = CONFIG + f"reference_manifest: manifests/reference.json\nsecurity:\n  build_output: {path}\n"
        outcome = rc01(declared(tmp_path, {".goblin/goblin.yaml": config}))
        assert outcome.verdict is Verdict.FAIL
        assert "leaves the repository" in said(outcome)

    def test_a_link_that_leaves_the_repository(self, tmp_path: Path) -> None:
        """A file, a folder, the build output itself: not followed, and not called clean."""
        outside = tmp_path / "outside"
        outside.mkdir()
        (outside / "a").write_bytes(PAYLOAD)
        repo = declared(
            tmp_path / "r", {"dist/a@": str(outside / "a"), "dist/b@": str(outside), "out@": str(outside)}
        )
        found = {f.path: f.message for f in rc01(repo).findings}
        assert sorted(found) == ["dist/a", "dist/b", "out"]
        assert all("a link that leaves the repository" in message for message in found.values())

    def test_special_files_are_not_opened(self, tmp_path: Path) -> None:
        """A FIFO would hang the run."""
        repo = declared(tmp_path, {"dist/b": "b"})
        os.mkfifo(repo / "dist/fifo")
        assert "dist/fifo: no regular file" in said(rc01(repo))

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("{", "no reference manifest"),
            ("", "no reference manifest"),
            ("[]", "it is no object"),
            ('{"a": NaN}', "NaN is no JSON value"),
            ('{"a": 1, "a": 2}', "the key 'a' stands twice"),
            ("[" * 100_000, "nested too deeply"),
            ("1" * 5000, "no reference manifest"),
        ],
    )
    def test_what_is_no_json_object(self, tmp_path: Path, text: str, told: str) -> None:
        """A lost manifest is not the same as none; both rows say so."""
        repo = declared(tmp_path, text=text)
        for outcome in (rc01(repo), rc02(repo)):
            assert outcome.verdict is Verdict.FAIL
            assert told in said(outcome)

    def test_a_missing_manifest_is_a_fail(self, tmp_path: Path) -> None:
        """Declared and gone; a link; a path outside."""
        repo = declared(tmp_path).remove("manifests/reference.json")
        for outcome in (rc01(repo), rc02(repo)):
            assert "the declared reference manifest manifests/reference.json is missing" in said(outcome)
            assert outcome.verdict is Verdict.FAIL
        repo.write({"manifests/reference.json@": "/etc/hosts"})
        assert "a symbolic link" in said(rc01(repo))
        repo.write({".goblin/goblin.yaml": CONFIG + "reference_manifest: ../x\n"})
        assert rc01(repo).verdict is Verdict.FAIL

    def test_no_entries_pass_here_and_fail_there(self, tmp_path: Path) -> None:
        """RC-02 is for that."""
        repo = declared(tmp_path / "a", {"dist/a": PAYLOAD}, json.dumps(reference(entries=[], entry_count=0)))
        assert rc01(repo).verdict is Verdict.PASS
        assert rc02(repo).verdict is Verdict.FAIL
        repo = declared(tmp_path / "b", text=json.dumps(reference(entries={})))
        assert "entries is no list" in said(rc01(repo))
        assert rc01(repo).verdict is Verdict.FAIL


class TestTheReferenceManifest:
    """RC-02."""

    @pytest.mark.parametrize("more", [{}, {"extra": [1.5, None]}])
    def test_a_whole_manifest(self, tmp_path: Path, more: dict[str, Any]) -> None:
        """Further members are allowed; a byte-order mark too."""
        repo = declared(tmp_path, text="\ufeff" + json.dumps(reference(**more)))
        assert said(rc02(repo)) == "PASS\n1 entr(y|ies) in manifests/reference.json"

    @pytest.mark.parametrize(
        ("changed", "told"),
        [
            ({"schema": "reference-manifest/2"}, "schema is not 'reference-manifest/1'"),
            ({"generated_from": "  "}, "generated_from is empty"),
            ({"generated_from": 1}, "generated_from is empty or no text"),
            ({"reference_app": None}, "reference_app is no object"),
            ({"reference_app": {"package": "", "version": "1", "apk_sha256": APK}}, "reference_app.package"),
            ({"reference_app": {"package": "p", "version": 1, "apk_sha256": APK}}, "reference_app.version"),
            (
                {"reference_app": {"package": "p", "version": "1", "apk_sha256": APK[1:]}},
                "apk_sha256 is not 64",
            ),
            ({"entries": [], "entry_count": 0}, "entries is empty"),
            ({"entries": {}}, "entries is no list"),
            ({"entry_count": 2}, "entry_count is 2, and there are 1 entries"),
            ({"entry_count": True}, "entry_count is true"),
            ({"entry_count": 1.0}, "entry_count is 1.0"),
        ],
    )
    def test_a_broken_shape(self, tmp_path: Path, changed: dict[str, Any], told: str) -> None:
        """Each breach is named."""
        outcome = rc02(declared(tmp_path, text=json.dumps(reference(**changed))))
        assert outcome.verdict is Verdict.FAIL
        assert told in said(outcome)

    @pytest.mark.parametrize(
        ("entry", "told"),
        [
            ({"sha256": DIGEST[1:]}, "entry 0: sha256 is not 64 hex digits"),
            ({"sha256": None}, "entry 0: sha256 is not"),
            ({"bytes": True}, "entry 0: bytes is not a whole number"),
            ({"bytes": 10.0}, "entry 0: bytes is not a whole number"),
            ({"bytes": 0}, "entry 0: bytes is not a whole number of 1 or more"),
            ({"bytes": "10"}, "entry 0: bytes is not"),
            ({"path": " "}, "entry 0: path is empty"),
            ({"path": "/a"}, "entry 0: path '/a' is absolute"),
            ({"path": "a/../../b"}, "entry 0: path 'a/../../b' is absolute or holds `..`"),
            ({"path": "a\\..\\b"}, "is absolute or holds `..`"),
            ({"path": "C:\\a"}, "is absolute"),
        ],
    )
    def test_a_broken_entry(self, tmp_path: Path, entry: dict[str, Any], told: str) -> None:
        """Counted from 0."""
        entries = [{**reference()["entries"][0], **entry}]
        outcome = rc02(declared(tmp_path, text=json.dumps(reference(entries=entries))))
        assert outcome.verdict is Verdict.FAIL
        assert told in said(outcome)

    def test_entries_that_contradict_each_other(self, tmp_path: Path) -> None:
        """A path twice, one digest with two sizes; and all breaches at once."""
        first = reference()["entries"][0]
        entries = [first, {**first, "bytes": 15}, {**first, "path": "b", "sha256": DIGEST.upper()}, 7]
        outcome = rc02(declared(tmp_path, text=json.dumps(reference(entries=entries))))
        assert [f.message for f in outcome.findings] == [
            "entry_count is 1, and there are 4 entries",
            "entry 1: path 'assets/a.dat' stands in entry 0 too",
            "entry 1: bytes is 15, and entry 0 has 14 for the same digest",
            "entry 3: no object",
        ]


def manifest(apk: str = APK, more: str = "", header: str = "") -> str:
    """A hash manifest that is whole."""
    whole = "# target : example-1.2.3.apk com.example.app 1.2.3\n# source : store.example.org ; md5 "
    head = header or f"{whole}{'b' * 32}\n"
    return f"{head}{apk}  example-1.2.3.apk\n{DIGEST}  assets/a.dat\n{more}"


def lab(root: Path, files: Mapping[str, Content] | None = None, config: str = CONFIG) -> Repo:
    """A committed lab repository."""
    content: dict[str, Content] = {
        ".goblin/goblin.yaml": config,
        ".gitignore": "ignored\n",
        "README.md": "# Lab\n",
        "manifests/app.sha256": manifest(),
        "notes/2026-app.md": f"the payload is {DIGEST}\n",
        "scripts/carve.py": "x\n",
        **(files or {}),
    }
    return build_repo(content, root)


class TestTheLab:
    """RC-03."""

    def test_scripts_notes_and_manifests(self, tmp_path: Path) -> None:
        """A note that quotes a digest is no payload; what the harness brings is in its place."""
        files = {f"{name}/a": "x" for name in (".hermes", ".github", "reviews", "reports", "checks")}
        outcome = rc03(lab(tmp_path, {**files, "HANDOFF.md": "x", ".gitattributes": "x"}))
        told = "13 tracked file(s), all in their places, none of the corpus (manifests/app.sha256 is there)"
        assert said(outcome) == f"PASS\n{told}"

    @pytest.mark.parametrize(
        "path",
        ["docs/x.md", "LICENSE", "build/x.bin", "dist/a.js", "src/a", "Notes/a.md", "a.MD.txt", "notesx/a"],
    )
    def test_another_path_is_outside(self, tmp_path: Path, path: str) -> None:
        """Nothing else is tracked in a lab."""
        outcome = rc03(lab(tmp_path, {path: "x"}))
        assert outcome.verdict is Verdict.FAIL
        assert f"{path}: outside the paths that a lab repository tracks" in said(outcome)

    def test_the_harness_folder_is_the_declared_one(self, tmp_path: Path) -> None:
        """And `checks` is not then."""
        repo = lab(tmp_path, {"probes/a.py": "x", "checks/b.py": "x"}, CONFIG + "harness_dir: probes\n")
        assert [f.path for f in rc03(repo).findings] == ["checks/b.py"]

    def test_what_the_record_names_is_in_its_place(self, tmp_path: Path) -> None:
        """The installer writes skills for several platforms."""
        record = {
            "version": "1", "source_sha": "unknown", "class": "A", "installed_at": "2026-01-01T00:00:00Z",
            "options": {"skills": ["claude"], "archive": False, "parts": "all"}, "disabled": [],
            "files": {".claude/skills/a/SKILL.md": "0" * 64}, "owned": {"odd/place.txt": "0" * 64},
            "refused": {},
        }  # fmt: skip
        files = {
            ".goblin/installed.json": json.dumps(record),
            ".claude/skills/a/SKILL.md": "x",
            "odd/place.txt": "x",
        }
        assert rc03(lab(tmp_path, files)).verdict is Verdict.PASS

    @pytest.mark.parametrize(
        "path", ["notes/a.bin", "scripts/x/y.py", "README.md", ".goblin/x", "manifests/a.txt"]
    )
    def test_a_payload_is_found_anywhere(self, tmp_path: Path, path: str) -> None:
        """Also under an allowed path, and in the place of any file."""
        outcome = rc03(lab(tmp_path, {path: PAYLOAD}))
        assert [(f.path, f.message) for f in outcome.findings] == [
            (path, "its content is listed in manifests/app.sha256")
        ]

    def test_the_index_counts(self, tmp_path: Path) -> None:
        """A payload that is staged and then altered on disk; one that is on disk alone is not tracked."""
        repo = lab(tmp_path).write({"notes/a.bin": PAYLOAD, "notes/b.bin": PAYLOAD})
        repo.git("add", "notes/a.bin")
        repo.write({"notes/a.bin": "altered"})
        assert [f.path for f in rc03(repo).findings] == ["notes/a.bin"]

    def test_a_manifest_that_is_staged_or_edited_counts(self, tmp_path: Path) -> None:
        """In both of its versions."""
        repo = lab(tmp_path, {"notes/a.bin": PAYLOAD, "notes/b.bin": "other\n"})
        repo.write(
            {"manifests/app.sha256": manifest().replace(DIGEST, hashlib.sha256(b"other\n").hexdigest())}
        )
        assert [f.path for f in rc03(repo).findings] == ["notes/a.bin", "notes/b.bin"]
        repo.remove("manifests/app.sha256")
        assert [f.path for f in rc03(repo).findings] == ["notes/a.bin"]

    def test_every_dialect_of_a_manifest_counts(self, tmp_path: Path) -> None:
        """No payload passes silently because of how its line is written."""
        contents = {f"notes/{number}": f"payload {number}\n" for number in range(5)}
        one, two, three, four, five = (
            hashlib.sha256(text.encode()).hexdigest() for text in contents.values()
        )
        text = f"{one}  a\n{two} *b\r\nSHA256 (c) = {three}\n\\{four}  d\\\\e\n{five.upper()}\tf\n"
        outcome = rc03(lab(tmp_path, {**contents, "manifests/app.sha256": text}))
        assert [f.path for f in outcome.findings] == sorted(contents)

    def test_an_empty_file_is_no_payload(self, tmp_path: Path) -> None:
        """Though a manifest lists its digest."""
        files = {"notes/empty": "", "manifests/app.sha256": manifest(more=f"{EMPTY}  assets/empty\n")}
        assert rc03(lab(tmp_path, files)).verdict is Verdict.PASS

    def test_a_large_file_pointer_is_its_content(self, tmp_path: Path) -> None:
        """The pointer's oid is the digest."""
        pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{DIGEST}\nsize 14\n"
        assert [f.path for f in rc03(lab(tmp_path, {"notes/a.bin": pointer})).findings] == ["notes/a.bin"]

    def test_a_large_payload(self, tmp_path: Path) -> None:
        """Hashed as a stream."""
        data = os.urandom(1 << 16) * 160
        files: dict[str, Content] = {"notes/a.bin": data}
        files["manifests/b.sha256"] = f"{hashlib.sha256(data).hexdigest()}  a\n"
        assert [f.path for f in rc03(lab(tmp_path, files)).findings] == ["notes/a.bin"]

    def test_odd_names(self, tmp_path: Path) -> None:
        """Blanks, line breaks, bytes that are no UTF-8."""
        repo = lab(tmp_path, {"notes/a b": PAYLOAD, "notes/c\nd": PAYLOAD, "notes/\udcff": PAYLOAD})
        assert len(rc03(repo).findings) == 3

    def test_a_submodule_is_named(self, tmp_path: Path) -> None:
        """Wherever it is; its folder need not exist."""
        repo = lab(tmp_path)
        repo.git("update-index", "--add", "--cacheinfo", f"160000,{repo.head},vendor/lib")
        repo.git("update-index", "--add", "--cacheinfo", f"160000,{repo.head},notes/lib")
        found = {f.path: f.message for f in rc03(repo).findings}
        assert sorted(found) == ["notes/lib", "vendor/lib"]
        assert all("a submodule" in message for message in found.values())

    def test_ordinary_repositories_are_none(self, tmp_path: Path) -> None:
        """Many have a folder of this name."""
        for number, files in enumerate([{"a": "a"}, {"manifests/app.yaml": "x", "src/a": "a"}]):
            repo = build_repo({".goblin/goblin.yaml": CONFIG, **files}, tmp_path / str(number))
            assert rc03(repo).verdict is Verdict.SKIP
            assert "not a lab repo" in said(rc03(repo))
        assert rc03(Repo(tmp_path / "c").write({".goblin/goblin.yaml": CONFIG})).verdict is Verdict.SKIP

    def test_a_lab_without_a_manifest_is_a_fail(self, tmp_path: Path) -> None:
        """With a quarantine declared, or with a history of manifests, folder or not."""
        config = CONFIG + "quarantine_root: ~/quarantine\n"
        repo = build_repo({".goblin/goblin.yaml": config, "manifests/app.yaml": "x"}, tmp_path / "a")
        assert "holds no *.sha256, though quarantine_root is set" in said(rc03(repo))
        repo = lab(tmp_path / "b")
        repo.git("rm", "-q", "manifests/app.sha256")
        repo.commit("remove")
        outcome = rc03(repo)
        assert outcome.verdict is Verdict.FAIL
        assert "though history knows a manifests/*.sha256" in said(outcome)

    def test_caches_change_no_verdict(self, tmp_path: Path) -> None:
        """Digests by content, and the answer of history by HEAD; a later payload is seen."""
        repo = lab(tmp_path)
        assert rc03(repo, cache=True).verdict is Verdict.PASS
        kept = json.loads((repo / ".git/goblin/cache/blob-sha256.json").read_text())
        assert len(kept) == 6
        repo.commit("payload", {"notes/a.bin": PAYLOAD})
        assert rc03(repo, cache=True).verdict is Verdict.FAIL
        repo.git("rm", "-q", "notes/a.bin", "manifests/app.sha256")
        repo.commit("remove")
        for _ in range(2):
            assert "history knows" in said(rc03(repo, cache=True))
        assert rc03(repo, cache=True, static=True).verdict is Verdict.FAIL

    def test_a_content_that_is_not_here_is_a_fail(self, tmp_path: Path) -> None:
        """A clone that lacks a blob has not seen it to be clean."""
        repo = lab(tmp_path)
        oid = repo.git("rev-parse", "HEAD:scripts/carve.py")
        (repo / f".git/objects/{oid[:2]}/{oid[2:]}").unlink()
        assert "scripts/carve.py: could not be looked at" in said(rc03(repo))

    def test_without_git_a_lab_cannot_be_judged(self, tmp_path: Path) -> None:
        """It says so."""
        repo = Repo(tmp_path).write({".goblin/goblin.yaml": CONFIG, "manifests/a.sha256": manifest()})
        assert "no git repository" in said(rc03(repo))


class TestAcquisitions:
    """RC-04."""

    def record(self, root: Path, text: Content) -> Outcome:
        """The outcome for one manifest."""
        return rc04(build_repo({".goblin/goblin.yaml": CONFIG, "manifests/a.sha256": text}, root))

    def test_none_skips(self, tmp_path: Path) -> None:
        """Other files of the folder are none."""
        repo = build_repo({".goblin/goblin.yaml": CONFIG, "manifests/a.yaml": "x"}, tmp_path)
        assert "no acquisition record declared" in said(rc04(repo))
        assert rc04(repo).verdict is Verdict.SKIP

    @pytest.mark.parametrize(
        "text",
        [
            manifest(),
            manifest().upper().replace(".APK", ".apk").replace("EXAMPLE-1", "example-1"),
            manifest(header=f"#SOURCE:https://store.example.org/x {'b' * 32}\n#Target :  1.2.3\n"),
            manifest(header=f"# target : app 1.2\n# source : store.example.org\n# sha256 : {APK}\n"),
            manifest(header=f"# target : my example-1.2.3.apk\n# source : s.example.org\n# {APK.upper()}\n"),
            manifest(more=f"{'c' * 64} *assets/with space.dat\n\n# end\n"),
            manifest(more=f"{'c' * 64}  split/config.en.APK\n"),
            manifest(header=f"# target : config.en.apk 1.2\n# source : s.example.org\n# {'c' * 64}\n",
                     more=f"{'c' * 64}  split/config.en.apk\n"),
            manifest().replace("\n", "\r\n"),
            "\ufeff" + manifest(),
        ],
    )  # fmt: skip
    def test_a_record_that_is_whole(self, tmp_path: Path, text: str) -> None:
        """In any order and spacing; md5 alone will do; several packages."""
        outcome = self.record(tmp_path, text)
        assert said(outcome) == "PASS\n1 acquisition record(s)"

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            (manifest().partition("\n")[2].partition("\n")[2], ":1: no header"),
            ("\n" + manifest(), "no header"),
            (manifest().replace("# target", "# aim"), "the header has no target"),
            (
                manifest(header=f"# target : app\n# source : s.example.org {'b' * 32}\n"),
                ":1: target names no version",
            ),
            (manifest().replace("# source", "# from"), "the header has no source"),
            (
                manifest(header=f"# target : a 1.2\n# source : unknown {'b' * 32}\n"),
                ":2: source names no store",
            ),
            (
                manifest(header=f"# target : a 1.2\n# source : app.apk {'b' * 32}\n"),
                "source names no store",
            ),
            (
                manifest(header="# target : a 1.2\n# source : s.example.org\n"),
                "holds no checksum of exactly 32 or 64",
            ),
            (
                manifest(header=f"# target : a 1.2\n# source : s.example.org {'b' * 40}\n"),
                "holds no checksum",
            ),
            (
                manifest(header=f"# target : a 1.2\n# source : s.example.org {'b' * 33}\n"),
                "holds no checksum",
            ),
            (
                manifest(header=f"# target : a 1.2\n# source : s.example.org {'d' * 64}\n"),
                ":2: this checksum is not",
            ),
            (
                manifest(header=f"# target : b-1.2.apk\n# source : s.example.org {'b' * 32}\n"),
                "b-1.2.apk is no .apk",
            ),
            (
                manifest(header=f"# target : x-example-1.2.3.apk\n# source : s.example.org {'b' * 32}\n"),
                "is no .apk listed",
            ),
            (manifest().replace("  example-1.2.3.apk", "  example-1.2.3.zip"), "no digest line of an .apk"),
            (manifest(more=f"{'c' * 63}  b\n"), ":5: not `<64 hex>  <path>`"),
            (manifest(more=f"SHA256 (b) = {'c' * 64}\n"), ":5: not `<64 hex>"),
            (manifest(more=f"{'c' * 64}  assets/a.dat\n"), ":5: assets/a.dat stands in line 4 too"),
            (b"\xff\xfe", "is not UTF-8"),
            ("", "no header"),
        ],
    )
    def test_a_record_that_is_not(self, tmp_path: Path, text: Content, told: str) -> None:
        """Each fault with its line."""
        outcome = self.record(tmp_path, text)
        assert outcome.verdict is Verdict.FAIL
        assert told in said(outcome)

    def test_each_record_is_judged(self, tmp_path: Path) -> None:
        """One of two."""
        files = {"manifests/a.sha256": manifest(), "manifests/b.sha256": "x\n"}
        outcome = rc04(build_repo({".goblin/goblin.yaml": CONFIG, **files}, tmp_path))
        assert {f.path for f in outcome.findings} == {"manifests/b.sha256"}
