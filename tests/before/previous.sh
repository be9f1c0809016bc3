#!/bin/bash
# previous.sh - what the release before (migrations/PREVIOUS) promised, from git: its contract as build/previous/openapi.yaml, and the
# requests of its test of the contract as build/previous/steps.c.
set -euo pipefail

commit=$(sed -n 's/^\([0-9a-f]\{40\}\)$/\1/p' migrations/PREVIOUS)
mkdir -p build/previous
git cat-file -e "$commit" 2>/dev/null || git fetch --quiet --depth 1 origin "$commit" || {
    echo "plyd: git has no commit $commit, the release before this one" >&2
    exit 1
}
git show "$commit:openapi.yaml" >build/previous/openapi.yaml
{
    echo '#include "tests/http/trial.h"'
    echo 'extern const struct step steps_before[];'
    echo 'extern const size_t steps_before_count;'
    echo 'const struct step steps_before[] = {'
    # The ids of offers are the versions of their events. 0.1.0 knew them by heart, and a change of the setup moved them.
    git show "$commit:tests/http/test_contract.c" | sed -n '/steps\[\] = {$/,/^};/p' |
        sed -e 1d -e 's|offers/3/|offers/{draw}/|' -e 's|offers/4"|offers/{abort}"|' -e 's|offers/5/|offers/{pause}/|'
    echo 'const size_t steps_before_count = sizeof(steps_before) / sizeof(steps_before[0]);'
} >build/previous/steps.c
