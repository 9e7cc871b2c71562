/** Of the issues of a schema no more is made than is shown: each pointer repeats the names on its path. */
import express, { type RequestHandler } from 'express';
import { z } from 'zod';
import { mergePatch } from '../../../lib/patch/formats/merge-patch';
import type { PatchHandlerOptions } from '../../../lib/patch/handler-options';
import { patchHandler } from '../../../lib/patch/patch-handler';
import type { StandardSchema } from '../../../lib/patch/rules/standard-schema';
import { MemoryStore } from '../../../lib/stores/memory/memory-store';
import { serving } from '../../support/serving';

type Validate = PatchHandlerOptions<unknown>['validate'];

interface Refusal {
  readonly detail: string;
  readonly errors: readonly { readonly detail: string; readonly pointer?: string }[];
  readonly total?: number;
}

async function refusalOf(method: string, handler: RequestHandler, type: string, body: unknown) {
  const app = express().all('/', handler);
  return serving(app, async (_server, port) => {
    const headers = { 'Content-Type': type };
    const url = `http://127.0.0.1:${port}/`;
    const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
    const text = await answer.text();
    return { status: answer.status, length: text.length, ...(JSON.parse(text || '{}') as Refusal) };
  });
}

async function patched(validate: Validate, body: unknown, hidden: readonly string[] = []) {
  const store = new MemoryStore();
  await store.replace('1', null, {});
  const options = { key: () => '1', validate, hidden };
  const handler = patchHandler(store, [mergePatch()], options as PatchHandlerOptions<unknown>);
  return refusalOf('PATCH', handler as RequestHandler, 'application/merge-patch+json', body);
}

const readers: readonly {
  readonly by: string;
  readonly refusal: (schema: StandardSchema<unknown>, body: unknown) => ReturnType<typeof refusalOf>;
  readonly showsTotal: boolean;
}[] = [
  { by: 'validate', refusal: (schema, body) => patched(schema, body), showsTotal: true },
  {
    by: 'validate, beside hidden members',
    refusal: (schema, body) => patched(schema, body, ['/pin']),
    showsTotal: false,
  },
];

describe.each(readers)('$by', ({ refusal, showsTotal }) => {
  test.each([
    { issues: 1, shown: 1 },
    { issues: 20, shown: 20 },
    { issues: 21, shown: 20 },
    { issues: 20_000, shown: 20 },
  ])('$issues issues: $shown are read', async ({ issues: number, shown }) => {
    const read = { path: 0, message: 0 };
    const issues = Array.from({ length: number }, (_, index) => ({
      get path() {
        read.path++;
        return ['list', index];
      },
      get message() {
        read.message++;
        return `Wrong ${index}`;
      },
    }));
    // What is stored, which is asked about too, is valid.
    const validate = (value: unknown) => ('a' in Object(value) ? { issues } : { value });
    const schema = { '~standard': { version: 1 as const, vendor: 'own', validate } };
    const { status, errors, total } = await refusal(schema, { a: 1 });
    expect([status, total]).toEqual([422, showsTotal && number > 20 ? number : undefined]);
    expect(errors).toEqual(
      Array.from({ length: shown }, (_, index) => ({ detail: `Wrong ${index}`, pointer: `/list/${index}` })),
    );
    expect(read).toEqual({ path: shown, message: shown });
  });

  test.each([
    { what: 'null for none', issues: null, status: [200, 204] },
    { what: 'an empty list', issues: [], status: [422] },
    { what: 'a null in a path', issues: [{ message: 'No.', path: ['a', null] }], status: [422] },
  ])('issues that the specification does not have: $what', async ({ issues, status }) => {
    const validate = (value: unknown) => ({ value, issues });
    const schema = { '~standard': { version: 1 as const, vendor: 'own', validate } };
    expect(status).toContain((await refusal(schema as StandardSchema<unknown>, { a: 1 })).status);
  });

  test('a name of 400,000 characters over 20,000 elements that are wrong', async () => {
    const schema = z.record(z.string(), z.array(z.string())) as StandardSchema<unknown>;
    const body = { ['k'.repeat(400_000)]: Array<number>(20_000).fill(0) };
    const { status, errors, total, length } = await refusal(schema, body);
    expect([status, errors.length, total]).toEqual([422, 20, showsTotal ? 20_000 : undefined]);
    expect(errors.every(({ pointer }) => pointer === undefined)).toBe(true);
    expect(length).toBeLessThan(2_000);
  });
});

/** V8 keeps a text that was put together as its parts, until somebody looks into it. */
const ownValidator = (next: unknown) =>
  Object.entries(next as Record<string, unknown[]>).flatMap(([name, list]) =>
    list.map((_, index) => ({ pointer: `/${name}/${index}`, detail: 'must be a string' })),
  );

test.each([{ hidden: [] }, { hidden: ['/pin', '/auth/hash'] }])(
  'nor are the pointers of a function looked into, hidden: $hidden',
  async ({ hidden }) => {
    const body = { ['k'.repeat(400_000)]: Array<number>(20_000).fill(0) };
    const { status, errors, length } = await patched(ownValidator, body, hidden);
    expect([status, errors.length]).toEqual([422, 20]);
    expect(length).toBeLessThan(2_000);
  },
);
