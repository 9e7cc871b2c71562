/** Random values, masks and patches of every format: what a client may not change stays, and no answer depends on what is hidden. */
import { formatPointer, parsePointer } from '../../../lib/json/pointer';
import { isEqualJson, isJsonObject } from '../../../lib/json/value';
import { times } from '../../support/deep-scale';
import { fc } from '../../support/properties';
import { answerTo, isSameBeside, json, mask, patch, stored } from './random-patches';

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

const runs = { numRuns: times(250, 50_000) };

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

test('write-only members are what they were or what was sent, and no answer depends on what they were', async () => {
  let set = 0;
  const property = fc.asyncProperty(stored, mask, json, patch, async (value, writeOnly, other, sent) => {
    const ours = await answerTo(value, { writeOnly }, sent);
    const elsewhere = withOther(value, writeOnly, other);
    const theirs = await answerTo(elsewhere, { writeOnly }, sent);
    expect(theirs.answer).toBe(ours.answer);
    for (const text of writeOnly) {
      const [before, after] = [memberAt(value, text), memberAt(ours.after, text)];
      if (isEqualJson(after, before)) continue;
      // It is what was sent, so it is the same in both.
      expect(after).toEqual(memberAt(theirs.after, text));
      set++;
    }
  });
  await fc.assert(property, runs);
  expect(set).toBeGreaterThan(runs.numRuns / 200);
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
