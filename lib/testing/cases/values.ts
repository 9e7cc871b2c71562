import { strict as assert } from 'node:assert';
import type { Stored } from '../../stores/contract/resource-store';
import { mutableValue, mutate } from '../text-carrier';
import { assertSameJson, type KeyProbe, readModified } from '../key-probe';
import { replaceMembers } from '../members';
import { writeOrBeRefused } from './write-or-be-refused';
import { type ConformanceTests, testEach } from '../conformance-test';

/** Values that stores change if they treat JSON as data of their own language or engine. */
const samples: Readonly<Record<string, unknown>> = {
  'null, booleans, zero and empty containers': [null, true, false, 0, '', [], {}, [[]], [{}]],
  'null alone': null,
  'members that are null': { a: null, b: { c: null }, d: [{ e: null }] },
  'false alone': false,
  'the empty string alone': '',
  'zero alone': 0,
  'numbers at their limits': [2 ** 53 - 1, -(2 ** 53 - 1), 1e308, -1e308, 5e-324, 0.1 + 0.2, 1e21, 1e-7],
  'NUL in strings and names': { 'a\0b': 'c\0', '\0': '\0' },
  'lone surrogates in strings and names': {
    '\ud800': '\udfff',
    pair: '\u{1f600}',
    reversed: '\udc00\ud800',
  },
  'control characters, quotes and backslashes': [
    '\u0001\u001f\u007f\u2028\u2029',
    '"\'`',
    '\\',
    '\\u0000',
    '\r\n\t',
  ],
  'Unicode, not normalized': [
    '\u00e9',
    'e\u0301',
    '\u{10ffff}',
    '\ufeff',
    '\ufffd',
    '\uffff',
    { 'e\u0301': 1, '\u00e9': 2 },
  ],
  '__proto__ and other inherited names as plain members': JSON.parse(
    '{"__proto__":{"admin":true},"constructor":1,"toString":null,"hasOwnProperty":[],"toJSON":2}',
  ) as unknown,
  'the order of members': { z: 1, a: { y: 1, b: 2 }, m: 3, A: 4, '': 5 },
  'names with dots, dollars and digits': {
    'a.b': 1,
    $set: 2,
    $where: { $ne: null },
    7: 3,
    '07': 4,
  },
  'strings that look like something else': ['2020-01-01T00:00:00.000Z', '1', 'null', '{"a":1}', '[]', 'NaN'],
  'a string of 1 MB': 'aé€'.repeat(170_000),
  'a thousand members': Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`m${i}`, [i]])),
  // The default of `limits.depth`. The case puts the sample into a list.
  '100 levels of nesting': JSON.parse(
    `[${'{"value":['.repeat(49)}"the innermost"${']}'.repeat(49)}]`,
  ) as unknown,
};

/** Values are read as they were written, by the writer and by another instance. */
export const values: ConformanceTests = {
  ...testEach('keeps ', samples, (sample) => async (here, elsewhere) => {
    const stored = await here.start(copy(sample));
    assertSameJson(stored.value, sample);
    const there = await elsewhere();
    await there.holds(sample);
    const updated = await here.writes(stored, [copy(sample)]);
    assertSameJson(updated.value, [sample]);
    await here.holds([sample]);
  }),

  'modifying a value after the write does not change the store': async (here) => {
    const value = mutableValue();
    const stored = await here.start(value);
    mutate(value);
    await here.holds(mutableValue());
    assertSameJson(stored.value, mutableValue());
  },

  'modifying a value during the write does not change the store': async (here) => {
    const first = here.creates ? await writeWhileModified(here, null) : await here.readExisting();
    await writeWhileModified(here, first);
  },

  'modifying a value that was read does not change the store': async (here) => {
    const stored = await here.start(mutableValue());
    for (const read of [stored, await here.present()]) {
      mutate(read.value);
      readModified(read)?.setTime(0);
      const current = await here.holds(mutableValue());
      assert.notEqual(
        readModified(current)?.getTime(),
        0,
        'modified changed with the Date that get returned',
      );
    }
  },
};

/** Texts that some engines cannot store, or would change. */
const oddTexts: Readonly<Record<string, string>> = {
  'a NUL': 'a\0b',
  'lone surrogates': '\udc00 and \ud800',
  'spaces at both ends': '  a  ',
  'the form of a time': '2020-01-01T00:00:00Z',
};

/** Texts that are stored directly; through a carrier they would be JSON. */
export const texts: ConformanceTests = testEach(
  'keeps, or refuses with 422, a text with ',
  oddTexts,
  (text) =>
    async (here, _, { wrap, unwrap }) => {
      await here.start('before');
      const { bare } = here;
      const state = await bare.present();
      const written = await writeOrBeRefused(bare, state, replaceMembers(state.value, wrap(text)));
      if (written !== 'refused') assert.equal(unwrap(written.value), text);
    },
);

/** Modifies a value as soon as `replace` has returned its promise. */
async function writeWhileModified(here: KeyProbe, before: Stored<unknown> | null): Promise<Stored<unknown>> {
  const value = mutableValue();
  const writing = here.writes(before, value);
  mutate(value);
  const written = await writing;
  assertSameJson(written.value, mutableValue());
  await here.holds(mutableValue());
  return written;
}

/** A copy, so that a store that modifies its argument does not modify the expected value. */
function copy(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
