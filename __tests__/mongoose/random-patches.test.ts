/**
 * Random JSON Patches over HTTP, and the raw documents before and after, as the driver reads them: what is refused changes nothing; of
 * what is written, only the members that the patch has changed differ, types included.
 */
import express from 'express';
import request from 'supertest';
import { jsonPatch, resource } from '../../lib';
import { applyJsonPatch } from '../../lib/json';
import { mongooseStore } from '../../lib/mongoose';
import { times } from '../support/deep-scale';
import { describeMongodb } from '../support/mongodb';
import { fc } from '../support/properties';
import { connectModels } from './models';
import { releases } from './releases';

type Json = Record<string, unknown>;

const id = (n: number) => `${'0'.repeat(23)}${n}`;

const pointer = fc.constantFrom(
  ...[
    '/title',
    '/n',
    '/at',
    '/author',
    '/price',
    '/bytes',
    '/legacy',
    '/legacy/a',
    '/slug',
    '/_id',
    '/secret',
  ],
  ...[
    '/tags',
    '/tags/0',
    '/tags/-',
    '/dates',
    '/dates/0',
    '/dates/1',
    '/dates/-',
    '/numbers/0',
    '/numbers/-',
  ],
  ...['/plain', '/plain/a', '/plain/b/0', '/plain/b/-', '/typed', '/typed/n', '/typed/list/0', '/typed/at'],
  ...[
    '/mixes',
    '/mixes/0',
    '/mixes/0/n',
    '/mixes/1',
    '/mixes/-',
    '/texts',
    '/texts/a',
    '/texts/c',
    '/nest/0/0',
  ],
  ...['/place', '/place/zip', '/place/lat', '/place/legacy', '/one', '/one/name', '/one/n', '/one/mix/x'],
  ...[
    '/parts',
    '/parts/0',
    '/parts/0/n',
    '/parts/-',
    '/parts/1/mix',
    '/safe',
    '/safe/0',
    '/safe/0/n',
    '/safe/-',
  ],
  ...['/items', '/items/0', '/items/1', '/items/2', '/items/-', '/items/0/name', '/items/1/n', '/items/2/at'],
  ...['/items/0/mix', '/items/0/mix/x', '/items/1/mix/n', '/items/1/_id', '/items/0/legacy', '/hidden/0'],
  ...['/hidden/0/name', '/hidden/-', '/hidden/1', '/hidden/0/pin', '/kinds/0/r', '/kinds/-', '/kinds/0'],
);
const value = fc.constantFrom<unknown>(
  ...[null, '', 'x', '42', 5, 2.5, true, [], {}, ['x'], [1, 2], { n: 1 }, { name: 'x', n: 2 }, { a: [1] }],
  ...['1970-01-01T00:00:00.000Z', '2020-01-01', id(1), { kind: 'Circle', r: 2 }, { kind: 'Square' }, [[1]]],
  ...[
    { _id: id(1), name: 'y' },
    [{ _id: id(2), name: 'z' }],
    [{ name: 'new' }],
    { mix: { x: 1 } },
    { '': 1 },
  ],
);
/** What is written, most of it. */
const usual = fc.constantFrom(
  ...[
    { path: '/title', value: 'x' },
    { path: '/n', value: 2.5 },
    { path: '/at', value: '2020-01-01' },
  ],
  ...[
    { path: '/tags/-', value: 'x' },
    { path: '/dates/0', value: '2020-01-01' },
    { path: '/numbers/-', value: 3 },
  ],
  ...[
    { path: '/plain/b/-', value: 1 },
    { path: '/plain/c', value: {} },
    { path: '/texts/c', value: 'x' },
  ],
  ...[
    { path: '/place/zip', value: 'x' },
    { path: '/one/name', value: 'x' },
    { path: '/safe/-', value: { n: 3 } },
  ],
  ...[
    { path: '/items/1/n', value: 2.5 },
    { path: '/items/0/name', value: 'x' },
    { path: '/items/2/mix/x', value: 1 },
  ],
  ...[
    { path: '/items/-', value: { name: 'new' } },
    { path: '/items/1', value: { name: 'between' } },
  ],
  ...[
    { path: '/hidden/0/name', value: 'x' },
    { path: '/hidden/-', value: { name: 'new' } },
  ],
  ...[
    { path: '/kinds/0/r', value: 2.5 },
    { path: '/kinds/-', value: { kind: 'Circle', r: 2 } },
  ],
);
const usualRemoval = fc.constantFrom(
  ...[
    '/title',
    '/n',
    '/tags/0',
    '/dates/1',
    '/plain/a',
    '/typed',
    '/texts/a',
    '/place/lat',
    '/one/n',
    '/safe/1',
  ],
  ...['/items/0', '/items/1/at', '/items/2/mix', '/hidden/1', '/kinds/0', '/parts', '/people/0', '/mixes/1'],
);
const operation = fc.oneof(
  { weight: 6, arbitrary: usual.map((one) => ({ op: 'add', ...one })) },
  { weight: 3, arbitrary: usualRemoval.map((path) => ({ op: 'remove', path })) },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('move'),
      from: fc.constantFrom('/items/0', '/items/2'),
      path: fc.constantFrom('/items/1', '/items/-'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ op: fc.constantFrom('add', 'replace'), path: pointer, value }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('remove'), path: pointer }) },
  {
    weight: 1,
    arbitrary: fc.record({ op: fc.constantFrom('move', 'copy'), from: pointer, path: pointer }),
  },
);

/** Members that are one value. */
const wholes = [
  'tags',
  'dates',
  'numbers',
  'plain',
  'typed',
  'mixes',
  'texts',
  'nest',
  'parts',
  'safe',
  'mix',
];

const untyped = ['plain', 'typed', 'mixes', 'nest', 'parts', 'mix'];

/** The values in a document by path: elements with an `_id` by it, and what is one value as a whole. */
function toLeaves(document: unknown, path = '', leaves = new Map<string, string>()): Map<string, string> {
  for (const [name, member] of Object.entries(document as Json)) {
    const at = `${path}/${name}`;
    const isContainer = typeof member === 'object' && member !== null;
    if (!isContainer || wholes.includes(name) || Object.keys(member).some((inner) => inner.startsWith('$')))
      leaves.set(at, JSON.stringify(member));
    else if (Array.isArray(member)) {
      for (const element of member as Json[]) {
        const elementId = element['_id'] as string | { $oid: string } | undefined;
        toLeaves(element, `${at}/${typeof elementId === 'object' ? elementId.$oid : elementId}`, leaves);
      }
    } else toLeaves(member, at, leaves);
  }
  return leaves;
}

function differing(before: Map<string, string>, after: Map<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
}

/** Mongoose writes whole Doubles and small Longs as Int32 where it writes a list anew. */
function withoutNumberTypes(text: string | undefined): string | undefined {
  return text?.replace(/\{"\$number(?:Int|Long|Double)":"([^"]*)"\}/g, (_, digits) => String(Number(digits)));
}

describeMongodb.each(releases)('Mongoose $release', ({ mongoose }) => {
  const { model, connection } = connectModels(mongoose);
  const { Schema } = mongoose;
  const { Mixed } = Schema.Types;
  const { Double, Long, Decimal128, ObjectId, Binary, BSON } = mongoose.mongo;
  const item = new Schema({ name: String, n: Number, at: Date, mix: Mixed });
  const kind = new Schema({ color: String }, { discriminatorKey: 'kind' });
  const schema = new Schema({
    ...{ title: String, n: Number, at: Date, author: Schema.Types.ObjectId, price: Schema.Types.Decimal128 },
    ...{ bytes: Buffer, slug: { type: String, immutable: true }, secret: { type: String, select: false } },
    ...{ tags: [String], dates: [Date], numbers: [Number], plain: Mixed, typed: Mixed, mixes: [Mixed] },
    ...{ texts: { type: Map, of: String }, nest: [[Mixed]], place: { zip: String, lat: Number }, one: item },
    parts: [new Schema({ n: Number, mix: Mixed }, { _id: false })],
    safe: [new Schema({ n: Number, at: Date }, { _id: false })],
    items: [item],
    people: [new Schema({ name: String, pin: { type: String, select: false } }, { _id: false })],
    hidden: [new Schema({ name: String, pin: { type: String, select: false } })],
    kinds: [kind],
  });
  schema
    .path<InstanceType<typeof Schema.Types.DocumentArray>>('kinds')
    .discriminator('Circle', new Schema({ r: Number }));
  const Note = model('Note', schema);
  const notes = resource(mongooseStore(Note), [jsonPatch()], { key: 'id' });
  const app = express().get('/:id', notes.get).patch('/:id', notes.patch);

  const stored = () => ({
    ...{ __v: 0, title: 'a', n: new Double(5), at: new Date(0), author: new ObjectId(id(9)), slug: 's' },
    ...{ price: Decimal128.fromString('1.50'), bytes: new Binary(Buffer.from('abc')), secret: 'hash' },
    ...{ legacy: { a: new Double(1), at: new Date(0) }, tags: ['a', 'b'], dates: [new Date(0), new Date(5)] },
    ...{
      numbers: [1, 2.5],
      plain: { a: 1, b: ['x', null] },
      typed: { n: 1, list: [new Date(0)], at: new Date(0) },
    },
    mixes: [{ when: new Date(0), who: new ObjectId(id(9)), n: 1 }, { x: 1 }],
    ...{ texts: { a: '1', b: '2' }, nest: [[{ when: new Date(0), n: 1 }], [1]] },
    place: { zip: '1', lat: new Double(3), legacy: new Long(9) },
    one: { _id: new ObjectId(id(3)), name: 'o', n: new Double(1), mix: { x: new Date(0) }, legacy: 1 },
    parts: [{ n: 1, mix: { at: new Date(0) } }, { n: 2 }],
    safe: [
      { n: 1, at: new Date(0) },
      { n: 2, at: new Date(1) },
    ],
    items: [1, 2, 4].map((n) => ({
      ...{ _id: new ObjectId(id(n)), name: `n${n}`, n: new Double(n), at: new Date(n), legacy: new Date(n) },
      mix: n === 1 ? { x: new Date(0) } : { n },
    })),
    people: ['ada', 'bob'].map((name) => ({ name, pin: `pin of ${name}`, legacy: `legacy of ${name}` })),
    hidden: [5, 6].map((n) => ({ _id: new ObjectId(id(n)), name: `n${n}`, pin: `p${n}` })),
    kinds: [{ _id: new ObjectId(id(7)), kind: 'Circle', r: new Double(1), color: 'red' }],
  });
  const read = async (_id: object) => {
    const raw = await Note.collection.findOne({ _id } as never, { promoteValues: false });
    return JSON.parse(BSON.EJSON.stringify(raw, { relaxed: false })) as Json;
  };

  beforeAll(() => connection.init());
  afterAll(() => connection.close());

  test('change nothing but what they name', async () => {
    const numRuns = times(30, 3_000);
    let written = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 3 }), async (operations) => {
        const _id = new ObjectId();
        await Note.collection.insertOne({ _id, ...stored() } as never);
        const before = await read(_id);
        const { body: shown } = (await request(app).get(`/${String(_id)}`)) as { body: Json };
        const { status } = await request(app)
          .patch(`/${String(_id)}`)
          .type('application/json-patch+json')
          .send(JSON.stringify(operations));
        const after = await read(_id);
        expect([204, 400, 409, 422]).toContain(status);
        if (status !== 204) {
          expect(JSON.stringify(after)).toBe(JSON.stringify(before));
          return;
        }
        written++;
        const wanted = applyJsonPatch(shown, operations as never) as Json;
        const isMoved = (path: string) => {
          const name = path.split('/')[1] ?? '';
          const [old, next] = [shown, wanted].map((each) => JSON.stringify(readIds(each[name])));
          return old !== next;
        };
        const [rawBefore, rawAfter] = [toLeaves(before), toLeaves(after)];
        const changed = differing(toLeaves(shown), toLeaves(wanted));
        const added = new Set(
          [...rawAfter.keys()].filter((path) => !rawBefore.has(path) && path.endsWith('/_id')),
        );
        const unnamed = differing(rawBefore, rawAfter).filter(
          (path) =>
            path !== '/__v' &&
            !changed.some((named) => path === named || path.startsWith(`${named}/`)) &&
            ![...added].some((element) => path.startsWith(element.slice(0, -3))) &&
            !isRemoved(path, wanted) &&
            !(
              isMoved(path) &&
              withoutNumberTypes(rawBefore.get(path)) === withoutNumberTypes(rawAfter.get(path))
            ),
        );
        expect(unnamed).toEqual([]);
        // What has no identity is one value, written only if nothing is in it that JSON and the schema do not make of it.
        for (const path of differing(rawBefore, rawAfter)) {
          const isWritten =
            untyped.includes(path.split('/').at(-1) ?? '') && (rawAfter.get(path) ?? 'null') !== 'null';
          if (isWritten && !isMoved(path)) expect(rawBefore.get(path) ?? '').not.toMatch(/"\$(?:date|oid)"/);
        }
        for (const { name, pin, legacy } of after['people'] as Record<string, string>[])
          expect([pin, legacy]).toEqual(
            pin === undefined ? [undefined, undefined] : [`pin of ${name}`, `legacy of ${name}`],
          );
      }),
      { numRuns },
    );
    expect(written).toBeGreaterThan(numRuns / 5);
  });
});

function readIds(list: unknown): unknown {
  return Array.isArray(list) ? list.map((element) => Object(element)._id as unknown) : list;
}

/** Whether a path is in an element or a subdocument that the patch has removed, with all that is not shown of it. */
function isRemoved(path: string, wanted: Json): boolean {
  const [, name = '', elementId] = path.split('/');
  const list = wanted[name];
  if (list === undefined) return true;
  return Array.isArray(list) && !list.some((element) => Object(element)._id === elementId);
}
