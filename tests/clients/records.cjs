// records.cjs - whether other programs read in our records of shogi what we wrote, and we what is in theirs.
//
//   node records.cjs TOOL MODULES FOLDER COUNT KEPT
//
// TOOL is records-tool, MODULES a folder with node_modules/, FOLDER one for the files. COUNT games are made at random, and
// more are read from KEPT: tests/records/ and tests/unit/records.txt. All go out in every format. What other programs read
// there - moves, variations, comments, times, ends, headers - is compared with the record, and what we read there is
// written again, which must give the same bytes. Then we read what the other programs write.
'use strict';
const fs = require('fs');
const path = require('path');
const { execFileSync } = require('child_process');
const { loadReaders, game, lines, unnumbered } = require('./readers.cjs');
const { ourModel, tsshogiModel, playerModel, hasTwins, compare } = require('./models.cjs');

const [tool, modules, folder, count, ...keepers] = process.argv.slice(2);
const { tsshogi, tsshogiReaders, playerReaders } = loadReaders(modules);

// ---- what each reader tells ----

const kanji = { first: ['先手', '下手'], second: ['後手', '上手'], event: ['棋戦'], site: ['場所'], round: ['回戦'],
    time_limit: ['持ち時間'], opening: ['戦型'] };
const byDefault = ['winByDefault', 'loseByDefault'];

// `times` and `endTimes`: the milliseconds of which they are multiples, or 0. `headers`: what the reader calls those that it
// does not call as we do. `endless`: ends without a word. `comment`: what becomes of a comment.
const all = { variations: true, times: 1000, endTimes: 1000, headers: kanji, header: () => true, endless: [],
    comment: (it) => it };
// The formats have no words for forfeits: we write another word, and the end itself where only we look. KI2 tells no times.
const jkf = { ...all, endless: byDefault };
const ki2 = { ...all, times: 0, endTimes: 0, endless: byDefault };
// CSA has no variations, and its headers have names in capital letters.
const csa = { ...jkf, variations: false, header: (key) => kanji[key] || /^[A-Z+-]+$/.test(key) };
// tsshogi passes over blank lines of comments in CSA. It takes the sign of %+ILLEGAL_ACTION for the winner, which by the
// standard is the side that broke the rules.
const noBlanks = { comment: (it) => it.replace(/\n+/g, '\n'), headers: { ...kanji, event: ['表題'], round: ['ROUND'] },
    endless: [...byDefault, 'foulWin', 'foulLose'] };

// tsshogi tells bookmarks of KIF and KI2 apart from comments.
const noBookmarks = { comment: (it) => it.replace(/^&.*\n?/gm, '') };

const told = {
    tsshogi: {
        kif: { ...all, ...noBookmarks },
        ki2: { ...ki2, ...noBookmarks },
        csa: { ...csa, ...noBlanks },
        csa3: { ...csa, ...noBlanks, times: 1, endTimes: 1 },
        jkf: { ...jkf, endless: noBlanks.endless },
    },
    // json-kifu-format has CSA's words for ends only, and leaves the star of a comment in CSA.
    player: {
        kif: jkf,
        ki2,
        csa: { ...csa, comment: (it) => it.replace(/^(?=.)/gms, '*'),
            headers: { ...kanji, round: ['ROUND'], opening: ['OPENING'] } },
        jkf,
    },
};
const formats = Object.keys(told.tsshogi);

// json-kifu-format cannot read these: KI2 with variations, with nothing but its last sentence, or with a comment behind that,
// and CSA with the name of the second player first, as the file had it.
const unreadable = { ki2: /^変化|^手合割.*\nまで|^まで.*\n\*/m, csa: /^N-.*\nN\+/m };

// ---- counting ----

const failures = [];
const counts = {};
let checks = 0;

function check(what, found, expected) {
    checks++;
    if (found !== expected)
        failures.push(`${what}\n    is     ${found}\n    not    ${expected}`);
}

// What an action returns, or the error that it throws or returns.
function outcome(action) {
    try {
        return action();
    } catch (error) {
        return error instanceof Error ? error : new Error(error);
    }
}

function attempt(what, action) {
    const result = outcome(action);
    if (!(result instanceof Error))
        return result;
    checks++;
    failures.push(`${what}\n    ${result.message}`);
    return undefined;
}

// Runs the tool on many files: a line of output for each.
function ask(command, names) {
    const found = [];
    for (let i = 0; i < names.length; i += 200)
        found.push(...execFileSync(tool, [command, ...names.slice(i, i + 200).map((name) => path.join(folder, name))],
            { maxBuffer: 1 << 28 }).toString().split('\n').slice(0, -1));
    return found;
}

const exists = (name) => fs.existsSync(path.join(folder, name));
const text = (name) => fs.readFileSync(path.join(folder, name), 'utf8');

// ---- records that are kept ----

const names = {}, origins = {};

// What tsshogi does not know: headers in comments, hours before minutes, what stands behind the last sentence, and men of
// the second player with a large V.
const unknown = ['a header in a comment counts', 'times with hours', 'sentences: the word in the line',
    'a board with hands'];

const isUnknown = (number) => unknown.some((words) => names[number].includes(words));

// A kept file of a format goes out in it as it was written: with the board that stands there, which may be odd.
function isOdd(number, format) {
    return origins[number] === format && (isUnknown(number) ||
        outcome(() => tsshogiReaders[format](text(`${number}.in`))) instanceof Error);
}

// ---- what we wrote ----

function compareWith(reader, format, name, ours, theirs) {
    const tells = { ...told[reader][format], format, main: ours.main };
    compare(ours, theirs, tells, counts, (field, a, b) => failures.push(`${name}: ${field}, ${reader} reads ` +
        `${JSON.stringify(b)} where the record has ${JSON.stringify(a)}`));
}

const writers = { kif: tsshogi.exportKIF, ki2: tsshogi.exportKI2, csa: tsshogi.exportCSA,
    jkf: tsshogi.exportJKFString };
const ofCsa = { title: '表題', place: '場所' };

function modelOf(number) {
    const model = JSON.parse(text(`${number}.model`));
    return { ...ourModel(model), main: model.moves.map(({ move }) => move).join(' ') };
}

function compareTsshogi(format, name, ours, record) {
    compareWith('tsshogi', format, name, ours, tsshogiModel(record, (key) => tsshogi.metadataKeyToKakinoki(key)));
}

function isReadByPlayer(number, format) {
    return playerReaders[format] && origins[number] !== format &&
        !(unreadable[format] && unreadable[format].test(text(`${number}.${format}`)));
}

// Reads our files with their readers; writes theirs, which are returned with what they must be.
function readOurs(number) {
    const model = JSON.parse(text(`${number}.model`));
    const ours = modelOf(number);
    const usi = game(text(`${number}.usi`));
    const theirs = [];
    for (const format of formats.filter((it) => exists(`${number}.${it}`) && !isOdd(number, it))) {
        const name = `${number}.${format}`;
        const record = attempt(`tsshogi reads ${name}`, () => tsshogiReaders[format](text(name)));
        const player = isReadByPlayer(number, format) && attempt(`json-kifu-format reads ${name}`,
            () => playerReaders[format](text(name)));
        if (record)
            compareTsshogi(format, name, ours, record);
        if (record && told.tsshogi[format].variations)
            check(`tsshogi reads the lines of ${name}`, lines(record.usen[0]), lines(text(`${number}.usen`)));
        if (player) {
            compareWith('player', format, name, ours, playerModel(player));
            theirs.push([`${name}.json-kifu-format.jkf`, player.toJKF(), usi]);
        }
        for (const [to, exporter] of Object.entries(format === 'kif' && record ? writers : {}))
            theirs.push([`${number}.tsshogi.${to}`, exporter(record), usi, to !== 'csa' && lines(record.usen[0])]);
    }
    for (const [name, bytes] of theirs)
        fs.writeFileSync(path.join(folder, name), bytes);
    return theirs.map(([name, , expected, usen]) => [name, expected, usen]);
}

// Two ends at a place that differ in their comments are one when USEN has come back.
function hasAnyTwins(number) {
    return Object.values(ourModel(JSON.parse(text(`${number}.model`))).places.ends).some(hasTwins);
}

function writeAgain(numbers) {
    const names = numbers.flatMap((number) => [...formats, 'usi', ...(hasAnyTwins(number) ? [] : ['usen'])].map((format) =>
        `${number}.${format}`)).filter(exists);
    ask('again', names).forEach((found, i) => check(`${names[i]} in and out`, found, 'same'));
}

// ---- what they wrote ----

function readTheirs(files) {
    ask('read', files.map(([name]) => name)).forEach((line, i) => {
        const [name, usi, usen] = files[i];
        const [found, tree] = line.split('\t');
        check(`we read ${name}`, unnumbered(`${found.trim()} `).trim(), unnumbered(`${usi} `).trim());
        if (usen)
            check(`we read the lines of ${name}`, lines(tree || ''), usen);
    });
}

// ---- the kept files ----

// Those of a table like tests/unit/records.txt, or one file.
function recordsIn(file) {
    const bytes = fs.readFileSync(file);
    if (path.extname(file) !== '.txt' || path.basename(file).startsWith('game.'))
        return [[path.basename(file), bytes]];
    return bytes.toString().split(/^== /m).slice(1).map((row) => {
        const [head, ...rest] = row.split('\n');
        return [head, Buffer.from(rest.join('\n').split(/^--/m)[0])];
    });
}

// Whether others can tell what a record says: they take a last move that broke the rules for a move, keep one header of a
// kind, and may change what we say in our own.
function isTold(name) {
    const { foul, headers } = JSON.parse(text(name));
    const keys = headers.map(([key]) => key);
    return !foul && new Set(keys).size === keys.length && !keys.includes('plyd');
}

// Has them exported. Returns the numbers of those of shogi that others can tell.
function takeKept() {
    const records = keepers.flatMap(recordsIn);
    records.forEach(([, bytes], i) => fs.writeFileSync(path.join(folder, 'kept', `${i}.in`), bytes));
    return execFileSync(tool, ['export', path.join(folder, 'kept'), ...records.map((_, i) => path.join(folder, 'kept',
        `${i}.in`))], { maxBuffer: 1 << 28 }).toString().split('\n').slice(0, -1).flatMap((found, i) => {
        names[`kept/${i}`] = records[i][0];
        origins[`kept/${i}`] = found.split(' ')[1];
        return found.startsWith('shogi ') && isTold(`kept/${i}.model`) ? [`kept/${i}`] : [];
    });
}

// Compares what we read in a kept file with what tsshogi reads there, if it takes the file: many are kept since they are
// written badly.
function compareOrigin(number) {
    const format = origins[number];
    if (!formats.includes(format) || isOdd(number, format))
        return;
    const record = tsshogiReaders[format](text(`${number}.in`));
    counts['kept files'] = (counts['kept files'] || 0) + 1;
    compareTsshogi(format === 'csa' ? 'csa3' : format, `${number}.in`, modelOf(number), record); // as precise as the file
}

fs.rmSync(folder, { recursive: true, force: true });
fs.mkdirSync(path.join(folder, 'kept'), { recursive: true });
execFileSync(tool, ['write', count, folder]);
const kept = takeKept();
const numbers = [...Array(Number(count)).keys(), ...kept];
kept.forEach(compareOrigin);
const theirs = numbers.flatMap(readOurs);
writeAgain(numbers);
readTheirs(theirs);
for (const failure of failures.slice(0, Number(process.env.FAILURES || 20)))
    console.log(failure.replace(/^kept\/\d+/, (name) => `${name} (${names[name]})`));
for (const [kind, n] of Object.entries(counts))
    console.log(`  ${n} ${kind}`);
console.log(`  ${count} games and ${kept.length} kept records, ${checks} checks, ${failures.length} failures`);
process.exit(failures.length > 0 ? 1 : 0);
