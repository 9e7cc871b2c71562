import { strict as assert } from 'node:assert';
import { maxKeyBytes } from '../../stores/contract/key';
import { type ConformanceTests, testEach } from '../conformance-test';
import type { KeyProbe } from '../key-probe';

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
};

/** Ends of keys that an engine may be unable to hold: then they are absent. */
const perhapsHeld: Readonly<Record<string, readonly string[]>> = {
  'a NUL': ['a\0', 'a\0b', '\0', 'a'],
  'lone surrogates': ['\ud800', '\ud801', '\udc00', '\ufffd'],
  'a length of 100 KB': ['k'.repeat(100_000), `${'k'.repeat(99_999)}l`],
};

export const keys: ConformanceTests = {
  ...testEach('tells keys apart by ', families, (ends) => (here) => assertApart(here, ends)),

  'tells keys apart by a length of 1 KB': async (here) => {
    const room = maxKeyBytes - Buffer.byteLength(here.key);
    const ends = [room - 1, room].map((length) => 'k'.repeat(length));
    await assertApart(here, [...ends, `${'k'.repeat(room - 1)}l`, 'é'.repeat(room / 2)]);
  },

  ...testEach('holds keys, or has them absent, with ', perhapsHeld, (ends) => async (here) => {
    const probes = ends.map((end) => here.beside(end));
    const held = new Set<KeyProbe>();
    for (const [value, probe] of probes.entries()) {
      await probe.isAbsent();
      await probe.refuses('a version', value);
      if (await probe.replace(null, value)) held.add(probe);
    }
    for (const [value, probe] of probes.entries()) {
      if (held.has(probe)) await probe.holds(value);
      else await probe.isAbsent();
    }
  }),

  'the empty key is a key like any other, or absent': async ({ store }) => {
    const before = await store.get('');
    const made = await store.replace('', before?.version ?? null, { empty: true });
    assert.equal((await store.get(''))?.version, made?.version);
  },
};

async function assertApart(here: KeyProbe, ends: readonly string[]): Promise<void> {
  const probes = ends.map((end) => here.beside(end));
  for (const [value, probe] of probes.entries()) await probe.writes(null, value);
  for (const [value, probe] of probes.entries()) {
    const { version } = await probe.holds(value);
    await probe.writes(version, value + 100);
  }
  for (const [value, probe] of probes.entries()) await probe.holds(value + 100);
}
