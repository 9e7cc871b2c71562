/** What the client does in every runtime: bundled, and run where neither Jest nor Node is. */
import { ClientError, resourceClient, ResponseError, type ResourceClientOptions } from 'patch-options/client';

export interface Note {
  title: string;
  tags: string[];
}

/** What each scenario is expected to come to, whatever the runtime. */
export const expected: Readonly<Record<string, unknown>> = {
  'reads, revalidates, forgets': ['first', true, true, ['GET 200', 'GET 304', 'GET 200']],
  'a change, overtaken by another': [['a', 'theirs', 'mine'], 2, 'PATCH 412'],
  'a form, merged': ['mine', ['a', 'theirs']],
  'a form, in conflict': ['conflict', ['/title'], 'mine'],
  'a form, with a decision': ['mine and theirs'],
  'an answer lost, with a key': [['a', 'once'], 1, ['PATCH lost', 'PATCH 200']],
  'an answer lost, without one': [
    'uncertain',
    ['a', 'once'],
    ['GET 200', 'PATCH lost', 'PATCH 412', 'GET 200'],
  ],
  'a connection dropped': [
    ['a', 'once'],
    ['PATCH dropped', 'PATCH 200'],
  ],
  'a content cut short': ['first', ['GET cut', 'GET 200']],
  'a server that is busy': ['first', ['GET busy', 'GET 200']],
  'a server that is silent': ['connection-failed', true],
  'a redirect of a write, with a key': [['a', 'once'], 1, ['PATCH redirect', 'PATCH 200']],
  'a redirect of a write, without one': ['http-redirect', true, []],
  'aborted before': ['left', []],
  'aborted within a request': ['left', ['GET silent']],
  'aborted in a pause': ['left', ['GET later']],
  'created, replaced, removed': [true, false, 404],
  'what is offered': [['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'PUT'], ['application/json-patch+json']],
  'ten changes at once': 11,
  'text of every kind': 'ä€𝄞\u2028"\\',
};

/**
 * What `an answer lost, without one` comes to where the runtime itself sends a request again whose connection was kept alive and
 * ends, even a PATCH that has arrived: the client sees nothing of it.
 */
export const resentByRuntime: unknown = [
  ...['made', ['a', 'once', 'once']],
  ['GET 200', 'PATCH lost', 'PATCH 412', 'GET 200', 'PATCH 200'],
];

export async function runScenarios(api: string): Promise<Record<string, unknown>> {
  const results: Record<string, unknown> = {};
  for (const [name, scenario] of Object.entries(scenarios)) {
    const path = `/notes/${String(Object.keys(results).length)}`;
    const tools = toolsFor(api, path);
    await tools.client().put(path, { title: 'first', tags: ['a'] }, { create: true });
    await tools.lines();
    try {
      results[name] = await scenario(tools);
    } catch (error) {
      results[name] = `failed: ${String(error)}`;
    }
  }
  return results;
}

type Tools = ReturnType<typeof toolsFor>;

function toolsFor(api: string, path: string) {
  const client = (options: ResourceClientOptions<Note> = {}) =>
    resourceClient<Note>(api, { idempotency: true, timeout: 9_000, ...options });
  return {
    client,
    path,
    faulty: (fault: string) => `${path}?fault=${fault}`,
    /** Somebody else. */
    other: () => client().change(path, ({ tags }) => void tags.push('theirs')),
    /** Of each request for the note since they were asked for the last time: the method, and what came of it. */
    lines: async (): Promise<string[]> => {
      const response = await fetch(`${api}/lines${path}`);
      return (await response.json()) as string[];
    },
  };
}

const codeOf = (error: unknown): unknown => (error instanceof ClientError ? error.code : String(error));

const add =
  (tag: string) =>
  ({ tags }: Note): void =>
    void tags.push(tag);

/** Aborts a call as soon as the server has been asked, and tells what it was asked. */
async function leftOnceAsked(
  call: (signal: AbortSignal) => Promise<unknown>,
  lines: () => Promise<string[]>,
): Promise<unknown> {
  const reason = { left: 'left' };
  const controller = new AbortController();
  const called = call(controller.signal).catch((error: unknown) => error);
  let asked: string[] = [];
  while (asked.length === 0) asked = await lines();
  controller.abort(reason);
  return [(await called) === reason ? 'left' : 'not left', asked];
}

const scenarios: Readonly<Record<keyof typeof expected, (tools: Tools) => Promise<unknown>>> = {
  'reads, revalidates, forgets': async ({ client, path, lines }) => {
    const one = client();
    const first = await one.get(path);
    const second = await one.get(path);
    one.forget();
    const third = await one.get(path);
    return [first.value.title, second === first, third.etag === first.etag, await lines()];
  },
  'a change, overtaken by another': async ({ client, path, other, lines }) => {
    const one = client();
    await one.get(path);
    await other();
    const { value, attempts } = await one.change(path, add('mine'));
    return [value.tags, attempts, (await lines()).find((line) => line.includes('412'))];
  },
  'a form, merged': async ({ client, path, other }) => {
    const one = client();
    const { value: base } = await one.get(path);
    await other();
    const { value } = await one.save(path, base, { ...base, title: 'mine' });
    return [value.title, value.tags];
  },
  'a form, in conflict': async ({ client, path }) => {
    const one = client();
    const { value: base } = await one.get(path);
    await client().change(path, (note) => {
      note.title = 'theirs';
    });
    const saved = one.save(path, base, { ...base, title: 'mine' });
    return saved.catch((error: unknown) => {
      const { paths, withMine } = error as { paths: string[]; withMine: Note };
      return [codeOf(error), paths, withMine.title];
    });
  },
  'a form, with a decision': async ({ client, path }) => {
    const one = client();
    const { value: base } = await one.get(path);
    await client().change(path, (note) => {
      note.title = 'theirs';
    });
    const onConflict = ({ mine, theirs }: { mine: Note; theirs: Note }) =>
      Promise.resolve({ ...theirs, title: `${mine.title} and ${theirs.title}` });
    const { value } = await one.save(path, base, { ...base, title: 'mine' }, { onConflict });
    return [value.title];
  },
  'an answer lost, with a key': async ({ client, faulty, lines }) => {
    const one = client();
    const { value, attempts } = await one.change(faulty('lost'), add('once'));
    return [value.tags, attempts, (await lines()).slice(1)];
  },
  'an answer lost, without one': async ({ client, faulty, lines }) => {
    const one = client({ idempotency: false });
    const changed = one.change(faulty('lost'), add('once'));
    const what = await changed.then(
      ({ value }) => ['made', value.tags],
      (error: unknown) => [codeOf(error), (error as { theirs?: Note }).theirs?.tags],
    );
    return [...what, await lines()];
  },
  'a connection dropped': async ({ client, faulty, lines }) => {
    const { value } = await client().change(faulty('dropped'), add('once'));
    return [value.tags, (await lines()).slice(1)];
  },
  'a content cut short': async ({ client, faulty, lines }) => {
    const { value } = await client().get(faulty('cut'));
    return [value.title, await lines()];
  },
  'a server that is busy': async ({ client, faulty, lines }) => {
    const { value } = await client().get(faulty('busy'));
    return [value.title, await lines()];
  },
  'a server that is silent': async ({ client, faulty }) => {
    const read = client({ timeout: 300 }).get(faulty('silent'));
    return read.catch((error: unknown) => [codeOf(error), (error as Error).cause instanceof Error]);
  },
  'a redirect of a write, with a key': async ({ client, faulty, lines }) => {
    const { value, attempts } = await client().change(faulty('redirect'), add('once'));
    return [value.tags, attempts, (await lines()).slice(1)];
  },
  'a redirect of a write, without one': async ({ client, faulty, lines }) => {
    const changed = client({ idempotency: false }).change(faulty('redirect'), add('never'));
    const error: unknown = await changed.catch((thrown: unknown) => thrown);
    const isUncertain = error instanceof ResponseError && error.uncertain;
    return [codeOf(error), isUncertain, (await lines()).filter((line) => line.startsWith('PATCH 2'))];
  },
  'aborted before': async ({ client, path, lines }) => {
    const signal = AbortSignal.abort('left');
    return [await client().get(path, { signal }).catch(String), await lines()];
  },
  'aborted within a request': ({ client, faulty, lines }) =>
    leftOnceAsked((signal) => client().get(faulty('silent'), { signal }), lines),
  'aborted in a pause': ({ client, faulty, lines }) =>
    leftOnceAsked((signal) => client().get(faulty('later'), { signal }), lines),
  'created, replaced, removed': async ({ client, path }) => {
    const one = client();
    const url = `${path}-new`;
    const { created } = await one.put(url, { title: 'new', tags: [] }, { create: true });
    const replaced = await one.put(url, { title: 'newer', tags: [] });
    await one.remove(url);
    const gone: unknown = await one.get(url).catch((error: unknown) => error);
    return [created, replaced.created, gone instanceof ResponseError ? gone.status : gone];
  },
  'what is offered': async ({ client, path }) => {
    const { allow, acceptPatch } = await client().options(path);
    return [[...allow].sort(), acceptPatch];
  },
  'ten changes at once': async ({ client, path }) => {
    const one = client();
    await Promise.all(Array.from({ length: 10 }, (_, i) => one.change(path, add(String(i)))));
    return (await one.get(path)).value.tags.length;
  },
  'text of every kind': async ({ client, path }) => {
    const { value } = await client().change(path, (note) => {
      note.title = 'ä€𝄞\u2028"\\';
    });
    return value.title;
  },
};
