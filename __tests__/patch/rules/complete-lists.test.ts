/** A list that somebody decides on is complete, or the request is refused; one that is shown is cut, and says so. */
import express from 'express';
import request from 'supertest';
import { mergePatch } from '../../../lib/patch/formats/merge-patch';
import type { PatchHandlerOptions } from '../../../lib/patch/handler-options';
import { patchHandler } from '../../../lib/patch/patch-handler';
import { MemoryStore } from '../../../lib/stores/memory/memory-store';

async function patched(stored: unknown, document: unknown, options: PatchHandlerOptions<unknown>) {
  const store = new MemoryStore();
  await store.replace('1', null, stored);
  const app = express();
  app.patch('/:id', patchHandler(store, [mergePatch()], { key: (req) => req.params.id, ...options }));
  const answer = (await request(app)
    .patch('/1')
    .type('application/merge-patch+json')
    .send(JSON.stringify(document))) as request.Response & { body: Record<string, unknown> };
  return { answer, value: (await store.get('1'))?.value };
}

describe('what authorize is told of', () => {
  // In UTF-8, each of the pointers has 1 + 22 + 2 bytes. They repeat the long name, so the body is shorter.
  test.each<{ readonly title: string; readonly bytes: number; readonly status: number }>([
    { title: 'as many bytes as limits.bytes', bytes: 5 * 25, status: 204 },
    { title: 'more bytes than limits.bytes', bytes: 5 * 25 - 1, status: 413 },
  ])('$title: $status', async ({ bytes, status }) => {
    const authorize = jest.fn(
      (_req: unknown, { changed }: { changed: readonly string[] }) => changed.length === 5,
    );
    const name = `${'a'.repeat(18)}é/`;
    const document = { [name]: { a: 1, b: 1, c: 1, d: 1, e: 1 } };
    const { answer } = await patched({ [name]: {} }, document, { authorize, limits: { bytes } });
    expect([answer.status, answer.body['code']]).toEqual([
      status,
      status === 413 ? 'limit-changes' : undefined,
    ]);
    expect(authorize).toHaveBeenCalledTimes(status === 413 ? 0 : 1);
  });

  test('what a schema has made, as it will be stored: a Date', async () => {
    const changed: string[][] = [];
    const due = new Date(0);
    const validate = {
      '~standard': { version: 1 as const, vendor: 'test', validate: () => ({ value: { due } }) },
    };
    const { value } = await patched(
      {},
      { due: 0 },
      {
        validate,
        authorize: (_req, change) => changed.push([...change.changed]) > 0,
      },
    );
    expect(changed).toEqual([['/due']]);
    expect(value).toEqual({ due: due.toISOString() });
  });

  test('a name of 400 KB over a list of 30,000: refused before a pointer is made', async () => {
    const list = (value: number) => ({ ['k'.repeat(400_000)]: Array<number>(30_000).fill(value) });
    const before = list(0);
    const { answer, value } = await patched(before, list(1), { authorize: () => true });
    expect([answer.status, answer.body['code']]).toEqual([413, 'limit-changes']);
    expect(value).toEqual(before);
  });
});

describe('what a problem document shows', () => {
  const errorsOf = async (errors: readonly { detail: string; pointer?: string }[]) => {
    const { answer } = await patched({}, { a: 1 }, { validate: () => errors });
    return answer.body as { errors: { detail: string; pointer?: string }[]; total?: number; detail: string };
  };

  test('the first twenty errors, and how many there are', async () => {
    const errors = Array.from({ length: 1_000 }, (_, i) => ({ detail: 'Wrong', pointer: `/list/${i}` }));
    expect(await errorsOf(errors)).toMatchObject({ errors: errors.slice(0, 20), total: 1_000 });
    expect(await errorsOf(errors.slice(0, 20))).not.toHaveProperty('total');
  });

  test('details of 500 characters', async () => {
    const { errors, detail } = await errorsOf([{ detail: 'd'.repeat(1e5), pointer: '/a' }]);
    expect(errors).toEqual([{ detail: `${'d'.repeat(500)}…`, pointer: '/a' }]);
    expect(detail.length).toBeLessThan(1_000);
  });

  test('whole pointers, 4,000 characters in all: one that was cut would name another member', async () => {
    const pointers = [1_500, 1_500, 1_500, 900, 1e5].map((length) => `/${'p'.repeat(length)}`);
    const { errors, detail } = await errorsOf(pointers.map((pointer) => ({ detail: 'Wrong', pointer })));
    const [first, second, , fourth] = pointers;
    expect(errors).toEqual([
      { detail: 'Wrong', pointer: first },
      { detail: 'Wrong', pointer: second },
      { detail: 'Wrong' },
      { detail: 'Wrong', pointer: fourth },
      { detail: 'Wrong' },
    ]);
    expect(detail).toContain(`at "/${'p'.repeat(199)}…": Wrong`);
  });

  test.each([
    { what: 'its pointer', length: 999, pointer: `/${'p'.repeat(999)}` },
    { what: 'no pointer of more than 1,000 characters', length: 1_000, pointer: undefined },
    { what: 'no pointer that is as long as the request', length: 1e5, pointer: undefined },
  ])('of what is not writable, $what', async ({ length, pointer }) => {
    const { answer } = await patched({}, { ['p'.repeat(length)]: 1 }, { writable: ['/a'] });
    expect(answer.body['pointer']).toBe(pointer);
    expect(answer.body['detail']).toContain(`"/${'p'.repeat(199)}…"`);
    expect(answer.text.length).toBeLessThan(2_000);
  });
});
