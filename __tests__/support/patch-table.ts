import type { Express, RequestHandler } from 'express';
import supertest from 'supertest';
import { entityTag } from '../../lib/http/entity-tag';
import { jsonPatch } from '../../lib/patch/formats/json-patch';
import { mergePatch } from '../../lib/patch/formats/merge-patch';
import type { PatchParser } from '../../lib/patch/formats/patch-parser';
import type { PatchHandlerOptions } from '../../lib/patch/handler-options';
import type { PatchRequest } from '../../lib/http/middleware';
import { patchHandler } from '../../lib/patch/patch-handler';
import { resource as resourceOf } from '../../lib/patch/resource/resource';
import type { ResourceOptions } from '../../lib/patch/resource/resource-options';
import type { ResourceStore, Stored } from '../../lib/stores/contract/resource-store';
import { frameworks, type ExpressModule } from './frameworks';
import { serving } from './serving';

/** A resource with a member of every kind that a patch can meet. */
export const resource = {
  id: '7',
  title: 'Buy milk',
  tags: ['home', 'shop'],
  size: { width: 3, unit: 'cm' },
  none: null,
};

/** In a row's headers and answers: the tag of the resource as it was before. */
export const PRESENT = '<present>';
/** In a row's answers: a strong tag, but not that one. */
export const NEW = '<new>';

export interface PatchRow {
  /** Another method of `resource()`; left out, `patchHandler` answers. */
  readonly method?: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Default application/merge-patch+json; null: none is sent. */
  readonly type?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is if text or bytes, else as JSON. Default `{"title":"Buy bread"}`. */
  readonly body?: unknown;
  readonly options?: ResourceOptions<unknown>;
  readonly parsers?: readonly PatchParser[];
  /** What the target holds; null: nothing. Default `resource`. */
  readonly stored?: unknown;
  readonly path?: string;
  /** What the app has in front of the handler. */
  readonly behind?: (express: ExpressModule) => RequestHandler;

  readonly status: number;
  /** Fields of the answer; undefined: it must not have them. */
  readonly answers?: Readonly<Record<string, string | undefined>>;
  /** The content, or a part of it. For a problem the code, and further members where they matter. */
  readonly content?: unknown;
  /** What is stored afterwards. Default: what was. */
  readonly after?: unknown;
}

/** The titles of rows and the rows. */
export type PatchTable = Readonly<Record<string, PatchRow>>;

/**
 * Runs every row over a real socket.
 *
 * @param openStore - gives a row a store in which nothing is at the key of `resource`
 * @param over - Express 5 and Express 4, where nothing else is said
 */
export function describePatches(
  title: string,
  table: PatchTable,
  openStore: () => ResourceStore | Promise<ResourceStore>,
  over = frameworks,
): void {
  describe.each(over)(`${title} (%s)`, (_name, express) => {
    const rows = Object.entries(table).map(([title, row]) => ({ title, row }));
    test.each(rows)('$title', async ({ row }) => {
      const store = await openStore();
      const before = await storedAtFirst(store, row);
      const response = await answerTo(row, store, before, express);

      expect({ status: response.status, content: contentOf(response) }).toMatchObject({
        status: row.status,
        ...(row.content === undefined ? {} : { content: row.content }),
      });
      for (const [name, expected] of Object.entries(row.answers ?? {})) {
        expect([name, tagged(response.get(name), before)]).toEqual([name, expected]);
      }
      const after = await store.get('7');
      expect(after?.value ?? null).toEqual('after' in row ? row.after : (before?.value ?? null));
      if (response.status >= 400) {
        if (row.method !== 'HEAD') expect(response.type).toBe('application/problem+json');
        expect(after?.version).toBe(before?.version);
      }
    });
  });
}

/** What a row gets over a socket, from a store that holds `before` at the key of `resource`. */
export function answerTo(
  row: PatchRow,
  store: ResourceStore,
  before: Stored<unknown> | undefined,
  express: ExpressModule,
): Promise<supertest.Response> {
  return serving(appFor(row, store, express), (server) => send(supertest(server), row, before));
}

export async function storedAtFirst(
  store: ResourceStore,
  row: PatchRow,
): Promise<Stored<unknown> | undefined> {
  if (row.stored === null) return undefined;
  const written = await store.replace('7', null, row.stored ?? resource);
  return written !== undefined && 'value' in written ? written : undefined;
}

function appFor(row: PatchRow, store: ResourceStore, express: ExpressModule): Express {
  const app = express();
  const parsers = row.parsers ?? [jsonPatch(), mergePatch()];
  const options = { key: (req: PatchRequest) => req.params.id, ...row.options };
  if (row.behind !== undefined) app.use(row.behind(express));
  if (row.method === undefined) {
    app.patch('/things/:id', patchHandler(store, parsers, options as PatchHandlerOptions<unknown>));
    return app;
  }
  const thing = resourceOf(store, parsers, options);
  app.get('/things/:id', thing.get);
  app.put('/things/:id', thing.put);
  app.delete('/things/:id', thing.delete);
  return app;
}

async function send(
  client: ReturnType<typeof supertest>,
  row: PatchRow,
  before: Stored<unknown> | undefined,
): Promise<supertest.Response> {
  const { method = 'PATCH', path = '/things/7' } = row;
  const hasBody = method === 'PATCH' || method === 'PUT';
  const { type = method === 'PUT' ? 'application/json' : 'application/merge-patch+json' } = row;
  const { body = { title: 'Buy bread' } } = row;
  // Bytes as they are: superagent would write a Buffer under a JSON type as JSON.
  const name = method.toLowerCase() as 'get' | 'head' | 'put' | 'patch' | 'delete';
  const request = client[name](path).serialize((bytes) => bytes as string);
  if (hasBody && type !== null) request.set('Content-Type', type);
  const tag = before === undefined ? '' : entityTag(before);
  for (const [name, value] of Object.entries(row.headers ?? {}))
    request.set(name, value.replaceAll(PRESENT, tag));
  if (!hasBody) return request;
  const isBytes = typeof body === 'string' || Buffer.isBuffer(body);
  return request.send(Buffer.from(isBytes ? body : JSON.stringify(body)));
}

function contentOf(response: supertest.Response): unknown {
  return response.text ? response.body : undefined;
}

/** A field's value, the tags of before and after by their names. */
function tagged(value: string | undefined, before: Stored<unknown> | undefined): string | undefined {
  if (before !== undefined && value === entityTag(before)) return PRESENT;
  return value !== undefined && /^"[\x21\x23-\x7e]+"$/.test(value) ? NEW : value;
}
