/** docs/agents.md: ten scripted writers with its tool, over connections that are cut, lose nothing and do nothing twice. */
import express from 'express';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import ts from 'typescript';
import * as zod from 'zod';
import * as patchOptions from '../../lib';
import * as client from '../../lib/client';
import * as json from '../../lib/json';
import { CuttingProxy, type Cut } from '../support/cutting-proxy';
import { blocksOf, modulesOf } from '../support/doc-blocks';
import { evaluate } from '../support/page-modules';
import { fc } from '../support/properties';
import { seed } from '../support/seed';
import { serving } from '../support/serving';

const page = readFileSync(join(__dirname, '../../docs/agents.md'), 'utf8');

interface Board {
  readonly done: readonly string[];
}
interface ToolResult {
  readonly status: number;
  readonly etag?: string;
  readonly result?: Board & { readonly code?: string; readonly current?: Board };
}
type Tool = (args: { url: string; ifMatch: string; patch: object }) => Promise<ToolResult>;

function run(code: string, around: Readonly<Record<string, unknown>>, result = 'undefined'): unknown {
  const { outputText } = ts.transpileModule(`${code.replace(/^export /gm, '')}\nreturn ${result};`, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  return Reflect.apply(compileFunction(outputText, Object.keys(around)), undefined, Object.values(around));
}

const moments: readonly Cut['moment'][] = [
  ...(['before the request', 'midway', 'while it is carried out', 'after the commit'] as const),
];

/** Cuts one in two of a writer's connections, at a moment that the seed decides, and never ten in a row: the tool would give up. */
function cutsOf(writer: number): () => Cut | undefined {
  const cuts = fc.sample(fc.option(fc.constantFrom(...moments), { freq: 2 }), {
    numRuns: 1_000,
    seed: seed + writer,
  });
  let connections = 0;
  let inARow = 0;
  return () => {
    const moment = cuts[connections++ % cuts.length] ?? null;
    inARow = moment === null || inARow === 9 ? 0 : inARow + 1;
    return moment === null || inARow === 0 ? undefined : { moment, passed: 0 };
  };
}

test('a refusal is final, also of a gateway that answers HTML: one request', async () => {
  let requests = 0;
  const gateway = express().patch('/notes/1', (_req, res) => {
    requests++;
    res.status(403).send('<h1>Forbidden</h1>');
  });
  await serving(gateway, async (_server, port) => {
    const patchNote = run(modulesOf(page).get('patch-note.ts') ?? '', { fetch, crypto }, 'patchNote') as Tool;
    const url = `http://127.0.0.1:${port}/notes/1`;
    const answer = await patchNote({ url, ifMatch: '"1"', patch: {} });
    expect(answer).toMatchObject({ status: 403, result: '<h1>Forbidden</h1>' });
  });
  expect(requests).toBe(1);
});

test('ten writers, of whom each adds three entries', async () => {
  const notes = new patchOptions.MemoryStore<Board>();
  await notes.replace('1', null, { done: [] });
  const app = express();
  run(blocksOf(page, 'ts')[0] ?? '', { ...patchOptions, app, notes });
  const statuses = new Map<number, number>();
  const writers = [...'abcdefghij'];
  const proxies = await Promise.all(writers.map((_writer, i) => CuttingProxy.start(cutsOf(i))));
  try {
    await serving(app, async (_server, port) => {
      // One connection a request, so that the proxy can cut each by itself.
      const oneByOne: typeof fetch = (input, init) =>
        fetch(input, { ...init, headers: { ...init?.headers, Connection: 'close' } });
      const patchNote = run(
        modulesOf(page).get('patch-note.ts') ?? '',
        { fetch: oneByOne, crypto },
        'patchNote',
      ) as Tool;

      const write = async (proxy: CuttingProxy, writer: string): Promise<void> => {
        proxy.upstream = port;
        const url = `http://127.0.0.1:${proxy.port}/notes/1`;
        let { version, value } = (await notes.get('1')) ?? { version: '', value: { done: [] } };
        let etag = patchOptions.entityTag({ version });
        for (let entry = 0; entry < 3;) {
          const done = [...value.done, `${writer}${entry}`];
          const answer = await patchNote({ url, ifMatch: etag, patch: { done } });
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
          if (answer.status < 300) entry++;
          const state = answer.status < 300 ? answer.result : answer.result?.current;
          if (state !== undefined && answer.etag !== undefined) {
            [value, etag] = [state, answer.etag];
          } else {
            ({ version, value } = (await notes.get('1')) ?? { version, value });
            etag = patchOptions.entityTag({ version });
          }
        }
      };
      await Promise.all(proxies.map((proxy, i) => write(proxy, writers[i] ?? '')));
    });
  } finally {
    await Promise.all(proxies.map((proxy) => proxy.close()));
  }
  const { done = [] } = (await notes.get('1'))?.value ?? {};
  const all = writers.flatMap((writer) => [0, 1, 2].map((entry) => `${writer}${entry}`));
  expect([...done].sort()).toEqual(all);
  expect([...statuses.keys()].filter((status) => ![200, 204, 412].includes(status))).toEqual([]);
  // Worth nothing unless they met, and were cut.
  expect(statuses.get(412)).toBeGreaterThan(10);
  const lostAnswers = proxies.reduce((sum, { cuts }) => sum + (cuts.get('after the commit') ?? 0), 0);
  expect(lostAnswers).toBeGreaterThan(3);
});

describe('the state of an agent', () => {
  interface StateModule {
    readonly followState: (resync: (reason: unknown) => void) => (event: object) => unknown;
    readonly createDelta: (before: unknown, after: unknown) => object;
  }
  const { followState, createDelta } = evaluate(
    `${modulesOf(page).get('agent-state.ts') ?? ''}\nexport { followState, createDelta };`,
    {},
    () => json,
  ) as unknown as StateModule;

  const rows = [...page.matchAll(/^\| `([[{"].*?)` +\| `([a-z-]+)` +\|$/gm)].map(
    ([, delta = '', code = '']) => ({
      delta,
      code,
    }),
  );
  const first = JSON.stringify({ plan: [{ done: false }], title: 'x' });

  test('the page has its rows', () => {
    expect(rows).toHaveLength(8);
    expect(page).toContain(`\`${first}\``);
  });

  test.each(rows)('$delta: $code, and the state stays until the next snapshot', ({ delta, code }) => {
    const resync = jest.fn<undefined, [unknown]>();
    const receive = followState(resync);
    const snapshot: unknown = JSON.parse(first);
    receive({ type: 'STATE_SNAPSHOT', snapshot });
    expect(receive({ type: 'STATE_DELTA', delta: JSON.parse(delta) as unknown })).toBe(snapshot);
    expect(resync.mock.calls).toEqual([
      [expect.objectContaining({ code, message: expect.any(String) as string })],
    ]);
    // It would fit, but was made for a state that the page does not have.
    const next = [{ op: 'replace', path: '/title', value: 'z' }];
    expect(receive({ type: 'STATE_DELTA', delta: next })).toBe(snapshot);
    expect(snapshot).toEqual(JSON.parse(first));
    receive({ type: 'STATE_SNAPSHOT', snapshot: { title: 'a' } });
    expect(receive({ type: 'STATE_DELTA', delta: next })).toEqual({ title: 'z' });
    expect(resync).toHaveBeenCalledTimes(1);
  });

  test('a page that receives every event has the state of the agent', () => {
    const states = fc.array(fc.jsonValue({ maxDepth: 4 }), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(states, ([snapshot, ...later]) => {
        const resync = jest.fn();
        const receive = followState(resync);
        receive({ type: 'STATE_SNAPSHOT', snapshot });
        let before: unknown = snapshot;
        for (const after of later) {
          const event: unknown = JSON.parse(JSON.stringify(createDelta(before, after)));
          expect(receive(event as object)).toEqual(JSON.parse(JSON.stringify(after)));
          before = after;
        }
        expect(resync).not.toHaveBeenCalled();
      }),
    );
  });
});

describe('the tools for MCP', () => {
  interface Result {
    readonly content: readonly { readonly text: string }[];
    readonly isError?: boolean;
  }
  type Run = (args: object) => Promise<Result>;
  type Add = (server: object, base: string, headers: object) => void;
  const load = (name: string): unknown =>
    ({ 'patch-options/client': client, 'patch-options/json': json, zod })[name];
  const toolsIn = (file: string): Add => {
    const code = `${modulesOf(page).get(file) ?? ''}\nexport { addNoteTools };`;
    return (evaluate(code, { fetch }, load) as { readonly addNoteTools: Add }).addNoteTools;
  };
  type Act = (call: Record<'read' | 'change', Run>, notes: patchOptions.MemoryStore) => Promise<void>;

  /** An app with a note, and tools that `connect` adds to a server. */
  async function withApp(
    connect: (add: (server: object) => void) => Record<'read' | 'change', Run>,
    file: string,
    act: Act,
  ) {
    const addNoteTools = toolsIn(file);
    const notes = new patchOptions.MemoryStore<unknown>();
    await notes.replace('1', null, { title: 'Milk', done: false, tags: ['a'] });
    const note = patchOptions.resource(notes, [patchOptions.jsonPatch()], {
      key: 'id',
      idempotency: 'required',
      precondition: 'required',
      may: (req) => req.get('authorization') === 'Bearer a',
      validate: zod.z.looseObject({ title: zod.z.string() }),
    });
    const app = express();
    app.route('/notes/:id').get(note.get).patch(note.patch);
    await serving(app, async (_server, port) => {
      const addTo = (server: object) => {
        addNoteTools(server, `http://127.0.0.1:${port}`, { authorization: 'Bearer a' });
      };
      await act(connect(addTo), notes);
    });
  }

  /** The tools of a server. */
  function toolsOf(addTo: (server: object) => void): Record<'read' | 'change', Run> {
    const tools: Record<string, Run> = {};
    addTo({ registerTool: (name: string, _config: object, run: Run) => (tools[name] = run) });
    const { read_note: read, change_note: change } = tools;
    if (read === undefined || change === undefined) throw new Error('A tool is missing');
    return { read, change };
  }

  const withTools = (act: Act): Promise<void> => withApp(toolsOf, 'note-tools.ts', act);

  /** Version 2 of the SDK makes a server for each call. */
  const withStatelessTools = (act: Act): Promise<void> =>
    withApp(
      (addTo) => ({
        read: (args) => toolsOf(addTo).read(args),
        change: (args) => toolsOf(addTo).change(args),
      }),
      'note-tools-2.ts',
      act,
    );
  const seen = ({ content }: Result): unknown => JSON.parse(content[0]?.text ?? '');

  test('what was not read is not changed', () =>
    withTools(async ({ change }) => {
      await expect(change({ id: '1', changes: { title: 'x' } })).rejects.toThrow('Call read_note first.');
    }));

  test('changes of others to other members are kept', () =>
    withTools(async ({ read, change }, notes) => {
      expect(seen(await read({ id: '1' }))).toEqual({ note: { title: 'Milk', done: false, tags: ['a'] } });
      await patchOptions.change(notes, '1', (note) => ({ ...(note as object), done: true }));
      const changed = await change({ id: '1', changes: { title: 'Bread', tags: null } });
      expect(seen(changed)).toEqual({ note: { title: 'Bread', done: true } });
      expect((await notes.get('1'))?.value).toEqual({ title: 'Bread', done: true });
    }));

  test('a change of the same member is decided again, on the state that it had', () =>
    withTools(async ({ read, change }, notes) => {
      await read({ id: '1' });
      await patchOptions.change(notes, '1', (note) => ({ ...(note as object), title: 'Wine' }));
      const refused = await change({ id: '1', changes: { title: 'Bread' } });
      expect(refused.isError).toBe(true);
      const theirs = { title: 'Wine', done: false, tags: ['a'] };
      expect(seen(refused)).toEqual({ note: theirs, changedByOthers: ['/title'] });
      expect((await notes.get('1'))?.value).toEqual(theirs);
      const again = await change({ id: '1', changes: { title: 'Wine and bread' } });
      expect(seen(again)).toEqual({ note: { ...theirs, title: 'Wine and bread' } });
    }));

  test('a refusal is told in its own words', () =>
    withTools(async ({ read, change }) => {
      await read({ id: '1' });
      const refused = change({ id: '1', changes: { title: 7 } });
      await expect(refused).rejects.toThrow('The resource would be invalid at "/title"');
      await expect(read({ id: '2' })).rejects.toMatchObject({ status: 404 });
    }));

  test('twenty changes at once, between those of others, lose nothing', () =>
    withTools(async ({ read, change }, notes) => {
      await read({ id: '1' });
      const writes = Array.from({ length: 20 }, (_, i) => change({ id: '1', changes: { [`m${i}`]: i } }));
      const others = Array.from({ length: 20 }, (_, i) =>
        patchOptions.change(notes, '1', (note) => ({ ...(note as object), [`n${i}`]: i })),
      );
      await Promise.all([...writes, ...others]);
      expect(Object.keys((await notes.get('1'))?.value as object)).toHaveLength(43);
    }));

  describe('with version 2 of the SDK', () => {
    interface Shown {
      readonly etag: string;
      readonly note: object;
    }
    const shown = (result: Result): Shown => seen(result) as Shown;

    test('a change with the etag of the last result', () =>
      withStatelessTools(async ({ read, change }, notes) => {
        const first = shown(await read({ id: '1' }));
        expect(first.note).toEqual({ title: 'Milk', done: false, tags: ['a'] });
        const changes = { title: 'Bread', tags: null };
        const second = shown(await change({ id: '1', etag: first.etag, changes }));
        expect(second.note).toEqual({ title: 'Bread', done: false });
        const third = await change({ id: '1', etag: second.etag, changes: { done: true } });
        expect(third.isError).toBeUndefined();
        expect((await notes.get('1'))?.value).toEqual({ title: 'Bread', done: true });
      }));

    test('after a change by somebody else, or with an etag that was not read, it is decided again', () =>
      withStatelessTools(async ({ read, change }, notes) => {
        const { etag } = shown(await read({ id: '1' }));
        await patchOptions.change(notes, '1', (note) => ({ ...(note as object), done: true }));
        for (const old of [etag, '', '"x"']) {
          const refused = await change({ id: '1', etag: old, changes: { title: 'Bread' } });
          expect(refused.isError).toBe(true);
          expect(shown(refused).note).toEqual({ title: 'Milk', done: true, tags: ['a'] });
        }
        const current = shown(await read({ id: '1' }));
        await change({ id: '1', etag: current.etag, changes: { title: 'Bread' } });
        expect((await notes.get('1'))?.value).toEqual({ title: 'Bread', done: true, tags: ['a'] });
      }));

    test('of twenty changes with one etag, those that are made are kept', () =>
      withStatelessTools(async ({ read, change }, notes) => {
        const { etag } = shown(await read({ id: '1' }));
        const results = await Promise.allSettled(
          Array.from({ length: 20 }, (_, i) => change({ id: '1', etag, changes: { [`m${i}`]: i } })),
        );
        const made = results.flatMap((result, i) =>
          result.status === 'fulfilled' && result.value.isError === undefined ? [`m${i}`] : [],
        );
        expect(made.length).toBeGreaterThan(0);
        const kept = Object.keys((await notes.get('1'))?.value as object).filter((name) => /^m\d/.test(name));
        expect(kept.sort()).toEqual(made.sort());
      }));
  });
});
