/** Behind real proxies, with lines of configuration that people have: `explainCors` says what Chromium does. */
import { existsSync } from 'node:fs';
import { createServer as createTcpServer, connect, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import express from 'express';
import { explainCors, type Explanation } from 'patch-options/explain';
import { patchOptions } from '../../lib';
import { describeInChromium } from '../support/chromium';
import { describeWhere } from '../support/describe-where';
import { apache, haproxy, missing, nginx, startProxy } from '../support/proxies';
import { serving } from '../support/serving';
import { lineOf } from './questions-in-chromium';
import { askBoth, PagesOfSites, type Asked, type Place } from './same-as-chromium';

const app = express();
app.use(patchOptions({ cors: { origin: 'https://app.example', credentials: true } }));
app.patch('/notes/:id', (req, res) => void res.json({ id: req.params.id }));

interface Row {
  /** A line for the proxy. */
  readonly line: string;
  readonly from?: string;
  readonly asked?: Partial<Asked>;
  readonly code: Explanation['code'];
}

const plain: readonly Row[] = [
  { line: '', code: 'cors-allowed' },
  { line: '', from: 'https://other.example', code: 'cors-no-allow-origin' },
  { line: '', asked: { path: '/nowhere' }, code: 'cors-preflight-status' },
];

const programs: readonly {
  readonly name: string;
  readonly program: typeof nginx;
  readonly rows: readonly Row[];
}[] = [
  {
    name: 'nginx',
    program: nginx,
    rows: [
      ...plain,
      { line: 'add_header Access-Control-Allow-Origin *;', code: 'cors-other-origin' },
      { line: 'if ($request_method = OPTIONS) { return 204; }', code: 'cors-no-allow-origin' },
      {
        line: `if ($request_method = OPTIONS) {
          add_header Access-Control-Allow-Origin https://app.example always;
          return 405;
        }`,
        code: 'cors-preflight-status',
      },
      {
        line: `if ($request_method = OPTIONS) {
          add_header Access-Control-Allow-Origin https://app.example;
          add_header Access-Control-Allow-Methods 'GET, POST';
          return 204;
        }`,
        code: 'cors-method-not-allowed',
      },
      { line: 'limit_except GET { deny all; }', code: 'cors-no-allow-origin' },
      { line: 'client_max_body_size 1;', code: 'cors-no-allow-origin' },
      { line: 'proxy_hide_header Access-Control-Allow-Headers;', code: 'cors-header-not-allowed' },
      { line: 'proxy_hide_header Access-Control-Allow-Methods;', code: 'cors-method-not-allowed' },
      {
        line: 'proxy_hide_header Access-Control-Allow-Credentials;',
        asked: { credentials: true },
        code: 'cors-credentials-not-allowed',
      },
      { line: "proxy_set_header Origin '';", code: 'cors-no-allow-origin' },
      { line: 'return 502;', code: 'cors-no-allow-origin' },
    ],
  },
  {
    name: 'HAProxy',
    program: haproxy,
    rows: [
      ...plain,
      { line: 'http-response add-header Access-Control-Allow-Origin *', code: 'cors-other-origin' },
      {
        line: 'http-response set-header Access-Control-Allow-Origin *',
        asked: { credentials: true },
        code: 'cors-credentials-not-allowed',
      },
      { line: 'http-request return status 200 if METH_OPTIONS', code: 'cors-no-allow-origin' },
      { line: 'http-request deny deny_status 403 if METH_OPTIONS', code: 'cors-no-allow-origin' },
      { line: 'http-response del-header Access-Control-Allow-Origin', code: 'cors-no-allow-origin' },
    ],
  },
  {
    name: 'Apache',
    program: apache('DEFLATE'),
    rows: [
      ...plain,
      { line: 'Header always set Access-Control-Allow-Origin *', code: 'cors-other-origin' },
      {
        line: 'Header set Access-Control-Allow-Origin *',
        asked: { credentials: true },
        code: 'cors-credentials-not-allowed',
      },
      {
        line: '<Location "/">\n<Limit OPTIONS>\nRequire all denied\n</Limit>\n</Location>',
        code: 'cors-no-allow-origin',
      },
      { line: 'Header unset Access-Control-Allow-Headers', code: 'cors-header-not-allowed' },
      { line: 'RequestHeader unset Origin', code: 'cors-no-allow-origin' },
    ],
  },
];

describeInChromium('proxies', () => {
  const pages = new PagesOfSites();

  beforeAll(() => pages.open());
  afterAll(() => pages.close());

  describe.each(programs)('$name', ({ program, rows }) => {
    describeWhere(existsSync(program.path), 'a line', missing(program), () => {
      test.each(rows)('$line $code', async ({ line, from = 'https://app.example', asked, code }) => {
        await serving(app, async (_server, to) => {
          const proxy = await startProxy(program, to, line);
          const place = await listenInFrontOf(Number(new URL(proxy.origin).port));
          const question: Asked = {
            method: 'PATCH',
            path: '/notes/1',
            headers: { 'content-type': 'application/json' },
            body: '{}',
            ...asked,
          };
          try {
            const { codes, browsed, explained } = await askBoth(pages, explainCors, from, place, question);
            expect(browsed.allowed).toBe(code === 'cors-allowed');
            expect(codes).toEqual([code]);
            expect(explained).toEqual([browsed]);
          } finally {
            place.close();
            await proxy.close();
          }
        });
      });
    });
  });
});

/** Passes bytes on to a port, and writes the requests down that it sees. */
async function listenInFrontOf(to: number): Promise<Place & { close(): void }> {
  const requests: string[] = [];
  const sockets: Socket[] = [];
  const server = createTcpServer((socket) => {
    const further = connect(to, '127.0.0.1');
    sockets.push(socket, further);
    let unread = '';
    socket.on('data', (chunk) => {
      unread += chunk.toString('latin1');
      unread = unread.replaceAll(
        /([A-Z]+) (\S+) HTTP\/1\.1\r\n([^]*?\r\n)\r\n/g,
        (_all, method, path, head) => {
          const read = (name: string) => new RegExp(`^${name}: (.*)\r$`, 'im').exec(String(head))?.[1];
          requests.push(lineOf(String(method), String(path), read));
          return '';
        },
      );
    });
    socket.on('error', () => further.destroy());
    further.on('error', () => socket.destroy());
    socket.pipe(further).pipe(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { port, requests, targets: [`http://127.0.0.1:${port}`], close };
}
