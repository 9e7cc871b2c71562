/** The kinds of columns: what clients send, what the driver is given, and what it gives back. */
import { OptionsCheck } from '../../lib/config/options-check';
import { compileColumns } from '../../lib/rows/columns/column';
import { RowValues } from '../../lib/rows/columns/row-value';
import type { ColumnForm, Dialect, Row } from '../../lib/rows/rows';
import type { ProblemError } from '../../lib';

function valuesOf(kind: unknown, dialect?: Dialect): RowValues {
  const check = new OptionsCheck('a test');
  const columns = compileColumns(check, { a: kind }, { dialect });
  check.done();
  return new RowValues(columns);
}

/** The detail of the refusal; undefined where there is none. */
function refusalOf(
  kind: unknown,
  next: unknown,
  before?: Record<string, unknown>,
  dialect?: Dialect,
): string | undefined {
  try {
    valuesOf(kind, dialect).fit(next, before, {});
    return undefined;
  } catch (error) {
    return (error as Error).message.replace('The resource would be invalid at ', '');
  }
}

const codec = { fault: () => undefined, read: String, write: String };
const uuidOfZeros = '00000000-0000-0000-0000-000000000000';

describe('what clients send', () => {
  test.each<{ kind: string; dialect?: Dialect; fits: unknown[]; refused: unknown[] }>([
    { kind: 'string', fits: ['', 'a', '\u{1f600}'], refused: [1, ['a'], 'a\0', '\ud800', 'a\udc00b'] },
    { kind: 'number', fits: [0, -1.5, 1e300], refused: ['1', true, Infinity] },
    { kind: 'integer', fits: [0, -1, 2 ** 53 - 1], refused: [1.5, 2 ** 53, '1', 1e300] },
    { kind: 'boolean', fits: [true, false], refused: [0, 'true'] },
    {
      kind: 'date',
      fits: ['2026-11-22T10:00:00Z', '2026-11-22t10:00:00.123456+01:00', '2024-02-29T23:59:60Z'],
      refused: [
        ...['2026-11-22', '2026-11-22 10:00:00Z', '2026-11-22T10:00:00', '2026-02-29T10:00:00Z', 'now', 0],
        ...[
          '2026-13-01T00:00:00Z',
          '2026-11-22T24:00:00Z',
          '2026-11-22T10:00:00+24:00',
          '9999-12-31T23:59:59-23:59',
        ],
        ...['0000-01-01T00:00:00Z', '+02026-11-22T10:00:00Z', '2026-11-22T10:00:61Z'],
        ...['10000-01-01T00:00:00+01:00', '0001-12-31T20:00:00-04:00 BC', '0001-01-01T00:00:00+01:00'],
      ],
    },
    {
      kind: 'decimal',
      fits: ['0', '-12.50', '123456789012345678901234567890.1'],
      refused: [1, '', '.5', '1.', '01', '+1', '1e5', 'NaN', ' 1'],
    },
    {
      kind: 'bigint',
      fits: ['0', '-9223372036854775808', '9223372036854775807'],
      refused: [1, '-0', '01', '9223372036854775808', '-9223372036854775809', '1.0', '9'.repeat(100_000)],
    },
    {
      kind: 'json',
      fits: [{ a: [1, 'b', null] }, 'text', 0, false, '\\u0000', '\\\\ud800'],
      refused: ['\0', { a: ['\ud800'] }, { '\0': 1 }, '\\\0'],
    },
    {
      kind: 'day',
      fits: ['2026-11-22', '0001-01-01', '9999-12-31', '2024-02-29', '2000-02-29'],
      refused: [
        ...[
          '2026-02-29',
          '1900-02-29',
          '2026-13-01',
          '2026-00-10',
          '2026-04-31',
          '0000-01-01',
          '10000-01-01',
        ],
        ...['2026-11-22T00:00:00Z', '2026-1-2', '22.11.2026', ' 2026-11-22', '2026-11-22\n', '-001-01-01', 0],
      ],
    },
    {
      kind: 'time',
      fits: ['00:00:00', '23:59:59', '10:00:00.5', '10:00:00.123456', '10:00:00.000000'],
      refused: [
        ...[
          '24:00:00',
          '10:60:00',
          '23:59:60',
          '10:00',
          '-01:00:00',
          '838:59:59',
          '10:00:00Z',
          '10:00:00+01:00',
        ],
        ...['10:00:00.', '10:00:00.1234567', '1:00:00', '10:00:00\n', 36_000],
      ],
    },
    {
      kind: 'uuid',
      fits: ['f81d4fae-7dec-11d0-a765-00a0c91e6bf6', 'F81D4FAE-7dec-11d0-A765-00A0C91E6BF6', uuidOfZeros],
      refused: [
        ...['f81d4fae7dec11d0a76500a0c91e6bf6', '{f81d4fae-7dec-11d0-a765-00a0c91e6bf6}', 'x', '', 7],
        ...['g81d4fae-7dec-11d0-a765-00a0c91e6bf6', ` ${uuidOfZeros}`, `${uuidOfZeros}\n`],
      ],
    },
    { kind: 'string?[]', fits: [[], [null], ['a', null]], refused: [[1], [undefined], ['a\0'], 'a'] },
    { kind: 'day[]', fits: [[], ['2026-11-22']], refused: [['2026-02-29'], [null], '2026-11-22'] },
    { kind: 'string[]', fits: [[], ['a', 'b']], refused: ['a', [1], [null], ['a\0'], { 0: 'a' }] },
  ])('$kind', ({ kind, dialect, fits, refused }) => {
    const refusal = (a: unknown) => refusalOf(kind, { a }, undefined, dialect);
    for (const a of fits) expect([a, refusal(a)]).toEqual([a, undefined]);
    for (const a of refused) expect([a, refusal(a)]).toEqual([a, expect.stringContaining('"/a": ')]);
  });
});

describe('strings of which only some are allowed', () => {
  const values = ['draft', 'paid'];
  test.each([
    { kind: 'string', next: 'draft', refused: undefined },
    { kind: 'string', next: 'Draft', refused: '"/a": must be one of "draft", "paid"' },
    { kind: 'string', next: '', refused: 'must be one of' },
    { kind: 'string', next: 7, refused: 'must be one of' },
    { kind: 'string', next: null, refused: 'must not be null' },
    { kind: 'string?', next: null, refused: undefined },
    { kind: 'string?', next: 'x', refused: 'must be one of' },
    { kind: 'string[]', next: ['paid', 'draft', 'paid'], refused: undefined },
    { kind: 'string[]', next: ['paid', 'x'], refused: '"/a": each element must be one of "draft", "paid"' },
    { kind: 'string[]', next: ['paid', null], refused: 'each element must be one of' },
    { kind: 'string?[]', next: ['paid', null], refused: undefined },
    { kind: 'string?[]?', next: null, refused: undefined },
  ])('$next in $kind', ({ kind, next, refused }) => {
    const refusal = refusalOf({ kind, values }, { a: next }, { a: 'old' });
    if (refused === undefined) expect(refusal).toBeUndefined();
    else expect(refusal).toContain(refused);
  });

  test('one that the app has stored is shown, and kept', () => {
    const kind = { kind: 'string', values };
    expect(valuesOf(kind).read({ a: 'old' })).toEqual({ a: 'old' });
    expect(refusalOf(kind, { a: 'old' }, { a: 'old' })).toBeUndefined();
    expect(refusalOf({ kind: 'string', values: ['only'] }, { a: 'x' })).toContain('must be "only"');
  });
});

describe('what was read back after a write', () => {
  const noon = '2026-11-22T12:00:00.000Z';
  const changed = 'another value';
  test.each<{ kind: string; sent: unknown; stored: unknown; detail?: string }>([
    { kind: 'date', sent: '2026-11-22T13:00:00+01:00', stored: noon },
    { kind: 'date', sent: '2026-11-22T12:00:00.999999Z', stored: noon },
    { kind: 'date', sent: '2026-11-22T11:59:60Z', stored: noon },
    { kind: 'date', sent: '2026-11-22T12:00:01Z', stored: noon, detail: changed },
    { kind: 'date', sent: '0026-11-22T12:00:00Z', stored: noon, detail: changed },
    { kind: 'date', sent: noon, stored: null, detail: changed },
    { kind: 'day', sent: '2011-12-30', stored: '2011-12-30' },
    { kind: 'day', sent: '2011-12-30', stored: '2011-12-31', detail: changed },
    { kind: 'json', sent: { a: [1, 'b'] }, stored: { a: [1, 'b'] } },
    { kind: 'json', sent: '1', stored: 1, detail: changed },
    { kind: 'json', sent: { set: 'x' }, stored: 'x', detail: changed },
    // What an engine or a trigger makes of other kinds is shown.
    { kind: 'string', sent: 'a', stored: 'a         ' },
    { kind: 'decimal', sent: '1.999', stored: '2.00' },
    { kind: 'number', sent: 0.1, stored: 0.10000000149011612 },
    {
      kind: 'uuid',
      sent: 'F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6',
      stored: 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
    },
    { kind: 'time', sent: '23:59:59.9', stored: '24:00:00' },
    { kind: 'string[]', sent: ['a,b', ' '], stored: ['a,b', ' '] },
    { kind: 'string[]', sent: ['a,b'], stored: ['a', 'b'], detail: changed },
    { kind: 'string[]', sent: [' a '], stored: ['a'], detail: changed },
    { kind: 'string?[]', sent: [null], stored: ['NULL'], detail: changed },
    { kind: 'string?[]', sent: ['NULL'], stored: [null], detail: changed },
    { kind: 'date?[]', sent: [noon, null], stored: [noon, null] },
    { kind: 'date[]', sent: [noon], stored: ['2026-11-22T11:00:00.000Z'], detail: changed },
    { kind: 'decimal[]', sent: ['1.999'], stored: ['2.00'] },
    { kind: 'integer[]', sent: [1], stored: null, detail: changed },
    { kind: 'string', sent: 'a', stored: undefined, detail: 'in a form that cannot be read back' },
  ])('$sent of a $kind is read as $stored', ({ kind, sent, stored, detail }) => {
    const values = valuesOf(kind);
    const row = { a: stored === undefined ? 7 : stored };
    const faults = (changes: Row): unknown => {
      try {
        return values.readWritten({ a: sent }, changes, row);
      } catch (error) {
        return (error as ProblemError).problem['errors'];
      }
    };
    if (detail === undefined) expect(faults({ a: 'written' })).toEqual({ a: stored });
    else
      expect(faults({ a: 'written' })).toEqual([
        { pointer: '/a', detail: expect.stringContaining(detail) as unknown },
      ]);
    if (stored !== undefined) expect(faults({})).toEqual({ a: stored });
  });
});

describe('the form in which a date, a day or a time is written', () => {
  const at = new Date('2026-11-22T12:00:00.000Z');
  const midnight = new Date('2026-11-22T00:00:00.000Z');
  const time = new Date('1970-01-01T10:00:00.500Z');
  const [date, day, clock] = [at.toISOString(), '2026-11-22', '10:00:00.5'];
  test.each<{
    kind: 'date' | 'day' | 'time';
    dialect?: Dialect;
    storedAs?: ColumnForm;
    declared?: ColumnForm;
    written: unknown;
  }>([
    { kind: 'date', written: at },
    { kind: 'date', storedAs: 'iso', written: date },
    { kind: 'date', storedAs: 'sql', written: '2026-11-22 12:00:00' },
    { kind: 'date', storedAs: 'milliseconds', written: at.getTime() },
    { kind: 'date', dialect: 'sqlite', storedAs: 'iso', written: date },
    { kind: 'date', dialect: 'sqlite', storedAs: 'sql', written: '2026-11-22 12:00:00' },
    { kind: 'date', dialect: 'sqlite', storedAs: 'milliseconds', written: at.getTime() },
    { kind: 'date', dialect: 'sqlite', declared: 'milliseconds', written: at.getTime() },
    { kind: 'date', dialect: 'postgres', written: at },
    { kind: 'date', dialect: 'postgres', storedAs: 'milliseconds', written: at.getTime() },
    { kind: 'date', dialect: 'postgres', storedAs: 'sql', written: date },
    { kind: 'date', dialect: 'mysql', written: at },
    { kind: 'date', dialect: 'mysql', storedAs: 'sql', written: '2026-11-22 12:00:00' },
    { kind: 'date', declared: 'sql', written: '2026-11-22 12:00:00' },
    { kind: 'date', declared: 'iso', storedAs: 'Date', written: at },
    { kind: 'day', written: midnight },
    { kind: 'day', storedAs: 'iso', written: day },
    { kind: 'day', declared: 'iso', written: day },
    { kind: 'day', storedAs: 'milliseconds', written: midnight.getTime() },
    { kind: 'day', dialect: 'sqlite', storedAs: 'iso', written: day },
    { kind: 'day', dialect: 'sqlite', storedAs: 'milliseconds', written: midnight.getTime() },
    ...(['postgres', 'mysql'] as const).flatMap((dialect) => [
      { kind: 'day' as const, dialect, written: day },
      { kind: 'day' as const, dialect, storedAs: 'Date' as const, written: day },
    ]),
    ...(['postgres', 'sqlite', 'mysql'] as const).map((dialect) => {
      return { kind: 'time' as const, dialect, written: clock };
    }),
    { kind: 'time', written: time },
    { kind: 'time', declared: 'iso', written: clock },
    { kind: 'time', storedAs: 'sql', written: clock },
  ])('$kind as $storedAs, declared as $declared, in $dialect', (about) => {
    const { kind, dialect, storedAs, declared, written } = about;
    const check = new OptionsCheck('a test');
    const columnForms = declared === undefined ? undefined : { a: declared };
    const columns = compileColumns(
      check,
      { a: { kind, ...(storedAs !== undefined && { storedAs }) } },
      { dialect, columnForms },
    );
    check.done();
    const values = new RowValues(columns);
    const sent = { date, day, time: clock }[kind];
    expect(values.changes({ a: sent }, undefined)).toEqual({ a: written });
  });

  test.each(['date', 'day', 'date?[]'])('SQLite has no types for it, so a %s must say its form', (kind) => {
    const mistake =
      /columns\.a\.storedAs: (undefined|'Date') must be the form of the column, because SQLite has no type for it/;
    expect(() => valuesOf(kind, 'sqlite')).toThrow(mistake);
    expect(() => valuesOf({ kind, storedAs: 'Date' }, 'sqlite')).toThrow(mistake);
    expect(() => valuesOf({ kind, storedAs: 'milliseconds' }, 'sqlite')).not.toThrow();
  });

  test('a time of which the ORM takes a Date is kept to the millisecond', () => {
    expect(valuesOf('time').changes({ a: '10:00:00.0015' }, undefined)).toEqual({
      a: new Date('1970-01-01T10:00:00.001Z'),
    });
  });

  test.each<{ options: object; message: string }>([
    { options: { kind: 'string', values: [] }, message: 'columns.a.values: an array is empty.' },
    { options: { kind: 'string', values: ['a', 1] }, message: 'must be a list of strings' },
    { options: { kind: 'string', values: 'draft' }, message: 'must be a list of strings' },
    { options: { kind: 'integer', values: ['1'] }, message: "has no effect with the kind 'integer'" },
    { options: { kind: codec, values: ['1'] }, message: 'has no effect with your own codec' },
    {
      options: { kind: 'string', storedAs: 'iso' },
      message: "columns.a.storedAs: 'iso' has no effect with the kind 'string'",
    },
    {
      options: { kind: 'date', storedAs: 'text' },
      message: "Write 'Date' or 'iso' or 'sql' or 'milliseconds'.",
    },
    { options: { kind: 'time', storedAs: 'milliseconds' }, message: 'is not a form of a time' },
    { options: { kind: 'string??' }, message: 'is not a column kind' },
    { options: { kind: 'string?[]??' }, message: 'is not a column kind' },
    { options: { kind: 'enum' }, message: 'is not a column kind' },
  ])('a mistake: $options', ({ options, message }) => {
    expect(() => valuesOf(options)).toThrow(message);
  });
});

describe('members that are missing, null, unknown or not to be changed', () => {
  test.each([
    {
      what: 'null in a nullable column',
      kind: 'string?',
      next: { a: null },
      before: { a: 'x' },
      refused: undefined,
    },
    {
      what: 'left out of a nullable column',
      kind: 'string?',
      next: {},
      before: { a: 'x' },
      refused: undefined,
    },
    {
      what: 'null in another',
      kind: 'string',
      next: { a: null },
      before: { a: 'x' },
      refused: '"/a": must not be null',
    },
    {
      what: 'left out of another',
      kind: 'string',
      next: {},
      before: { a: 'x' },
      refused: '"/a": must not be null',
    },
    { what: 'left out of a new row', kind: 'string', next: {}, before: undefined, refused: undefined },
    {
      what: 'a member that is no column',
      kind: 'string',
      next: { a: '', b: 1 },
      before: undefined,
      refused: '"/b": unknown member',
    },
    {
      what: '__proto__',
      kind: 'string',
      next: JSON.parse('{"a":"","__proto__":1}') as object,
      before: undefined,
      refused: '"/__proto__": unknown member',
    },
    {
      what: 'a slash in its name',
      kind: 'string',
      next: { a: '', 'b/~': 1 },
      before: undefined,
      refused: '"/b~1~0": unknown member',
    },
    {
      what: 'a read-only member as it is',
      kind: { kind: 'string', readOnly: true },
      next: { a: 'x' },
      before: { a: 'x' },
      refused: undefined,
    },
    {
      what: 'a read-only member, changed',
      kind: { kind: 'string', readOnly: true },
      next: { a: 'y' },
      before: { a: 'x' },
      refused: '"/a": is read-only',
    },
    {
      what: 'a read-only member, left out',
      kind: { kind: 'string?', readOnly: true },
      next: {},
      before: { a: 'x' },
      refused: '"/a": is read-only',
    },
    {
      what: 'a read-only member of a new row',
      kind: { kind: 'string', readOnly: true },
      next: { a: 'x' },
      before: undefined,
      refused: '"/a": is read-only',
    },
    {
      what: 'what stands there, though it does not fit',
      kind: 'integer',
      next: { a: 1.5 },
      before: { a: 1.5 },
      refused: undefined,
    },
    { what: 'an array', kind: 'string', next: ['a'], before: undefined, refused: '"": must be an object' },
    { what: 'a text', kind: 'string', next: 'a', before: undefined, refused: '"": must be an object' },
  ])('$what', ({ kind, next, before, refused }) => {
    const refusal = refusalOf(kind, next, before);
    if (refused === undefined) expect(refusal).toBeUndefined();
    else expect(refusal).toContain(refused);
  });

  test('all that is wrong is told at once', () => {
    const check = new OptionsCheck('a test');
    const values = new RowValues(compileColumns(check, { a: 'string', b: 'integer' }, {}));
    expect(() => values.fit({ a: 1, b: 'x', c: 0 }, undefined, {})).toThrow(
      expect.objectContaining({
        problem: expect.objectContaining({
          errors: [
            { pointer: '/c', detail: 'unknown member' },
            { pointer: '/a', detail: 'must be a string' },
            { pointer: '/b', detail: 'must be a whole number' },
          ],
        }) as unknown,
      }),
    );
  });

  test('NULL is null, and so is a member that is left out', () => {
    expect(valuesOf('string?').read({ a: null })).toEqual({ a: null });
    expect(valuesOf('string?').fit({}, { a: 'x' }, {})).toEqual({ a: null });
    expect(valuesOf('string?').changes({}, { a: 'x' })).toEqual({ a: null });
  });

  test('the key may stand in a new resource, as it is', () => {
    const values = valuesOf('string');
    expect(values.fit({ a: 'k' }, undefined, { a: 'k' })).toEqual({ a: 'k' });
    expect(values.fit({}, undefined, { a: 'k' })).toEqual({ a: 'k' });
    expect(() => values.fit({ a: 'other' }, undefined, { a: 'k' })).toThrow('is read-only');
    expect(() => values.fit({ a: 'other' }, { a: 'k' }, { a: 'k' })).toThrow('is read-only');
  });
});

const noon = new Date('2026-11-22T12:00:00.000Z');
const iso = '2026-11-22T12:00:00.000Z';

/** As Prisma gives a numeric column. */
const decimalObject = { toFixed: () => '1000000000000000000000', toString: () => '1e+21' };

describe('what the driver gives, and is given', () => {
  test.each<{
    kind: string;
    storedAs?: ColumnForm;
    dialect?: Dialect;
    inside: unknown;
    outside: unknown;
    written?: unknown;
  }>([
    { kind: 'string', inside: 'a', outside: 'a' },
    { kind: 'number', inside: '1.5', outside: 1.5, written: 1.5 },
    { kind: 'integer', inside: '7', outside: 7, written: 7 },
    { kind: 'integer', inside: 7n, outside: 7, written: 7 },
    { kind: 'boolean', inside: true, outside: true },
    { kind: 'boolean', dialect: 'sqlite', inside: 1, outside: true },
    { kind: 'boolean', dialect: 'sqlite', inside: 0n, outside: false, written: 0 },
    { kind: 'date', inside: noon, outside: iso },
    { kind: 'date', storedAs: 'milliseconds', inside: noon.getTime(), outside: iso },
    {
      kind: 'date',
      storedAs: 'milliseconds',
      inside: String(noon.getTime()),
      outside: iso,
      written: noon.getTime(),
    },
    { kind: 'date', storedAs: 'iso', inside: iso, outside: iso },
    { kind: 'date', inside: iso, outside: iso, written: noon },
    { kind: 'date', dialect: 'sqlite', storedAs: 'sql', inside: '2026-11-22 12:00:00', outside: iso },
    { kind: 'date', inside: '2026-11-22 13:00:00.000+01', outside: iso, written: noon },
    ...[
      { inside: '1883-11-18 12:03:58-03:30:52', outside: '1883-11-18T15:34:50.000Z' },
      { inside: '9999-12-31 23:59:59.999+00', outside: '9999-12-31T23:59:59.999Z' },
    ].map((row) => ({ kind: 'date', storedAs: 'iso' as const, ...row, written: row.outside })),
    { kind: 'day', storedAs: 'iso', inside: '2026-11-22', outside: '2026-11-22' },
    { kind: 'day', inside: new Date('2026-11-22T00:00:00Z'), outside: '2026-11-22' },
    {
      kind: 'day',
      dialect: 'sqlite',
      storedAs: 'milliseconds',
      inside: 0n,
      outside: '1970-01-01',
      written: 0,
    },
    {
      kind: 'day',
      dialect: 'sqlite',
      storedAs: 'iso',
      inside: '2026-11-22 00:00:00',
      outside: '2026-11-22',
      written: '2026-11-22',
    },
    { kind: 'day[]', dialect: 'postgres', inside: ['2026-11-22'], outside: ['2026-11-22'] },
    { kind: 'time', storedAs: 'iso', inside: '10:00:00.500', outside: '10:00:00.5', written: '10:00:00.5' },
    { kind: 'time', inside: new Date('1970-01-01T10:00:00.500Z'), outside: '10:00:00.5' },
    { kind: 'time', dialect: 'mysql', inside: '10:00:00.000000', outside: '10:00:00', written: '10:00:00' },
    { kind: 'uuid', inside: uuidOfZeros, outside: uuidOfZeros },
    { kind: 'uuid[]', inside: [uuidOfZeros], outside: [uuidOfZeros] },
    { kind: 'string?[]', inside: ['a', null], outside: ['a', null] },
    { kind: 'bigint?[]', dialect: 'mysql', inside: '["1",null]', outside: ['1', null] },
    { kind: 'json[]', inside: [1, null], outside: [1, null] },
    { kind: 'decimal', inside: '12.50', outside: '12.50' },
    {
      kind: 'decimal',
      inside: decimalObject,
      outside: '1000000000000000000000',
      written: '1000000000000000000000',
    },
    ...[
      { inside: 0.1 + 0.2, outside: '0.30000000000000004', dialect: 'sqlite' as const },
      { inside: 12, outside: '12', dialect: 'sqlite' as const },
      { inside: 5n, outside: '5' },
    ].map((row) => ({ kind: 'decimal', ...row, written: row.outside })),
    { kind: 'decimal[]', inside: ['1.10', '2'], outside: ['1.10', '2'] },
    { kind: 'decimal[]', dialect: 'sqlite', inside: '["1.10"]', outside: ['1.10'] },
    { kind: 'date[]', inside: [noon], outside: [iso] },
    { kind: 'string', dialect: 'sqlite', inside: 7n, outside: '7', written: '7' },
    { kind: 'string', dialect: 'sqlite', inside: 1.5, outside: '1.5', written: '1.5' },
    { kind: 'bigint', inside: 2n ** 63n - 1n, outside: '9223372036854775807' },
    { kind: 'bigint', inside: '12', outside: '12', written: 12n },
    { kind: 'bigint', inside: 12, outside: '12', written: 12n },
    { kind: 'json', inside: { a: [1] }, outside: { a: [1] } },
    { kind: 'json', dialect: 'sqlite', inside: '{"a":[1]}', outside: { a: [1] } },
    { kind: 'json', dialect: 'sqlite', inside: 1n, outside: 1, written: '1' },
    { kind: 'json', dialect: 'postgres', inside: { a: [1] }, outside: { a: [1] }, written: '{"a":[1]}' },
    { kind: 'json', dialect: 'postgres', inside: 'text', outside: 'text', written: '"text"' },
    { kind: 'boolean', dialect: 'mysql', inside: 1, outside: true, written: true },
    { kind: 'boolean', dialect: 'mysql', inside: Buffer.of(0), outside: false, written: false },
    { kind: 'date', dialect: 'mysql', inside: noon, outside: iso },
    { kind: 'date', dialect: 'mysql', inside: iso, outside: iso, written: noon },
    { kind: 'decimal', dialect: 'mysql', inside: '12.50', outside: '12.50' },
    { kind: 'json', dialect: 'mysql', inside: '{"a":[1]}', outside: { a: [1] } },
    { kind: 'json', dialect: 'mysql', inside: '"1"', outside: '1' },
    { kind: 'date[]', dialect: 'mysql', inside: `["${iso}"]`, outside: [iso] },
    { kind: 'bigint[]', dialect: 'mysql', inside: '["9007199254740993"]', outside: ['9007199254740993'] },
    { kind: 'bigint[]', dialect: 'sqlite', inside: '["9007199254740993"]', outside: ['9007199254740993'] },
    { kind: 'boolean[]', dialect: 'mysql', inside: '[true]', outside: [true] },
    { kind: 'string[]', inside: ['a'], outside: ['a'] },
    { kind: 'string[]', dialect: 'sqlite', inside: '["a"]', outside: ['a'] },
    { kind: 'bigint[]', inside: ['1'], outside: ['1'], written: [1n] },
  ])('$kind of $inside', ({ kind, storedAs, dialect, inside, outside, written = inside }) => {
    const values = valuesOf(storedAs === undefined ? kind : { kind, storedAs }, dialect);
    expect(values.read({ a: inside })).toEqual({ a: outside });
    expect(values.changes({ a: outside } as never, undefined)).toEqual({ a: written });
  });

  test.each(['24:00:00', '24:00:00.000', new Date(86_400_000)])(
    'the end of a day, %s, is shown as 24:00:00, and kept, but cannot be sent',
    (inside) => {
      const values = valuesOf('time');
      const before = values.read({ a: inside });
      expect(before).toEqual({ a: '24:00:00' });
      expect(values.changes(values.fit(before, before, {}), before)).toEqual({});
      expect(refusalOf('time', before, { a: null })).toContain('"/a": must be a');
    },
  );

  test.each<{ kind: unknown; dialect?: Dialect; inside: unknown }>([
    { kind: 'string', inside: 1 },
    { kind: 'string', inside: Buffer.from('a') },
    { kind: 'number', inside: 'NaN' },
    { kind: 'number', inside: '' },
    { kind: 'integer', inside: 1.5 },
    { kind: 'integer', inside: 2n ** 60n },
    { kind: 'boolean', inside: 2 },
    { kind: 'boolean', inside: 'true' },
    { kind: 'date', inside: 'yesterday' },
    { kind: 'date', inside: new Date(NaN) },
    ...[
      ...['10000-01-01 00:00:00+00', '0001-12-31 20:29:08-03:30:52 BC', '2026-02-30 00:00:00+00', 'infinity'],
      ...[new Date('+010000-01-01T00:00:00.000Z'), new Date('0000-12-31T23:59:59.999Z')],
    ].map((inside) => {
      return { kind: 'date', inside };
    }),
    { kind: 'date', dialect: 'mysql', inside: '2026-11-22 10:00:00' },
    { kind: 'date', dialect: 'postgres', inside: '2026-11-22 10:00:00' },
    { kind: 'date', inside: noon.getTime() },
    { kind: { kind: 'date', storedAs: 'iso' }, inside: noon },
    { kind: { kind: 'date', storedAs: 'milliseconds' }, inside: iso },
    { kind: 'boolean', inside: Buffer.of(2) },
    ...['infinity', '0001-01-01 BC', '10000-01-01', '2026-02-29', '2026-11-22 10:00:00', '22/11/2026', {}, '']
      .concat([Infinity, 1, new Date(NaN), new Date('2026-11-22T10:30:17Z'), new Date(8.64e15)] as never)
      .map((inside) => ({ kind: 'day', inside })),
    ...[
      ...['-01:00:00', '838:59:59', '24:00:01', '24:00:00.1', '10:00:00+01', '10:00', 36_000],
      ...[new Date('2026-11-22T10:00:00Z'), new Date(86_400_001), new Date(-1)],
    ].map((inside) => ({ kind: 'time', inside })),
    ...['x', Buffer.alloc(16), uuidOfZeros.replaceAll('-', '')].map((inside) => ({ kind: 'uuid', inside })),
    ...[
      'string[]',
      'integer[]',
      'boolean[]',
      'date[]',
      'day[]',
      'time[]',
      'decimal[]',
      'bigint[]',
      'uuid[]',
    ].map((kind) => ({ kind, inside: [null] })),
    { kind: 'date', inside: {} },
    ...[NaN, -Infinity, '1e9999', '0x10', 'Infinity', { toFixed: () => 'NaN' }, 12.5, 1, '1e-7'].map(
      (inside) => ({ kind: 'decimal', inside }),
    ),
    ...[NaN, Infinity, 1e21, 1e-7].map((inside) => ({ kind: 'decimal', dialect: 'sqlite' as const, inside })),
    ...[1.5, 1, 0].map((number) => ({ kind: 'decimal[]', inside: ['1', number] })),
    { kind: 'decimal[]', dialect: 'sqlite', inside: '["1", 1.5]' },
    { kind: 'decimal[]', dialect: 'mysql', inside: '[1.5]' },
    { kind: 'string[]', dialect: 'postgres', inside: '{a,b}' },
    { kind: 'json[]', dialect: 'postgres', inside: '{1}' },
    { kind: 'string', dialect: 'sqlite', inside: Infinity },
    { kind: 'string', dialect: 'postgres', inside: 5 },
    { kind: 'bigint', inside: 2 ** 60 },
    { kind: 'string[]', inside: 'a' },
  ])('$inside is not a $kind', ({ kind, dialect, inside }) => {
    const values = valuesOf(kind, dialect);
    expect(() => values.read({ a: inside })).toThrow(
      expect.objectContaining({
        code: 'PATCH_OPTIONS_COLUMN_VALUE',
        message: expect.stringContaining('The column a contains ') as unknown,
      }),
    );
  });

  test('an invalid Date says that the value could not be read', () => {
    expect(() => valuesOf('date').read({ a: new Date(NaN) })).toThrow(
      'set the time zone of the connection to UTC',
    );
  });

  test('only what has changed is written', () => {
    const values = valuesOf('json');
    expect(values.changes({ a: { b: 1, c: 2 } }, { a: { c: 2, b: 1 } })).toEqual({});
  });

  const later = () => Promise.resolve('x');
  const failing = () => Promise.reject(new Error('The service is down.'));
  test.each([
    { name: 'fault', returns: later, shown: 'a promise' },
    { name: 'fault', returns: failing, shown: 'a promise' },
    { name: 'fault', returns: () => true, shown: 'true' },
    { name: 'fault', returns: () => null, shown: 'null' },
    { name: 'read', returns: later, shown: 'a promise' },
    { name: 'read', returns: failing, shown: 'a promise' },
    { name: 'write', returns: later, shown: 'a promise' },
    { name: 'write', returns: failing, shown: 'a promise' },
  ])('$name of a codec that returns $shown is an error', ({ name, returns, shown }) => {
    const plain = { fault: () => undefined, read: String, write: String };
    const values = valuesOf({ kind: { ...plain, [name]: returns } });
    expect(() => {
      values.read({ a: 'old' });
      values.changes(values.fit({ a: 'new' }, { a: 'old' }, {}), { a: 'old' });
    }).toThrow(`${name} of the codec of columns.a returned ${shown}. Return `);
  });

  test('a codec of the app', () => {
    const upper = {
      fault: (value: unknown) => (typeof value === 'string' ? undefined : 'must be a name'),
      read: (inside: unknown) => String(inside).toLowerCase(),
      write: (outside: string) => outside.toUpperCase(),
    };
    const values = valuesOf({ kind: upper, nullable: true });
    expect(values.read({ a: 'ADA' })).toEqual({ a: 'ada' });
    expect(values.changes({ a: 'bob' }, { a: 'ada' })).toEqual({ a: 'BOB' });
    expect(refusalOf({ kind: upper }, { a: 1 })).toContain('must be a name');
    expect(refusalOf({ kind: upper }, {}, { a: 'ada' })).toContain('must not be null');
  });
});
