import { setImmediate } from 'node:timers/promises';
import {
  type Recipe,
  resourceClient,
  type ResourceClient,
  type ResourceClientOptions,
} from '../../lib/client';
import { notModified, refused, scriptedFetch, state, type Step } from '../client/scripted-fetch';

const withMembers = (value: number) => ({ ...Array.from({ length: 6 }, () => value) });
const base = 'https://api.example';
const url = '/notes/1';

interface Said {
  readonly steps?: readonly Step[];
  readonly options?: ResourceClientOptions;
  readonly call: (client: ResourceClient) => Promise<unknown>;
}

/** Enough for whatever number of attempts the random pauses between them leave time for. */
const silence = Array<Step>(99).fill('silent');

const get: Said['call'] = (client) => client.get(url);
const change: Said['call'] = (client) => client.change(url, () => 2);
const changeBy =
  (recipe: (draft: never) => unknown): Said['call'] =>
  (client) =>
    client.change(url, recipe as Recipe<unknown>);
const cyclic: Record<string, unknown> = {};
cyclic['self'] = cyclic;

const said: readonly Said[] = [
  { steps: [{ status: 200, body: {} }], call: get },
  { steps: [{ status: 200, headers: { ETag: '1' }, body: {} }], call: get },
  ...[refused(), refused(2)].map((refusal) => ({
    steps: [state(1, 1), refusal, notModified, notModified, refusal],
    call: change,
  })),
  { steps: [{ status: 200, headers: { 'Content-Type': 'text/html', ETag: '"1"' } }], call: get },
  { steps: [{ status: 200, headers: { 'Content-Type': '', ETag: '"1"' } }], call: get },
  { steps: [state(1, `${'['.repeat(1_001)}${']'.repeat(1_001)}`)], call: get },
  {
    steps: [state(1, 1), ...Array.from({ length: 16 }, (_, i) => [refused(i + 2), state(i + 2, 1)]).flat()],
    call: change,
  },
  { steps: [state(1, 1), { status: 500 }], call: change },
  { steps: [state(1, 1), { status: 303 }], call: change },
  {
    steps: [state(1, 1), { status: 415, headers: { 'Accept-Patch': 'application/merge-patch+json' } }],
    call: change,
  },
  { steps: silence, options: { timeout: 3 }, call: get },
  { steps: [state(1, 1), ...silence], options: { timeout: 30 }, call: change },
  { options: { timeout: 3, headers: () => new Promise<never>(() => undefined) }, call: get },
  { steps: [state(1, 1), 'lost', refused(2), state(2, 3)], call: change },
  { steps: [state(2, { a: 3 })], call: (client) => client.save(url, { a: 1 }, { a: 2 }) },
  {
    steps: [state(2, withMembers(3))],
    call: (client) => client.save(url, withMembers(1), withMembers(2)),
  },
  {
    steps: [state(1, 1), 'silent'],
    call: async (client) => {
      const sent = client.change(url, () => 2, { signal: AbortSignal.timeout(50) });
      const waiting = client.change(url, () => 3);
      sent.catch(() => undefined);
      waiting.catch(() => undefined);
      await setImmediate();
      client.forget();
      await waiting;
    },
  },
  { call: (client) => client.put(url, 1) },
  { call: (client) => client.remove(url) },
  { call: (client) => client.get('https://evil.example/') },
  { call: (client) => client.get(7 as never) },
  { call: () => resourceClient().get('https://me:secret@api.example/') },
  { call: (client) => client.change(url, {} as never) },
  { steps: [state(1, 1)], call: changeBy(() => [undefined]) },
  { steps: [state(1, 1)], call: changeBy(() => new Date(NaN)) },
  { steps: [state(1, 1)], call: changeBy(() => ({ tags: new Set() })) },
  { call: () => resourceClient().get(url) },
  { call: (client) => client.save(url, {}, {}, { identity: 7, onconflict: 1 } as never) },
  { steps: [state(1, {})], call: changeBy(() => Promise.resolve({})) },
  { steps: [state(1, [])], call: changeBy((list: unknown[]) => list.push(1)) },
  { steps: [state(1, 1)], call: changeBy(() => NaN) },
  { steps: [state(1, 1)], call: changeBy(() => Symbol.iterator) },
  { call: () => Promise.resolve().then(() => resourceClient(7 as never)) },
  { call: () => Promise.resolve().then(() => resourceClient(base, 7 as never)) },
  {
    call: () =>
      Promise.resolve().then(() =>
        resourceClient(base, {
          ...{ fetch: 1, headers: 1, credentials: 1, idempotency: 'optional', timeout: cyclic },
          ...{ onConflict: [], retry: 1, identity: 7 },
        } as never),
      ),
  },
];

/** What the client says, with the code of each error. */
export async function clientSaid(): Promise<string[]> {
  const lines: string[] = [];
  for (const { steps = [], options, call } of said) {
    const { fetch } = scriptedFetch(...steps);
    const error: unknown = await call(resourceClient(base, { fetch, ...options })).catch(
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof Error)) throw new Error(`Nothing was said by ${String(call)}`);
    const { cause } = error;
    const because = cause instanceof Error ? ` Cause: ${cause.message.replace(/\d+ ms/, '… ms')}` : '';
    const kind = 'code' in error ? error.code : error.name;
    lines.push(`${String(kind)}: ${error.message}${because}`);
  }
  return lines;
}
