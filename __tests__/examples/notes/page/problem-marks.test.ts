import type { Body, Exchange } from '../../../../examples/notes/exchange';
import { problemIn } from '../../../../examples/notes/page/problem-marks';

const body = (value: unknown): Body => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { text, bytes: Buffer.byteLength(text), isWhole: true };
};

function refused(
  problem: unknown,
  sent: unknown,
  type = 'application/json-patch+json',
  status = 422,
): Exchange {
  return {
    ...{ id: '1', at: 0, took: 0, preflight: false, method: 'PATCH', url: '/notes/1' },
    ...{ status, phrase: '', requestFields: [['Content-Type', type]], responseFields: [] },
    ...{ requestBody: body(sent), responseBody: body(problem) },
  };
}

const errors = (...pointers: readonly string[]) => pointers.map((pointer) => ({ detail: 'x', pointer }));
const merge = 'application/merge-patch+json';

test.each<{
  readonly title: string;
  readonly problem: object;
  readonly sent: unknown;
  readonly type?: string;
  readonly marks: readonly string[];
}>([
  {
    title: 'an operation by its number',
    problem: { operation: 1, pointer: '/colour' },
    sent: [
      { op: 'test', path: '/a', value: 1 },
      { op: 'remove', path: '/colour' },
    ],
    marks: ['/1'],
  },
  {
    title: 'a read-only member: the operations that write there, by path or from, or above, or below',
    problem: { pointer: '/id' },
    sent: [
      { op: 'add', path: '/id', value: 1 },
      { op: 'move', from: '/id', path: '/b' },
      { op: 'add', path: '/idea', value: 1 },
      { op: 'remove', path: '/id/x' },
    ],
    marks: ['/0', '/1', '/3'],
  },
  {
    title: 'an invalid element, in the value that a whole list was replaced by',
    problem: { errors: errors('/tags/1') },
    sent: [{ op: 'replace', path: '/tags', value: ['a', 'a'] }],
    marks: ['/0/value/1'],
  },
  {
    title: 'an invalid element that was appended',
    problem: { errors: errors('/tags/1') },
    sent: [{ op: 'add', path: '/tags/-', value: 'a' }],
    marks: ['/0'],
  },
  {
    title: 'several errors, of which two are about one operation',
    problem: { errors: errors('/title', '/title', '/body') },
    sent: [
      { op: 'add', path: '/title', value: '' },
      { op: 'add', path: '/body', value: 1 },
    ],
    marks: ['/0', '/1'],
  },
  {
    title: 'a merge patch: the member itself',
    problem: { errors: errors('/title', '/tags/1') },
    sent: { title: '', tags: ['a', 'a'] },
    type: merge,
    marks: ['/title', '/tags/1'],
  },
  { title: 'a body that is not JSON', problem: { pointer: '/id' }, sent: '[{', marks: ['/id'] },
  { title: 'operations that are none', problem: { pointer: '/id' }, sent: [null, 1, { path: 1 }], marks: [] },
  { title: 'errors that are none', problem: { errors: [null, 1, { pointer: 1 }] }, sent: [], marks: [] },
])('$title', ({ problem, sent, type, marks }) => {
  expect(problemIn(refused({ detail: 'Wrong.', ...problem }, sent, type))).toEqual({
    detail: 'Wrong.',
    marks,
  });
});

test('a refusal without a detail of its own says those of its errors', () => {
  const problem = {
    errors: [{ detail: 'Title cannot be blank.', pointer: '/title' }, { detail: 'And more.' }],
  };
  expect(problemIn(refused(problem, {}, merge))).toEqual({
    ...{ detail: 'Title cannot be blank. And more.', marks: ['/title'] },
  });
});

test.each<{ readonly title: string; readonly exchange: Exchange }>([
  { title: 'a success', exchange: refused({ detail: 'x' }, [], merge, 200) },
  { title: 'an answer that is not JSON', exchange: refused('<p>no</p>', []) },
  { title: 'an answer that is no object', exchange: refused([{ detail: 'x' }], []) },
  { title: 'an answer that says nothing', exchange: refused({ detail: 1 }, []) },
])('$title is no problem', ({ exchange }) => {
  expect(problemIn(exchange)).toBeUndefined();
});
