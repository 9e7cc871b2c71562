/** docs/agents.md: ten scripted writers with its tool, over connections that are cut, lose nothing and do nothing twice. */
import express from 'express';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import ts from 'typescript';
import * as patchOptions from '../../lib';
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

test('ten writers, of whom each adds five entries', async () => {
  const notes = new patchOptions.MemoryStore<Board>();
  await notes.replace('1', null, { done: [] });
  const app = express();
  run(blocksOf(page, 'ts')[0] ?? '', { ...patchOptions, app, notes });
  const statuses = new Map<number, number>();
  // Of every three connections, one is cut, at a moment that the seed decides.
  const cuts = fc.sample(fc.option(fc.constantFrom(...moments), { freq: 2 }), { numRuns: 10_000, seed });
  let connections = 0;
  const proxy = await CuttingProxy.start(() => {
    const moment = cuts[connections++ % cuts.length];
    return moment === null || moment === undefined ? undefined : { moment, passed: 0 };
  });
  try {
    await serving(app, async (_server, port) => {
      proxy.upstream = port;
      const url = `http://127.0.0.1:${proxy.port}/notes/1`;
      // One connection a request, so that the proxy can cut each by itself.
      const oneByOne: typeof fetch = (input, init) =>
        fetch(input, { ...init, headers: { ...init?.headers, Connection: 'close' } });
      const patchNote = run(
        modulesOf(page).get('patch-note.ts') ?? '',
        { fetch: oneByOne, crypto },
        'patchNote',
      ) as Tool;

      const write = async (writer: string): Promise<void> => {
        let { version, value } = (await notes.get('1')) ?? { version: '', value: { done: [] } };
        let etag = patchOptions.entityTag({ version });
        for (let entry = 0; entry < 5;) {
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
      await Promise.all([...'abcdefghij'].map(write));
    });
  } finally {
    await proxy.close();
  }
  const { done = [] } = (await notes.get('1'))?.value ?? {};
  const all = [...'abcdefghij'].flatMap((writer) => [0, 1, 2, 3, 4].map((entry) => `${writer}${entry}`));
  expect([...done].sort()).toEqual(all);
  expect([...statuses.keys()].filter((status) => ![200, 204, 412].includes(status))).toEqual([]);
  // Worth nothing unless they met, and were cut.
  expect(statuses.get(412)).toBeGreaterThan(10);
  expect(proxy.cuts.get('after the commit')).toBeGreaterThan(3);
}, 60_000);

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
    expect(page).toContain(`Of \`${first}\``);
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
