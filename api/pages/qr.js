/**
 * qr.js - a text as a QR code (ISO/IEC 18004): its bytes, error correction M, versions 1 to 20, which is up
 * to 666 bytes.
 */

// For each version: the bytes of error correction in a block, and the number of blocks.
const CORRECTION = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26];
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16];

const MASKS = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => (x * y) % 2 + (x * y) % 3 === 0,
  (x, y) => ((x * y) % 2 + (x * y) % 3) % 2 === 0,
  (x, y) => ((x + y) % 2 + (x * y) % 3) % 2 === 0,
];

// ---- bytes ----

const sizeOf = (version) => 17 + 4 * version;

/** How many alignment marks stand in a row. */
const alignments = (version) => version === 1 ? 0 : Math.floor(version / 7) + 2;

/** All bytes of a version: what its modules hold beside marks, format and version. */
function bytesOf(version) {
  const n = alignments(version), size = sizeOf(version);
  const marks = 3 * 64 + 2 * (size - 16) + 31 + (version >= 7 ? 36 : 0);
  const aligned = n === 0 ? 0 : 25 * (n * n - 3) - 10 * (n - 2); // those in row and column 6 cross the timing
  return Math.floor((size * size - marks - aligned) / 8);
}

const roomOf = (version) => bytesOf(version) - CORRECTION[version - 1] * BLOCKS[version - 1];

/** The product of two elements of the field of 256, modulo x^8 + x^4 + x^3 + x^2 + 1. */
function times(a, b) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ (product >> 7) * 0x11d;
    product ^= (b >> bit & 1) * a;
  }
  return product;
}

/** The bytes of error correction for some data: what is left when a polynomial divides them. */
function correction(data, count) {
  const divisor = new Array(count).fill(0);
  divisor[count - 1] = 1;
  for (let root = 1, i = 0; i < count; i++, root = times(root, 2))
    for (let j = 0; j < count; j++) divisor[j] = times(divisor[j], root) ^ (divisor[j + 1] ?? 0);
  const rest = new Array(count).fill(0);
  for (const byte of data) {
    const factor = byte ^ rest.shift();
    rest.push(0);
    for (let j = 0; j < count; j++) rest[j] ^= times(divisor[j], factor);
  }
  return rest;
}

/** The text with its header, filled up to the room of the version. */
function dataOf(text, version) {
  const bits = [];
  const add = (value, count) => {
    for (let i = count - 1; i >= 0; i--) bits.push(value >> i & 1);
  };
  add(4, 4);
  add(text.length, version < 10 ? 8 : 16);
  for (const byte of text) add(byte, 8);
  const room = 8 * roomOf(version);
  add(0, Math.min(4, room - bits.length));
  add(0, -bits.length & 7);
  for (let fill = 0xec; bits.length < room; fill ^= 0xec ^ 0x11) add(fill, 8);
  return Array.from({ length: room / 8 }, (_, i) => parseInt(bits.slice(8 * i, 8 * i + 8).join(""), 2));
}

/** Data and correction, a byte of each block in turn. The later blocks may have one byte more. */
function interleaved(data, version) {
  const count = BLOCKS[version - 1], short = Math.floor(data.length / count);
  const blocks = [], fixes = [];
  for (let i = 0, from = 0; i < count; i++) {
    const to = from + short + (i >= count - data.length % count ? 1 : 0);
    blocks.push(data.slice(from, to));
    fixes.push(correction(blocks[i], CORRECTION[version - 1]));
    from = to;
  }
  const turns = (lists, longest) => Array.from({ length: longest }, (_, i) => lists.map((list) => list[i])).flat();
  return [...turns(blocks, short + 1), ...turns(fixes, CORRECTION[version - 1])].filter((byte) => byte !== undefined);
}

// ---- modules ----

/** A value with the check bits that a polynomial leaves. */
function checked(value, polynomial) {
  const width = 31 - Math.clz32(polynomial);
  let rest = value << width;
  while (31 - Math.clz32(rest) >= width) rest ^= polynomial << 31 - Math.clz32(rest) - width;
  return value << width | rest;
}

function drawFixed(version, set) {
  const size = sizeOf(version), n = alignments(version);
  const ring = (x, y, radius, dark) => {
    for (let dy = -radius; dy <= radius; dy++)
      for (let dx = -radius; dx <= radius; dx++)
        set(x + dx, y + dy, dark(Math.max(Math.abs(dx), Math.abs(dy))));
  };
  for (let i = 0; i < size; i++) {
    set(6, i, i % 2 === 0);
    set(i, 6, i % 2 === 0);
  }
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) ring(x, y, 4, (d) => d !== 2 && d !== 4);
  const step = 2 * Math.ceil((size - 13) / (2 * n - 2));
  const places = Array.from({ length: n }, (_, i) => i === 0 ? 6 : size - 7 - (n - 1 - i) * step);
  for (const [i, x] of places.entries())
    for (const [j, y] of places.entries())
      if (!(i === 0 && (j === 0 || j === n - 1)) && !(j === 0 && i === n - 1)) ring(x, y, 2, (d) => d !== 1);
  if (version < 7) return;
  const bits = checked(version, 0x1f25);
  for (let i = 0; i < 18; i++) {
    set(size - 11 + i % 3, Math.floor(i / 3), bits >> i & 1);
    set(Math.floor(i / 3), size - 11 + i % 3, bits >> i & 1);
  }
}

function drawFormat(size, mask, set) {
  const bits = checked(mask, 0x537) ^ 0x5412; // level M has the bits 00
  for (let i = 0; i < 15; i++) {
    const dark = bits >> i & 1;
    if (i < 8) {
      set(8, i < 6 ? i : i + 1, dark);
      set(size - 1 - i, 8, dark);
    } else {
      set(i === 8 ? 7 : 14 - i, 8, dark);
      set(8, size - 15 + i, dark);
    }
  }
  set(8, size - 8, 1);
}

/** Fills the free modules, two columns at a time, upward and downward in turn. */
function drawData(bytes, size, isFixed, set) {
  let i = 0;
  for (let right = size - 1, up = true; right > 0; right -= right === 8 ? 3 : 2, up = !up)
    for (let n = 0; n < size; n++)
      for (const x of [right, right - 1]) {
        const y = up ? size - 1 - n : n;
        if (isFixed(x, y)) continue;
        set(x, y, (bytes[i >> 3] ?? 0) >> (7 - (i & 7)) & 1);
        i++;
      }
}

/** How hard a code is to read: long runs, blocks of one colour, more of one colour than of the other. */
function penalty(rows) {
  const size = rows.length, columns = rows.map((_, x) => rows.map((row) => row[x]));
  let sum = 0;
  for (const line of [...rows, ...columns])
    for (const run of line.join("").match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2;
  for (let y = 1; y < size; y++)
    for (let x = 1; x < size; x++)
      if (rows[y][x] + rows[y][x - 1] + rows[y - 1][x] + rows[y - 1][x - 1] & 3) continue;
      else sum += 3;
  const dark = rows.flat().reduce((all, one) => all + one, 0);
  return sum + 200 * Math.abs(dark / size ** 2 - 0.5);
}

/**
 * @param {string} text
 * @returns {number[][]} the modules row by row, 1 for dark, without the quiet zone of 4 around them
 */
export function qr(text) {
  const bytes = new TextEncoder().encode(text);
  let version = 1;
  while (roomOf(version) < bytes.length + (version < 10 ? 2 : 3))
    if (++version > CORRECTION.length) throw new RangeError("The text is too long for a QR code.");
  const size = sizeOf(version);
  const rows = Array.from({ length: size }, () => new Array(size).fill(0));
  const fixed = rows.map((row) => row.slice());
  const set = (x, y, dark) => { if (rows[y]?.[x] !== undefined) rows[y][x] = Number(dark); };
  const fix = (x, y, dark) => {
    set(x, y, dark);
    if (fixed[y]?.[x] !== undefined) fixed[y][x] = 1;
  };
  drawFixed(version, fix);
  drawFormat(size, 0, fix);
  drawData(interleaved(dataOf(bytes, version), version), size, (x, y) => fixed[y][x], set);
  const masked = MASKS.map((covers, mask) => {
    const copy = rows.map((row, y) => row.map((dark, x) => fixed[y][x] ? dark : dark ^ Number(covers(x, y))));
    drawFormat(size, mask, (x, y, dark) => { copy[y][x] = dark; });
    return { copy, penalty: penalty(copy) };
  });
  return masked.sort((a, b) => a.penalty - b.penalty)[0].copy;
}

/** The same as an SVG element. */
export function qrPicture(text, label) {
  const rows = qr(text), size = rows.length + 8;
  const path = rows.flatMap((row, y) => row.flatMap((dark, x) => dark ? [`M${x + 4} ${y + 4}h1v1h-1z`] : [])).join("");
  const make = (name, attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  const svg = make("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label, class: "qr",
                            "shape-rendering": "crispEdges" });
  svg.append(make("rect", { width: size, height: size, fill: "#fff" }), make("path", { d: path, fill: "#000" }));
  return svg;
}
