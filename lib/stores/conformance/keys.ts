import assert from 'node:assert/strict';
import { assertSameJson, create, stored, type Trial, type Trials, update } from './trial';

/** Keys, each with others that a careless engine takes for it. */
const families: Readonly<Record<string, readonly string[]>> = {
  'letter case': ['a', 'A'],
  'spaces around them': ['a', 'a ', ' a', 'a\t', 'a\n'],
  'accents and compositions': ['\u00e9', 'e\u0301', 'e', '\u00c9'],
  'unicode beyond the first plane': ['\u{1f600}', '\u{1f601}', '\u{10ffff}', '\ufffd', '\uffff'],
  'quotes and backslashes': ["'", "''", '"', '""', '`', '\\', '\\\\', "\\'", "'; DROP TABLE resources; --"],
  'patterns and placeholders': ['%', '%%', '_', '*', '?', '[a]', '$1', ':1', '{a}', '{a}b', '{', '#{a}'],
  'percent-encoding, slashes and dots': ['/', '%2F', '//', './', '../', 'a/b', 'a%2fb', 'a.b'],
  'newlines and other controls': ['\n', '\r\n', '\r', '\u0001', '\u007f', '\u2028'],
  'inherited names': ['__proto__', 'constructor', 'toString', 'hasOwnProperty'],
  'a length of 1 KB': ['k'.repeat(1_023), 'k'.repeat(1_024), `${'k'.repeat(1_023)}l`, 'é'.repeat(512)],
};

/** Keys that an engine may be unable to hold: then they are absent. */
const perhapsHeld: Readonly<Record<string, readonly string[]>> = {
  'a NUL': ['a\0', 'a\0b', '\0', 'a'],
  'lone surrogates': ['\ud800', '\ud801', '\udc00', '\ufffd'],
  'a length of 100 KB': ['k'.repeat(100_000), `${'k'.repeat(99_999)}l`],
};

export const keys: Trials = {
  ...cases('tells keys apart by', families, async ({ store, key }, family) => {
    const places = family.map((member, place) => ({ at: key + member, place }));
    for (const { at, place } of places) await create(store, at, place);
    for (const { at, place } of places) {
      const found = await stored(store, at);
      assertSameJson(found.value, place);
      await update(store, at, found, place + 100);
    }
    for (const { at, place } of places) assertSameJson((await stored(store, at)).value, place + 100);
  }),

  ...cases('holds keys, or has them absent, with', perhapsHeld, async ({ store, key }, family) => {
    const places = family.map((member, place) => ({ at: key + member, place }));
    const held = new Set<string>();
    for (const { at, place } of places) {
      assert.equal(await store.get(at), undefined, 'a key was there that nobody had written');
      assert.equal(await store.replace(at, 'a version', place), undefined);
      if (await store.replace(at, null, place)) held.add(at);
    }
    for (const { at, place } of places) {
      const found = await store.get(at);
      assert.equal(found !== undefined, held.has(at), 'get and replace disagree on whether a key is held');
      if (found !== undefined) assertSameJson(found.value, place);
    }
  }),

  'the empty key is a key like any other, or absent': async ({ store }) => {
    const before = await store.get('');
    const made = await store.replace('', before?.version ?? null, { empty: true });
    assert.equal((await store.get(''))?.version, made?.version);
  },
};

function cases(
  title: string,
  table: Readonly<Record<string, readonly string[]>>,
  act: (trial: Trial, family: readonly string[]) => Promise<void>,
): Trials {
  const entries = Object.entries(table).map(([name, family]) => [
    `${title} ${name}`,
    (trial: Trial) => act(trial, family),
  ]);
  return Object.fromEntries(entries) as Trials;
}
