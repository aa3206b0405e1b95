#!/usr/bin/env bats
# goblin-loop as scripts see it: a loop from start to close, its exit codes, and a repository that stays green.

load helper

setup_file() {
    make_sample
}

setup() {
    enter_sample
}

start() {
    goblin-loop start --predicate 'grep -q done README.md' --budget 4 "$@"
}

turn() {
    goblin-loop record --phase check --decision verdict:continue --why 'not yet' "$@"
}

@test "without a loop every row about loops is skipped, and the repository is green" {
    run -0 goblin-verify
    [[ "$output" == *"SKIP  LP-01  no loop has run"* ]]
    [[ "$output" == *"SKIP  RN-01  no loop has run"* ]]
    [ ! -e .goblin/loop ]
}

@test "an open loop leaves the repository green once it is committed" {
    start --control 'echo done >> README.md'
    run -1 goblin-verify --only CM-03
    said '.goblin/loop/predicate: untracked'
    commit 'Open a loop'
    run -0 goblin-verify
    [[ "$output" == *", 0 failed, "* ]]
    [[ "$output" != *"no record names this file"* ]]
}

@test "a loop goes from start to close, and another follows it" {
    start
    commit 'Open a loop'
    run -0 --separate-stderr turn --check
    [[ "${lines[0]}" == ".goblin/loop/decisions.tsv:2 "*" | predicate:red" ]]
    [ -z "$stderr" ]
    echo 'done' >>README.md
    commit 'Do it'
    run -0 goblin-loop record --phase check --decision verdict:done --why 'it is there' --check
    run -0 goblin-loop close
    [[ "${lines[0]}" == "the loop is closed as green: .goblin/loop/closed-"* ]]
    commit 'Close the loop'
    run -0 goblin-verify
    [[ "$output" == *", 0 failed, "* ]]
    run -0 goblin-loop start --predicate 'grep -q finished README.md' --budget 2
    commit 'Open another'
    run -0 goblin-verify
    grep -q '^previous: ' .goblin/loop/predicate.sha256
}

@test "a refusal exits 1 with a remedy, and leaves no trace" {
    run -1 --separate-stderr goblin-loop start --predicate true --budget 4
    [ -z "$output" ]
    said 'refused: the predicate is green already'
    said 'remedy: '
    no_traceback
    [ -z "$(git status --porcelain --ignored -- .goblin/loop)" ]
    run -1 goblin-loop close
    run -1 goblin-loop stuck
    run -1 goblin-loop tail
    run -1 turn --check
    run -1 start --budget 21
}

@test "bad usage exits 2, also of an unknown subcommand" {
    run -2 goblin-loop
    run -2 goblin-loop nonsense
    run -2 goblin-loop start
    run -2 goblin-loop start --predicate false --budget many
    no_traceback
}

@test "a predicate that reads standard input, forks and hides does not hold the command up" {
    run -0 goblin-loop start --budget 2 --predicate 'cat >/dev/null; (sleep 987 &) ; false'
    run -1 pgrep -f 'sleep 987'
}

@test "nothing that is not after -- is run: cells are text" {
    start
    # shellcheck disable=SC2016  # that nothing expands is the point
    turn --result predicate:red --evidence file:README.md --why '$(touch pwned) `touch pwned` ; touch pwned'
    # shellcheck disable=SC2016
    goblin-loop record --phase '$(touch${IFS}pwned)' --decision '; touch pwned' --why x
    [ ! -e pwned ]
    # shellcheck disable=SC2016
    grep -qF '$(touch pwned)' .goblin/loop/decisions.tsv
}

@test "the vendored command does the same with Python and git alone" {
    local path=$BATS_TEST_TMPDIR/path program
    mkdir "$path"
    for program in git bash sh python3 env grep cat ls touch sed; do
        ln -s "$(command -v "$program")" "$path/$program"
    done
    PATH=$path run -0 .goblin/bin/goblin-loop start --predicate 'grep -q done README.md' --budget 4
    PATH=$path run -0 python3 .goblin/bin/goblin-loop record --phase check --decision verdict:continue --why w --check
    PATH=$path run -0 .goblin/bin/goblin-loop status
    [[ "$output" == *"turns: 1 of 4"* ]]
    PATH=$path run -0 .goblin/bin/goblin-loop stuck --tried all --blocks much
    PATH=$path run -0 .goblin/bin/goblin-loop close
    commit 'A loop'
    PATH=$path run -0 .goblin/bin/goblin-verify
}

@test "tail follows a loop until it is closed" {
    start
    goblin-loop tail --follow --json >followed &
    turn --check
    goblin-loop stuck --tried all --blocks much
    goblin-loop close
    wait $!
    cmp followed .goblin/loop/events.jsonl
}

@test "two turns at once are two turns" {
    start
    turn --result predicate:red --evidence file:README.md --why one &
    turn --result predicate:red --evidence file:README.md --why two &
    wait
    [ "$(wc -l <.goblin/loop/decisions.tsv)" -eq 3 ]
    run -0 goblin-verify --only RN-01,RN-02,JG-01
}

@test "two starts at once are one loop" {
    start >one 2>&1 &
    start >two 2>&1 &
    wait
    [ "$(grep -l 'is open: 4 turn' one two | wc -l)" -eq 1 ]
    [ "$(grep -lE 'refused: (another goblin-loop is at work|a loop is open)' one two | wc -l)" -eq 1 ]
    run -0 goblin-verify --only LP-01,LP-02,RN-01,RN-05
}

@test "a start that is ended while the predicate runs leaves nothing behind" {
    local marker=$BATS_TEST_TMPDIR/running pid
    goblin-loop start --predicate "touch '$marker'; exec sleep 988" --budget 4 &
    pid=$!
    until [ -e "$marker" ]; do sleep 0.05; done
    kill -TERM "$pid"
    wait "$pid" && false
    [ ! -e .goblin/loop ]
    run -1 pgrep -f 'sleep 988'
    run -0 start
}
