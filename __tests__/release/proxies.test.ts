/**
 * Behind the proxies that people have, which compress what they pass on, and change its entity tags: real ones, with the lines of
 * configuration that docs/errors.md advises.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import express from 'express';
import { jsonPatch, MemoryStore, resource } from '../../lib';
import { resourceClient, type ResourceClient } from '../../lib/client';
import { freePort } from '../examples/example-server';
import { describeWhere } from '../support/describe-where';
import { listen, portOf } from '../support/serving';

interface Note {
  n: number;
  readonly text: string;
}

/** Long enough for what compresses long answers only. */
const text = 'note '.repeat(500);
const errorsPage = readFileSync(join(__dirname, '../../docs/errors.md'), 'utf8');

interface Program {
  readonly path: string;
  /** Of Debian and Ubuntu. */
  readonly package: string;
  readonly args: (file: string) => readonly string[];
  readonly config: (settings: {
    readonly port: number;
    readonly to: number;
    readonly folder: string;
    readonly more: string;
  }) => string;
}

const nginx: Program = {
  path: '/usr/sbin/nginx',
  package: 'nginx',
  args: (file) => ['-e', 'stderr', '-c', file],
  config: ({ port, to, folder, more }) => `
    daemon off;
    master_process off;
    pid ${folder}/pid;
    events {}
    http {
      access_log off;
      ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n')}
      gzip on;
      gzip_types application/json application/problem+json;
      ${more.startsWith('map') ? more : ''}
      server {
        listen 127.0.0.1:${port};
        location / {
          proxy_pass http://127.0.0.1:${to};
          ${more.startsWith('map') ? 'proxy_set_header If-Match $strong_if_match;' : more}
        }
      }
    }`,
};

const haproxy: Program = {
  path: '/usr/sbin/haproxy',
  package: 'haproxy',
  args: (file) => ['-db', '-f', file],
  config: ({ port, to, more }) => `
    defaults
      mode http
      timeout connect 5s
      timeout client 60s
      timeout server 60s
    listen proxy
      bind 127.0.0.1:${port}
      compression algo gzip
      compression type application/json application/problem+json
      ${more}
      server app 127.0.0.1:${to}\n`,
};

const modules = '/usr/lib/apache2/modules';
const apache = (filter: 'DEFLATE' | 'BROTLI_COMPRESS'): Program => ({
  path: '/usr/sbin/apache2',
  package: 'apache2-bin',
  args: (file) => ['-DFOREGROUND', '-f', file],
  config: ({ port, to, folder, more }) => `
    ServerRoot ${folder}
    ServerName 127.0.0.1
    Listen 127.0.0.1:${port}
    PidFile ${folder}/pid
    ErrorLog ${folder}/errors
    User nobody
    Group nogroup
    ${['mpm_event', 'authz_core', 'proxy', 'proxy_http', 'deflate', 'brotli', 'headers'].map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`).join('\n')}
    SetOutputFilter ${filter}
    ${more}
    ProxyPass / http://127.0.0.1:${to}/\n`,
});

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
let proxy: { readonly origin: string; close(): Promise<void> } | undefined;

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

  const folder = mkdtempSync(join(tmpdir(), 'proxy-'));
  const port = await freePort();
  const file = join(folder, 'config');
  writeFileSync(file, program.config({ port, to, folder, more: line }));
  // The proxy ends with standard input, and so also where the tests were killed.
  const keep = 'exec 3<&0; "$@" & proxy=$!; (cat <&3; kill $proxy) & wait $proxy';
  const child = spawn('/bin/sh', ['-c', keep, 'sh', program.path, ...program.args(file)]);
  const ended = once(child, 'exit');
  const origin = `http://127.0.0.1:${port}`;
  proxy = {
    origin,
    async close() {
      child.stdin.end();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  }
  while (!(await answers(origin))) {
    if (child.exitCode !== null) throw new Error(`The proxy has ended with ${child.exitCode}: ${printed}`);
    await setTimeout(20);
  }
}

async function answers(origin: string): Promise<boolean> {
  try {
    await fetch(origin);
    return true;
  } catch {
    return false;
  }
}

describe.each(proxies)('$title', (given) => {
  const { program, tag, line, coding } = given;
  const missing =
    `There is no ${program.path}, so nothing was tried behind it. ` +
    `Install it (Debian: apt-get install ${program.package}).`;

  describeWhere(existsSync(program.path), 'a proxy', missing, () => {
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
