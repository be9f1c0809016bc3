// names.mjs - no generator had to number a name: `Seat2` is there because two things of the contract have one name.
//
//     node names.mjs FILE...
//
// A number of three digits is the status of an answer.

import { readFileSync } from "node:fs";

const numbered = process.argv.slice(2).flatMap((file) =>
  [...readFileSync(file, "utf8").matchAll(/^export (?:type|interface|enum|class|const) (\w*[a-z]\d{1,2})\b/gm)]
    .map(([, name]) => `${file}: ${name}`));

if (numbered.length > 0) {
  console.error(numbered.join("\n"));
  process.exit(1);
}
