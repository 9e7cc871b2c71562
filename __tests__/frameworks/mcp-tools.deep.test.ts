/** The tools of docs/agents.md in the SDKs for MCP, called over HTTP as a model's client calls them. */
import { toNodeHandler } from '@modelcontextprotocol/node';
import { McpServer as McpServer1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createMcpHandler, McpServer as McpServer2 } from '@modelcontextprotocol/server';
import { randomUUID } from 'node:crypto';
import express, { type RequestHandler } from 'express';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { change, jsonPatch, MemoryStore, resource } from '../../lib';
import * as client from '../../lib/client';
import * as json from '../../lib/json';
import { modulesOf } from '../support/doc-blocks';
import { evaluate } from '../support/page-modules';
import { serving } from '../support/serving';
import * as zod from 'zod';

const page = readFileSync(join(__dirname, '../../docs/agents.md'), 'utf8');

type AddNoteTools = (server: object, base: string, headers: object) => void;

function toolsIn(file: string): AddNoteTools {
  const modules: Readonly<Record<string, unknown>> = {
    'patch-options/client': client,
    'patch-options/json': json,
    zod,
  };
  const code = `${modulesOf(page).get(file) ?? ''}\nexport { addNoteTools };`;
  return evaluate(code, { fetch }, (name) => modules[name])['addNoteTools'] as AddNoteTools;
}

const information = { name: 'notes', version: '1.0.0' };

/** One session. */
async function createHandler1(base: () => string): Promise<RequestHandler> {
  const server = new McpServer1(information);
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID });
  toolsIn('note-tools.ts')(server, base(), {});
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  return (req, res) => transport.handleRequest(req, res, req.body);
}

/** A server for each request. */
function createHandler2(base: () => string): RequestHandler {
  const addNoteTools = toolsIn('note-tools-2.ts');
  const mcp = toNodeHandler(
    createMcpHandler(() => {
      const server = new McpServer2(information);
      addNoteTools(server, base(), {});
      return server;
    }),
  );
  return (req, res) => mcp(req, res, req.body);
}

interface Result {
  readonly content: readonly [{ readonly text: string }];
  readonly isError?: boolean;
}

interface Shown {
  readonly etag?: string;
  readonly note: object;
}

test.each([
  { name: 'version 1', createHandler: createHandler1 },
  { name: 'version 2', createHandler: createHandler2 },
])('$name: reads, changes, and decides again after a change by somebody else', async ({ createHandler }) => {
  const notes = new MemoryStore<unknown>();
  await notes.replace('1', null, { title: 'Milk', done: false });
  const note = resource(notes, [jsonPatch()], {
    key: 'id',
    idempotency: 'required',
    precondition: 'required',
  });
  const app = express();
  app.route('/notes/:id').get(note.get).patch(note.patch);

  await serving(app, async (_server, port) => {
    const base = `http://127.0.0.1:${port}`;
    app.post('/mcp', express.json(), await createHandler(() => base));
    let session: string | null = null;

    async function send(method: string, params: object): Promise<unknown> {
      const response = await fetch(`${base}/mcp`, {
        method: 'POST',
        headers: {
          Accept: 'application/json, text/event-stream',
          'Content-Type': 'application/json',
          ...(session !== null && { 'Mcp-Session-Id': session }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
      session ??= response.headers.get('Mcp-Session-Id');
      const [, data = ''] = /^data: (.*)$/m.exec(await response.text()) ?? [];
      return (JSON.parse(data) as { readonly result: unknown }).result;
    }
    const call = async (name: string, input: object): Promise<Result> =>
      (await send('tools/call', { name, arguments: input })) as Result;
    const shown = ({ content: [{ text }] }: Result): Shown => JSON.parse(text) as Shown;

    const clientInfo = { name: 'model', version: '1' };
    await send('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    expect(await send('tools/list', {})).toMatchObject({
      tools: [
        { name: 'read_note', inputSchema: { required: ['id'] } },
        { name: 'change_note', inputSchema: { properties: { changes: { type: 'object' } } } },
      ],
    });

    const first = shown(await call('read_note', { id: '1' }));
    expect(first.note).toEqual({ title: 'Milk', done: false });
    await change(notes, '1', () => ({ title: 'Wine', done: false }));
    const input = { id: '1', changes: { title: 'Bread' } };
    const refused = await call('change_note', { ...input, etag: first.etag });
    expect([refused.isError, shown(refused).note]).toEqual([true, { title: 'Wine', done: false }]);
    const made = await call('change_note', { ...input, etag: shown(refused).etag });
    expect(shown(made).note).toEqual({ title: 'Bread', done: false });
    expect((await notes.get('1'))?.value).toEqual({ title: 'Bread', done: false });

    // What is thrown is the text of the error.
    const absent = await call('read_note', { id: '2' });
    expect([absent.isError, absent.content[0].text]).toEqual([
      true,
      expect.stringContaining('does not exist'),
    ]);
  });
});
