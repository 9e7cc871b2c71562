import express from 'express';
import { jsonPatch } from '../../../lib/patch/formats/json-patch';
import { resource } from '../../../lib/patch/resource/resource';
import type { ResourceStore } from '../../../lib/stores/contract/resource-store';
import { fc } from '../../support/properties';
import { serving } from '../../support/serving';

/** Every write adds an entry that no other has, so that a state tells which writes it has come from, in their order. */
export interface Log {
  readonly log: readonly string[];
}

type Method = 'GET' | 'HEAD' | 'PUT' | 'PATCH' | 'DELETE';

/** One request of a client; `conditional` on what it saw last, where the method can go without. */
interface Step {
  readonly method: Method;
  readonly conditional: boolean;
}

/** Weighted so that resources live for a while. */
const step: fc.Arbitrary<Step> = fc.record({
  method: fc.constantFrom<Method[]>('GET', 'GET', 'HEAD', 'PUT', 'PUT', 'PATCH', 'PATCH', 'PATCH', 'DELETE'),
  conditional: fc.boolean(),
});

/** What each of several clients does, one request after the other. */
export const plans: fc.Arbitrary<readonly (readonly Step[])[]> = fc.array(
  fc.array(step, { minLength: 4, maxLength: 12 }),
  { minLength: 2, maxLength: 4 },
);

interface Answer {
  readonly status: number;
  readonly tag: string | undefined;
  readonly text: string;
}

interface Write {
  readonly id: string;
  readonly tag: string | undefined;
  readonly log: readonly string[];
}

/** One resource, whose requests go to servers with a store each, by turns. */
class Target {
  readonly writes: Write[] = [];
  readonly refused: string[] = [];
  readonly created: string[] = [];
  readonly bodies = new Map<string, string>();
  readonly tags = new Set<string>();
  deletions = 0;
  #turn = 0;
  #ids = 0;

  constructor(private readonly urls: readonly string[]) {}

  async send(
    method: Method,
    headers: Readonly<Record<string, string>> = {},
    body?: unknown,
  ): Promise<Answer> {
    const type = method === 'PATCH' ? 'application/json-patch+json' : 'application/json';
    const response = await fetch(this.urls[this.#turn++ % this.urls.length] ?? '', {
      method,
      headers: { ...(body !== undefined && { 'Content-Type': type }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = {
      status: response.status,
      tag: response.headers.get('ETag') ?? undefined,
      text: await response.text(),
    };
    expect([200, 201, 204, 304, 403, 404, 412]).toContain(answer.status);
    if (answer.tag !== undefined) this.tags.add(answer.tag);
    const isWhole = response.ok && answer.tag !== undefined && answer.text !== '';
    if (isWhole) this.#isOneBody(answer.tag ?? '', answer.text);
    return answer;
  }

  /** @returns what the client has seen when it is through with the step */
  async take({ method, conditional }: Step, seen: Seen | undefined): Promise<Seen | undefined> {
    const condition = conditional && seen !== undefined ? { 'If-Match': seen.tag } : {};
    switch (method) {
      case 'GET': {
        const field = conditional && seen !== undefined ? { 'If-None-Match': seen.tag } : {};
        const answer = await this.send('GET', field);
        if (answer.status === 304) expect(answer.tag).toBe(seen?.tag);
        return answer.status === 304 ? seen : seenIn(answer);
      }
      case 'HEAD':
        await this.send('HEAD');
        return seen;
      case 'DELETE':
        if ((await this.send('DELETE', condition)).status === 204) this.deletions++;
        return undefined;
      default:
        return this.#write(method, condition, seen);
    }
  }

  /** PUT never overwrites blindly what it has not seen: it would lose updates by itself. */
  async #write(method: 'PUT' | 'PATCH', condition: Record<string, string>, seen: Seen | undefined) {
    const id = String((this.#ids += 1));
    const edits = 'If-Match' in condition && seen !== undefined;
    const log = edits ? [...seen.value.log, id] : [id];
    const [headers, body] =
      method === 'PATCH'
        ? [condition, [{ op: 'add', path: '/log/-', value: id }]]
        : [edits ? condition : { 'If-None-Match': '*' }, { log }];
    const answer = await this.send(method, { ...headers, Prefer: 'return=representation' }, body);
    if (answer.status >= 400) {
      this.refused.push(id);
      return undefined;
    }
    if (answer.status === 201) this.created.push(id);
    const made = JSON.parse(answer.text) as Log;
    this.writes.push({ id, tag: answer.tag, log: made.log });
    // RFC 9110 9.3.4
    if (method === 'PUT' && answer.tag !== undefined) expect(answer.text).toBe(JSON.stringify(body));
    return seenIn(answer);
  }

  #isOneBody(tag: string, text: string): void {
    expect(this.bodies.get(tag) ?? text).toBe(text);
    this.bodies.set(tag, text);
  }
}

interface Seen {
  readonly tag: string;
  readonly value: Log;
}

function seenIn({ status, tag, text }: Answer): Seen | undefined {
  if (status >= 300 || tag === undefined) return undefined;
  return { tag, value: JSON.parse(text) as Log };
}

/**
 * Carries out a plan at a resource that is not there yet, and asserts what is true of one entity tag for five methods.
 *
 * @param stores - instances over one engine, as of several processes
 */
export async function expectOneTag(
  stores: readonly ResourceStore<Log>[],
  key: string,
  plan: readonly (readonly Step[])[],
): Promise<void> {
  const deleted: Log[] = [];
  const app = express();
  for (const [index, store] of stores.entries()) {
    const log = resource(store, [jsonPatch()], {
      key: () => key,
      create: ({ method }) => (method === 'PUT' ? { log: [] } : undefined),
      // Asked last: a 403 says that the tag has matched, and nothing is written.
      authorize: (req) => req.get('Only-Ask') === undefined,
      onDeleted: ({ before }) => deleted.push(before.value),
    });
    app.route(`/${index}`).get(log.get).put(log.put).patch(log.patch).delete(log.delete);
  }
  await serving(app, async (_server, port) => {
    const target = new Target(stores.map((_, index) => `http://127.0.0.1:${port}/${index}`));
    await Promise.all(
      plan.map(async (steps) => {
        let seen: Seen | undefined;
        for (const each of steps) seen = await target.take(each, seen);
      }),
    );
    await expectExactTags(target);
    const present = seenIn(await target.send('GET'));
    expectNothingLost(target, [...deleted, ...(present === undefined ? [] : [present.value])]);
    expect(deleted).toHaveLength(target.deletions);
  });
}

/** Every ETag that was ever sent holds on every method if the state is the one it was sent of, and on none otherwise. */
async function expectExactTags(target: Target): Promise<void> {
  const { tag: present, status } = await target.send('GET');
  for (const tag of [...target.tags]) {
    const holds = tag === present;
    const otherwise = status === 404 ? 404 : 412;
    const ask = { 'If-Match': tag, 'Only-Ask': '1' };
    const answers = {
      GET: await target.send('GET', { 'If-Match': tag }),
      HEAD: await target.send('HEAD', { 'If-Match': tag }),
      PUT: await target.send('PUT', ask, { log: [] }),
      PATCH: await target.send('PATCH', ask, []),
      DELETE: await target.send('DELETE', ask),
    };
    // PUT could create, so that absence is for its precondition to tell.
    const expected = holds
      ? { GET: 200, HEAD: 200, PUT: 403, PATCH: 403, DELETE: 403 }
      : { GET: otherwise, HEAD: otherwise, PUT: 412, PATCH: otherwise, DELETE: otherwise };
    const statuses = Object.entries(answers).map(([method, answer]) => [method, answer.status]);
    expect(Object.fromEntries(statuses)).toEqual(expected);
    const cached = await target.send('GET', { 'If-None-Match': tag });
    expect(cached.status).toBe(holds ? 304 : status);
  }
}

/** @param ends - the last state of each life of the resource, and the present one */
function expectNothingLost({ writes, refused, created }: Target, ends: readonly Log[]): void {
  const tags = writes.flatMap(({ tag }) => tag ?? []);
  expect(new Set(tags).size).toBe(tags.length);
  for (const { id, log } of writes) {
    expect(log.at(-1)).toBe(id);
    const end = ends.find((one) => one.log[0] === log[0]);
    expect(end?.log.slice(0, log.length)).toEqual(log);
  }
  expect(ends.flatMap(({ log }) => log).filter((id) => refused.includes(id))).toEqual([]);
  expect(ends.map(({ log }) => log[0]).sort()).toEqual([...created].sort());
}
