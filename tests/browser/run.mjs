/**
 * run.mjs TEST.mjs... - the tests of what browsers load. The last line says how many passed and failed.
 *
 * NAMED='a stream' runs only the tests whose names fit this pattern. Several files run at a time, the longest first:
 * one for each processor and one more, since they wait, too. What failed is in build/checks/browser.tap, in the form of
 * Criterion's. The environment has the server of PLYD_TEST_DATABASE_URL, where each file has a database of its own.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename } from "node:path";
import { run } from "node:test";

const named = process.env.NAMED && new RegExp(process.env.NAMED);
const files = process.argv.slice(2).sort((a, b) => statSync(b).size - statSync(a).size);
const failures = [];
let passed = 0;

process.env.PATH = `${execFileSync("scripts/postgres.sh", ["programs"], { encoding: "utf8" }).trim()}:${process.env.PATH}`;

const seconds = ({ details }) => `${(details.duration_ms / 1000).toFixed(1)} s`;
const indented = (text) => text.replaceAll(/^/gm, "  ");

/** Where it failed, in the file of the test: what the harness threw has that file among its callers. */
function lineOf(file, name, { stack = "" }) {
  const call = stack.split("\n").find((line) => line.includes(`/${basename(file)}:`));
  if (call) return Number(/:(\d+):\d+\)?$/.exec(call)[1]);
  const said = name.replace(/^\w+: /, "");
  return readFileSync(file, "utf8").split("\n").findIndex((line) => line.includes(said)) + 1;
}

/** The command that runs a test alone, or a file that broke before its tests. */
function alone(file, name) {
  const pattern = `^${name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`.replaceAll("'", "'\\''");
  return `${name.includes(basename(file)) ? "" : `NAMED='${pattern}' `}BROWSER_TESTS=${file} make check-browser`;
}

function fail(file, test) {
  const { name } = test, error = test.details.error.cause ?? test.details.error, said = String(error.stack ?? error);
  const place = `${file}:${lineOf(file, name, error)}`;
  console.log(`✖ ${name} (${seconds(test)})\n${indented(`${place}: ${said}`)}`);
  failures.push(`not ok - ${name}\n  - ${place}: |+\n${indented(indented(indented(said)))}\n  # alone: ${alone(file, name)}\n`);
}

function pass(file, test) {
  if (test.skip !== undefined) return;
  console.log(`✔ ${test.name} (${seconds(test)})`);
  passed++;
}

const told = {
  "test:pass": pass,
  "test:fail": fail,
  "test:diagnostic": (file, { nesting, message }) => nesting > 0 && console.log(indented(message)),
  "test:stdout": (file, { message }) => process.stdout.write(message),
  "test:stderr": (file, { message }) => process.stderr.write(message),
};

/** Runs files until none is left. One at a time, since what is told of a test does not name its file. */
async function runFiles() {
  for (let file; (file = files.shift()); )
    for await (const { type, data } of run({ files: [file], ...(named && { testNamePatterns: [named] }) }))
      told[type]?.(file, data);
}

await Promise.all(Array.from({ length: availableParallelism() + 1 }, runFiles));
mkdirSync("build/checks", { recursive: true });
writeFileSync("build/checks/browser.tap", failures.join(""));
if (passed + failures.length === 0) console.log("No test has this name.");
console.log(`browser: ${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length > 0 || passed === 0 ? 1 : 0;
