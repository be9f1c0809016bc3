#!/bin/bash
# changelog.sh - prints the sections of CHANGELOG.md as Debian's changelog, the newest first.
set -euo pipefail
cd "$(dirname "$0")/.."

sed -n 's/^## \([^,]*\), \(.*\)/\1 \2/p' CHANGELOG.md | while read -r version day; do
    printf 'plyd (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md in the sources.\n\n' "$version"
    printf ' -- The plyd authors <plyd@example.org>  %s\n\n' "$(LC_ALL=C date -u -R -d "$day 12:00")"
done
