/**
 * Requests within the default limits that were found to cost the most, or more than the limits should let them: each with
 * what is stored, and the status that answers it.
 */

const mergePatch = 'application/merge-patch+json';
const jsonPatch = 'application/json-patch+json';
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
};
