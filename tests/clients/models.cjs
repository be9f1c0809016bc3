// models.cjs - what a record says, in one form whoever has read it, and how two readings of it are compared.
//
// A model is {headers, places}. `places` has moves, their milliseconds, comments and ends by the moves that lead there:
// places.comments['7g7f 3c3d'].
'use strict';

// ---- ours: the .model that records_tool.c writes ----

const other = { b: 'w', w: 'b' };

// What other programs call an end, by its reason and by whether the side to move loses.
const ends = {
    resign: { loses: ['resign'] },
    timeout: { loses: ['timeout'] },
    agreement: { draws: ['impass', 'draw'] },
    foul: { loses: ['foulLose'], wins: ['foulWin'] },
    forfeit: { loses: ['loseByDefault'], wins: ['winByDefault'] },
    repetition: { draws: ['repetitionDraw'] },
    checkmate: { loses: ['mate'] },
};

function endOf(end, toMove) {
    if (!end.reason)
        return end.word ? undefined : '';
    const outcome = end.winner === 0 ? 'draws' : (end.winner === 1) === (toMove === 'b') ? 'wins' : 'loses';
    const names = (ends[end.reason] || {})[outcome];
    const foul = (toMove === 'b') === (outcome === 'wins') ? '-ILLEGAL_ACTION' : '+ILLEGAL_ACTION'; // whose it was
    return names && end.reason === 'foul' ? [...names, foul] : names;
}

function addEnd(places, path, end, toMove, main) {
    const names = endOf(end, toMove);
    if (names !== '')
        (places.ends[path] = places.ends[path] || []).push({ names, ms: end.ms, comment: end.comment || '', main });
}

function ourModel(model) {
    const lines = [{ moves: model.moves, end: model.end, ply: 0 }, ...model.lines];
    const places = { moves: {}, comments: {}, ms: {}, ends: {} };
    const first = model.start.split(' ')[1];
    const paths = [];
    if (model.comment)
        places.comments[''] = model.comment;
    lines.forEach((line, i) => {
        const path = i === 0 ? [] : paths[line.parent].slice(0, line.ply);
        for (const { move, ms, comment } of line.moves) {
            path.push(move);
            const name = path.join(' ');
            places.moves[name] = true;
            places.ms[name] = ms;
            if (comment)
                places.comments[name] = comment;
        }
        paths.push(path);
        addEnd(places, path.join(' '), line.end, path.length % 2 === 0 ? first : other[first], i === 0);
    });
    const headers = Object.fromEntries(model.headers.map(([key, value, ...homeless]) => [key, { value, homeless }]));
    return { headers, places };
}

// ---- tsshogi ----

function tsshogiModel(record, nameOf) {
    const places = { moves: {}, comments: {}, ms: {}, ends: {} };
    const headers = {};
    const paths = new Map();
    record.forEach((node) => {
        if (!node.prev) {
            paths.set(node, '');
            if (node.comment)
                places.comments[''] = node.comment.trim();
            return;
        }
        const before = paths.get(node.prev);
        if (!node.move.usi) {
            paths.set(node, before);
            (places.ends[before] = places.ends[before] || []).push({ name: node.move.type === 'any' ? node.move.name
                : node.move.type, ms: Math.round(node.elapsedMs), comment: node.comment.trim() });
            return;
        }
        const path = `${before} ${node.move.usi}`.trim();
        paths.set(node, path);
        places.moves[path] = true;
        places.ms[path] = Math.round(node.elapsedMs);
        if (node.comment)
            places.comments[path] = node.comment.trim();
    });
    for (const key of record.metadata.standardMetadataKeys)
        headers[nameOf(key)] = record.metadata.getStandardMetadata(key);
    for (const key of record.metadata.customMetadataKeys)
        headers[key] = record.metadata.getCustomMetadata(key);
    return { headers, places };
}

// ---- json-kifu-format ----

const letters = { FU: 'P', KY: 'L', KE: 'N', GI: 'S', KI: 'G', KA: 'B', HI: 'R' };
const specials = { TORYO: 'resign', TIME_UP: 'timeout', JISHOGI: 'impass', HIKIWAKE: 'draw', ILLEGAL_MOVE: 'foulLose',
    SENNICHITE: 'repetitionDraw', TSUMI: 'mate', CHUDAN: 'interrupt' };

function usiOf({ from, to, piece, promote }) {
    const square = ({ x, y }) => x + 'abcdefghi'[y - 1];
    return (from ? square(from) : `${letters[piece]}*`) + square(to) + (promote ? '+' : '');
}

function takeSteps(places, before, steps) {
    for (const step of steps) {
        const ms = step.time ? ((step.time.now.h || 0) * 3600 + step.time.now.m * 60 + step.time.now.s) * 1000 : 0;
        const comment = (step.comments || []).join('\n').trim();
        for (const fork of step.forks || [])
            takeSteps(places, before, fork);
        if (step.special !== undefined) {
            (places.ends[before] = places.ends[before] || []).push({ name: specials[step.special] || step.special, ms,
                comment });
            continue;
        }
        if (step.move) {
            before = `${before} ${usiOf(step.move)}`.trim();
            places.moves[before] = true;
            places.ms[before] = ms;
        }
        if (comment)
            places.comments[before] = comment;
    }
}

function playerModel(player) {
    const places = { moves: {}, comments: {}, ms: {}, ends: {} };
    takeSteps(places, '', player.kifu.moves);
    return { headers: player.kifu.header, places };
}

// ---- comparing ----

// Calls `differ(field, ours, theirs)` for each field in which a reader tells something else than we. `told` says what it
// tells at all, and `counts` how many fields of each kind were compared.
function compare(ours, theirs, told, counts, differ) {
    const count = (kind) => { counts[kind] = (counts[kind] || 0) + 1; };
    const both = (a, b) => [...new Set([...Object.keys(a), ...Object.keys(b)])];
    const isMain = (path) => told.variations || path === told.main || told.main.startsWith(path && `${path} `);
    const field = (kind, path, a, b) => {
        count(kind);
        if (a !== b)
            differ(`${kind} ${path ? `after ${path}` : 'of the start'}`, a, b);
    };
    const mine = ours.places, other = theirs.places;
    for (const path of both(mine.moves, other.moves).filter(isMain))
        field('moves', path, mine.moves[path], other.moves[path]);
    for (const path of Object.keys(mine.moves).filter((it) => told.times && isMain(it) && other.moves[it]))
        field('times', path, mine.ms[path] - mine.ms[path] % told.times, other.ms[path]);
    for (const path of both(mine.comments, other.comments).filter(isMain))
        field('comments', path, told.comment(mine.comments[path] || ''), other.comments[path] || '');
    for (const path of both(mine.ends, other.ends).filter(isMain))
        compareEnds((mine.ends[path] || []).filter(({ main }) => main || told.variations), other.ends[path] || [], told,
            (kind, a, b) => field(kind, path, a, b));
    for (const [key, { value, homeless }] of Object.entries(ours.headers))
        if (told.header(key) && !homeless.includes(told.format))
            field('headers', key, value, headerOf(theirs.headers, told.headers[key] || [key]));
}

function headerOf(headers, names) {
    return headers[names.find((name) => headers[name] !== undefined)];
}

const hasTwins = (ends) => new Set(ends.map(({ names }) => names && names[0])).size < ends.length;

// An end that the format or the reader has no word for is written as another one.
function compareEnds(ours, theirs, told, field) {
    if (ours.some(({ names }) => names === undefined || told.endless.includes(names[0])))
        return;
    const words = ours.map(({ names }) => names);
    const kind = (name) => (words.find((names) => names.includes(name)) || [name])[0];
    const list = (all) => all.sort().join(' ');
    if (hasTwins(ours))
        return; // they keep one of a kind at a place
    field('ends', list(words.map(([name]) => name)), list(theirs.map(({ name }) => kind(name))));
    for (const { names, ms, comment } of ours) {
        const found = theirs.find(({ name }) => names.includes(name));
        if (found && told.endTimes)
            field('times of ends', ms - ms % told.endTimes, found.ms);
        if (found)
            field('comments of ends', told.comment(comment), found.comment);
    }
}

module.exports = { ourModel, tsshogiModel, playerModel, hasTwins, compare };
