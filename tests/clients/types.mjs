// types.mjs - the schemas of the contract as a JSON Schema, of which a generator makes types of other languages.
//
//     node types.mjs openapi.json Game PlayedMove ... > schema.json
//
// Only what the named ones need is in it, and nothing that is deprecated. A time is a text there, since the generator
// would want a library of dates; and a tree of clicks is any object: it cannot follow a type that is its own map.

import { readFileSync } from "node:fs";

const [file, ...names] = process.argv.slice(2);
const schemas = JSON.parse(readFileSync(file, "utf8")).components.schemas;
schemas.Clicks = { type: "object", additionalProperties: true };

const definitions = {};

function take(name) {
  if (name in definitions) return;
  definitions[name] = {};
  definitions[name] = schemas[name].deprecated ? { type: "object" } : rewrite(schemas[name]);
}

function rewrite(node) {
  if (Array.isArray(node)) return node.map(rewrite);
  if (typeof node !== "object" || node === null) return node;
  const kept = Object.entries(node).filter(([key, value]) => key !== "unevaluatedProperties" && value !== "date-time");
  return Object.fromEntries(kept.map(([key, value]) => {
    if (key !== "$ref") return [key, rewrite(value)];
    const name = value.split("/").at(-1);
    take(name);
    return [key, `#/definitions/${name}`];
  }));
}

names.forEach(take);
console.log(JSON.stringify({
  $schema: "http://json-schema.org/draft-06/schema#",
  definitions,
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/definitions/${name}` }])),
  required: names,
}));
