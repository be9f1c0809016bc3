#!/bin/bash
# run.sh FOLDER MAKE - what a stranger does with what `make install` brings, in empty folders: the examples and the folder
# of `plyd new-game` are compiled with nothing but that, keep their promises, and are played. FOLDER is emptied.
set -euo pipefail

rm -rf "$1"
mkdir -p "$1/games"
prefix=$(cd "$1" && pwd)
make=$2
env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL "$make" -s install PREFIX="$prefix" >/dev/null

examples=$PWD/examples
export PATH=$prefix/bin:$PATH PKG_CONFIG_PATH=$prefix/lib/pkgconfig CFLAGS='-O2 -Wall -Wextra -Wshadow -Wconversion -Werror'
export HOME=$prefix XDG_STATE_HOME= # where a game is kept
unset MAKEFLAGS MFLAGS MAKELEVEL PLYD_GAMES
cd "$prefix/games"

fail() { echo "kit: $1" >&2 && exit 1; }

plyd new-game kurasu
for game in "$examples"/*/module.c; do
    cp -r "$(dirname "$game")" .
done
for game in */; do
    game=${game%/}
    (cd "$game" && "$make" && "$make" check) >"$game.log" 2>&1 || { cat "$game.log"; fail "$game is broken"; }
    exported=$(nm --dynamic --defined-only "$game/$game.so" | awk '{ print $3 }' | grep -v '^_')
    [ "$exported" = plyd_game ] || fail "$game exports $exported"
    plyd play "$game" --game "$game/$game.so" --lines --seat none --level 2 </dev/null >"$game.log" 2>&1 || { cat "$game.log"; fail "$game is not played"; }
    grep -q ' wins (\|^draw (' "$game.log" || { cat "$game.log"; fail "$game has no end"; }
    echo "$game: $(plyd perft "$game" 2 --game "$game/$game.so" 2>/dev/null)"
done

# All of them at once, and what the commands that make one refuse.
mapfile -t all < <(printf -- '--game=%s\n' */*.so)
plyd perft kurasu 1 "${all[@]}" >/dev/null 2>&1 || fail 'the games do not go together'
! plyd new-game kurasu 2>/dev/null || fail 'a folder is written twice'
! plyd new-game shogi 2>/dev/null || fail 'a name that is taken is given again'
! plyd new-game 'A-b' 2>/dev/null || fail 'a name that is none is taken'
grep -q hexagons kurasu/kurasu.md || fail 'hexagons are renamed, too'
! grep -qiw hex kurasu/* || fail 'something is still called hex'
