/** Random values, masks and patches of every format, and what becomes of them in process. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { formatPointer } from '../../../lib/json/pointer';
import { isEqualJson, isJsonObject } from '../../../lib/json/value';
import { jsonPatch } from '../../../lib/patch/formats/json-patch';
import { mergePatch } from '../../../lib/patch/formats/merge-patch';
import type { PatchParser } from '../../../lib/patch/formats/patch-parser';
import { resource } from '../../../lib/patch/resource/resource';
import type { ResourceOptions } from '../../../lib/patch/resource/resource-options';
import { MemoryStore } from '../../../lib/stores/memory/memory-store';
import { fc } from '../../support/properties';

const replaceAll: PatchParser = {
  mediaType: 'application/json',
  parse: (document) => () => JSON.parse(document.toString()) as unknown,
};
const parsers = [jsonPatch(), mergePatch({ allowRootReplacement: true }), replaceAll];

export interface SentDocument {
  readonly method?: 'PATCH' | 'PUT';
  readonly mediaType: string;
  readonly document: unknown;
}

/** What the client is answered, but for what names the version. */
export async function answerTo(
  stored: unknown,
  options: ResourceOptions<unknown>,
  { method = 'PATCH', mediaType, document }: SentDocument,
  headers: Readonly<Record<string, string>> = {},
) {
  const store = new MemoryStore();
  await store.replace('1', null, stored);
  const { patch, put } = resource(store, parsers, { key: () => '1', respond: 'representation', ...options });
  const handler = method === 'PUT' ? put : patch;
  const req = Object.assign(new IncomingMessage(new Socket()), {
    ...{ method, url: '/1', originalUrl: '/1', baseUrl: '', params: {} },
    headers: { 'content-type': mediaType, ...headers },
    body: Buffer.from(JSON.stringify(document)),
  });
  Object.defineProperty(req, 'readableDidRead', { value: true });
  const res = new ServerResponse(req);
  const body = await new Promise<unknown>((resolve, reject) => {
    res.end = (content?: unknown) => {
      resolve(content);
      return res;
    };
    handler(req, res, reject);
  });
  const { etag, ...others } = res.getHeaders();
  const answer = JSON.stringify([res.statusCode, others, typeof etag, body]);
  return { answer, status: res.statusCode, after: (await store.get('1'))?.value };
}

const name = fc.constantFrom('a', 'b', 'c', '0', '__proto__');
export const { value: json } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(0, 1, 'x', true, null),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }),
  ),
}));
const pointer = fc.array(name, { minLength: 1, maxLength: 3 }).map(formatPointer);
const place = fc.oneof({ weight: 9, arbitrary: pointer }, fc.constant(''));
const operation = fc.oneof(
  fc.record({ op: fc.constantFrom('add', 'replace', 'test'), path: place, value: json }),
  fc.record({ op: fc.constant('remove'), path: pointer }),
  fc.record({ op: fc.constantFrom('move', 'copy'), path: place, from: place }),
);
export const patch = fc.oneof(
  fc.record({
    mediaType: fc.constant('application/json-patch+json'),
    document: fc.array(operation, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({ mediaType: fc.constant('application/merge-patch+json'), document: json }),
  fc.record({ mediaType: fc.constant('application/json'), document: json }),
);
export const stored = fc.dictionary(name, json, { minKeys: 1, maxKeys: 5 });
export const mask = fc.array(pointer, { minLength: 1, maxLength: 2 });

/** Whether the values are equal but for what is at or below the pointers, as plainly as it can be said. */
export function isSameBeside(
  before: unknown,
  after: unknown,
  writable: readonly string[],
  at: string[] = [],
): boolean {
  if (writable.some((text) => text === formatPointer(at))) return true;
  if (isJsonObject(before) && isJsonObject(after)) {
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].every((key) => {
      const [old, next] = [before, after].map((value) =>
        Object.hasOwn(value, key) ? value[key] : undefined,
      );
      return isSameBeside(old, next, writable, [...at, key]);
    });
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return before.every((old, i) => isSameBeside(old, after[i], writable, [...at, String(i)]));
  }
  return isEqualJson(before, after);
}
