#!/bin/bash
# npm.sh VERSION OUT - makes the package of plyd.js and of the board element in the folder OUT: plyd-VERSION.tgz.
#
# native.js is the module for React Native, whose bundler knows neither import.meta nor await outside of functions.
set -euo pipefail

version=$1 out=$2
rm -rf "$out" && mkdir -p "$out/package"
cp build/embed/open/{plyd,board}.js api/pages/plyd.d.ts contrib/npm/{board.d.ts,README.md} LICENSE "$out/package"
sed -e 's/^const crypto = .*/const { crypto } = globalThis;/' -e 's/server = new URL(import\.meta\.url)\.origin/server/' \
    "$out/package/plyd.js" >"$out/package/native.js"
if grep -nE 'import\.meta|await import' "$out/package/native.js"; then exit 1; fi
sed "s/\"VERSION\"/\"$version\"/" contrib/npm/package.json >"$out/package/package.json"

# What is kept: the module is small.
readonly most=10000
size=$(gzip -9 <"$out/package/plyd.js" | wc -c)
[ "$size" -le $most ] || { echo "npm.sh: plyd.js has $size bytes (gzip), and may have $most" >&2 && exit 1; }
(cd "$out/package" && npm pack --silent --pack-destination .. >/dev/null)
