import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import express, { type NextFunction, type Request, type Response } from 'express';
import { jsonPatch } from '../../lib/patch/formats/json-patch';
import { mergePatch } from '../../lib/patch/formats/merge-patch';
import type { PatchParser } from '../../lib/patch/formats/patch-parser';
import { patchHandler } from '../../lib/patch/patch-handler';
import { MemoryStore } from '../../lib/stores/memory/memory-store';
import { frameworks, type ExpressModule } from '../support/frameworks';
import { serving } from '../support/serving';

const forms: PatchParser = {
  mediaType: 'application/x-www-form-urlencoded',
  parse: (document) => () => Object.fromEntries(new URLSearchParams(String(document))),
};

async function appOver(express: ExpressModule) {
  const store = new MemoryStore();
  await store.replace('7', null, { title: 'old' });
  const app = express();
  const parsers = [jsonPatch(), mergePatch(), forms];
  app.patch('/things/:id', patchHandler(store, parsers, { key: (req) => req.params.id }));
  return { app, value: async () => (await store.get('7'))?.value };
}

/** What comes back for bytes that no well-behaved client would send. */
async function answerTo(port: number, lines: readonly string[], body: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const fields = [
    'PATCH /things/7 HTTP/1.1',
    'Host: x',
    'Content-Type: application/merge-patch+json',
    ...lines,
  ];
  socket.end(`${fields.join('\r\n')}\r\n\r\n${body}`);
  return text(socket);
}

describe.each(frameworks)('The body of a PATCH on the wire (%s)', (_name, express) => {
  test('If-Match on several lines is one list, RFC 9110 5.3', async () => {
    const { app, value } = await appOver(express);
    await serving(app, async (_server, port) => {
      const fields = ['Connection: close', 'Content-Length: 2', 'If-Match: "a"', 'If-Match: *'];
      expect(await answerTo(port, fields, '{}')).toMatch(/^HTTP\/1.1 400 /);
      const tags = ['Connection: close', 'Content-Length: 2', 'If-Match: "a"', 'If-Match: "b"'];
      expect(await answerTo(port, tags, '{}')).toMatch(/^HTTP\/1.1 412 /);
    });
    expect(await value()).toEqual({ title: 'old' });
  });

  test('Content-Type on several lines is one list and no media type: 415, RFC 9110 8.3', async () => {
    const { app, value } = await appOver(express);
    await serving(app, async (_server, port) => {
      const fields = ['Connection: close', 'Content-Length: 15', 'content-type: application/json-patch+json'];
      const answer = await answerTo(port, fields, '{"title":"new"}');
      expect(answer).toMatch(/^HTTP\/1.1 415 /);
      expect(answer).toContain('application/merge-patch+json, application/json-patch+json');
    });
    expect(await value()).toEqual({ title: 'old' });
  });

  test('a body that is cut short: 400, and nothing is written', async () => {
    const { app, value } = await appOver(express);
    await serving(app, async (_server, port) => {
      expect(await answerTo(port, ['Content-Length: 100'], '{"title":"new"}')).toMatch(/^HTTP\/1.1 400 /);
    });
    expect(await value()).toEqual({ title: 'old' });
  });

  test('a body in chunks', async () => {
    const { app, value } = await appOver(express);
    await serving(app, async (_server, port) => {
      // The other name is as long as Content-Type.
      const fields = ['Transfer-Encoding: chunked', 'Connection: close', 'X-Request-Id: 7'];
      const answer = await answerTo(port, fields, '8\r\n{"title"\r\n7\r\n:"new"}\r\n0\r\n\r\n');
      expect(answer).toMatch(/^HTTP\/1.1 204 /);
    });
    expect(await value()).toEqual({ title: 'new' });
  });

  test.each([
    { how: 'whose length is announced', body: () => Buffer.alloc(5_000_000, ' ') },
    { how: 'in chunks', body: () => new Blob([Buffer.alloc(5_000_000, ' ')]).stream() },
  ])('a document over the limit $how: the client gets to read the 413', async ({ body }) => {
    const { app } = await appOver(express);
    await serving(app, async (_server, port) => {
      const answer = await fetch(`http://127.0.0.1:${port}/things/7`, {
        method: 'PATCH',
        headers: { 'Content-Type': 'application/merge-patch+json' },
        body: body(),
        duplex: 'half',
      });
      expect([answer.status, await answer.json()]).toEqual([
        413,
        expect.objectContaining({ code: 'limit-bytes' }),
      ]);
    });
  });

  test.each([
    {
      what: 'in a content coding: 415, RFC 9110 12.5.3',
      fields: { 'Content-Encoding': 'br' },
      ...{ status: 415, accepts: 'identity', says: 'express.raw()' },
    },
    { what: 'over the limit: 413', fields: {}, status: 413, accepts: undefined, says: 'limit-bytes' },
  ])('a body that is refused before it has arrived, $what', async ({ fields, status, accepts, says }) => {
    const { app, value } = await appOver(express);
    await serving(app, async (_server, port) => {
      const type = { 'Content-Type': 'application/merge-patch+json', 'Content-Length': 2_000_000 };
      const headers = { ...type, ...fields };
      const sending = request({ port, path: '/things/7', method: 'PATCH', headers });
      sending.write('x');
      const [answer] = (await once(sending, 'response')) as [IncomingMessage];
      expect([answer.statusCode, answer.headers['accept-encoding']]).toEqual([status, accepts]);
      expect(await text(answer)).toContain(says);
      sending.destroy();
    });
    expect(await value()).toEqual({ title: 'old' });
  });

  test.each([
    { how: 'in chunks', fields: ['Transfer-Encoding: chunked'], body: '0\r\n\r\n' },
    { how: 'of no length', fields: ['Content-Length: 0'], body: '' },
  ])('an empty body $how of which express.json() made {}: 400', async ({ fields, body }) => {
    const { app, value } = await appOver(express);
    const parsing = express().use(express.json({ type: () => true }), app);
    await serving(parsing, async (_server, port) => {
      expect(await answerTo(port, [...fields, 'Connection: close'], body)).toMatch(/^HTTP\/1.1 400 /);
    });
    expect(await value()).toEqual({ title: 'old' });
  });

  test.each([
    { what: 'as large as the limit', bytes: 15, status: 204 },
    { what: 'larger by a byte', bytes: 14, status: 413 },
  ])('a body that express.raw() has read, $what: $status', async ({ bytes, status }) => {
    const store = new MemoryStore();
    await store.replace('/', null, {});
    const app = express().use(express.raw({ type: () => true }));
    app.patch('/', patchHandler(store, [mergePatch()], { limits: { bytes } }));
    await serving(app, async (_server, port) => {
      const answer = await fetch(`http://127.0.0.1:${port}/`, {
        method: 'PATCH',
        headers: { 'Content-Type': 'application/merge-patch+json' },
        body: '{"title":"new"}',
      });
      expect(answer.status).toBe(status);
    });
  });

  test('an empty body that has ended before the handler is called: 400, as any other', async () => {
    const { app, value } = await appOver(express);
    const waiting = express().use((req, _res, next) => {
      req.once('end', next).on('readable', () => undefined);
    }, app);
    await serving(waiting, async (_server, port) => {
      const answer = await answerTo(port, ['Content-Length: 0', 'Connection: close'], '');
      expect(answer).toMatch(/^HTTP\/1.1 400 /);
      expect(answer).toContain('"code":"patch-malformed"');
    });
    expect(await value()).toEqual({ title: 'old' });
  });

  test.each([
    {
      what: 'was read and dropped',
      type: 'application/merge-patch+json',
      reading: (req: Request, _res: Response, next: NextFunction) => {
        req.resume().once('end', next);
      },
      says: 'Mount the route before the middleware that reads it',
    },
    {
      what: 'is a form, and was parsed',
      type: 'application/x-www-form-urlencoded',
      reading: express.urlencoded({ extended: false }),
      says: 'The form in the body of a PATCH was already parsed',
    },
  ])(
    'a body that $what is a fault of your app, told to its error handler',
    async ({ type, reading, says }) => {
      const { app } = await appOver(express);
      const host = express();
      host.use(reading);
      host.use(app);
      host.set('env', 'test');
      await serving(host, async (_server, port) => {
        const answer = await fetch(`http://127.0.0.1:${port}/things/7`, {
          method: 'PATCH',
          headers: { 'Content-Type': type },
          body: 'title=new',
        });
        expect(answer.status).toBe(500);
        expect(await answer.text()).toContain(says);
      });
    },
  );
});

test.each([
  { name: 'Content-Type', value: `text/${'x'.repeat(15_000)}` },
  { name: 'Content-Type', value: `application/merge-patch+json; charset=${'x'.repeat(15_000)}` },
  { name: 'Content-Encoding', value: 'x'.repeat(15_000) },
])('a $name of 15,000 characters is not sent back whole', async ({ name, value }) => {
  const store = new MemoryStore();
  await store.replace('/', null, {});
  const app = express().patch('/', patchHandler(store, [mergePatch()]));
  await serving(app, async (_server, port) => {
    const headers = { 'Content-Type': 'application/merge-patch+json', [name]: value };
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'PATCH', headers, body: '{}' });
    expect(answer.status).toBe(415);
    const said = await answer.text();
    expect(said).toContain('xxx…');
    expect(said.length).toBeLessThan(500);
  });
});
