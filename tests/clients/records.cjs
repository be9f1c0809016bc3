// records.cjs - whether other programs read our records of shogi, and we theirs.
//
//   node records.cjs TOOL MODULES FOLDER COUNT
//
// TOOL is records-tool, MODULES a folder with node_modules/, FOLDER one for the files.
'use strict';
const fs = require('fs');
const path = require('path');
const { createRequire } = require('module');
const { execFileSync } = require('child_process');

const [tool, modules, folder, count] = process.argv.slice(2);
const load = createRequire(path.resolve(modules) + '/');
const tsshogi = load('tsshogi');
const { JKFPlayer } = load('json-kifu-format');

const start = 'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1';
const failures = [];
let checks = 0;

function check(what, found, expected) {
    checks++;
    if (found !== expected)
        failures.push(`${what}\n    is     ${found}\n    not    ${expected}`);
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

const readers = {
    kif: [tsshogi.importKIF, JKFPlayer.parseKIF],
    ki2: [tsshogi.importKI2, JKFPlayer.parseKI2],
    csa: [tsshogi.importCSA, JKFPlayer.parseCSA],
    csa3: [tsshogi.importCSA], // json-kifu-format ends with 2.2
    jkf: [tsshogi.importJKFString, JKFPlayer.parseJKF],
};
const writers = { kif: tsshogi.exportKIF, ki2: tsshogi.exportKI2, csa: tsshogi.exportCSA,
    jkf: tsshogi.exportJKFString };

function attempt(what, action) {
    try {
        const result = action();
        if (result instanceof Error)
            throw result;
        return result;
    } catch (error) {
        checks++;
        failures.push(`${what}\n    ${error.message || error}`);
        return undefined;
    }
}

// json-kifu-format finds no origins of moves in variations of KI2. Neither program writes what goes on behind the end
// of a game into JKF, so records_tool.c makes no such variations.
//
// Reads our files with their readers; writes theirs, which are returned with what they must be.
function readOurs(number, expected, theirs) {
    for (const [format, [importer, parser]] of Object.entries(readers)) {
        const name = `${number}.${format}`;
        const text = fs.readFileSync(path.join(folder, name), 'utf8');
        const record = attempt(`tsshogi reads ${name}`, () => importer(text));
        const varied = fs.readFileSync(path.join(folder, `${number}.usen`), 'utf8').split('~').length > 2;
        const player = parser && !(varied && format === 'ki2') && attempt(`json-kifu-format reads ${name}`, () => parser(text));
        if (record)
            check(`tsshogi reads ${name}`, unnumbered(game(record.getUSI({ allMoves: true }))),
                unnumbered(expected));
        if (record && !format.startsWith('csa'))
            check(`tsshogi reads the lines of ${name}`, lines(record.usen[0]), lines(
                fs.readFileSync(path.join(folder, `${number}.usen`), 'utf8')));
        if (player) {
            check(`json-kifu-format reads ${name}`, movesOfPlayer(player),
                expected.split(' moves ')[1]);
            theirs.push([`${number}.${format}.json-kifu-format.jkf`, player.toJKF()]);
        }
        for (const [to, exporter] of Object.entries(format === 'kif' && record ? writers : {}))
            theirs.push([`${number}.tsshogi.${to}`, exporter(record),
                to !== 'csa' && lines(record.usen[0])]);
    }
    return theirs.splice(0).map(([name, text, usen]) => {
        fs.writeFileSync(path.join(folder, name), text);
        return [name, expected, usen];
    });
}

function readTheirs(files) {
    for (let i = 0; i < files.length; i += 200) {
        const part = files.slice(i, i + 200);
        const found = execFileSync(tool, ['read',
            ...part.map(([name]) => path.join(folder, name))]).toString().split('\n');
        part.forEach(([name, expected], j) =>
            check(`we read ${name}`, unnumbered(found[j].split('\t')[0].trim() + ' ').trim(),
                unnumbered(expected + ' ').trim()));
        part.forEach(([name, , usen], j) => usen && check(`we read the lines of ${name}`,
            lines(found[j].split('\t')[1] || ''), usen));
    }
}

fs.rmSync(folder, { recursive: true, force: true });
fs.mkdirSync(folder, { recursive: true });
execFileSync(tool, ['write', count, folder]);
const files = [];
for (let number = 0; number < Number(count); number++) {
    const usi = fs.readFileSync(path.join(folder, `${number}.usi`), 'utf8');
    files.push(...readOurs(number, game(usi), []));
}
readTheirs(files);
for (const failure of failures.slice(0, 20))
    console.log(failure);
console.log(`  ${count} games, ${checks} checks, ${failures.length} failures`);
process.exit(failures.length > 0 ? 1 : 0);
