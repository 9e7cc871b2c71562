import { strict as assert } from 'node:assert';
import type { Place } from '../key-probe';
import { cases, type Trials } from '../test-run';

/** Ends of keys, each with others that a careless engine takes for it. */
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

/** Ends of keys that an engine may be unable to hold: then they are absent. */
const perhapsHeld: Readonly<Record<string, readonly string[]>> = {
  'a NUL': ['a\0', 'a\0b', '\0', 'a'],
  'lone surrogates': ['\ud800', '\ud801', '\udc00', '\ufffd'],
  'a length of 100 KB': ['k'.repeat(100_000), `${'k'.repeat(99_999)}l`],
};

export const keys: Trials = {
  ...cases('tells keys apart by ', families, (ends) => async (here) => {
    const places = ends.map((end) => here.beside(end));
    for (const [value, place] of places.entries()) await place.writes(null, value);
    for (const [value, place] of places.entries()) {
      const { version } = await place.holds(value);
      await place.writes(version, value + 100);
    }
    for (const [value, place] of places.entries()) await place.holds(value + 100);
  }),

  ...cases('holds keys, or has them absent, with ', perhapsHeld, (ends) => async (here) => {
    const places = ends.map((end) => here.beside(end));
    const held = new Set<Place>();
    for (const [value, place] of places.entries()) {
      await place.isAbsent();
      await place.refuses('a version', value);
      if (await place.replace(null, value)) held.add(place);
    }
    for (const [value, place] of places.entries()) {
      if (held.has(place)) await place.holds(value);
      else await place.isAbsent();
    }
  }),

  'the empty key is a key like any other, or absent': async ({ store }) => {
    const before = await store.get('');
    const made = await store.replace('', before?.version ?? null, { empty: true });
    assert.equal((await store.get(''))?.version, made?.version);
  },
};
