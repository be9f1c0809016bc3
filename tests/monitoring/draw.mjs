/**
 * draw.mjs DASHBOARD PROMETHEUS START END FILE - draws a dashboard of Grafana as one SVG, with what a Prometheus
 * knows about the time from START to END (seconds since 1970).
 *
 * It is not Grafana: it reads Grafana's file, asks the same queries, and puts the panels where the file says, in
 * colours and legends like Grafana's. It knows what our dashboard uses, and stops at everything else, at a query
 * that Prometheus does not understand, and at one that has no data. Two pictures differ in what was measured only:
 * times are counted back from END.
 */
import { readFileSync, writeFileSync } from "node:fs";

const WIDTH = 1260, MARGIN = 12, HEAD = 58; // pixels; the head has the name and the time
const UNIT_W = (WIDTH - 2 * MARGIN) / 24, UNIT_H = 30, GAP = 6; // of the grid
const STEPS = 60; // points of a line
const RATE_S = 15; // what $__rate_interval stands for
const LINE = 15; // the height of a legend's row
const PALETTE = ["#7EB26D", "#EAB839", "#6ED0E0", "#EF843C", "#E24D42", "#1F78C1", "#BA43A9", "#705DA0", "#508642",
  "#CCA300"]; // the classic one
const NAMED = { green: "#37872D", orange: "#E0752D", red: "#C4162A" };

const [file, prometheus, start, end, output] = process.argv.slice(2);
const dashboard = JSON.parse(readFileSync(file, "utf8"));
const from = Number(start), to = Number(end), step = (to - from) / STEPS;

function fail(panel, what) {
  throw new Error(`the panel "${panel.title}": ${what}`);
}

const escape = (text) => String(text).replace(/[<>&"]/g, (c) => `&#${c.charCodeAt(0)};`);
const round = (number) => Number(number.toFixed(1));

// ---- numbers and their units -----------------------------------------------------------------------

const trim = (number, digits) => Number(number.toPrecision(digits)).toString();

/** With the largest of the names whose size is not above the number: [[1, "ms"], [1000, "s"]]. */
function scaled(number, names, digits) {
  const [size, name] = names.findLast(([size]) => Math.abs(number) >= size * 0.9995) ?? names[0];
  return trim(number / size, digits) + name;
}

const SECONDS = [[1e-6, " µs"], [1e-3, " ms"], [1, " s"], [60, " min"], [3600, " hours"], [86400, " days"]];
const BYTES = [[1, " B"], [1024, " KiB"], [1048576, " MiB"], [1073741824, " GiB"]];
const COUNT = [[1, ""], [1e3, " K"], [1e6, " Mil"], [1e9, " Bil"]];

/** A number as Grafana writes it in this unit. */
function written(number, unit, digits = 3) {
  if (number === 0) return unit.startsWith("suffix:") ? "0" + unit.slice(7) : unit === "percentunit" ? "0 %" : "0";
  if (unit === "s") return scaled(number, SECONDS, digits);
  if (unit === "bytes") return scaled(number, BYTES, digits);
  if (unit === "short") return scaled(number, COUNT, digits);
  if (unit === "none") return trim(number, digits);
  if (unit === "percentunit") return trim(number * 100, digits) + " %";
  if (unit.startsWith("suffix:")) return trim(number, digits) + unit.slice(7);
  throw new Error(`no such unit here: ${unit}`);
}

const CLOCK = [15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 14400, 43200, 86400];

/** A round number above `most`, and the distance of some four lines below it. */
function axis(most, unit) {
  if (unit === "s" && most > 60) {
    const distance = CLOCK.find((seconds) => most / seconds <= 4.5) ?? 86400 * Math.ceil(most / 86400 / 4);
    return { distance, top: distance * Math.ceil(most / distance) };
  }
  const base = unit === "bytes" ? 2 : 10;
  const size = most > 0 ? most : 1, power = base ** Math.floor(Math.log(size / 4) / Math.log(base));
  const distance = (base === 2 ? [1, 2] : [1, 2, 5, 10]).map((n) => n * power).find((d) => size / d <= 4.5);
  return { distance, top: distance * Math.ceil(size / distance - 1e-9) };
}

// ---- asking ----------------------------------------------------------------------------------------

/** The query with values for Grafana's variables: those of an operator who has chosen nothing, so all of it. */
function filled(expression) {
  for (const variable of dashboard.templating.list)
    if (variable.allValue) expression = expression.replaceAll(`$${variable.name}`, variable.allValue);
  return expression.replaceAll("$__rate_interval", `${RATE_S}s`).replaceAll("$__range", `${to - from}s`);
}

async function answered(panel, expression) {
  const form = new URLSearchParams({ query: filled(expression), start: from, end: to, step });
  const response = await fetch(`${prometheus}/api/v1/query_range`, { method: "POST", body: form });
  const answer = await response.json();
  if (answer.status !== "success") fail(panel, `${answer.error} in ${expression}`);
  return answer.data.result;
}

const named = (format, labels) => format.replace(/\{\{(\w+)\}\}/g, (_, name) => labels[name] ?? "").trim();

/** A line of a panel: its name, and a number or null for each step. */
function lineOf(target, { metric, values }) {
  const points = new Array(STEPS + 1).fill(null);
  for (const [time, text] of values)
    if (Number.isFinite(Number(text))) points[Math.round((time - from) / step)] = Number(text);
  return { name: named(target.legendFormat, metric), points };
}

async function linesOf(panel) {
  const lines = [];
  if (!panel.targets?.length) fail(panel, "it asks nothing");
  for (const target of panel.targets) {
    const found = (await answered(panel, target.expr)).map((series) => lineOf(target, series))
      .filter(({ points }) => points.some((point) => point !== null));
    if (found.length === 0) fail(panel, `no data: ${target.expr}`);
    lines.push(...found.sort((a, b) => (a.name < b.name ? -1 : 1)));
  }
  return lines;
}

/** The colour that an override of the panel gives to a name. */
function overridden(panel, name) {
  for (const { matcher, properties } of panel.fieldConfig.overrides) {
    if (matcher.id !== "byRegexp") fail(panel, `no such matcher here: ${matcher.id}`);
    for (const { id, value } of properties) {
      if (id !== "color" || value.mode !== "fixed") fail(panel, `no such override here: ${id}`);
      if (new RegExp(matcher.options.slice(1, -1)).test(name)) return NAMED[value.fixedColor];
    }
  }
  return undefined;
}

// ---- drawing ---------------------------------------------------------------------------------------

const place = ({ gridPos: { x, y, w, h } }) => ({
  x: MARGIN + x * UNIT_W + GAP / 2, y: HEAD + y * UNIT_H + GAP / 2, w: w * UNIT_W - GAP, h: h * UNIT_H - GAP,
});

const text = (x, y, kind, words) => `<text x="${round(x)}" y="${round(y)}" class="${kind}">${escape(words)}</text>`;

function card({ x, y, w, h }, panel) {
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(w)}" height="${round(h)}" rx="2" class="card"/>` +
    text(x + 8, y + 17, "title", panel.title);
}

/** The parts of a line between its gaps, as pairs of x and y. A part of one point is a dot. */
function parts(points, area, top) {
  const found = [[]];
  points.forEach((value, i) => {
    if (value === null) found.push([]);
    else found.at(-1).push([round(area.x + area.w * i / STEPS), round(area.y + area.h * (1 - value / top))]);
  });
  return found.filter((part) => part.length > 0).map(bends);
}

/** Without the points between two of the same height, which a line crosses anyway. */
const bends = (part) => part.filter(([, y], i) => i === 0 || i === part.length - 1 || part[i - 1][1] !== y ||
  part[i + 1][1] !== y);

function curve(line, colour, opacity, area, top) {
  const bottom = round(area.y + area.h), paths = parts(line.points, area, top);
  const stroke = paths.map((part) => "M" + (part.length > 1 ? part : [part[0], part[0]]).join("L")).join("");
  const fill = paths.filter((part) => part.length > 1)
    .map((part) => `M${part[0][0]},${bottom}L${part.join("L")}L${part.at(-1)[0]},${bottom}Z`).join("");
  return (opacity > 0 && fill ? `<path d="${fill}" fill="${colour}" fill-opacity="${opacity / 100}"/>` : "") +
    `<path d="${stroke}" class="line" stroke="${colour}"/>`;
}

/** About how wide a name is, in a font like Helvetica. */
const wide = (name) => [...name].reduce((sum, c) => sum + (/[ijl.,:/ t]/.test(c) ? 3.4 : /[A-Zmw%]/.test(c) ? 8.2 : 6.2), 0);

/** Names with their colours, in as many rows as they take. */
function legend(lines, width) {
  const rows = [];
  let left = 0;
  for (const line of lines) {
    const needed = 26 + wide(line.name);
    if (rows.length === 0 || left + needed > width) {
      rows.push([]);
      left = 0;
    }
    rows.at(-1).push({ ...line, left });
    left += needed;
  }
  return rows;
}

const ago = (seconds) => (seconds === 0 ? "now" : seconds % 60 === 0 ? `−${seconds / 60} min` : `−${seconds} s`);

function axes(area, { distance, top }, unit) {
  const drawn = [];
  for (let i = 0; i * distance <= top * 1.001; i++) {
    const y = round(area.y + area.h * (1 - i * distance / top));
    drawn.push(`<path d="M${round(area.x)},${y}h${round(area.w)}" class="grid"/>`,
      text(area.x - 5, y + 3.5, "number left", written(i * distance, unit)));
  }
  const gap = [15, 30, 60, 300, 600, 3600].find((seconds) => (to - from) / seconds <= 4.5);
  for (let back = 0; back <= to - from; back += gap) {
    const x = round(area.x + area.w * (1 - back / (to - from)));
    drawn.push(`<path d="M${x},${round(area.y)}v${round(area.h)}" class="grid"/>`,
      text(x, area.y + area.h + 14, back === 0 ? "number last" : "number middle", ago(back)));
  }
  return drawn.join("");
}

async function timeseries(panel) {
  const { unit, custom } = panel.fieldConfig.defaults, box = place(panel);
  const lines = (await linesOf(panel)).map((line, i) => ({
    ...line, colour: overridden(panel, line.name) ?? PALETTE[i % PALETTE.length],
  }));
  const rows = legend(lines, box.w - 16);
  const scale = axis(Math.max(...lines.flatMap(({ points }) => points)), unit);
  const area = { x: box.x + 62, y: box.y + 30, w: box.w - 74, h: box.h - 30 - 22 - rows.length * LINE - 4 };
  if (area.h < 40) fail(panel, "its legend leaves no room for lines");
  return card(box, panel) + axes(area, scale, unit) +
    lines.map((line) => curve(line, line.colour, custom.fillOpacity, area, scale.top)).join("") +
    rows.flatMap((row, i) => row.map(({ name, colour, left }) => {
      const x = box.x + 10 + left, y = box.y + box.h - 7 - (rows.length - 1 - i) * LINE;
      return `<path d="M${round(x)},${round(y - 4)}h11" class="key" stroke="${colour}"/>` + text(x + 15, y, "name", name);
    })).join("");
}

async function stat(panel) {
  const { unit, thresholds } = panel.fieldConfig.defaults, box = place(panel);
  const lines = await linesOf(panel);
  if (lines.length !== 1) fail(panel, "more than one number");
  const points = lines[0].points, last = points.findLast((point) => point !== null);
  const colour = NAMED[thresholds.steps.findLast(({ value }) => value === null || last >= value).color];
  const area = { x: box.x + 1, y: box.y + box.h * 0.6, w: box.w - 2, h: box.h * 0.4 - 1 };
  return card(box, panel) + curve(lines[0], colour, 15, area, Math.max(...points) * 1.1 || 1) +
    `<text x="${round(box.x + box.w / 2)}" y="${round(box.y + 62)}" class="stat" style="fill:${colour}">` +
    `${escape(written(last, unit))}</text>`;
}

function row(panel) {
  const { x, y, h } = place(panel);
  return `<path d="M${round(x + 4)},${round(y + h / 2 - 2)}l4,4l4,-4" class="fold"/>` +
    text(x + 18, y + h / 2 + 5, "row", panel.title);
}

// The kinds of panels that are drawn here.
const KINDS = { row, stat, timeseries };

const STYLE = `
text{font-family:Inter,"Helvetica Neue",Helvetica,Arial,sans-serif;fill:#24292e}
.card{fill:#fff;stroke:#dcdde0}.title{font-size:13px;font-weight:600}.row{font-size:14px;font-weight:600}
.fold{fill:none;stroke:#24292e;stroke-width:1.5}.name{font-size:11px}.number{font-size:11px;fill:#5b6068}
.left,.last{text-anchor:end}.middle,.stat{text-anchor:middle}.stat{font-size:28px;font-weight:600}
.grid{stroke:#e7e8ea;stroke-width:1}.line{fill:none;stroke-width:1.4;stroke-linejoin:round;stroke-linecap:round}
.key{stroke-width:3.5;stroke-linecap:round}.head{font-size:19px;font-weight:600}.note{font-size:12px;fill:#5b6068}`;

/** Panels that lie upon each other, or have the same number, are moved about by Grafana. */
function checkGrid(panels) {
  const apart = (a, b) => a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
  panels.forEach((panel, i) => panels.slice(i + 1).forEach((other) => {
    if (panel.id === other.id || !apart(panel.gridPos, other.gridPos)) fail(panel, `it meets "${other.title}"`);
  }));
}

async function picture() {
  checkGrid(dashboard.panels);

  const height = HEAD + MARGIN + UNIT_H * Math.max(...dashboard.panels.map(({ gridPos: { y, h } }) => y + h));
  const drawn = [];
  for (const panel of dashboard.panels) {
    if (!KINDS[panel.type]) fail(panel, `no such kind of panel here: ${panel.type}`);
    drawn.push(`<g>${await KINDS[panel.type](panel)}</g>`);
  }
  const time = `${Math.round(to - from)} seconds`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" ` +
    `role="img" aria-label="The dashboard of ${escape(dashboard.title)}, with ${time} of data">\n` +
    `<style>${STYLE}\n</style>\n<rect width="${WIDTH}" height="${height}" fill="#f4f5f5"/>\n` +
    text(MARGIN + 4, 28, "head", dashboard.title) +
    text(MARGIN + 4, 47, "note", `The last ${time}. Drawn by tests/monitoring/draw.mjs from the dashboard's queries, ` +
      "not by Grafana.") + `\n${drawn.join("\n")}\n</svg>\n`;
}

try {
  writeFileSync(output, await picture());
} catch (error) {
  console.error(`draw.mjs: ${error.message}`);
  process.exit(1);
}
