#!/usr/bin/env bats
# The first command of the README, run once for real.

load helper

@test "make try installs a sample, verifies it, and shows each command before its output" {
    run -0 make --no-print-directory -C "$PROJECT" try TRY="$BATS_TEST_TMPDIR/try"
    no_traceback
    [ "$(grep -c '^\$ ' <<<"$output")" -ge 8 ]
    said '$ goblin-install --target . --class A'
    said '$ .goblin/bin/goblin-verify'
    said ' passed, 0 failed, '
    [ -f "$BATS_TEST_TMPDIR/try/sample/.goblin/goblin.yaml" ]
}

@test "make try refuses to remove a folder that it did not make" {
    mkdir "$BATS_TEST_TMPDIR/mine"
    touch "$BATS_TEST_TMPDIR/mine/file"
    run make --no-print-directory -C "$PROJECT" try TRY="$BATS_TEST_TMPDIR/mine"
    [ "$status" -ne 0 ]
    [ -e "$BATS_TEST_TMPDIR/mine/file" ]
}
