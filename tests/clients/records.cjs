// records.cjs - whether other programs read our records of shogi, and we theirs.
//
//   node records.cjs TOOL MODULES FOLDER COUNT
//
// TOOL is records-tool, MODULES a folder with node_modules/, FOLDER one for the files.
'use strict';
const fs = require('fs');
const path = require('path');
const { execFileSync } = require('child_process');
const { loadReaders, game, lines, unnumbered, movesOfPlayer } = require('./readers.cjs');

const [tool, modules, folder, count] = process.argv.slice(2);
const { tsshogi, tsshogiReaders, playerReaders } = loadReaders(modules);
const formats = ['kif', 'ki2', 'csa', 'csa3', 'jkf'];

const failures = [];
let checks = 0;

function check(what, found, expected) {
    checks++;
    if (found !== expected)
        failures.push(`${what}\n    is     ${found}\n    not    ${expected}`);
}

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
    for (const format of formats) {
        const importer = tsshogiReaders[format], parser = playerReaders[format];
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
