/** The kinds of columns: what clients send, what the driver is given, and what it gives back. */
import { OptionsCheck } from '../../lib/config/options-check';
import { compileColumns } from '../../lib/rows/columns/column';
import { RowValues } from '../../lib/rows/columns/row-value';
import type { Dialect } from '../../lib/rows';

function valuesOf(kind: unknown, dialect?: Dialect, nulls: 'null' | 'omit' = 'null'): RowValues {
  const check = new OptionsCheck('a test');
  const columns = compileColumns(check, { a: kind }, dialect);
  check.done();
  return new RowValues(columns, nulls);
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
      kind: 'decimal',
      dialect: 'sqlite',
      fits: ['0.0000001', '9'.repeat(308)],
      refused: ['9'.repeat(309), `-${'9'.repeat(400)}.5`],
    },
    { kind: 'string[]', fits: [[], ['a', 'b']], refused: ['a', [1], [null], ['a\0'], { 0: 'a' }] },
  ])('$kind', ({ kind, dialect, fits, refused }) => {
    const refusal = (a: unknown) => refusalOf(kind, { a }, undefined, dialect);
    for (const a of fits) expect([a, refusal(a)]).toEqual([a, undefined]);
    for (const a of refused) expect([a, refusal(a)]).toEqual([a, expect.stringContaining('"/a": ')]);
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
    const values = new RowValues(compileColumns(check, { a: 'string', b: 'integer' }, undefined), 'null');
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

  test('NULL is null, or left out', () => {
    expect(valuesOf('string?').read({ a: null })).toEqual({ a: null });
    expect(valuesOf('string?').fit({}, { a: 'x' }, {})).toEqual({ a: null });
    expect(valuesOf('string?', undefined, 'omit').read({ a: null })).toEqual({});
    expect(valuesOf('string?', undefined, 'omit').fit({}, { a: 'x' }, {})).toEqual({});
    expect(valuesOf('string?', undefined, 'omit').changes({}, { a: 'x' }, {})).toEqual({ a: null });
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
  test.each<{ kind: string; dialect?: Dialect; inside: unknown; outside: unknown; written?: unknown }>([
    { kind: 'string', inside: 'a', outside: 'a' },
    { kind: 'number', inside: '1.5', outside: 1.5, written: 1.5 },
    { kind: 'integer', inside: '7', outside: 7, written: 7 },
    { kind: 'integer', inside: 7n, outside: 7, written: 7 },
    { kind: 'boolean', inside: true, outside: true },
    { kind: 'boolean', dialect: 'sqlite', inside: 1, outside: true },
    { kind: 'boolean', dialect: 'sqlite', inside: 0n, outside: false, written: 0 },
    { kind: 'date', inside: noon, outside: iso },
    { kind: 'date', inside: noon.getTime(), outside: iso },
    { kind: 'date', inside: iso, outside: iso },
    { kind: 'date', dialect: 'sqlite', inside: '2026-11-22 12:00:00', outside: iso },
    { kind: 'date', inside: '2026-11-22 13:00:00.000+01', outside: iso, written: iso },
    { kind: 'decimal', inside: '12.50', outside: '12.50' },
    { kind: 'decimal', inside: 12.5, outside: '12.5', written: '12.5' },
    {
      kind: 'decimal',
      inside: decimalObject,
      outside: '1000000000000000000000',
      written: '1000000000000000000000',
    },
    ...[
      { inside: 1e-7, outside: '0.0000001' },
      { inside: 1e21, outside: '1000000000000000000000' },
      { inside: -1.5e-7, outside: '-0.00000015' },
      { inside: '1.234E+2', outside: '123.4' },
      { inside: '-12e-1', outside: '-1.2' },
      { inside: '0e0', outside: '0' },
      { inside: 999999999999999, outside: '999999999999999' },
      { inside: 0.1 + 0.2, outside: '0.30000000000000004', dialect: 'sqlite' as const },
      { inside: 2 ** 70, outside: '1180591620717411300000', dialect: 'sqlite' as const },
      { inside: 5n, outside: '5' },
    ].map((row) => ({ kind: 'decimal', ...row, written: row.outside })),
    {
      kind: 'decimal[]',
      inside: ['1.10', '1e-7'],
      outside: ['1.10', '0.0000001'],
      written: ['1.10', '0.0000001'],
    },
    { kind: 'decimal[]', inside: '{1.10,2}', outside: ['1.10', '2'], written: ['1.10', '2'] },
    ...[
      { inside: '{}', outside: [] },
      { inside: '{paid,draft}', outside: ['paid', 'draft'] },
      { inside: '{"a b","","NULL","\\"","\\\\",",{}"}', outside: ['a b', '', 'NULL', '"', '\\', ',{}'] },
    ].map((row) => ({ kind: 'string[]', ...row, written: row.outside })),
    { kind: 'date[]', inside: '{"2026-11-22 12:00:00+00"}', outside: [iso], written: [noon] },
    { kind: 'string', dialect: 'sqlite', inside: 7n, outside: '7', written: '7' },
    {
      kind: 'string',
      dialect: 'sqlite',
      inside: 1e21,
      outside: '1000000000000000000000',
      written: '1000000000000000000000',
    },
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
    { kind: 'date', dialect: 'mysql', inside: iso, outside: iso },
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
  ])('$kind of $inside', ({ kind, dialect, inside, outside, written = inside }) => {
    const values = valuesOf(kind, dialect);
    expect(values.read({ a: inside })).toEqual({ a: outside });
    expect(values.changes({ a: outside }, undefined, { a: inside })).toEqual({ a: written });
  });

  test.each<{ kind: string; dialect?: Dialect; inside: unknown }>([
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
    { kind: 'date', dialect: 'mysql', inside: '2026-11-22 10:00:00' },
    { kind: 'boolean', inside: Buffer.of(2) },
    { kind: 'date', inside: {} },
    ...[NaN, -Infinity, '1e9999', '0x10', 'Infinity', { toFixed: () => 'NaN' }, 0.1 + 0.2, 2 ** 70].map(
      (inside) => ({ kind: 'decimal', inside }),
    ),
    ...[NaN, Infinity].map((inside) => ({ kind: 'decimal', dialect: 'sqlite' as const, inside })),
    ...[1.5, 1, 0].map((number) => ({ kind: 'decimal[]', inside: ['1', number] })),
    { kind: 'decimal[]', dialect: 'sqlite', inside: '["1", 1.5]' },
    { kind: 'decimal[]', dialect: 'mysql', inside: '[1.5]' },
    ...['paid', '{a', '{a}}', '{a},', '{"a}', '{{a},{b}}', '{a,NULL}', '{a, b}', '[0:1]={a,b}'].map(
      (inside) => ({ kind: 'string[]', inside }),
    ),
    { kind: 'json[]', dialect: 'postgres', inside: '{1}' },
    { kind: 'string', dialect: 'sqlite', inside: Infinity },
    { kind: 'string', dialect: 'postgres', inside: 5 },
    { kind: 'bigint', inside: 2 ** 60 },
    { kind: 'string[]', inside: 'a' },
  ])('$inside is not a $kind', ({ kind, dialect, inside }) => {
    const values = valuesOf(kind, dialect);
    const value = values.read({ a: inside });
    expect(value).toEqual({});
    expect([...values.unreadable(value)]).toEqual([
      ['a', expect.objectContaining({ code: 'PATCH_OPTIONS_COLUMN_VALUE' })],
    ]);
  });

  test('only what has changed is written', () => {
    const values = valuesOf('json');
    expect(values.changes({ a: { b: 1, c: 2 } }, { a: { c: 2, b: 1 } }, {})).toEqual({});
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
      values.changes(values.fit({ a: 'new' }, { a: 'old' }, {}), { a: 'old' }, {});
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
    expect(values.changes({ a: 'bob' }, { a: 'ada' }, {})).toEqual({ a: 'BOB' });
    expect(refusalOf({ kind: upper }, { a: 1 })).toContain('must be a name');
    expect(refusalOf({ kind: upper }, {}, { a: 'ada' })).toContain('must not be null');
  });
});
