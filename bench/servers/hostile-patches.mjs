/**
 * Requests within the default limits that were found to cost the most, or more than the limits should let them: each with
 * what is stored, and the status that answers it.
 */

const mergePatch = 'application/merge-patch+json';
const jsonPatch = 'application/json-patch+json';
const keyedMergePatch = 'application/vnd.patch-options.keyed-merge+json';
const largest = 1_048_576;

const zeros = (length) => Array.from({ length }, () => 0);
const times = (count, ...operations) => Array.from({ length: count }, () => operations).flat();
/** `{"a":[item,item,…]}`, as large as a patch may be. */
const full = (item) => `{"a":[${`${item},`.repeat((largest - 9 - item.length) / (item.length + 1))}${item}]}`;
/** As many of them as fit into the largest patch. */
const fullOf = (open, item, close) => {
  const parts = [];
  for (let i = 0, bytes = open.length + close.length; ; i++) {
    const part = item(i);
    bytes += part.length + 1;
    if (bytes > largest) return `${open}${parts.join(',')}${close}`;
    parts.push(part);
  }
};
const add = (path, value = 0) => ({ op: 'add', path, value });
const move = (from, path) => ({ op: 'move', from, path });

const members = (count, name = (i) => `name ${i}`, value = (i) => i) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [name(i), value(i)]));
const chain = (levels) => (levels === 0 ? 1 : { a: chain(levels - 1) });

/** Functions of the app that return at once, and lists of a few members. */
const hidden = ['/secret', '/more/secret'];
const writable = () => ['/title', '/tags'];
const authorize = (req, { changed }) => changed.length >= 0;
const schema = { '~standard': { version: 1, vendor: 'bench', validate: (value) => ({ value }) } };
const all = { hidden, writable, authorize, validate: () => undefined };
const rules = {
  hidden: { hidden },
  readOnly: { readOnly: ['/owner', '/more/owner'] },
  'a list of writable': { writable: writable() },
  'writable as a function': { writable },
  authorize: { authorize },
  validate: { validate: () => undefined },
  'a schema': { validate: schema },
  'all of them, and a schema': { ...all, validate: schema },
};
/** What stands beside the few members that the rules name: within `limits.result`, and half of it in `limits.bytes`. */
const manyMembers = {
  names: (share) => members(100_000 * share),
  'names like integers': (share) => members(100_000 * share, (i) => String(7 * i)),
  'names of few letters': (share) => members(100_000 * share, (i) => `x${i.toString(36)}`),
  'names in an object below': (share) => ({ more: { secret: 1, ...members(100_000 * share), owner: 1 } }),
};
const oneMember = {
  '1,000 objects of 100 members': (share) => ({
    sub: members(
      1_000 * share,
      (i) => `object ${i}`,
      () => members(100),
    ),
  }),
  'a list of 100,000 objects': (share) => ({
    list: Array.from({ length: 100_000 * share }, (_, id) => ({ id, v: 1 })),
  }),
  'a list of 1,000,000 numbers': (share) => ({ list: zeros(1_000_000 * share) }),
  'a text of 2 MB': (share) => ({ text: 'x'.repeat(2_000_000 * share) }),
  'chains of 97 {"a":': (share) => ({ list: Array.from({ length: 3_500 * share }, () => chain(95)) }),
};
const documents = { ...manyMembers, ...oneMember };
const few = { title: 'a', owner: 'o', tags: [1] };
const formats = {
  'merge patch': { type: mergePatch, text: '{"title":"b"}' },
  'JSON Patch': { type: jsonPatch, text: '[{"op":"replace","path":"/title","value":"b"}]' },
  'keyed merge patch': { type: keyedMergePatch, text: '{"title":"b"}' },
};
const patched = (document, format, options) => () => ({
  ...{ stored: { ...few, secret: 's', ...document(1) }, ...formats[format], options, status: 204 },
});
const put = (document, options) => () => {
  const { more, ...rest } = document(0.45);
  const { secret, ...shown } = more ?? {};
  const below = (value) => (more === undefined ? {} : { more: value });
  return {
    ...{ method: 'PUT', type: 'application/json', options, status: 204 },
    stored: { ...few, secret: 's', ...rest, ...below({ secret, ...shown }) },
    text: JSON.stringify({ ...few, title: 'b', ...rest, ...below(shown) }),
  };
};
const gotten = (document, options) => () => ({
  ...{ method: 'GET', text: '', stored: { ...few, secret: 's', ...document(1) }, options, status: 200 },
});

/**
 * Each rule alone beside 100,000 names, and all rules together in each format and method. Beside other members, all rules together in a
 * merge patch, and with a schema in a PUT. A merge patch costs nothing for what is inside one other member: one of those is enough.
 */
const underRules = Object.fromEntries([
  ...Object.entries(rules).map(([rule, options]) => [
    `a merge patch of one of 100,000 members: ${rule}`,
    patched(documents.names, 'merge patch', options),
  ]),
  ...['JSON Patch', 'keyed merge patch'].map((format) => [
    `a ${format} beside names: all of them`,
    patched(documents.names, format, all),
  ]),
  ['a GET of names: all of them', gotten(documents.names, all)],
  ...['a list of 100,000 objects', ...Object.keys(manyMembers)].map((what) => [
    `a merge patch beside ${what}: all of them`,
    patched(documents[what], 'merge patch', all),
  ]),
  ...Object.entries(documents).map(([what, document]) => [
    `a PUT of ${what}: all of them, and a schema`,
    put(document, { ...all, validate: schema }),
  ]),
]);

/** Made when they are measured: some hold a hundred megabytes. */
export const hostilePatches = {
  'merge patch of 349,000 []': () => ({ stored: {}, type: mergePatch, text: full('[]'), status: 204 }),
  'merge patch of 349,000 {}': () => ({ stored: {}, type: mergePatch, text: full('{}'), status: 204 }),
  'merge patch of chains of 97 [': () => ({
    stored: {},
    type: mergePatch,
    text: full('['.repeat(97) + ']'.repeat(97)),
    status: 204,
  }),
  'merge patch of chains of 97 {"":': () => ({
    stored: {},
    type: mergePatch,
    text: full(`${'{"":'.repeat(97)}0${'}'.repeat(97)}`),
    status: 204,
  }),
  'merge patch of 80,000 names': () => ({
    stored: {},
    type: mergePatch,
    text: fullOf('{', (i) => `"name ${i}":0`, '}'),
    status: 204,
  }),
  'merge patch of 174,000 escapes': () => ({
    stored: {},
    type: mergePatch,
    text: `{"a":"${'\\u00e9'.repeat((largest - 8) / 6)}"}`,
    status: 204,
  }),
  'merge patch of 262,000 numbers': () => ({ stored: {}, type: mergePatch, text: full('1e1'), status: 204 }),
  '499 pairs of move in an array of 300,000': () => ({
    stored: {},
    type: jsonPatch,
    text: JSON.stringify([
      add('/a', zeros(300_000)),
      ...times(499, move('/a/0', '/a/-'), move('/a/299999', '/a/0')),
    ]),
    status: 413,
  }),
  '499 pairs of move of an array of 300,000': () => ({
    stored: { b: {} },
    type: jsonPatch,
    text: JSON.stringify([add('/a', zeros(300_000)), ...times(499, move('/a', '/b/a'), move('/b/a', '/a'))]),
    status: 204,
  }),
  '998 add /a/1 to an array of 500,000': () => ({
    stored: {},
    type: jsonPatch,
    text: JSON.stringify([add('/a', zeros(500_000)), ...times(998, add('/a/1'))]),
    status: 413,
  }),
  '1,000 add /a/0 to a stored array of 8,000,000': () => ({
    stored: { a: zeros(8_000_000) },
    type: jsonPatch,
    text: JSON.stringify(times(1_000, add('/a/0'))),
    status: 413,
  }),
  '1,000 add /a/0 to a stored array of 9,500': () => ({
    stored: { a: zeros(9_500) },
    type: jsonPatch,
    text: JSON.stringify(times(1_000, add('/a/0'))),
    status: 204,
  }),
  '7 bytes on 2 MB in SQLite': () => ({
    engine: 'sqlite',
    stored: { notes: Array.from({ length: 2_000 }, (_, i) => ({ id: i, text: 'x'.repeat(980) })) },
    type: mergePatch,
    text: '{"a":1}',
    status: 204,
  }),
  '30,000 changes under a name of 400,000 bytes, authorize': () => ({
    stored: { ['k'.repeat(400_000)]: zeros(30_000) },
    type: mergePatch,
    text: JSON.stringify({ ['k'.repeat(400_000)]: zeros(30_000).map(() => 1) }),
    options: { authorize: () => true },
    status: 413,
  }),
  'remove /a/0 of a stored array of 1 MB, authorize': () => ({
    stored: { a: Array.from({ length: 150_000 }, (_, i) => i) },
    type: jsonPatch,
    text: '[{"op":"remove","path":"/a/0"}]',
    options: { authorize: () => true },
    status: 413,
  }),
  'one member of a stored object of 50,000, authorize': () => ({
    stored: Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`name ${i}`, i])),
    type: mergePatch,
    text: '{"name 7":0}',
    options: { authorize: () => true },
    status: 204,
  }),
  ...underRules,
};
