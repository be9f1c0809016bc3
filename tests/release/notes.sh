#!/bin/bash
# notes.sh - whether what a release says of itself is true: its version, its notes, the release before, and that
# the tree is what was committed. Prints each thing that is not so.
set -euo pipefail
cd "$(dirname "$0")/../.."

wrong=0
demand() { # SENTENCE COMMAND...
    local sentence=$1

    shift
    "$@" >/dev/null 2>&1 || { echo "plyd: it is not so that $sentence" >&2; wrong=1; }
}

is_later() { [ "$1" != "$2" ] && [ "$(printf '%s\n' "$1" "$2" | sort -V | tail -n 1)" = "$1" ]; }

previous=$(grep -E '^[0-9a-f]{40}$' migrations/PREVIOUS)
version=$(sed -n 's/^  version: //p' openapi.yaml)
before=$(git show "$previous:openapi.yaml" | sed -n 's/^  version: //p')
noted=$(sed -n 's/^## \([^,]*\), .*/\1/p' CHANGELOG.md)
day=$(sed -n "s/^## $version, //p" CHANGELOG.md)

is_clean() { [ -z "$(git status --porcelain)" ]; }
is_noted_first() { [ "$(head -n 1 <<<"$noted")" = "$version" ]; }
has_before_noted() { [ "$(sed -n 2p <<<"$noted")" = "$before" ]; }
is_no_later_than_today() { [[ "$day" < $(date -d tomorrow +%F) ]]; }
leaves_migrations() { git diff --quiet --diff-filter=a "$previous" -- 'migrations/*.sql'; }

demand "everything is committed" is_clean
demand "the first section of CHANGELOG.md is that of $version, the version of openapi.yaml" is_noted_first
demand "its second section is that of $before, the version of migrations/PREVIOUS" has_before_noted
demand "$version has a day that has come" is_no_later_than_today
demand "$version is later than $before" is_later "$version" "$before"
demand "migrations/PREVIOUS came before this commit" git merge-base --is-ancestor "$previous" HEAD
demand "the migrations of $before are as they were" leaves_migrations
exit $wrong
