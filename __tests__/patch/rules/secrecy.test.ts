/** Random values, masks and patches of every format: what a client may not change stays, and no answer depends on what is hidden. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { formatPointer, parsePointer } from '../../../lib/json/pointer';
import { isEqualJson, isJsonObject } from '../../../lib/json/value';
import { jsonPatch } from '../../../lib/formats/json-patch';
import { mergePatch } from '../../../lib/formats/merge-patch';
import type { PatchParser } from '../../../lib/formats/patch-parser';
import type { PatchHandlerOptions } from '../../../lib/patch/options/handler-options';
import { patchHandler } from '../../../lib/patch/patch-handler';
import { MemoryStore } from '../../../lib/stores/memory/memory-store';
import { times } from '../../support/deep-scale';
import { fc } from '../../support/properties';

const replaceAll: PatchParser = {
  mediaType: 'application/json',
  parse: (document) => () => JSON.parse(document.toString()) as unknown,
};
const parsers = [jsonPatch(), mergePatch(), replaceAll];

/** What the client is answered, but for what names the version. */
async function answerTo(
  stored: unknown,
  options: PatchHandlerOptions<unknown>,
  { mediaType, document }: { mediaType: string; document: unknown },
) {
  const store = new MemoryStore();
  await store.replace('1', null, stored);
  const handler = patchHandler(store, parsers, { key: () => '1', respond: 'representation', ...options });
  const req = Object.assign(new IncomingMessage(new Socket()), {
    ...{ method: 'PATCH', url: '/1', originalUrl: '/1', baseUrl: '', params: {} },
    headers: { 'content-type': mediaType },
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
  const { etag, ...headers } = res.getHeaders();
  const answer = JSON.stringify([res.statusCode, headers, typeof etag, body]);
  return { answer, status: res.statusCode, after: (await store.get('1'))?.value };
}

const name = fc.constantFrom('a', 'b', 'c', '0', '__proto__');
const { value: json } = fc.letrec<{ value: unknown }>((tie) => ({
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
const patch = fc.oneof(
  fc.record({
    mediaType: fc.constant('application/json-patch+json'),
    document: fc.array(operation, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({ mediaType: fc.constant('application/merge-patch+json'), document: json }),
  fc.record({ mediaType: fc.constant('application/json'), document: json }),
);
const stored = fc.dictionary(name, json, { minKeys: 1, maxKeys: 5 });
const mask = fc.array(pointer, { minLength: 1, maxLength: 2 });

const tokensOf = (text: string): readonly string[] => parsePointer(text)?.tokens ?? [];

/** The member at the pointer, through objects alone. */
function memberAt(value: unknown, text: string): unknown {
  return tokensOf(text).reduce<unknown>(
    (found, token) => (isJsonObject(found) && Object.hasOwn(found, token) ? found[token] : undefined),
    value,
  );
}

/** The value with another in the place of each hidden member that it has. */
function withOther(value: unknown, hidden: readonly string[], other: unknown): unknown {
  const copy: unknown = structuredClone(value);
  for (const text of hidden) {
    const tokens = tokensOf(text);
    const above = memberAt(copy, formatPointer(tokens.slice(0, -1)));
    const last = tokens.at(-1) ?? '';
    if (isJsonObject(above) && Object.hasOwn(above, last)) {
      Object.defineProperty(above, last, {
        value: structuredClone(other),
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
  }
  return copy;
}

/** Whether the values are equal but for what is at or below the pointers, as plainly as it can be said. */
function isSameBeside(
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

const runs = { numRuns: times(1_000, 50_000) };

test('hidden members are what they were, and no answer depends on them', async () => {
  let changed = 0;
  const property = fc.asyncProperty(stored, mask, json, patch, async (value, hidden, other, sent) => {
    const ours = await answerTo(value, { hidden }, sent);
    for (const text of hidden)
      expect(isEqualJson(memberAt(ours.after, text), memberAt(value, text))).toBe(true);
    const theirs = await answerTo(withOther(value, hidden, other), { hidden }, sent);
    expect(theirs.answer).toBe(ours.answer);
    if (ours.status === 200 && !isEqualJson(ours.after, value)) changed++;
  });
  await fc.assert(property, runs);
  // Worth nothing unless some patches are applied.
  expect(changed).toBeGreaterThan(runs.numRuns / 100);
});

/** A patch that writes at one of the pointers, where the value has what is above it. */
const aimedAt = (pointers: readonly string[]) =>
  fc.tuple(fc.constantFrom(...pointers), json).chain(([path, value]) =>
    fc.constantFrom(
      { mediaType: 'application/json-patch+json', document: [{ op: 'add', path, value }] },
      {
        mediaType: 'application/merge-patch+json',
        document: tokensOf(path).reduceRight((inner: unknown, token) => ({ [token]: inner }), value),
      },
    ),
  );

test('nothing that is not writable changes', async () => {
  let changed = 0;
  const masked = mask.chain((writable) =>
    fc.tuple(fc.constant(writable), fc.oneof(patch, aimedAt(writable))),
  );
  const property = fc.asyncProperty(stored, masked, async (value, [writable, sent]) => {
    const { after } = await answerTo(value, { writable }, sent);
    expect(isSameBeside(value, after, writable)).toBe(true);
    if (!isEqualJson(after, value)) changed++;
  });
  await fc.assert(property, runs);
  expect(changed).toBeGreaterThan(runs.numRuns / 20);
});
