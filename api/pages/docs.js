// The reference, made of /openapi.json and /problems in the reader's browser. Nothing is loaded
// from anywhere else, and texts only ever become texts, never markup.
'use strict';

let contract;

// ---- elements ----

// An element with attributes and children; texts become text nodes.
function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {}))
    if (value !== undefined) node.setAttribute(name, value);
  node.append(...children.flat().filter((child) => child !== undefined && child !== ''));
  return node;
}

/** @returns {any} */
const at = (id) => document.getElementById(id);

// The little markup of descriptions: `code` and paragraphs.
function inline(text) {
  return text.split('`').map((part, i) => (i % 2 ? el('code', {}, part) : part));
}

function paragraphs(text) {
  return (text || '').split(/\n\s*\n/).filter(Boolean).map((part) => el('p', {}, inline(part)));
}

// A block of code with a button that copies it.
function copyable(text, label) {
  const button = el('button', {class: 'copy', type: 'button', 'aria-label': 'Copy ' + label}, 'Copy');
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(text).then(() => {
      button.textContent = 'Copied';
      setTimeout(() => { button.textContent = 'Copy'; }, 1500);
    }, () => { button.textContent = 'Select it'; });
  });
  return el('div', {class: 'copyable'}, el('pre', {tabindex: '0'}, el('code', {}, text)), button);
}

// A part that is built when it is first opened: schemas may be deep, or hold themselves.
function expandable(summary, build, attributes) {
  const node = el('details', attributes, el('summary', {}, summary));
  node.fill = () => {
    if (node.childElementCount === 1) node.append(el('div', {class: 'inside'}, build()));
  };
  node.addEventListener('toggle', node.fill);
  return node;
}

// ---- schemas ----

function follow(node) {
  while (node && node.$ref)
    node = node.$ref.slice(2).split('/').reduce((place, key) => place[key], contract);
  return node || {};
}

const nameOf = (schema) => (schema.$ref ? schema.$ref.split('/').pop() : undefined);

// The members of an object schema, those of its allOf included.
function members(schema) {
  const all = {properties: {}, required: []};
  schema = follow(schema);
  for (const part of [...(schema.allOf || []).map(members), schema]) {
    Object.assign(all.properties, part.properties);
    all.required.push(...(part.required || []));
  }
  return all;
}

function typeText(schema) {
  const name = nameOf(schema), type = follow(schema);
  if (type.const !== undefined) return JSON.stringify(type.const);
  if (type.enum) return type.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (type.oneOf || type.anyOf)
    return name || (type.oneOf || type.anyOf).map(typeText).join(' | ');
  if (type.type === 'array') return 'array of ' + typeText(type.items || {});
  if (name) return name;
  return [].concat(type.type || (type.allOf ? 'object' : 'any')).join(' | ');
}

function limits(schema) {
  const type = follow(schema), list = [];
  const say = (key, text) => { if (type[key] !== undefined) list.push(text + type[key]); };
  say('format', '');
  say('minimum', '≥ ');
  say('maximum', '≤ ');
  say('minLength', 'length ≥ ');
  say('maxLength', 'length ≤ ');
  say('minItems', 'items ≥ ');
  say('maxItems', 'items ≤ ');
  say('pattern', '');
  if (type.default !== undefined) list.push('default ' + JSON.stringify(type.default));
  return list.join(', ');
}

// What lies below a schema, if anything: the schema whose members are worth showing.
function below(schema) {
  const type = follow(schema);
  if (type.type === 'array' && type.items) return below(type.items);
  return Object.keys(members(type).properties).length || type.oneOf || type.anyOf ? schema : undefined;
}

function field(name, schema, required) {
  const about = schema.description || follow(schema).description, deeper = below(schema);
  const line = [el('span', {class: 'name'}, name), ' ',
    el('span', {class: 'type'}, typeText(schema)), ' ',
    el('span', {class: 'soft about'}, limits(schema)), ' ',
    required ? el('span', {class: 'must'}, 'required') : ''];
  return el('li', {}, deeper ? expandable(line, () => fields(deeper)) : line,
    about ? el('div', {class: 'about'}, inline(about)) : '');
}

function fields(schema) {
  const type = follow(schema), {properties, required} = members(schema);
  const choices = (type.oneOf || type.anyOf || []).map((choice, i) =>
    field(nameOf(choice) || 'choice ' + (i + 1), choice, false));
  const list = Object.entries(properties).map(([name, inner]) =>
    field(name, inner, required.includes(name)));
  if (!list.length && !choices.length) list.push(field('value', schema, false));
  return el('ul', {class: 'fields'}, list, choices);
}

// An example: the contract's own, or one put together from what it says of the parts.
function example(schema, depth = 0) {
  const type = follow(schema);
  if (type.example !== undefined) return type.example;
  if (type.examples) return type.examples[0];
  if (type.const !== undefined) return type.const;
  if (type.default !== undefined) return type.default;
  if (type.enum) return type.enum[0];
  if (depth > 6) return null;
  if (type.oneOf || type.anyOf) return example((type.oneOf || type.anyOf)[0], depth + 1);
  if (type.allOf || type.properties) return exampleObject(type, depth);
  const kind = [].concat(type.type)[0];
  if (kind === 'array') {
    if (type.maxItems === 0) return [];
    return Array(Math.max(1, type.minItems || 1)).fill(example(type.items || {}, depth + 1));
  }
  if (kind === 'string') return type.format === 'date-time' ? '2026-05-01T12:00:00.000Z' : 'text';
  if (kind === 'integer' || kind === 'number') return type.minimum || 0;
  return {boolean: true, object: {}}[kind] ?? null;
}

// What the parts of a schema give as an example.
function givenExample(schema) {
  const type = follow(schema);
  return Object.assign({}, ...(type.allOf || []).map(givenExample), type.example);
}

function exampleObject(schema, depth) {
  const {properties, required} = members(schema);
  const given = givenExample(schema);
  const made = Object.entries(properties)
    .filter(([name, inner]) => !(name in given) && (required.includes(name) ||
      follow(inner).example !== undefined && !Object.keys(given).length || follow(inner).examples))
    .map(([name, inner]) => [name, example(inner, depth + 1)]);
  return {...given, ...Object.fromEntries(made)};
}

function mediaExample(media) {
  if (media.example !== undefined) return media.example;
  if (media.examples) return follow(Object.values(media.examples)[0]).value;
  return media.schema ? example(media.schema) : undefined;
}

const asText = (value) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

// ---- operations ----

const parametersOf = (path, operation) =>
  [...(path.parameters || []), ...(operation.parameters || [])].map(follow);

function parameterValue(parameter) {
  if (parameter.example !== undefined) return String(parameter.example);
  const schema = follow(parameter.schema || {});
  if (schema.type === 'integer') return String(schema.default ?? 1);
  if (schema.example !== undefined || schema.examples || schema.default !== undefined || schema.enum)
    return String(example(schema));
  return '$' + parameter.name.toUpperCase();
}

const quoted = (text) => (/^[\w./:=@%+-]+$/.test(text) ? text : "'" + text.replaceAll("'", "'\\''") + "'");

// Of the types that a body may have the shortest to write: a bare text, else JSON. What curl -d
// sends is taken for what it is.
function curlBody(operation) {
  const body = follow(operation.requestBody);
  if (!body.content) return '';
  const bare = body.content['text/plain'];
  if (bare && mediaExample(bare) !== 'text' && mediaExample(bare) !== undefined)
    return '-d ' + quoted(asText(mediaExample(bare)));
  const media = body.content['application/json'];
  const value = media ? mediaExample(media) : '';
  if (!body.required && media && media.example === undefined && !Object.keys(value || {}).length)
    return "-d ''";
  return '-d ' + quoted(typeof value === 'string' ? value : JSON.stringify(value));
}

function curl(method, path, item, operation) {
  const parameters = parametersOf(item, operation), words = ['curl'];
  const security = operation.security || contract.security || [];
  let url = path.replace(/\{(\w+)\}/g, (_, name) =>
    parameterValue(parameters.find((p) => p.in === 'path' && p.name === name) || {name}));
  const query = parameters.filter((p) => p.in === 'query' && p.required)
    .map((p) => p.name + '=' + encodeURIComponent(parameterValue(p)));
  const body = curlBody(operation);
  if (query.length) url += '?' + query.join('&');
  if (security.length && !security.some((way) => !Object.keys(way).length)) words.push('-u $TOKEN:');
  if (method === 'put' || method === 'delete' || (method === 'post' && !body))
    words.push('-X ' + method.toUpperCase());
  if (body) words.push(body);
  url = location.origin + url;
  words.push(/\$[A-Z]/.test(url) ? '"' + url + '"' : quoted(url));
  return words.join(' ');
}

function parameterTable(parameters) {
  const rows = parameters.map((p) => el('tr', {},
    el('th', {scope: 'row'}, el('span', {class: 'name'}, p.name), ' ',
      p.required ? el('span', {class: 'must'}, 'required') : ''),
    el('td', {class: 'soft'}, p.in),
    el('td', {}, el('span', {class: 'type'}, typeText(p.schema || {})),
      ' ', el('span', {class: 'soft about'}, limits(p.schema || {})),
      el('div', {}, inline(p.description || follow(p.schema || {}).description || '')))));
  return el('div', {class: 'wide', role: 'group', 'aria-label': 'Table', tabindex: 0}, el('table', {}, el('thead', {}, el('tr', {},
    ['Parameter', 'In', 'What it is'].map((text) => el('th', {scope: 'col'}, text)))),
  el('tbody', {}, rows)));
}

function mediaBlock(type, media) {
  const value = mediaExample(media), name = nameOf(media.schema || {});
  return el('div', {}, el('h4', {class: 'media'}, type),
    media.schema && below(media.schema)
      ? expandable(['Schema ', name ? el('span', {class: 'name'}, name) : ''], () => fields(media.schema))
      : '',
    value !== undefined && value !== 'text' ? copyable(asText(value), 'the example') : '');
}

// Types that mean the same thing share one block.
function mediaBlocks(content) {
  const groups = new Map();
  for (const [type, media] of Object.entries(content || {})) {
    const key = JSON.stringify(media);
    groups.set(key, {media, types: [...(groups.get(key) || {types: []}).types, type]});
  }
  return [...groups.values()].map(({media, types}) => mediaBlock(types.join(' or '), media));
}

function headerList(headers) {
  const list = Object.entries(headers || {});
  return list.length ? [el('h4', {}, 'Headers'), el('ul', {class: 'fields'}, list.map(([name, header]) =>
    el('li', {}, el('span', {class: 'name'}, name), ' ',
      el('span', {class: 'about soft'}, inline(follow(header).description || '')))))] : [];
}

// Statuses that say the same in the same form share one block; the first success lies open.
function answerBlocks(responses) {
  const groups = new Map();
  for (const [status, response] of Object.entries(responses || {})) {
    const key = JSON.stringify(response), group = groups.get(key) || {response: follow(response), statuses: []};
    group.statuses.push(status);
    groups.set(key, group);
  }
  return [...groups.values()].map(({response, statuses}, i) => {
    const node = expandable([...statuses.map((status) => el('span', {class: 'status s' + status[0]}, status)),
      ...inline(response.description || '')],
    () => [...mediaBlocks(response.content), ...headerList(response.headers)]);
    if (i === 0) {
      node.fill();
      node.open = true;
    }
    return node;
  });
}

function needs(operation) {
  const security = operation.security || contract.security || [];
  if (!security.length) return '';
  const optional = security.some((way) => !Object.keys(way).length);
  return el('span', {class: 'needs'}, optional ? 'token only for private games' : 'needs a token');
}

function operationBlock(method, path, item, operation) {
  const parameters = parametersOf(item, operation), body = follow(operation.requestBody);
  return el('article', {class: 'operation', id: operation.operationId, 'aria-labelledby': 'h-' + operation.operationId},
    el('header', {}, el('span', {class: 'method ' + method}, method.toUpperCase()), el('code', {}, path),
      needs(operation),
      el('h3', {id: 'h-' + operation.operationId}, operation.summary,
        el('a', {class: 'anchor', href: '#' + operation.operationId, 'aria-label': 'Link to ' + operation.summary}, '#'))),
    paragraphs(operation.description),
    el('h4', {}, 'With curl'), copyable(curl(method, path, item, operation), 'the curl line'),
    parameters.length ? [el('h4', {}, 'Parameters'), parameterTable(parameters)] : '',
    body.content ? [el('h4', {}, 'Body' + (body.required ? '' : ' (optional)')),
      ...mediaBlocks(body.content)] : '',
    el('h4', {}, 'Answers'),
    answerBlocks(operation.responses));
}

// ---- the page ----

const methods = ['get', 'put', 'post', 'delete', 'patch'];

function operationsOf(tag) {
  return Object.entries(contract.paths).flatMap(([path, item]) =>
    methods.filter((method) => item[method] && (item[method].tags || [])[0] === tag)
      .map((method) => ({method, path, item, operation: item[method]})));
}

const entries = []; // what the search looks through: {text, nodes, group}

function addTag(tag) {
  const operations = operationsOf(tag.name), list = el('ul', {});
  const title = tag.name[0].toUpperCase() + tag.name.slice(1);
  const section = el('section', {'aria-label': title}, el('h2', {id: 'tag-' + tag.name}, title),
    paragraphs(tag.description));
  const group = [section, el('div', {}, el('h2', {}, title), list)];
  for (const {method, path, item, operation} of operations) {
    const block = operationBlock(method, path, item, operation);
    const link = el('li', {}, el('a', {href: '#' + operation.operationId, 'data-id': operation.operationId},
      el('span', {class: 'method ' + method}, method.toUpperCase()), el('span', {}, operation.summary)));
    section.append(block);
    list.append(link);
    entries.push({text: [method, path, operation.operationId, operation.summary, operation.description,
      tag.name].join(' ').toLowerCase(), nodes: [block, link], group});
  }
  if (!operations.length) return;
  at('operations').append(section);
  at('nav').append(group[1]);
}

function addSchemas() {
  for (const [name, schema] of Object.entries(contract.components.schemas)) {
    const node = expandable([el('span', {class: 'name'}, name), ' ',
      el('span', {class: 'soft about'}, inline(schema.description || ''))],
    () => [fields(schema), el('h4', {}, 'Example'), copyable(asText(example(schema)), 'the example')],
    {class: 'schema', id: 'schema-' + name});
    at('components').append(node);
    entries.push({text: ('schema ' + name + ' ' + (schema.description || '')).toLowerCase(), nodes: [node]});
  }
}

function addProblems(problems) {
  for (const problem of problems) {
    const row = el('tr', {id: 'problem-' + problem.code},
      el('th', {scope: 'row'}, el('a', {href: '/problems/' + problem.code}, el('code', {}, problem.code))),
      el('td', {}, el('span', {class: 'status s' + String(problem.status)[0]}, String(problem.status))),
      el('td', {}, el('strong', {}, problem.title), problem.meaning === problem.title ? ''
        : el('div', {class: 'about'}, inline(problem.meaning))));
    at('codes').append(row);
    entries.push({text: [problem.code, problem.status, problem.title, problem.meaning].join(' ').toLowerCase(),
      nodes: [row]});
  }
}

function search(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean), groups = new Map();
  let found = 0;
  for (const entry of entries) {
    const fits = words.every((word) => entry.text.includes(word));
    found += fits;
    for (const node of entry.nodes) node.hidden = !fits;
    if (entry.group) groups.set(entry.group, groups.get(entry.group) || fits);
  }
  for (const [group, shown] of groups) for (const node of group) node.hidden = !shown;
  at('found').textContent = words.length ? found + (found === 1 ? ' match' : ' matches') : '';
}

// Marks in the list what is being read.
function markReading() {
  const links = new Map([...at('nav').querySelectorAll('a')].map((link) => [link.dataset.id, link]));
  const seen = new IntersectionObserver((changes) => {
    for (const change of changes)
      if (change.isIntersecting) {
        for (const link of links.values()) link.removeAttribute('aria-current');
        const link = links.get(change.target.id);
        link.setAttribute('aria-current', 'true');
        const side = document.querySelector('.side'), box = link.getBoundingClientRect();
        if (box.top < 0 || box.bottom > side.clientHeight) link.scrollIntoView({block: 'nearest'});
      }
  }, {rootMargin: '-10% 0px -80% 0px'});
  for (const id of links.keys()) seen.observe(at(id));
}

function openTarget() {
  const target = location.hash && at(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  if (target.tagName === 'DETAILS') target.open = true;
  target.scrollIntoView({behavior: 'instant'});
}

function listen() {
  at('search').addEventListener('input', () => search(at('search').value));
  addEventListener('keydown', (event) => {
    const typing = /** @type {HTMLElement} */ (event.target).matches('input, textarea');
    if (event.key === '/' && !typing) {
      event.preventDefault();
      at('search').focus();
    } else if (event.key === 'Escape' && typing) {
      at('search').value = '';
      search('');
    }
  });
  addEventListener('hashchange', openTarget);
  addEventListener('beforeprint', () => {
    for (const node of /** @type {NodeListOf<any>} */ (document.querySelectorAll('.operation > details, .schema'))) {
      node.fill();
      node.open = true;
    }
  });
}

async function fetchJson(path) {
  const answer = await fetch(path, {headers: {Accept: 'application/json'}});
  if (!answer.ok) throw new Error(path + ' answers ' + answer.status);
  return answer.json();
}

// Everything is put together while it is hidden, and then shown at once: nothing that is seen moves.
async function show() {
  const [loaded, {items: problems}] = await Promise.all([fetchJson('/openapi.json'), fetchJson('/problems')]);
  contract = loaded;
  at('version').textContent = contract.info.version;
  at('summary').textContent = contract.info.summary || '';
  at('description').append(...paragraphs(contract.info.description));
  contract.tags.forEach(addTag);
  addSchemas();
  addProblems(problems);
  at('loaded').hidden = false;
  listen();
  openTarget();
  markReading();
}

show().catch((error) => {
  at('trouble').hidden = false;
  at('trouble').textContent = 'The reference could not be loaded: ' + error.message;
});
