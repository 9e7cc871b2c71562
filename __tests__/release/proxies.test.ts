/**
 * Behind the proxies that people have, which compress what they pass on, and change its entity tags: real ones, with the lines of
 * configuration that docs/errors.md advises.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import express from 'express';
import { jsonPatch, MemoryStore, resource } from '../../lib';
import { resourceClient, type ResourceClient } from '../../lib/client';
import { describeWhere } from '../support/describe-where';
import {
  apache,
  haproxy,
  missing,
  nginx,
  startProxy,
  type Program,
  type RunningProxy,
} from '../support/proxies';
import { listen, portOf } from '../support/serving';

interface Note {
  n: number;
  readonly text: string;
}

/** Long enough for what compresses long answers only. */
const text = 'note '.repeat(500);
const errorsPage = readFileSync(join(__dirname, '../../docs/errors.md'), 'utf8');

interface Proxy {
  readonly title: string;
  readonly program: Program;
  /** What becomes of the tag `"x"` of an answer that is compressed. */
  readonly tag: '"x"' | 'W/"x"' | '"x-gzip"' | '"x-br"';
  /** The line of docs/errors.md with which a client can send the tag back as it was received. */
  readonly line?: string;
  readonly coding?: 'br';
}

const proxies: readonly Proxy[] = [
  { title: 'nginx, gzip on', program: nginx, tag: 'W/"x"' },
  { title: 'HAProxy, compression', program: haproxy, tag: 'W/"x"' },
  { title: 'Apache, mod_deflate', program: apache('DEFLATE'), tag: '"x-gzip"' },
  { title: 'Apache, mod_brotli', program: apache('BROTLI_COMPRESS'), tag: '"x-br"', coding: 'br' },
  {
    title: 'nginx, with a map',
    program: nginx,
    tag: 'W/"x"',
    line: 'map $http_if_match $strong_if_match { default $http_if_match; ~^W/(?<tag>".*) $tag; }',
  },
  { title: 'nginx, gzip off', program: nginx, tag: '"x"', line: 'gzip off;' },
  {
    title: 'HAProxy, with replace-value',
    program: haproxy,
    tag: 'W/"x"',
    line: 'http-request replace-value If-Match ^W/(.*) \\1',
  },
  {
    title: 'Apache, DeflateAlterETag',
    program: apache('DEFLATE'),
    tag: '"x"',
    line: 'DeflateAlterETag NoChange',
  },
  {
    title: 'Apache, BrotliAlterETag',
    program: apache('BROTLI_COMPRESS'),
    tag: '"x"',
    coding: 'br',
    line: 'BrotliAlterETag NoChange',
  },
  {
    title: 'Apache, with RequestHeader',
    program: apache('DEFLATE'),
    tag: '"x-gzip"',
    line: `RequestHeader edit* If-Match '-(gzip|br)"' '"'`,
  },
];

/** Of each request that arrived at the app: its method, the header of its condition, and its status. */
let lines: string[] = [];
let server: Server;
let proxy: RunningProxy | undefined;

async function start({ program, line = '' }: Proxy): Promise<void> {
  const app = express();
  app.use((req, res, next) => {
    res.once('finish', () => {
      const condition = ['If-Match', 'If-None-Match'].find((name) => req.get(name) !== undefined);
      lines.push([req.method, condition, res.statusCode].filter(Boolean).join(' '));
    });
    next();
  });
  const options = { key: 'id', create: true, conflict: 'representation' } as const;
  const note = resource(new MemoryStore<Note>(), [jsonPatch()], options);
  app.route('/notes/:id').get(note.get).patch(note.patch).put(note.put).delete(note.delete);
  server = createServer(app);
  const to = await listen(server);

  proxy = await startProxy(program, to, line);
}

describe.each(proxies)('$title', (given) => {
  const { program, tag, line, coding } = given;
  describeWhere(existsSync(program.path), 'a proxy', missing(program), () => {
    beforeAll(() => start(given));
    afterAll(async () => {
      await proxy?.close();
      server.close();
      server.closeAllConnections();
    });

    const headers = coding === undefined ? {} : { 'Accept-Encoding': coding };
    const createClient = (): ResourceClient<Note> => resourceClient<Note>(proxy?.origin, { headers });
    let url = '';
    let client: ResourceClient<Note>;
    let notes = 0;

    beforeEach(async () => {
      url = `/notes/${++notes}`;
      client = createClient();
      await client.put(url, { n: 1, text }, { create: true });
      client = createClient();
      lines = [];
    });

    test(`it compresses, and makes ${tag} of "x"`, async () => {
      const { headers: plain } = await fetch(`http://127.0.0.1:${portOf(server)}${url}`);
      const { headers: passed } = await fetch(`${proxy?.origin}${url}`, { headers });
      const isCompressed = line !== 'gzip off;';
      expect(passed.get('content-encoding')).toBe(isCompressed ? (coding ?? 'gzip') : null);
      const opaque = (plain.get('etag') ?? '').slice(1, -1);
      expect(opaque).not.toBe('');
      expect(passed.get('etag')).toBe(tag.replace('x', () => opaque));
    });

    test('get, without If-None-Match and with it', async () => {
      const first = await client.get(url);
      expect(first.value).toEqual({ n: 1, text });
      expect(await client.get(url)).toBe(first);
      expect(lines).toEqual(['GET 200', 'GET If-None-Match 304']);

      await createClient().change(url, (note) => void (note.n = 2));
      expect((await client.get(url)).value.n).toBe(2);
      expect(lines.at(-1)).toBe('GET If-None-Match 200');
    });

    test('change and save are made at the first attempt', async () => {
      const changed = await client.change(url, (note) => void note.n++);
      expect(changed).toMatchObject({ value: { n: 2, text }, attempts: 1 });
      const base = changed.value;
      expect(await client.save(url, base, { ...base, n: 7 })).toMatchObject({
        value: { n: 7, text },
        attempts: 1,
      });
      expect((await createClient().get(url)).value).toEqual({ n: 7, text });
      expect(lines.filter((sent) => sent.startsWith('PATCH'))).toEqual(Array(2).fill('PATCH If-Match 200'));
    });

    test('change and save after somebody else: both changes are kept', async () => {
      const { value: base } = await client.get(url);
      const other = createClient();
      await other.change(url, (note) => void (note.n = 5));
      expect(await client.change(url, (note) => void note.n++)).toMatchObject({
        value: { n: 6 },
        attempts: 2,
      });
      await other.change(url, (note) => ({ ...note, text: text.toUpperCase() }));
      expect(await client.save(url, { ...base, n: 6 }, { ...base, n: 8 })).toMatchObject({
        value: { n: 8, text: text.toUpperCase() },
      });
    });

    test('put, twice, and by the tag that get returned; but not over what somebody else has written', async () => {
      const { etag } = await client.get(url);
      await client.put(url, { n: 2, text });
      await client.put(url, { n: 3, text });
      const late = await client.put(url, { n: 9, text }, { etag }).catch((error: unknown) => error);
      expect(late).toMatchObject({ status: 412, code: 'precondition-failed' });
      await createClient().change(url, (note) => void (note.n = 4));
      const overtaken = await client.put(url, { n: 9, text }).catch((error: unknown) => error);
      expect(overtaken).toMatchObject({ status: 412, code: 'precondition-failed' });
      const fresh = await client.get(url);
      expect(fresh.value.n).toBe(4);
      await client.put(url, { n: 5, text }, { etag: fresh.etag });
      expect((await createClient().get(url)).value.n).toBe(5);
    });

    test('remove, but not what somebody else has changed', async () => {
      await client.get(url);
      await createClient().change(url, (note) => void (note.n = 4));
      await expect(client.remove(url)).rejects.toMatchObject({ code: 'precondition-failed' });
      await client.get(url);
      await client.remove(url);
      await expect(client.get(url)).rejects.toMatchObject({ status: 404 });
    });

    /** A client without a library: it sends the ETag of the GET as it was received. */
    async function plainPatch(): Promise<Response> {
      const { headers: got } = await fetch(`${proxy?.origin}${url}`, { headers });
      return fetch(`${proxy?.origin}${url}`, {
        method: 'PATCH',
        headers: {
          ...headers,
          'Content-Type': 'application/json-patch+json',
          'If-Match': got.get('etag') ?? '',
        },
        body: '[{"op":"replace","path":"/n","value":2}]',
      });
    }

    if (line === undefined) {
      test('a client without a library is told what is wrong with the tag', async () => {
        const warn = jest.spyOn(process, 'emitWarning').mockReturnValue();
        const answer = await plainPatch();
        expect(answer.status).toBe(412);
        const { detail } = (await answer.json()) as { detail: string };
        expect(detail).toContain(
          tag === 'W/"x"'
            ? 'the entity tag is weak, but writes need the strong one'
            : `the entity tag is the current one with "${tag.slice(2, -1)}" appended`,
        );
        warn.mockRestore();
      });
    } else {
      test('a client without a library can send the tag back as it was received, as docs/errors.md says', async () => {
        expect(errorsPage.includes(line)).toBe(true);
        expect((await plainPatch()).status).toBe(204);
      });
    }
  });
});
