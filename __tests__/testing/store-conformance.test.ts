import {
  type ConformanceOptions,
  type ConformingStore,
  storeConformance,
  type TextCarrier,
} from '../../lib/testing';
import { MemoryStore } from '../../lib/stores/memory/memory-store';
import type { VersionedState } from '../../lib/stores/contract/resource-store';
import { isDeep } from '../support/deep-scale';
import {
  changes,
  conditions,
  contents,
  context,
  declared,
  emptyKey,
  everyBound,
  everyKey,
  everyValue,
  keys,
  longKeys,
  members,
  names,
  outcomes,
  perhaps,
  races,
  spelling,
  texts,
  versions,
} from './case-names';
import { covering, expectFailures, type WrongStore } from './failures';
import { rowTable } from './row-table';
import * as wrongOutcomes from './wrong-outcome-stores';
import * as wrong from './wrong-stores';
import { contentTable } from './wrong-content-stores';

interface Note {
  readonly title: string;
  readonly parts: readonly string[];
}

const memoryCases = (options?: ConformanceOptions) =>
  storeConformance(() => ({ open: () => new MemoryStore() }), options);
const everyAborted = [context.aborted, context.abortedCreation];

const table: readonly WrongStore[] = [
  { what: 'is right', Store: wrong.Right, failures: [] },
  { what: 'is right, and copies by JSON', Store: wrong.writing((value) => value), failures: [] },
  { what: 'is right to the second', Store: wrong.telling((_, time) => time - (time % 1_000)), failures: [] },
  { what: 'is right, and holds keys up to 1,024 bytes', Store: wrong.holdingUpTo(1_024), failures: [] },

  {
    what: 'writes whatever the version is',
    Store: wrong.WritesWhateverTheVersion,
    failures: [
      ...[conditions.absent, conditions.create, conditions.stale, conditions.found],
      ...[races.instances, races.deletion, context.current, versions.deleted],
      ...[perhaps('a NUL'), perhaps('lone surrogates'), spelling],
    ],
  },
  {
    what: 'creates for any version',
    Store: wrong.CreatesForAnyVersion,
    failures: [
      ...[conditions.absent, races.deletion, versions.deleted],
      ...[perhaps('a NUL'), perhaps('lone surrogates'), spelling],
    ],
  },
  { what: 'creates over what is there', Store: wrong.CreatesOverWhatIsThere, failures: [conditions.create] },
  { what: 'takes "null" for null', Store: wrong.creating('null'), failures: [conditions.absent] },
  { what: 'takes "undefined" for null', Store: wrong.creating('undefined'), failures: [conditions.absent] },
  { what: 'trims versions', Store: wrong.TrimsVersions, failures: [conditions.stale] },
  {
    what: 'folds letter case of versions',
    Store: wrong.FoldsLetterCaseOfVersions,
    failures: [conditions.stale],
  },
  {
    what: 'compares first and writes later',
    Store: wrong.ComparesFirstAndWritesLater,
    failures: [races.replace, races.create, races.count, races.deletion],
  },
  {
    what: 'trusts the state that the caller has read',
    Store: wrong.TrustsTheStateThatTheCallerHasRead,
    failures: [context.current],
  },
  {
    what: 'takes any state that the caller has read for outdated',
    Store: wrong.TakesAnyReadStateForOutdated,
    failures: [context.current],
  },
  { what: 'writes all that it has read', Store: wrong.WritesAllThatItHasRead, failures: [races.keys] },
  {
    what: 'remembers what it read',
    Store: wrong.RemembersWhatItRead,
    failures: [races.instances, races.count, races.deletion, changes.reader],
  },
  {
    what: 'deletes whatever the version is',
    Store: wrong.DeletesWhateverTheVersion,
    failures: [versions.deletion, versions.deleteSays, races.deletion],
  },
  {
    what: 'folds letter case of versions in deletions',
    Store: wrong.deletingBy((version) => version.toLowerCase()),
    failures: [versions.deletion],
  },
  {
    what: 'ignores spaces at the end of versions in deletions',
    Store: wrong.deletingBy((version) => version.trimEnd()),
    failures: [versions.deletion],
  },
  {
    what: 'takes an empty version for any in deletions',
    Store: wrong.TakesAnEmptyVersionForAny,
    failures: [versions.deletion],
  },
  {
    what: 'does not say whether it deleted',
    Store: wrong.SaysNothingOfDelete,
    failures: [versions.deleteSays, versions.deleteRace, races.deletion],
  },
  {
    what: 'looks before it deletes',
    Store: wrong.LooksBeforeItDeletes,
    failures: [versions.deleteRace, races.deletion],
  },
  {
    what: 'looks before it deletes, and says whether it did',
    Store: wrong.DeletesWhatItHasLookedAt,
    failures: [races.deletion],
  },
  { what: 'is right, and says what fits', Store: wrong.fitting(), failures: [] },
  {
    what: 'writes what it said would not fit',
    Store: wrong.fitting({ refuses: true }),
    failures: [conditions.fit],
  },
  {
    what: 'says that something else fits',
    Store: wrong.fitting({ fit: (value) => [value] }),
    failures: [conditions.fit],
  },
  {
    what: 'completes a value with what it does not write',
    Store: wrong.fitting({ complete: (value) => Object.assign({ ...(value as object) }, { added: 1 }) }),
    failures: [conditions.fit],
  },
  {
    what: 'modifies what it is to complete',
    Store: wrong.fitting({ complete: (value) => Object.assign(Object(value) as object, { added: 1 }) }),
    failures: [conditions.fit],
  },
  {
    what: 'modifies what is to fit',
    Store: wrong.fitting({ fit: (value) => Object.assign(Object(value) as object, { fitted: true }) }),
    failures: [conditions.fit],
  },
  { what: 'is right, and accepts what it holds', Store: wrong.accepting((value) => value), failures: [] },
  {
    what: 'does not accept what it holds',
    Store: wrong.accepting(() => ({})),
    failures: [conditions.fit],
  },
  {
    what: 'modifies what it is to accept',
    Store: wrong.accepting((value) => Object.assign(Object(value) as object, { accepted: true })),
    failures: [conditions.fit],
  },
  {
    what: 'hashes the value for a version',
    Store: wrong.HashesTheValue,
    failures: [versions.equal, versions.recreated],
  },
  {
    what: 'counts from one again after deletion',
    Store: wrong.CountsFromOneAgain,
    failures: [versions.recreated],
  },
  {
    what: 'tells time in seconds',
    Store: wrong.telling((_, time) => Math.floor(time / 1_000)),
    failures: [versions.modified],
  },
  {
    what: 'tells the time to readers alone',
    Store: wrong.TellsTheTimeToReadersAlone,
    failures: [conditions.returned, versions.modified],
  },
  {
    what: 'tells the time of creation',
    Store: wrong.telling(wrong.ofCreation()),
    failures: [versions.modified],
  },

  {
    what: "keeps the caller's object",
    Store: wrong.KeepsTheCallersObject,
    failures: [changes.writer, changes.duringWrite, changes.reader],
  },
  {
    what: 'copies the value later',
    Store: wrong.CopiesTheValueLater,
    failures: [changes.duringWrite],
  },
  {
    what: 'copies the value later at creation',
    Store: wrong.CopiesTheValueLaterAtCreation,
    failures: [changes.duringWrite],
  },
  {
    what: 'returns what was there before',
    Store: wrong.ReturnsWhatWasThereBefore,
    failures: [
      conditions.returned,
      conditions.fit,
      races.replace,
      ...everyValue.filter((name) => name !== 'keeps null alone'),
      ...[...Object.values(texts), members.foreign, members.cleared],
    ],
  },
  {
    what: 'sorts members, as jsonb does',
    Store: wrong.onText(wrong.sortMembers),
    failures: [
      'keeps NUL in strings and names',
      'keeps lone surrogates in strings and names',
      'keeps __proto__ and other inherited names as plain members',
      'keeps the order of members',
      'keeps names with dots, dollars and digits',
      'keeps a thousand members',
    ],
  },
  {
    what: 'drops NUL from text',
    Store: wrong.onText((text) => text.replaceAll('\\u0000', '')),
    failures: [
      ...['keeps NUL in strings and names', 'keeps control characters, quotes and backslashes'],
      texts.nul,
    ],
  },
  {
    what: 'makes U+FFFD of lone surrogates',
    Store: wrong.onText((text) => text.replaceAll(/\\ud[89a-f]../gi, '\ufffd')),
    failures: ['keeps lone surrogates in strings and names', texts.surrogates],
  },
  {
    what: 'normalizes text',
    Store: wrong.onText((text) => text.normalize()),
    failures: ['keeps Unicode, not normalized'],
  },
  {
    what: 'normalizes names',
    Store: wrong.onText(wrong.normalizeNames),
    failures: ['keeps Unicode, not normalized'],
  },
  {
    what: 'writes numbers without exponents',
    Store: wrong.onText((text) => text.replaceAll(/\d+(\.\d+)?e[+-]?\d+/g, '1')),
    failures: ['keeps numbers at their limits'],
  },
  {
    what: 'drops __proto__',
    Store: wrong.onText((text) => text.replaceAll('"__proto__":', '"proto":')),
    failures: ['keeps __proto__ and other inherited names as plain members'],
  },
  {
    what: 'has no dots in names',
    Store: wrong.onText((text) => text.replaceAll('a.b', 'a_b')),
    failures: ['keeps names with dots, dollars and digits'],
  },
  {
    what: 'makes dates of strings',
    Store: wrong.onText(wrong.dateStrings),
    failures: ['keeps strings that look like something else', texts.time],
  },
  {
    what: 'writes times with milliseconds',
    Store: wrong.writing(wrong.mapStrings((text) => text.replace(/(T\d\d:\d\d:\d\d)Z$/, '$1.000Z'))),
    failures: [texts.time],
  },
  {
    what: 'drops spaces at the end of strings',
    Store: wrong.writing(wrong.mapStrings((text) => text.replace(/ +$/, ''))),
    failures: [texts.spaces],
  },
  {
    what: 'has no empty objects',
    Store: wrong.onText((text) => text.replaceAll('{}', 'null')),
    failures: ['keeps null, booleans, zero and empty containers'],
  },
  {
    what: 'takes null for nothing',
    Store: wrong.writing((value) => value ?? {}),
    failures: ['keeps null alone'],
  },
  {
    what: 'takes false for nothing',
    Store: wrong.writing((value) => (value === false ? null : value)),
    failures: ['keeps false alone'],
  },
  {
    what: 'takes "" for nothing',
    Store: wrong.writing((value) => (value === '' ? null : value)),
    failures: ['keeps the empty string alone'],
  },
  {
    what: 'keeps 64 KB',
    Store: wrong.onText((text) => (text.length > 65_535 ? 'null' : text)),
    failures: ['keeps a string of 1 MB'],
  },
  {
    what: 'keeps a few hundred members',
    Store: wrong.onText((text) => (text.split(',').length > 500 ? 'null' : text)),
    failures: ['keeps a thousand members'],
  },
  {
    what: 'keeps 10 levels',
    Store: wrong.onText((text) => (/[[{]{10}|(\[\{"value":){5}/.test(text) ? 'null' : text)),
    failures: ['keeps 100 levels of nesting'],
  },
  {
    what: 'keeps 99 levels',
    Store: wrong.writing((value) => wrong.cutBelow(99, value)),
    failures: ['keeps 100 levels of nesting'],
  },

  {
    what: 'has one key',
    Store: wrong.folding(() => 'key'),
    failures: [conditions.others, races.keys, races.deletion, ...everyKey, spelling],
  },
  {
    what: 'folds letter case',
    Store: wrong.folding((key) => key.toLowerCase()),
    failures: [keys('letter case'), keys('accents and Unicode composition'), spelling],
  },
  {
    what: 'ignores spaces at the end',
    Store: wrong.folding((key) => key.replace(/ +$/, '')),
    failures: [keys('leading and trailing spaces'), spelling],
  },
  {
    what: 'normalizes keys',
    Store: wrong.folding((key) => key.normalize()),
    failures: [keys('accents and Unicode composition')],
  },
  {
    what: 'ignores zero-width characters',
    Store: wrong.folding((key) => key.replaceAll(/[\u00ad\u200b-\u200d\ufeff]/g, '')),
    failures: [keys('zero-width characters'), spelling],
  },
  {
    what: 'holds Latin-1',
    Store: wrong.folding((key) => Buffer.from(key, 'latin1').toString('latin1')),
    failures: [keys('Unicode beyond the basic plane')],
  },
  {
    what: 'writes keys as UTF-8',
    Store: wrong.folding((key) => Buffer.from(key).toString()),
    failures: [perhaps('lone surrogates')],
  },
  {
    what: 'ends keys at NUL',
    Store: wrong.folding((key) => key.replace(/\0.*/s, '')),
    failures: [perhaps('a NUL')],
  },
  {
    what: 'cuts keys at 1,000 characters',
    Store: wrong.folding((key) => key.slice(0, 1_000)),
    failures: [longKeys, perhaps('a length of 100 KB')],
  },
  {
    what: 'holds keys up to 1,023 bytes',
    Store: wrong.holdingUpTo(1_023),
    failures: [longKeys],
  },
  {
    what: 'decodes keys',
    Store: wrong.folding((key) => key.replaceAll('%2F', '/')),
    failures: [keys('percent-encoding, slashes and dots')],
  },
  {
    what: 'reads patterns',
    Store: wrong.folding((key) => key.replaceAll(/[*?%_]/g, '*')),
    failures: [keys('patterns and placeholders')],
  },
  {
    what: 'folds newlines',
    Store: wrong.folding((key) => key.replaceAll('\r\n', '\n')),
    failures: [keys('newlines and other control characters')],
  },
  {
    what: 'unescapes quotes',
    Store: wrong.folding((key) => key.replaceAll("''", "'")),
    failures: [keys('quotes and backslashes')],
  },
  {
    what: 'looks keys up in an object',
    Store: wrong.folding((key) => key.replace(/(__proto__|constructor)$/, 'toString')),
    failures: [keys('inherited names')],
  },
  {
    what: 'acknowledges keys that it cannot hold',
    Store: wrong.AcknowledgesKeysThatItCannotHold,
    failures: [perhaps('a NUL')],
  },
  {
    what: 'throws for keys that it cannot hold',
    Store: wrong.ThrowsForKeysThatItCannotHold,
    failures: [perhaps('a NUL')],
  },
  {
    what: 'refuses the empty key after the first write',
    Store: wrong.ForgetsTheEmptyKey,
    failures: [emptyKey],
  },

  { what: 'ignores the signal', Store: wrong.IgnoresTheSignal, failures: everyAborted },
  { what: 'writes what was aborted', Store: wrong.WritesWhatWasAborted, failures: everyAborted },
  {
    what: 'takes any signal for an aborted one',
    Store: wrong.TakesAnySignalForAborted,
    failures: [...everyAborted, context.notAborted],
  },
  {
    what: 'ignores the signal of deletions',
    Store: wrong.IgnoresTheSignalOfDeletions,
    failures: [context.abortedDeletion],
  },
  {
    what: 'deletes what was aborted',
    Store: wrong.DeletesWhatWasAborted,
    failures: [context.abortedDeletion],
  },
  { what: 'counts code units', Store: wrong.CountsCodeUnits, failures: [context.over] },
  { what: 'refuses size as a fault', Store: wrong.RefusesSizeAsAFault, failures: [context.over] },
  { what: 'refuses size too late', Store: wrong.RefusesSizeTooLate, failures: [context.over] },
  { what: 'refuses size at the limit', Store: wrong.RefusesSizeAtTheLimit, failures: [context.at] },
];

const outcomeTable: readonly WrongStore[] = [
  { what: 'is right', Store: wrongOutcomes.RightOutcomes, failures: [] },
  {
    what: 'finds no outcomes',
    Store: wrongOutcomes.FindsNoOutcomes,
    failures: [
      outcomes.found,
      outcomes.stay,
      outcomes.text,
      outcomes.once,
      outcomes.race,
      outcomes.full,
      outcomes.total,
      outcomes.age,
    ],
  },
  { what: 'gives outcomes unasked', Store: wrongOutcomes.GivesOutcomesUnasked, failures: [outcomes.found] },
  {
    what: 'finds outcomes of its own',
    Store: wrongOutcomes.FindsOutcomesOfItsOwn,
    failures: [outcomes.found],
  },
  {
    what: 'forgets outcomes with the next write',
    Store: wrongOutcomes.ForgetsOutcomesWithTheNextWrite,
    failures: [outcomes.stay, outcomes.full, outcomes.total, outcomes.age],
  },
  {
    what: 'keeps outcomes of what it refuses',
    Store: wrongOutcomes.KeepsOutcomesOfWhatItRefuses,
    failures: [outcomes.refused],
  },
  {
    what: 'keeps outcomes beyond deletion',
    Store: wrongOutcomes.KeepsOutcomesBeyondDeletion,
    failures: [outcomes.deleted],
  },
  {
    what: 'writes again under an id',
    Store: wrongOutcomes.WritesAgainUnderAnId,
    failures: [outcomes.once, outcomes.full],
  },
  { what: 'makes the text too early', Store: wrongOutcomes.MakesTheTextTooEarly, failures: [outcomes.text] },
  { what: 'cuts the text', Store: wrongOutcomes.CutsTheText, failures: [outcomes.text] },
  {
    what: 'folds letter case of ids',
    Store: wrongOutcomes.FoldsLetterCaseOfIds,
    failures: [outcomes.found],
  },
  { what: 'cuts ids', Store: wrongOutcomes.CutsIds, failures: [outcomes.text] },
  {
    what: 'keeps nothing where text fails',
    Store: wrongOutcomes.KeepsNothingWhereTextFails,
    failures: [outcomes.throws],
  },
  {
    what: 'refuses full as a lost race',
    Store: wrongOutcomes.RefusesFullAsALostRace,
    failures: everyBound,
  },
  { what: 'makes room by forgetting', Store: wrongOutcomes.MakesRoomByForgetting, failures: everyBound },
  {
    what: 'ignores keep',
    Store: wrongOutcomes.IgnoresKeep,
    failures: [outcomes.full, outcomes.scope, outcomes.age],
  },
  { what: 'ignores total', Store: wrongOutcomes.IgnoresTotal, failures: [outcomes.total, outcomes.room] },
  {
    what: 'has one scope',
    Store: wrongOutcomes.HasOneScope,
    failures: [outcomes.scope, outcomes.room, outcomes.age],
  },
  { what: 'folds letter case of scopes', Store: wrongOutcomes.FoldsScopes, failures: [outcomes.scope] },
  { what: 'cuts scopes', Store: wrongOutcomes.CutsScopes, failures: [outcomes.scope] },
  {
    what: 'takes keep for total',
    Store: wrongOutcomes.TakesKeepForTotal,
    failures: [outcomes.scope, outcomes.total, outcomes.room, outcomes.age],
  },
  {
    what: 'counts what is over its age',
    Store: wrongOutcomes.CountsWhatIsOverItsAge,
    failures: [outcomes.age],
  },
  {
    what: 'counts what it has not written',
    Store: wrongOutcomes.CountsWhatItHasNotWritten,
    failures: [outcomes.full, outcomes.room],
  },
  { what: 'ignores maxAge', Store: wrongOutcomes.IgnoresMaxAge, failures: [outcomes.full, outcomes.age] },
];

const ofDeletion = [
  ...[versions.deleted, versions.recreated],
  ...[versions.deletion, versions.deleteSays, versions.deleteRace, races.deletion],
  context.abortedDeletion,
];

/** Stores that are right, but for what is declared of them. */
const declarationTable: readonly (WrongStore & {
  readonly options: ConformanceOptions;
  /** What every failure names. */
  readonly declaration?: string;
})[] = [
  {
    what: 'has two methods, as is declared',
    Store: wrong.TwoMethods,
    options: { outcomes: false, deletes: false },
    failures: [],
  },
  {
    what: 'keeps no outcomes, and is not declared so',
    Store: wrong.Right,
    options: {},
    failures: [declared, ...Object.values(outcomes)],
    declaration: '{ outcomes: false }',
  },
  {
    what: 'keeps outcomes, and is declared not to',
    Store: wrongOutcomes.RightOutcomes,
    options: { outcomes: false },
    failures: [declared],
    declaration: '{ outcomes: false }',
  },
  {
    what: 'has no delete, and is not declared so',
    Store: wrong.TwoMethods,
    options: { outcomes: false },
    failures: [declared, ...ofDeletion],
    declaration: '{ deletes: false }',
  },
  {
    what: 'keeps outcomes without delete, and is not declared so',
    Store: wrongOutcomes.WithoutDelete,
    options: {},
    failures: [declared, ...ofDeletion, outcomes.deleted],
    declaration: '{ deletes: false }',
  },
  {
    what: 'has delete, and is declared not to',
    Store: wrong.Right,
    options: { outcomes: false, deletes: false },
    failures: [declared],
    declaration: '{ deletes: false }',
  },
];

test.each(covering(table))('a store that $what fails what it breaks, and nothing else', async (row) => {
  await expectFailures(row, { outcomes: false });
});

// Side by side, since one of the cases waits for more than a second.
test.concurrent.each(covering(outcomeTable))(
  'a store of outcomes that $what fails what it breaks, and nothing else',
  async (row) => {
    await expectFailures(row);
  },
);

describe('what a store lacks is declared', () => {
  test.concurrent.each(declarationTable)('a store that $what', async (row) => {
    const messages = await expectFailures(row, row.options);
    const { declaration = 'no message' } = row;
    expect(messages.filter((message) => !message.includes(declaration))).toEqual([]);
  });

  const ofOutcomes = Object.values(outcomes);
  const ofDelete = [...ofDeletion, outcomes.deleted];
  const undeclared = [members.fixed, members.fixedOnCreation, members.unique, ...Object.values(contents)];

  test.each<{ options: ConformanceOptions; skipped: readonly string[] }>([
    { options: {}, skipped: [] },
    { options: { outcomes: true, deletes: true }, skipped: [] },
    { options: { outcomes: false }, skipped: ofOutcomes },
    { options: { deletes: false }, skipped: ofDelete },
    { options: { outcomes: false, deletes: false }, skipped: [...new Set([...ofOutcomes, ...ofDelete])] },
  ])('$options skips the cases that do not apply, and no other', async ({ options, skipped }) => {
    const cases = memoryCases(options);
    expect(cases.map(({ name }) => name)).toEqual(names);
    const found = cases.filter(({ skip }) => skip !== undefined);
    expect(found.map(({ name }) => name).sort()).toEqual([...undeclared, ...skipped].sort());
    for (const { run, skip } of found) await expect(run()).rejects.toThrow(skip);
  });
});

/** The cases are the same, and so each eighth of the stores shows what a carrier makes of them. */
const withCarrier = <Row>(rows: readonly Row[]): readonly Row[] =>
  isDeep() ? rows : rows.filter((_, index) => index % 8 === 0);

describe('with a carrier', () => {
  const inNotes: TextCarrier<Note> = {
    wrap: (text) => ({ title: 'A note', parts: [text] }),
    unwrap: ({ parts: [text = ''] }) => text,
  };

  const sameWithCarrier = table.filter(({ failures }) => !failures.some((name) => everyValue.includes(name)));

  test.each(withCarrier(sameWithCarrier))('a store that $what fails the same', async (row) => {
    await expectFailures(row, { carrier: inNotes, outcomes: false });
  });

  test.concurrent.each(withCarrier(outcomeTable))(
    'a store of outcomes that $what fails the same',
    async (row) => {
      await expectFailures(row, { carrier: inNotes });
    },
  );

  test('what surrounds the text need not be JSON, but where bytes are counted', async () => {
    type Row = { readonly id: bigint; readonly text: string };
    const rowOf = (found: VersionedState<unknown> | undefined) =>
      found && { ...found, value: { ...(found.value as Row), id: 1n } };
    class Rows extends wrong.Right {
      override async get(...asked: Parameters<ConformingStore['get']>) {
        return rowOf(await super.get(...asked));
      }
      override async replace(...[key, expected, next, context]: Parameters<wrong.Right['replace']>) {
        return rowOf(await super.replace(key, expected, { text: (next as Row).text }, context));
      }
    }
    const carrier: TextCarrier<Row> = { wrap: (text) => ({ id: 1n, text }), unwrap: ({ text }) => text };
    const row = { what: 'has a BigInt', Store: Rows, failures: [context.over, context.at, members.foreign] };
    await expectFailures(row, { carrier, outcomes: false });
  });

  test('a store holds values of that shape alone', async () => {
    const seen = new Set<string>();
    class Seeing extends wrong.Right {
      override replace(...[key, expected, next, context]: Parameters<wrong.Right['replace']>) {
        seen.add(Object.keys(next as Note).join());
        return super.replace(key, expected, next, context);
      }
    }
    await expectFailures(
      { what: 'is right', Store: Seeing, failures: [] },
      { carrier: inNotes, outcomes: false },
    );
    expect([...seen]).toEqual(['title,parts', 'title,parts,aMemberThatIsNoColumn']);
  });

  test('a store that cuts the text fails what is longer', async () => {
    const cut = wrong.writing((value) => {
      const { title, parts } = value as Note;
      return { title, parts: parts.map((text) => (text.length > 65_535 ? '""' : text)) };
    });
    const row = { what: 'cuts texts', Store: cut, failures: ['keeps a string of 1 MB', members.foreign] };
    await expectFailures(row, { carrier: inNotes, outcomes: false });
  });
});

test('every case is failed by some store', () => {
  const failed = new Set(
    [...table, ...outcomeTable, ...declarationTable, ...rowTable, ...contentTable].flatMap(
      ({ failures }) => failures,
    ),
  );
  expect(names.filter((name) => !failed.has(name))).toEqual([]);
});

test('a store that makes file names of keys is told so, with the key and the error', async () => {
  class InAFolder extends wrong.Right {
    override replace(key: string, ...rest: [string | null, unknown]) {
      if (key.includes('/')) return Promise.reject(new Error('ENOENT: no such file or directory'));
      return super.replace(key, ...rest);
    }
  }
  const cases = storeConformance(
    () => {
      const engine = new MemoryStore();
      return { open: () => new InAFolder(engine) };
    },
    { outcomes: false },
  );
  const first = cases.find(({ name }) => name.includes('declared capabilities'));
  await expect(first?.run()).rejects.toThrow(
    /^The store threw for the key 'conformance\/.*': Error: ENOENT.* Keys are any text, with "\/" and "\.\.": encode them/,
  );
});

test.each([
  { what: 'a text', modified: '2026-11-22T10:00:00.000Z' },
  { what: 'null', modified: null },
  { what: 'a number', modified: 1_700_000_000_000 },
  { what: 'an invalid Date', modified: new Date(NaN) },
])('modified that is $what fails the cases that read it, and says so', async ({ modified }) => {
  const Store = wrong.telling(() => 0);
  class TellsNoTime extends Store {
    override async get(...call: Parameters<InstanceType<typeof Store>['get']>) {
      const stored = await super.get(...call);
      return stored && { ...stored, modified: modified as never };
    }
    override async replace(...call: Parameters<InstanceType<typeof Store>['replace']>) {
      const stored = await super.replace(...call);
      return stored && { ...stored, modified: modified as never };
    }
  }
  const failures = [
    conditions.returned,
    versions.modified,
    'modifying a value that was read does not change the store',
  ];
  const messages = await expectFailures(
    { what: 'tells no time', Store: TellsNoTime, failures },
    { outcomes: false },
  );
  for (const message of messages) {
    expect(message).toMatch(/^AssertionError.*: modified is .*, but should be a valid Date, or left out$/);
  }
});
