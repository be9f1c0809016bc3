// record_files.cjs - what we make of a folder of record files, whoever wrote them, and whether other programs read the
// same in them.
//
//   node record_files.cjs TOOL MODULES WORK FOLDER
//
// TOOL is records-tool, MODULES a folder with node_modules/, WORK one for what is written, FOLDER has the files, in
// folders to any depth. A table has a line for each format; below it stands every game that was refused, lost something,
// or is read otherwise by tsshogi or json-kifu-format. Those are to be judged by a person: either side may be wrong.
'use strict';
const fs = require('fs');
const path = require('path');
const crypto = require('crypto');
const { execFileSync } = require('child_process');
const { loadReaders, game, lines, unnumbered, movesOfPlayer } = require('./readers.cjs');

const [tool, modules, work, folder] = process.argv.slice(2);
const { tsshogiReaders, playerReaders } = loadReaders(modules);
const extensions = { kifu: 'kif', ki2u: 'ki2', bod: 'kif' };
const rows = {}, notes = {};

function note(kind, file, text) {
    (notes[kind] = notes[kind] || []).push(`  ${file}\n      ${text.replace(/\s+/g, ' ').slice(0, 300)}`);
}

function files(place) {
    return fs.readdirSync(place, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory()
        ? files(path.join(place, entry.name)) : path.join(place, entry.name))).sort();
}

function attempt(reader, text) {
    try {
        return reader(text);
    } catch (error) {
        return error;
    }
}

function decode(bytes, charset) {
    if (charset)
        return new TextDecoder(charset.toLowerCase()).decode(bytes);
    try {
        return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch (error) {
        return new TextDecoder('shift_jis').decode(bytes);
    }
}

// Bytes of lines that only one of two texts has.
function bytesThatDiffer(one, other) {
    const count = {};
    const byLine = (text) => text.toString('latin1').split('\n');
    byLine(one).forEach((line) => { count[line] = (count[line] || 0) + 1; });
    byLine(other).forEach((line) => { count[line] = (count[line] || 0) - 1; });
    return Object.entries(count).reduce((sum, [line, n]) => sum + Math.abs(n) * (line.length + 1), 0);
}

function compareWithTsshogi(row, file, found, text) {
    const record = attempt(tsshogiReaders[found.format], text);
    if (record instanceof Error) {
        row.onlyWe++;
        return;
    }
    const theirs = unnumbered(game(record.getUSI({ allMoves: true }))), ours = unnumbered(found.game);
    if (theirs.trim() === ours.trim())
        row.equal++;
    else {
        row.unequal++;
        note('moves that tsshogi reads otherwise', file, `we ${ours.split(' ').length} words ${ours.slice(-60)} || ` +
            `tsshogi ${theirs.split(' ').length} words ${theirs.slice(-60)}`);
        return;
    }
    if (found.usen && lines(record.usen[0]) === lines(found.usen))
        row.equalTrees++;
    else
        note('variations that tsshogi reads otherwise', file, `cut ${found.cut}; we ${lines(found.usen || '')} || tsshogi ` +
            lines(record.usen[0]));
}

function compareWithPlayer(row, file, found, text) {
    const reader = playerReaders[found.format];
    const theirs = reader && attempt((it) => movesOfPlayer(reader(it)).trim(), text);
    const ours = found.game.split(' moves ')[1].trim();
    if (typeof theirs !== 'string')
        return;
    row.player++;
    if (theirs === ours)
        row.playerEqual++;
    else
        note('moves that json-kifu-format reads otherwise', file, `we ${ours.slice(-60)} || json-kifu-format ` +
            theirs.slice(-60));
}

function refused(row, file, found, text) {
    const format = file.split('.').pop().toLowerCase();
    const reader = tsshogiReaders[extensions[format] || format];
    const theirs = reader && attempt(reader, text);
    row.refused++;
    note(`refused: ${found.error.code}`, file, `line ${found.error.line}: ${found.error.detail} [${found.error.move}] || ` +
        (!theirs ? 'no other reader' : theirs instanceof Error ? `tsshogi: ${theirs.message || theirs}`
            : `tsshogi reads ${theirs.length} moves`));
}

function taken(row, file, found, number, text) {
    row.taken++;
    row.lines += found.lines;
    row.linesAgain += found.lines_again || 0;
    row.cut += found.cut;
    row.foul += found.foul ? 1 : 0;
    if (found.unwritten || found.unread)
        note('export or its import failed', file, JSON.stringify(found.unwritten || found.unread));
    else {
        const before = fs.readFileSync(path.join(work, `${number}.in`));
        const after = fs.readFileSync(path.join(work, `${number}.out`));
        row.kept += found.kept ? 1 : 0;
        row.stable += found.stable ? 1 : 0;
        row.identical += before.equals(after) ? 1 : 0;
        row.bytes += before.length;
        row.differ += bytesThatDiffer(before, after);
        if (!found.kept || !found.headers_kept)
            note('lost on export', file, found.kept ? 'headers' : 'moves, times or comments');
        if (!found.stable)
            note('a second export differs from the first', file, '');
    }
    if (found.variant !== 'shogi')
        return;
    if (tsshogiReaders[found.format])
        compareWithTsshogi(row, file, found, text);
    compareWithPlayer(row, file, found, text);
}

function readFile(file) {
    const found = execFileSync(tool, ['games', work, file], { maxBuffer: 1 << 28 }).toString().split('\n')
        .filter(Boolean).map((line) => JSON.parse(line));
    found.forEach((one, number) => {
        const name = found.length > 1 ? `${path.relative(folder, file)}, game ${number + 1}` : path.relative(folder, file);
        const text = decode(fs.readFileSync(path.join(work, `${number}.in`)), one.charset);
        const extension = file.split('.').pop().toLowerCase();
        const row = rows[extension] = rows[extension] || { files: 0, games: 0, taken: 0, refused: 0, equal: 0, unequal: 0,
            onlyWe: 0, equalTrees: 0, player: 0, playerEqual: 0, lines: 0, linesAgain: 0, cut: 0, foul: 0, kept: 0,
            stable: 0, identical: 0, bytes: 0, differ: 0, charsets: {} };
        row.files += number === 0 ? 1 : 0;
        row.games++;
        if (one.charset)
            row.charsets[one.charset] = (row.charsets[one.charset] || 0) + 1;
        if (one.error)
            refused(row, name, one, text);
        else
            taken(row, name, one, number, text);
    });
}

fs.rmSync(work, { recursive: true, force: true });
fs.mkdirSync(work, { recursive: true });
const seen = new Set();
for (const file of files(folder)) {
    const sum = crypto.createHash('md5').update(fs.readFileSync(file)).digest('hex');
    if (!seen.has(sum))
        readFile(file);
    seen.add(sum);
}
for (const [kind, list] of Object.entries(notes).sort())
    console.log(`${kind}: ${list.length}\n${list.join('\n')}\n`);
for (const [extension, row] of Object.entries(rows).sort()) {
    console.log(`${extension}: ${row.files} files, ${row.games} games (${Object.entries(row.charsets)
        .map(([name, n]) => `${n} ${name}`).join(', ')}); taken ${row.taken}, refused ${row.refused}`);
    console.log(`  tsshogi: equal moves ${row.equal}, other moves ${row.unequal}, cannot read it ${row.onlyWe}; equal trees ` +
        `${row.equalTrees}; json-kifu-format: equal ${row.playerEqual} of ${row.player}`);
    console.log(`  exported and read again: nothing lost ${row.kept}, second export the same ${row.stable}, the very bytes ` +
        `of the file ${row.identical}; bytes on other lines ${row.differ} of ${row.bytes}`);
    console.log(`  variations in ${row.lines}, out ${row.linesAgain}, cut ${row.cut}; last move a foul ${row.foul}`);
}
