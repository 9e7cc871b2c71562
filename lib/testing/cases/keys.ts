import { strict as assert } from 'node:assert';
import type { Stored } from '../../stores/contract/resource-store';
import { maxKeyBytes } from '../../stores/contract/key';
import { type ConformanceTests, testEach } from '../conformance-test';
import { type KeyProbe, printShort } from '../key-probe';
import { capabilities } from '../store-under-test';

/** Suffixes of keys that a careless engine would confuse. */
const families: Readonly<Record<string, readonly string[]>> = {
  'letter case': ['a', 'A'],
  'leading and trailing spaces': ['a', 'a ', ' a', 'a\t', 'a\n'],
  'accents and Unicode composition': ['\u00e9', 'e\u0301', 'e', '\u00c9'],
  'zero-width characters': ['a', 'a\u200b', 'a\u200d', 'a\u00ad', '\ufeffa'],
  'Unicode beyond the basic plane': ['\u{1f600}', '\u{1f601}', '\u{10ffff}', '\ufffd', '\uffff'],
  'quotes and backslashes': ["'", "''", '"', '""', '`', '\\', '\\\\', "\\'", "'; DROP TABLE resources; --"],
  'patterns and placeholders': ['%', '%%', '_', '*', '?', '[a]', '$1', ':1', '{a}', '{a}b', '{', '#{a}'],
  'percent-encoding, slashes and dots': ['/', '%2F', '//', './', '../', 'a/b', 'a%2fb', 'a.b'],
  'newlines and other control characters': ['\n', '\r\n', '\r', '\u0001', '\u007f', '\u2028'],
  'inherited names': ['__proto__', 'constructor', 'toString', 'hasOwnProperty'],
};

/** Suffixes of keys that an engine need not store: such keys can be absent. */
const optionalKeys: Readonly<Record<string, readonly string[]>> = {
  'a NUL': ['a\0', 'a\0b', '\0', 'a'],
  'lone surrogates': ['\ud800', '\ud801', '\udc00', '\ufffd'],
  'a length of 100 KB': ['k'.repeat(100_000), `${'k'.repeat(99_999)}l`],
};

/** Spellings that a careless engine, or a careless `Number(key)`, would confuse with the key. */
function createSpellings(key: string): readonly string[] {
  const spellings = [key.toUpperCase(), key.toLowerCase(), `0${key}`, `+${key}`, `${key}.0`, `${key}e0`];
  spellings.push(
    ` ${key}`,
    `${key} `,
    `${key}\n`,
    `${key}\u0301`,
    `${key}\u200b`,
    `${key}%`,
    `${key}' OR '1'='1`,
  );
  return [...new Set(spellings)].filter((spelling) => spelling !== key);
}

/**
 * Cases that also apply to stores whose keys have a special form: any other key is stored, refused or absent.
 */
export const keySpellings: ConformanceTests = {
  'a key in another spelling is a different key, or absent': async (here) => {
    const state = await here.start('as given');
    for (const spelling of createSpellings(here.key)) {
      const other = here.at(spelling);
      await other.isAbsent();
      await other.refuses(state.version ?? 'a version', spelling);
      const stored = await other.createIfStorable(spelling);
      if (stored === undefined) await other.isAbsent();
      else await assertCreated(other, stored);
      await other.delete(state.version ?? 'a version');
      await here.isAt(state);
    }
    await here.holds('as given');
  },

  ...testEach('stores, or treats as absent, keys with ', optionalKeys, (ends) => async (here) => {
    const probes = ends.map((end) => here.at(here.key + end));
    const storedProbes = new Set<KeyProbe>();
    for (const [value, probe] of probes.entries()) {
      await probe.isAbsent();
      await probe.refuses('a version', value);
      if (await probe.createIfStorable(value)) storedProbes.add(probe);
    }
    for (const [value, probe] of probes.entries()) {
      if (storedProbes.has(probe)) await probe.holds(value);
      else await probe.isAbsent();
    }
  }),

  'the empty key is a normal key, or absent': async (here) => {
    const empty = here.at('');
    const before = await empty.get();
    const stored = before
      ? await empty.replace(before, { empty: true })
      : await empty.createIfStorable({ empty: true });
    if (stored === undefined) await empty.isAbsent();
    else await empty.isAt(stored);
  },
};

export const anyKeys: ConformanceTests = {
  ...testEach('tells keys apart by ', families, (ends) => (here) => assertApart(here, ends)),

  'tells keys of 1 KB apart': async (here) => {
    const room = maxKeyBytes - Buffer.byteLength(here.key);
    const ends = [room - 1, room].map((length) => 'k'.repeat(length));
    await assertApart(here, [...ends, `${'k'.repeat(room - 1)}l`, 'é'.repeat(room / 2)]);
  },
};

async function assertCreated(other: KeyProbe, state: Stored<unknown>): Promise<void> {
  assert.ok(other.creates, `replace created ${printShort(other.key)}. ${capabilities.creates.undeclared}`);
  await other.isAt(state);
}

async function assertApart(here: KeyProbe, ends: readonly string[]): Promise<void> {
  const probes = ends.map((end) => here.at(here.key + end));
  for (const [value, probe] of probes.entries()) await probe.writes(null, value);
  for (const [value, probe] of probes.entries()) {
    const state = await probe.holds(value);
    await probe.writes(state, value + 100);
  }
  for (const [value, probe] of probes.entries()) await probe.holds(value + 100);
}
