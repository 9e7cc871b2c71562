/** docs/agents.md: a change that an agent proposes is made when a person approves it, on the state that the person has seen. */
import express, { type RequestHandler } from 'express';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as zod from 'zod';
import * as patchOptions from '../../lib';
import * as json from '../../lib/json';
import { blocksOf, modulesOf } from '../support/doc-blocks';
import { evaluate } from '../support/page-modules';
import { serving } from '../support/serving';

interface Shown {
  readonly before: unknown;
  readonly after: unknown;
  readonly reason: string;
  readonly isStale: boolean;
}
type Review = (
  base: string,
  id: string,
  approves: (shown: Shown) => Promise<boolean>,
) => Promise<Response | undefined>;
type Mount = (app: express.Express, agents: RequestHandler, people: RequestHandler) => void;

const page = readFileSync(join(__dirname, '../../docs/agents.md'), 'utf8');
const load = (name: string): unknown =>
  ({ express: { default: express }, 'patch-options': patchOptions, 'patch-options/json': json, zod })[name];
const text = (name: string, exported: string) =>
  `${modulesOf(page).get(name) ?? ''}\nexport { ${exported} };`;

const only =
  (name: string): RequestHandler =>
  (req, res, next) => {
    if (req.get('authorization') === name) next();
    else res.sendStatus(403);
  };
const tea = { title: 'Tea', body: 'Green tea.' };
const patch = [{ op: 'replace', path: '/title', value: 'Green tea' }];

/** An app with a note, an agent that has proposed to change it, and the page of a person. */
async function withProposal(
  act: (context: {
    readonly review: (approves: (shown: Shown) => Promise<boolean>) => Promise<Response | undefined>;
    readonly edit: (body: object) => Promise<unknown>;
    readonly read: () => Promise<unknown>;
    readonly send: (path: string, method: string, as: string, body?: object) => Promise<Response>;
  }) => Promise<void>,
  proposed: object = {},
): Promise<void> {
  const notes = new patchOptions.MemoryStore<object>({ 1: tea });
  const app = express();
  const names = { ...patchOptions, app, notes };
  const { note } = evaluate(`${blocksOf(page, 'ts')[0] ?? ''}\nexport { note };`, names, load);
  const { mountProposals } = evaluate(text('proposals.ts', 'mountProposals'), { note }, load) as {
    readonly mountProposals: Mount;
  };
  const own = express();
  own.get('/notes/:id', (note as patchOptions.ResourceHandlers<object>).get);
  mountProposals(own, only('agent'), only('person'));
  await serving(own, async (_server, port) => {
    const base = `http://127.0.0.1:${port}`;
    const asPerson: typeof fetch = (input, init) =>
      fetch(input, { ...init, headers: { ...init?.headers, authorization: 'person' } });
    const { review } = evaluate(text('review.ts', 'review'), { fetch: asPerson }, load) as {
      readonly review: Review;
    };
    const send = (path: string, method: string, as: string, body?: object) =>
      fetch(base + path, {
        method,
        headers: { authorization: as, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
    const etag = (await fetch(`${base}/notes/1`)).headers.get('ETag');
    const proposal = { note: '1', etag, patch, reason: 'The title is short.', ...proposed };
    expect((await send('/proposals/a', 'PUT', 'agent', proposal)).status).toBe(201);
    await act({
      review: (approves) => review(base, 'a', approves),
      edit: (changes) => patchOptions.change(notes, '1', (note) => ({ ...note, ...changes })),
      read: async () => (await notes.get('1'))?.value,
      send,
    });
  });
}

test('an agent cannot make the change, or approve it, and what is no proposal is refused', () =>
  withProposal(async ({ send, read }) => {
    expect((await send('/notes/1', 'PATCH', 'agent', patch)).status).toBe(403);
    expect((await send('/proposals/b', 'PUT', 'agent', { note: '1', patch: 'all' })).status).toBe(422);
    expect((await send('/proposals/a', 'DELETE', 'agent')).status).toBe(403);
    expect(await read()).toEqual(tea);
  }));

test('it is made when a person approves it, once', () =>
  withProposal(async ({ review, read, edit }) => {
    const approves = jest.fn<Promise<boolean>, [Shown]>(() => Promise.resolve(true));
    expect((await review(approves))?.status).toBe(204);
    expect(await read()).toEqual({ ...tea, title: 'Green tea' });
    expect(approves.mock.calls).toEqual([
      [{ before: tea, after: { ...tea, title: 'Green tea' }, reason: 'The title is short.', isStale: false }],
    ]);
    await edit({ title: 'Teas' });
    expect((await review(approves))?.status).toBe(422);
    expect(await read()).toEqual({ ...tea, title: 'Teas' });
  }));

test('it is not made if the person rejects it', () =>
  withProposal(async ({ review, read }) => {
    expect(await review(() => Promise.resolve(false))).toBeUndefined();
    expect(await read()).toEqual(tea);
  }));

test('a note that has changed before: the person is told, and both changes are kept', () =>
  withProposal(async ({ review, read, edit }) => {
    await edit({ body: 'Black tea.' });
    const approves = jest.fn<Promise<boolean>, [Shown]>(() => Promise.resolve(true));
    expect((await review(approves))?.status).toBe(204);
    expect(approves.mock.calls.map(([{ isStale }]) => isStale)).toEqual([true]);
    expect(await read()).toEqual({ title: 'Green tea', body: 'Black tea.' });
  }));

test('a note that changes while the person looks at it: the person looks again', () =>
  withProposal(async ({ review, read, edit }) => {
    const approves = jest.fn(async ({ isStale }: Shown) => {
      if (!isStale) await edit({ title: 'Black tea', body: 'Black tea.' });
      return !isStale;
    });
    expect(await review(approves)).toBeUndefined();
    expect(approves.mock.calls.map(([{ before }]) => before)).toEqual([
      tea,
      { title: 'Black tea', body: 'Black tea.' },
    ]);
    expect(await read()).toEqual({ title: 'Black tea', body: 'Black tea.' });
  }));

test('a patch that no longer fits is shown to nobody', () =>
  withProposal(
    async ({ review }) => {
      await expect(review(() => Promise.resolve(true))).rejects.toMatchObject({ code: 'patch-conflict' });
    },
    { patch: [{ op: 'remove', path: '/tags/0' }] },
  ));
