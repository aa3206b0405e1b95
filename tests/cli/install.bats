#!/usr/bin/env bats
# goblin-install as scripts see it: exit codes, refusals that touch nothing, and no traceback.

load helper

setup_file() {
    make_sample
}

setup() {
    new_repo "$BATS_TEST_TMPDIR/repo"
}

@test "an installation exits 0 and is green once committed" {
    run -0 goblin-install --target . --class A
    no_traceback
    commit 'Install goblin'
    run -0 .goblin/bin/goblin-verify
    [ -z "$(git status --porcelain)" ]
}

@test "every class installs and is green once committed" {
    for class in A B C D E F; do
        new_repo "$BATS_TEST_TMPDIR/class-$class"
        run -0 goblin-install --target . --class "$class"
        commit 'Install goblin'
        run -0 .goblin/bin/goblin-verify
        no_traceback
    done
}

@test "a second run changes nothing and exits 0" {
    goblin-install --target . --class A
    snapshot >../before
    run -0 goblin-install --target . --class A
    snapshot | diff ../before -
}

@test "--dry-run prints the plan and writes nothing" {
    snapshot >../before
    run -0 goblin-install --target . --class A --dry-run
    said '.goblin/goblin.yaml'
    snapshot | diff ../before -
    [ ! -e .goblin ]
}

@test "--help names every option and every exit code" {
    run -0 --separate-stderr goblin-install --help
    for option in --target --class --models --practice --parts --archive --skills --dry-run --opt-out --opt-in \
        --merge-agents --force --yes --version --help; do
        said "$option"
    done
    [[ "$output" =~ 'Exit codes: 0 '.*'; 1 '.*'; 2 ' ]]
    [ -z "$stderr" ]
}

# refused WORDS -- OPTIONS: exit 2, the words are said on standard error, nothing is written.
refused() {
    local words=$1
    shift 2
    snapshot >../before
    run -2 --separate-stderr goblin-install "$@"
    no_traceback
    said "$words"
    snapshot | diff ../before -
}

@test "bad input exits 2, says what is wrong, and writes nothing" {
    refused '--target' -- --class A
    refused '--class' -- --target .
    refused 'a' -- --target . --class a
    refused 'software' -- --target . --class software
    refused 'nowhere' -- --target nowhere --class A
    refused 'README.md' -- --target README.md --class A
    refused '--frobnicate' -- --target . --class A --frobnicate
    refused '--class' -- --target . --class
    refused 'hanoff' -- --target . --class A --parts hanoff
    refused 'nothing-such' -- --target . --class A --opt-out nothing-such
}

@test "errors start with the word error on standard error" {
    run -2 --separate-stderr goblin-install --target nowhere --class A
    [ -z "$output" ]
    [[ "${stderr_lines[0]}" == "error: "* ]]
}

@test "a record that is no JSON exits 2 and nothing is touched" {
    cp -R "$BATS_FILE_TMPDIR/sample/." .
    printf '{' >.goblin/installed.json
    refused 'installed.json' -- --target . --class A
}

@test "a record that leads out of the repository is refused and nothing there changes" {
    cp -R "$BATS_FILE_TMPDIR/sample/." .
    printf 'keep me\n' >../outside.txt
    python3 - ../outside.txt <<'PY'
import hashlib, json, sys
record = json.load(open(".goblin/installed.json"))
record["files"][sys.argv[1]] = hashlib.sha256(open(sys.argv[1], "rb").read()).hexdigest()
json.dump(record, open(".goblin/installed.json", "w"))
PY
    refused 'outside.txt' -- --target . --class A
    [ "$(cat ../outside.txt)" = 'keep me' ]
}

@test "a file that is already there is kept, named, and exits 1" {
    printf '# Our own handoff\n' >HANDOFF.md
    commit 'Write a handoff'
    run -1 goblin-install --target . --class A
    said 'refused to overwrite:'
    said 'HANDOFF.md'
    no_traceback
    [ "$(cat HANDOFF.md)" = '# Our own handoff' ]
}

@test "a link that leads out of the repository is refused and nothing appears there" {
    mkdir ../outside
    ln -s ../outside .goblin
    run goblin-install --target . --class A
    no_traceback
    [ "$status" -ne 0 ]
    [ -z "$(ls -A ../outside)" ]
}

@test "a class change is refused without --force" {
    goblin-install --target . --class A
    snapshot >../before
    run --separate-stderr goblin-install --target . --class B
    [ "$status" -ne 0 ]
    said '--force'
    no_traceback
    snapshot | diff ../before -
}
