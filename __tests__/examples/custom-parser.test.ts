import supertest from 'supertest';
import { runExample, type RunningExample } from './running-example';

let example: RunningExample<unknown>;
beforeAll(async () => {
  example = await runExample(() => import('../../examples/custom-parser'));
});
afterAll(() => example.close());

const patch = (document: string, fields: Record<string, string> = {}) =>
  supertest(example.address)
    .patch('/texts/digits')
    .set({ 'Content-Type': 'message/byterange', ...fields })
    .send(document);
const text = async () => (await supertest(example.address).get('/texts/digits').expect(200)).text;

test('OPTIONS and 415 name the format', async () => {
  const api = supertest(example.address);
  await api.options('/texts/digits').expect('Accept-Patch', 'message/byterange');
  await api
    .patch('/texts/digits')
    .type('text/plain')
    .send('x')
    .expect(415)
    .expect('Accept-Patch', 'message/byterange');
});

test('the example of the draft, then on from the end, over characters of several bytes, and back', async () => {
  for (const [document, expected] of [
    ['Content-Range: bytes 2-5/12\r\n\r\nwxyz', '01wxyz6789'],
    ['content-range:bytes 10-12/*\r\nContent-Length: 3\r\nX-Unknown: 1\r\n\r\n\u20ac', '01wxyz6789\u20ac'],
    ['Content-Range: bytes 8-12/*\r\n\r\n\r\n\r\n!', '01wxyz67\r\n\r\n!'],
    ['Content-Range: bytes 0-12/*\r\n\r\n0123456789...', '0123456789...'],
  ] as const) {
    await patch(document).expect(204);
    expect(await text()).toBe(expected);
  }
});

test.each([
  { what: 'an empty one', document: '' },
  { what: 'no range', document: 'Content-Type: text/plain\r\n\r\nx' },
  { what: 'no empty line', document: 'Content-Range: bytes 0-0/*\r\nx' },
  { what: 'lines that end without CR', document: 'Content-Range: bytes 0-0/*\n\nx' },
  { what: 'another unit', document: 'Content-Range: chars 0-0/*\r\n\r\nx' },
  { what: 'a range that is shorter', document: 'Content-Range: bytes 0-0/*\r\n\r\nxy' },
  { what: 'a range that is longer', document: 'Content-Range: bytes 0-2/*\r\n\r\nxy' },
  { what: 'a range that ends before it begins', document: 'Content-Range: bytes 1-0/*\r\n\r\n' },
  {
    what: 'a length that is not that of the range',
    document: 'Content-Range: bytes 0-0/*\r\nContent-Length: 2\r\n\r\nx',
  },
  { what: 'truncation, which is left out', document: 'Content-Range: bytes */5\r\n\r\n' },
])('a document with $what is malformed: 400', async ({ document }) => {
  const before = await text();
  const refused = await patch(document).expect(400);
  expect(refused.body).toMatchObject({ code: 'patch-malformed' });
  expect(await text()).toBe(before);
});

test.each([
  { what: 'begins beyond the end', document: 'Content-Range: bytes 99-99/*\r\n\r\nx' },
  {
    what: 'begins at a number beyond all numbers',
    document: `Content-Range: bytes ${'9'.repeat(15)}-${'9'.repeat(15)}/*\r\n\r\nx`,
  },
  { what: 'makes no UTF-8', document: Buffer.from('Content-Range: bytes 0-0/*\r\n\r\n\xff', 'latin1') },
])('a range that $what conflicts with the text: 409', async ({ document }) => {
  const before = await text();
  const refused = await patch(document as string).expect(409);
  expect(refused.body).toMatchObject({ code: 'patch-conflict' });
  expect(await text()).toBe(before);
});

test('If-Match loses no update, and of many at once each is made on what the one before has left', async () => {
  const { headers } = await supertest(example.address).get('/texts/digits');
  const tag = { 'If-Match': String(headers['etag']) };
  await patch('Content-Range: bytes 0-0/*\r\n\r\na', tag).expect(204);
  await patch('Content-Range: bytes 0-0/*\r\n\r\nb', tag).expect(412);
  const all = Array.from({ length: 10 }, (_, digit) =>
    patch(`Content-Range: bytes ${digit}-${digit}/*\r\n\r\n-`),
  );
  expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([204]));
  expect(await text()).toMatch(/^-{10}/);
});
