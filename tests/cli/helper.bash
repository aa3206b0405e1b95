# shellcheck shell=bash
# What every bats file shares: the real commands, a fixed environment, an installed sample.
#
#   setup_file() { make_sample; }   once a file: a repository with class A, installed and committed
#   setup()      { enter_sample; }  before each test: a private copy of it, as the working directory

bats_require_minimum_version 1.5.0

PROJECT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
PATH="${VENV:-$PROJECT/.venv}/bin:$PATH"
export PROJECT PATH
export LC_ALL=C.UTF-8 TZ=UTC TERM=dumb
export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_TERMINAL_PROMPT=0
export GIT_AUTHOR_NAME='Sample Author' GIT_AUTHOR_EMAIL='author@example.invalid'
export GIT_COMMITTER_NAME="$GIT_AUTHOR_NAME" GIT_COMMITTER_EMAIL="$GIT_AUTHOR_EMAIL"
export HOME="$BATS_RUN_TMPDIR/home" # no dot file of the person who runs the tests is ever read
mkdir -p "$HOME"
unset XDG_CONFIG_HOME GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GOBLIN_MODELS GOBLIN_PRACTICE GOBLIN_VERIFY_DEPTH

# new_repo FOLDER: a git repository with one commit, made and entered.
new_repo() {
    mkdir -p "$1"
    cd "$1" || return
    git init --quiet --initial-branch=main
    printf '# Sample\n' >README.md
    commit 'Start'
}

# commit MESSAGE: everything that is not ignored.
commit() {
    git add --all
    git commit --quiet --allow-empty --message "$1"
}

# make_sample: an installed class-A repository in $BATS_FILE_TMPDIR/sample.
make_sample() {
    new_repo "$BATS_FILE_TMPDIR/sample"
    goblin-install --target . --class A
    commit 'Install goblin'
}

# enter_sample: a private copy of the sample, and the folder that the test works in.
enter_sample() {
    cp -R "$BATS_FILE_TMPDIR/sample" "$BATS_TEST_TMPDIR/sample"
    cd "$BATS_TEST_TMPDIR/sample" || return
}

# said TEXT: the last `run` printed this, on standard output or on standard error.
said() {
    case "${output:-}${stderr:-}" in
        *"$1"*) return 0 ;;
    esac
    printf 'not said: %s\nout: %s\nerr: %s\n' "$1" "${output:-}" "${stderr:-}"
    return 1
}

# silent_about TEXT: the last `run` printed nothing like this.
silent_about() {
    case "${output:-}${stderr:-}" in
        *"$1"*)
            printf 'said: %s\nout: %s\nerr: %s\n' "$1" "${output:-}" "${stderr:-}"
            return 1
            ;;
    esac
}

# no_traceback: the last `run` let none through; no input may.
no_traceback() {
    silent_about 'Traceback (most recent call last)'
}

# snapshot: every path below the working directory with its digest, git's own files left out.
snapshot() {
    find . -path ./.git -prune -o -type f -exec sha256sum {} + | LC_ALL=C sort
}
