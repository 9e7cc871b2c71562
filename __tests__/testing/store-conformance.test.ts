import {
  type ConformingStore,
  storeConformance,
  type TextCarrier,
} from '../../lib/testing/store-conformance';
import { MemoryStore } from '../../lib/stores/memory/memory-store';
import type { Stored } from '../../lib/stores/contract/resource-store';
import * as wrongOutcomes from '../support/wrong-outcome-stores';
import * as wrong from '../support/wrong-stores';

interface Note {
  readonly title: string;
  readonly parts: readonly string[];
}

type StoreOver = new (engine: MemoryStore) => ConformingStore;

/** The names of the cases that a store fails. */
async function failuresOf<T = Note>(Store: StoreOver, carrier?: TextCarrier<T>): Promise<string[]> {
  const failures: string[] = [];
  // Some have one map for all engines, and the empty key is the same in each run.
  await new Store(new MemoryStore()).delete?.('');
  for (const { name, run } of storeConformance(() => {
    const engine = new MemoryStore();
    return { open: () => new Store(engine) };
  }, carrier)) {
    await run().catch(() => failures.push(name));
  }
  return failures;
}

const names = storeConformance(() => ({ open: () => new MemoryStore() })).map(({ name }) => name);
const everyKey = names.filter((name) => name.startsWith('tells keys') || name.startsWith('holds keys'));
const everyValue = names.filter((name) => name.startsWith('keeps '));
const keys = (family: string) => `tells keys apart by ${family}`;
const perhaps = (family: string) => `holds keys, or has them absent, with ${family}`;

const conditions = {
  absent: 'an absent key: get is undefined, and a replace with a version writes nothing',
  create: 'null writes only while the key is absent',
  stale: 'a version that is not the present one writes nothing',
  returned: 'replace returns what get then returns',
  others: 'a write leaves every other key alone',
};
const races = {
  replace: 'of 50 replaces at once with one expected version exactly one writes',
  create: 'of 50 creations at once exactly one writes',
  instances: 'instances over one engine see each other',
  count: 'no update is lost among four that count at once',
  keys: 'no update is lost among eight keys at once',
};
const versions = {
  equal: 'no version comes twice, also for equal values',
  deleted: 'no version comes twice, also after deletion',
  deletion: 'delete with a version deletes only that version',
  modified: 'modified, where there is one, is the present time',
};
const changes = {
  writer: 'a value that its writer changes afterwards does not change the store',
  reader: 'a value that its reader changes does not change the store',
};
const context = {
  aborted: 'aborted before the write: the reason is thrown, and nothing is written',
  notAborted: 'a signal that is not aborted changes nothing',
  over: 'over maxBytes: a 413 problem, and nothing is written; or all of it',
  at: 'at maxBytes, counted as UTF-8: written',
};
const stale = {
  own: 'with mayBeStale: a state that was there, the value under its own version',
  present: 'without mayBeStale: the present state, whatever was given with it',
  hands: 'what a caller does to a value is not what is remembered of it',
};
const outcomes = {
  found: 'an outcome is found under its id and key, by every instance, where it is asked for',
  stay: 'outcomes stay when the resource moves on',
  text: 'the text is made of the version that is written, and comes back as it is',
  refused: 'a write that is not carried out keeps no outcome',
  throws: 'what text throws is thrown, and nothing is written',
  once: 'an id is written once, whatever the version',
  race: 'of 50 at once that add under one id exactly one adds',
  full: 'where keep is reached: a 503 problem with Retry-After, and nothing is written',
  age: 'over its age an outcome is gone, and its place and its id are free',
  deleted: 'deletion forgets outcomes',
};

const table: [what: string, Store: StoreOver, failures: string[]][] = [
  ['is right', wrong.Right, []],
  ['is right, and copies by JSON', wrong.writing((value) => value), []],
  ['is right to the second', wrong.telling((_, time) => time - (time % 1_000)), []],

  [
    'writes whatever the version is',
    wrong.WritesWhateverTheVersion,
    [
      ...[conditions.absent, conditions.create, conditions.stale, races.instances, versions.deleted],
      ...[perhaps('a NUL'), perhaps('lone surrogates')],
    ],
  ],
  [
    'creates for any version',
    wrong.CreatesForAnyVersion,
    [conditions.absent, versions.deleted, perhaps('a NUL'), perhaps('lone surrogates')],
  ],
  ['creates over what is there', wrong.CreatesOverWhatIsThere, [conditions.create]],
  ['takes "null" for null', wrong.creating('null'), [conditions.absent]],
  ['takes "undefined" for null', wrong.creating('undefined'), [conditions.absent]],
  ['trims versions', wrong.TrimsVersions, [conditions.stale]],
  ['folds letter case of versions', wrong.FoldsLetterCaseOfVersions, [conditions.stale]],
  [
    'compares first and writes later',
    wrong.ComparesFirstAndWritesLater,
    [races.replace, races.create, races.count],
  ],
  ['writes all that it has read', wrong.WritesAllThatItHasRead, [races.keys]],
  [
    'remembers what it read',
    wrong.RemembersWhatItRead,
    [races.instances, races.count, changes.reader, stale.present, stale.hands],
  ],
  ['deletes whatever the version is', wrong.DeletesWhateverTheVersion, [versions.deletion]],
  ['hashes the value for a version', wrong.HashesTheValue, [versions.equal, versions.deleted]],
  ['counts from one again after deletion', wrong.CountsFromOneAgain, [versions.deleted]],
  ['tells time in seconds', wrong.telling((_, time) => Math.floor(time / 1_000)), [versions.modified]],
  ['tells the time of creation', wrong.telling(wrong.ofCreation()), [versions.modified]],

  ["keeps the caller's object", wrong.KeepsTheCallersObject, [changes.writer, changes.reader, stale.hands]],
  [
    'returns what was there before',
    wrong.ReturnsWhatWasThereBefore,
    [conditions.returned, races.replace, ...everyValue.filter((name) => name !== 'keeps null alone')],
  ],
  [
    'sorts members, as jsonb does',
    wrong.onText(wrong.sortMembers),
    [
      'keeps NUL in strings and names',
      'keeps lone surrogates in strings and names',
      'keeps __proto__ and other inherited names as plain members',
      'keeps the order of members',
      'keeps names with dots, dollars and the look of an index',
      'keeps a thousand members',
    ],
  ],
  [
    'drops NUL from text',
    wrong.onText((text) => text.replaceAll('\\u0000', '')),
    ['keeps NUL in strings and names', 'keeps control characters, quotes and backslashes'],
  ],
  [
    'makes U+FFFD of lone surrogates',
    wrong.onText((text) => text.replaceAll(/\\ud[89a-f]../gi, '\ufffd')),
    ['keeps lone surrogates in strings and names'],
  ],
  ['normalizes text', wrong.onText((text) => text.normalize()), ['keeps unicode, not normalized']],
  [
    'writes numbers without exponents',
    wrong.onText((text) => text.replaceAll(/\d+(\.\d+)?e[+-]?\d+/g, '1')),
    ['keeps numbers at their limits'],
  ],
  [
    'drops __proto__',
    wrong.onText((text) => text.replaceAll('"__proto__":', '"proto":')),
    ['keeps __proto__ and other inherited names as plain members'],
  ],
  [
    'has no dots in names',
    wrong.onText((text) => text.replaceAll('a.b', 'a_b')),
    ['keeps names with dots, dollars and the look of an index'],
  ],
  [
    'makes dates of strings',
    wrong.onText(wrong.dateStrings),
    ['keeps strings that look like something else'],
  ],
  [
    'has no empty objects',
    wrong.onText((text) => text.replaceAll('{}', 'null')),
    ['keeps null, booleans, zero and empty containers'],
  ],
  ['takes null for nothing', wrong.writing((value) => value ?? {}), ['keeps null alone']],
  [
    'takes false for nothing',
    wrong.writing((value) => (value === false ? null : value)),
    ['keeps false alone'],
  ],
  [
    'takes "" for nothing',
    wrong.writing((value) => (value === '' ? null : value)),
    ['keeps the empty string alone'],
  ],
  ['keeps 64 KB', wrong.onText((text) => (text.length > 65_535 ? 'null' : text)), ['keeps a string of 1 MB']],
  [
    'keeps a few hundred members',
    wrong.onText((text) => (text.split(',').length > 500 ? 'null' : text)),
    ['keeps a thousand members'],
  ],
  [
    'keeps 10 levels',
    wrong.onText((text) => (/[[{]{10}|(\[\{"value":){5}/.test(text) ? 'null' : text)),
    ['keeps 64 levels of nesting'],
  ],

  ['has one key', wrong.folding(() => 'key'), [conditions.others, races.keys, ...everyKey]],
  [
    'folds letter case',
    wrong.folding((key) => key.toLowerCase()),
    [keys('letter case'), keys('accents and compositions')],
  ],
  ['ignores spaces at the end', wrong.folding((key) => key.replace(/ +$/, '')), [keys('spaces around them')]],
  ['normalizes keys', wrong.folding((key) => key.normalize()), [keys('accents and compositions')]],
  [
    'holds Latin-1',
    wrong.folding((key) => Buffer.from(key, 'latin1').toString('latin1')),
    [keys('unicode beyond the first plane')],
  ],
  ['writes keys as UTF-8', wrong.folding((key) => Buffer.from(key).toString()), [perhaps('lone surrogates')]],
  ['ends keys at NUL', wrong.folding((key) => key.replace(/\0.*/s, '')), [perhaps('a NUL')]],
  [
    'cuts keys at 1,000 characters',
    wrong.folding((key) => key.slice(0, 1_000)),
    [keys('a length of 1 KB'), perhaps('a length of 100 KB')],
  ],
  [
    'decodes keys',
    wrong.folding((key) => key.replaceAll('%2F', '/')),
    [keys('percent-encoding, slashes and dots')],
  ],
  [
    'reads patterns',
    wrong.folding((key) => key.replaceAll(/[*?%_]/g, '*')),
    [keys('patterns and placeholders')],
  ],
  [
    'folds newlines',
    wrong.folding((key) => key.replaceAll('\r\n', '\n')),
    [keys('newlines and other controls')],
  ],
  ['unescapes quotes', wrong.folding((key) => key.replaceAll("''", "'")), [keys('quotes and backslashes')]],
  [
    'looks keys up in an object',
    wrong.folding((key) => key.replace(/(__proto__|constructor)$/, 'toString')),
    [keys('inherited names')],
  ],
  ['acknowledges keys that it cannot hold', wrong.AcknowledgesKeysThatItCannotHold, [perhaps('a NUL')]],
  ['throws for keys that it cannot hold', wrong.ThrowsForKeysThatItCannotHold, [perhaps('a NUL')]],
  [
    'refuses the empty key after the first write',
    wrong.ForgetsTheEmptyKey,
    ['the empty key is a key like any other, or absent'],
  ],

  ['ignores the signal', wrong.IgnoresTheSignal, [context.aborted]],
  ['writes what was aborted', wrong.WritesWhatWasAborted, [context.aborted]],
  [
    'takes any signal for an aborted one',
    wrong.TakesAnySignalForAborted,
    [context.aborted, context.notAborted],
  ],
  ['refuses size as a fault', wrong.RefusesSizeAsAFault, [context.over]],
  ['refuses size too late', wrong.RefusesSizeTooLate, [context.over]],
  ['refuses size at the limit', wrong.RefusesSizeAtTheLimit, [context.at]],

  ['remembers the value alone', wrong.RemembersTheValueAlone, [stale.own]],
  ['answers all from what it remembers', wrong.AnswersAllFromWhatItRemembers, [stale.present, stale.hands]],
  ["remembers the caller's object", wrong.RemembersTheCallersObject, [stale.hands]],
];

/** Of a store that keeps none, nothing is asked of outcomes. */
const outcomeTable: typeof table = [
  ['is right', wrongOutcomes.RightOutcomes, []],
  [
    'finds no outcomes',
    wrongOutcomes.FindsNoOutcomes,
    [outcomes.found, outcomes.stay, outcomes.text, outcomes.once, outcomes.race, outcomes.full, outcomes.age],
  ],
  ['gives outcomes unasked', wrongOutcomes.GivesOutcomesUnasked, [outcomes.found]],
  ['finds outcomes of its own', wrongOutcomes.FindsOutcomesOfItsOwn, [outcomes.found]],
  [
    'forgets outcomes with the next write',
    wrongOutcomes.ForgetsOutcomesWithTheNextWrite,
    [outcomes.stay, outcomes.full, outcomes.age],
  ],
  ['keeps outcomes of what it refuses', wrongOutcomes.KeepsOutcomesOfWhatItRefuses, [outcomes.refused]],
  ['keeps outcomes beyond deletion', wrongOutcomes.KeepsOutcomesBeyondDeletion, [outcomes.deleted]],
  ['writes again under an id', wrongOutcomes.WritesAgainUnderAnId, [outcomes.once]],
  ['makes the text too early', wrongOutcomes.MakesTheTextTooEarly, [outcomes.text]],
  ['cuts ids', wrongOutcomes.CutsIds, [outcomes.text]],
  ['keeps nothing where text fails', wrongOutcomes.KeepsNothingWhereTextFails, [outcomes.throws]],
  ['refuses full as a lost race', wrongOutcomes.RefusesFullAsALostRace, [outcomes.full]],
  ['makes room by forgetting', wrongOutcomes.MakesRoomByForgetting, [outcomes.full]],
  ['ignores keep', wrongOutcomes.IgnoresKeep, [outcomes.full]],
  ['ignores maxAge', wrongOutcomes.IgnoresMaxAge, [outcomes.full, outcomes.age]],
];

test.each(table)('a store that %s fails what it breaks, and nothing else', async (_, Store, failures) => {
  expect((await failuresOf(Store)).sort()).toEqual([...failures].sort());
});

// Side by side, since one of the cases waits for more than a second.
test.concurrent.each(outcomeTable)(
  'a store of outcomes that %s fails what it breaks, and nothing else',
  async (_, Store, failures) => {
    expect((await failuresOf(Store)).sort()).toEqual([...failures].sort());
  },
);

describe('with a carrier', () => {
  const inNotes: TextCarrier<Note> = {
    wrap: (text) => ({ title: 'A note', parts: [text] }),
    unwrap: ({ parts: [text = ''] }) => text,
  };

  test.each(table.filter(([, , failures]) => !failures.some((name) => everyValue.includes(name))))(
    'a store that %s fails the same',
    async (_, Store, failures) => {
      expect((await failuresOf(Store, inNotes)).sort()).toEqual([...failures].sort());
    },
  );

  test.concurrent.each(outcomeTable)(
    'a store of outcomes that %s fails the same',
    async (_, Store, failures) => {
      expect((await failuresOf(Store, inNotes)).sort()).toEqual([...failures].sort());
    },
  );

  test('what surrounds the text need not be JSON, but where bytes are counted', async () => {
    type Row = { readonly id: bigint; readonly text: string };
    const rowOf = (found: Stored<unknown> | undefined) =>
      found && { ...found, value: { ...(found.value as Row), id: 1n } };
    class Rows extends wrong.Right {
      override async get(...asked: Parameters<ConformingStore['get']>) {
        return rowOf(await super.get(...asked));
      }
      override async replace(...[key, expected, next, context]: Parameters<ConformingStore['replace']>) {
        return rowOf(await super.replace(key, expected, { text: (next as Row).text }, context));
      }
    }
    const carrier: TextCarrier<Row> = { wrap: (text) => ({ id: 1n, text }), unwrap: ({ text }) => text };
    expect(await failuresOf(Rows, carrier)).toEqual([
      'over maxBytes: a 413 problem, and nothing is written; or all of it',
      'at maxBytes, counted as UTF-8: written',
    ]);
  });

  test('a store holds values of that shape alone', async () => {
    const seen = new Set<string>();
    class Seeing extends wrong.Right {
      override replace(...[key, expected, next, context]: Parameters<ConformingStore['replace']>) {
        seen.add(Object.keys(next as Note).join());
        return super.replace(key, expected, next, context);
      }
    }
    expect(await failuresOf(Seeing, inNotes)).toEqual([]);
    expect([...seen]).toEqual(['title,parts']);
  });

  test('a store that cuts the text fails what is longer', async () => {
    const cut = wrong.writing((value) => {
      const { title, parts } = value as Note;
      return { title, parts: parts.map((text) => (text.length > 65_535 ? '""' : text)) };
    });
    expect(await failuresOf(cut, inNotes)).toEqual(['keeps a string of 1 MB']);
  });
});

test('every case is failed by some store', () => {
  const failed = new Set([...table, ...outcomeTable].flatMap(([, , failures]) => failures));
  expect(names.filter((name) => !failed.has(name))).toEqual([]);
});
