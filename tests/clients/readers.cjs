// readers.cjs - other programs that read records of shogi, and how their results are compared with ours.
'use strict';
const path = require('path');
const { createRequire } = require('module');

const start = 'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1';

// Our names of formats, and what reads them: tsshogi as its record, json-kifu-format as its player.
// `modules` is a folder with node_modules/.
function loadReaders(modules) {
    const load = createRequire(path.resolve(modules) + '/');
    const tsshogi = load('tsshogi');
    const { JKFPlayer } = load('json-kifu-format');
    const usi = (text) => tsshogi.Record.newByUSI(text.trim());
    return {
        tsshogi,
        tsshogiReaders: {
            kif: tsshogi.importKIF,
            ki2: tsshogi.importKI2,
            csa: tsshogi.importCSA,
            csa3: tsshogi.importCSA,
            jkf: tsshogi.importJKFString,
            usi,
            sfen: usi,
            usen: (text) => tsshogi.Record.newByUSEN(text.trim(), 0, 0),
        },
        playerReaders: { // json-kifu-format ends with CSA 2.2
            kif: JKFPlayer.parseKIF,
            ki2: JKFPlayer.parseKI2,
            csa: JKFPlayer.parseCSA,
            jkf: JKFPlayer.parseJKF,
        },
    };
}

// "SFEN moves M..." of a USI command, without the word at its end.
function game(usi) {
    const [position, moves = ''] = usi.trim().split(/ moves ?/);
    const list = moves.split(' ').filter((move) => move && !/^(resign|win)$/.test(move));
    const sfen = position.replace(/^position /, '').replace(/^startpos.*/, start)
        .replace(/^sfen /, '').replace(/ (resign|win)$/, '');
    return `${sfen} moves ${list.join(' ')}`;
}

// The lines of a USEN, without the start and ends. What begins where the line before it ends is taken for a part of
// that, since tsshogi writes it so.
function lines(usen) {
    const list = [];
    for (const section of usen.trim().split('~').slice(1)) {
        const [ply, moves] = section.split('.');
        const last = list[list.length - 1];
        if (last && last.ply + last.moves.length / 3 === Number(ply))
            last.moves += moves;
        else
            list.push({ ply: Number(ply), moves });
    }
    return list.map(({ ply, moves }) => `${ply}.${moves}`).join('~');
}

// CSA, JKF and KI2 do not number moves: the number of the start is not compared.
const unnumbered = (text) => text.replace(/ \d+ moves/, ' moves');

function movesOfPlayer(player) {
    const letters = { FU: 'P', KY: 'L', KE: 'N', GI: 'S', KI: 'G', KA: 'B', HI: 'R' };
    const square = ({ x, y }) => x + 'abcdefghi'[y - 1];
    return player.kifu.moves.filter((step) => step.move).map(({ move }) => (move.from
        ? square(move.from) : letters[move.piece] + '*') + square(move.to) +
        (move.promote ? '+' : '')).join(' ');
}

module.exports = { loadReaders, game, lines, unnumbered, movesOfPlayer };
