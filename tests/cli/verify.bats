#!/usr/bin/env bats
# goblin-verify as scripts see it: exit codes, what is on which stream, and no traceback.

load helper

setup_file() {
    make_sample
}

setup() {
    enter_sample
}

@test "a fresh installation is green and exits 0" {
    run -0 --separate-stderr goblin-verify
    no_traceback
    [[ "$output" == *", 0 failed, "* ]]
    [ -z "$stderr" ]
}

@test "the vendored launcher says the same, started in each of its ways" {
    run -0 goblin-verify
    expected=$output
    run -0 .goblin/bin/goblin-verify
    [ "$output" = "$expected" ]
    git config core.fileMode false
    chmod -x .goblin/bin/goblin-verify
    run -0 python3 .goblin/bin/goblin-verify
    [ "$output" = "$expected" ]
}

@test "it finds the repository from a folder below its root" {
    mkdir -p deep/er
    cd deep/er
    run -0 ../../.goblin/bin/goblin-verify --only HP-01
    [[ "$output" == "PASS  HP-01 "* ]]
}

@test "a broken rule exits 1, with the remedy under its line" {
    git rm --quiet HANDOFF.md
    commit 'Drop the handoff'
    run -1 --separate-stderr goblin-verify --only HP-01
    [[ "${lines[0]}" == "FAIL  HP-01 "* ]]
    said '        remedy: '
    said '0 passed, 1 failed, 0 advisory, 0 skipped'
    no_traceback
}

@test "rows are printed in the order of the manifest, whatever the order asked for" {
    run -0 goblin-verify --only IN-01,HP-01
    first=$(printf '%s\n' "$output" | grep -E '^(PASS|FAIL|ADV|SKIP) ')
    run -0 goblin-verify --only HP-01 --only IN-01
    [ "$(printf '%s\n' "$output" | grep -E '^(PASS|FAIL|ADV|SKIP) ')" = "$first" ]
    [ "$(printf '%s\n' "$first" | wc -l)" -eq 2 ]
}

@test "runs print the same bytes; only machine formats hold durations" {
    run -0 goblin-verify
    first=$output
    run -0 goblin-verify
    [ "$output" = "$first" ]
    without='import json,sys; d=json.load(sys.stdin); [r.pop("seconds", 0) for r in d["rows"]]; print(d)'
    first=$(goblin-verify --json | python3 -c "$without")
    [ "$(goblin-verify --json | python3 -c "$without")" = "$first" ]
}

@test "an unknown id exits 2, is named, and selects nothing" {
    run -2 --separate-stderr goblin-verify --only HP-01,HP-91
    [ -z "$output" ]
    said 'HP-91'
    silent_about 'PASS'
    no_traceback
}

@test "an id of the test suite alone exits 2 and says where it runs" {
    printf 'ZZ-01\tsource\t-\ttest\ta rule\tan artifact\ttests/test_rule.py\ta remedy\t-\n' \
        >>.goblin/manifest/enforcement.tsv
    run -2 --separate-stderr goblin-verify --only ZZ-01
    [ -z "$output" ]
    said 'ZZ-01'
    silent_about 'unknown'
    no_traceback
    run -0 goblin-verify --only ZZ-01,HP-01
    said '1 passed, 0 failed'
}

@test "an unknown option exits 2 with the usage on standard error" {
    run -2 --separate-stderr goblin-verify --onyl HP-01
    [ -z "$output" ]
    said 'Usage: goblin-verify'
    no_traceback
}

@test "an option without its value exits 2 at once" {
    run -2 --separate-stderr goblin-verify --only
    said '--only'
    no_traceback
}

@test "a repository without goblin exits 2 with the command that installs it" {
    new_repo "$BATS_TEST_TMPDIR/bare"
    run -2 --separate-stderr goblin-verify
    [ -z "$output" ]
    said 'not installed'
    said 'goblin-install'
    no_traceback
}

@test "a folder inside another repository exits 2 and names both" {
    new_repo "$BATS_TEST_TMPDIR/outer"
    cp -R "$BATS_FILE_TMPDIR/sample" inner
    rm -rf inner/.git
    cd inner
    run -2 --separate-stderr goblin-verify
    said "$BATS_TEST_TMPDIR/outer"
    said "git init"
    no_traceback
}

@test "a config that is no YAML exits 2 with file, line and column" {
    printf 'class: A\nbranch: [main\n' >.goblin/goblin.yaml
    run -2 --separate-stderr goblin-verify
    [ -z "$output" ]
    [[ "$stderr" =~ \.goblin/goblin\.yaml:[0-9]+:[0-9]+ ]]
    no_traceback
}

@test "a key that stands twice in the config exits 2 and names it" {
    printf 'branch: other\n' >>.goblin/goblin.yaml
    run -2 --separate-stderr goblin-verify
    said 'branch'
    no_traceback
}

@test "a class that is not on the list exits 2" {
    sed -i 's/^class:.*/class: Z/' .goblin/goblin.yaml
    run -2 --separate-stderr goblin-verify
    said 'class'
    no_traceback
}

@test "hostile configs end in an exit code, never in a traceback" {
    for bytes in '' '\0' '\377\376c\0' '- a\n- b\n' '&a [*a]\n' 'a: !!python/object:os.system x\n' '%%YAML 9.9\n---\na: b\n'; do
        # shellcheck disable=SC2059 # the escapes are the point
        printf -- "$bytes" >.goblin/goblin.yaml
        run -2 --separate-stderr goblin-verify
        [ -z "$output" ]
        no_traceback
    done
}

@test "a config that is a folder, a FIFO or missing exits 2 and does not hang" {
    rm .goblin/goblin.yaml
    run -2 goblin-verify
    no_traceback
    mkdir .goblin/goblin.yaml
    run -2 timeout 20 goblin-verify
    no_traceback
    rmdir .goblin/goblin.yaml
    mkfifo .goblin/goblin.yaml
    run -2 timeout 20 goblin-verify
    no_traceback
}

@test "a manifest with a wrong field count exits 3 before any row runs" {
    printf 'XX-01\ttarget\n' >>.goblin/manifest/enforcement.tsv
    run -3 --separate-stderr goblin-verify
    [ -z "$output" ]
    said 'enforcement.tsv'
    no_traceback
}

@test "a row that stands twice, a blank check and a wrong header each exit 3" {
    manifest=.goblin/manifest/enforcement.tsv
    cp "$manifest" ../enforcement.tsv
    sed -n 2p ../enforcement.tsv >>"$manifest"
    run -3 goblin-verify --only HP-01
    no_traceback
    awk -F '\t' -v OFS='\t' 'NR == 2 { $7 = "" } { print }' ../enforcement.tsv >"$manifest"
    run -3 goblin-verify --only HP-01
    no_traceback
    sed '1s/^id/ID/' ../enforcement.tsv >"$manifest"
    run -3 goblin-verify --only HP-01
    no_traceback
}

@test "a check that names a function which is not there exits 3" {
    sed -i 's/::[a-z_]*/::no_such_function/' .goblin/manifest/enforcement.tsv
    run -3 --separate-stderr goblin-verify
    said 'no_such_function'
    no_traceback
}

@test "a repository without its manifest exits 2" {
    rm .goblin/manifest/enforcement.tsv
    run -2 --separate-stderr goblin-verify
    said 'enforcement.tsv'
    no_traceback
}

@test "--list shows every row without a config and runs none" {
    rm .goblin/goblin.yaml
    run -0 --separate-stderr goblin-verify --list
    while IFS=$'\t' read -r id _; do
        [ "$id" = id ] || said "$id"
    done <.goblin/manifest/enforcement.tsv
    silent_about 'passed,'
}

@test "--list works where nothing is installed" {
    new_repo "$BATS_TEST_TMPDIR/bare"
    run -0 goblin-verify --list
    said 'HP-01'
}

@test "--explain shows one row; a near miss is corrected" {
    run -0 goblin-verify --explain HP-01
    said 'HANDOFF.md'
    run -2 --separate-stderr goblin-verify --explain HP-1
    said 'HP-01'
    no_traceback
}

@test "--json is one object on one line, on success and on every error" {
    parse='import json,sys; d=json.loads(sys.stdin.read()); print(d.get("exit", d.get("failed")))'
    run -0 --separate-stderr goblin-verify --json
    [ "${#lines[@]}" -eq 1 ]
    [ "$(python3 -c "$parse" <<<"$output")" = 0 ]
    run -2 --separate-stderr goblin-verify --json --only HP-91
    [ "$(python3 -c "$parse" <<<"$output")" = 2 ]
    printf 'XX-01\ttarget\n' >>.goblin/manifest/enforcement.tsv
    run -3 --separate-stderr goblin-verify --json
    [ "$(python3 -c "$parse" <<<"$output")" = 3 ]
}

@test "--static runs no command that the repository declares" {
    printf 'gates:\n  - name: mark\n    cmd: touch ran-the-gate\n' >gates.yaml
    awk '/^gates:/ { while ((getline line < "gates.yaml") > 0) print line; skip = 1; next }
         /^[a-z]/ { skip = 0 } !skip' .goblin/goblin.yaml >new.yaml
    mv new.yaml .goblin/goblin.yaml
    rm gates.yaml
    run goblin-verify --static
    no_traceback
    [ "$status" -le 1 ]
    said 'SKIP  GT-02'
    [ ! -e ran-the-gate ]
    run goblin-verify --only GT-02
    [ -e ran-the-gate ]
}

@test "a verifier started by the verifier exits 2" {
    GOBLIN_VERIFY_DEPTH=1 run -2 --separate-stderr goblin-verify
    said 'recursive'
}

@test "inherited git variables do not point it at another repository" {
    new_repo "$BATS_TEST_TMPDIR/other"
    cd "$BATS_TEST_TMPDIR/sample"
    GIT_DIR="$BATS_TEST_TMPDIR/other/.git" GIT_INDEX_FILE=/nonexistent run -0 goblin-verify --only HP-01,HP-05
    no_traceback
}

@test "PATH without git exits 2 and names it" {
    few="$BATS_TEST_TMPDIR/few"
    mkdir "$few"
    for name in bash python3; do
        ln -s "$(command -v "$name")" "$few/$name"
    done
    run -2 --separate-stderr env PATH="$few" python3 -I -S .goblin/bin/goblin-verify
    said 'git'
    no_traceback
}

@test "a reader that closes the pipe early leaves no traceback" {
    run bash -c 'goblin-verify 2>&1 | head -n 1'
    no_traceback
    [ "${#lines[@]}" -eq 1 ]
}

@test "a full run writes nothing but the runtime files" {
    snapshot >../before
    run -0 goblin-verify
    snapshot | grep -vE ' \./\.goblin/(last-gate-line|last-gate\.json|ratchet-last|\.ds-report)$' >../after
    grep -vE ' \./\.goblin/(last-gate-line|last-gate\.json|ratchet-last|\.ds-report)$' ../before | diff - ../after
    [ -z "$(git status --porcelain)" ]
}

@test "a run leaves no bytecode in the tree" {
    run -0 .goblin/bin/goblin-verify
    [ -z "$(find . -path ./.git -prune -o -name '__pycache__' -print)" ]
}
