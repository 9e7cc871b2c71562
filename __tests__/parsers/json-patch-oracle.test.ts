import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { applyJsonPatch } from '../../lib/parsers/json-patch';
import { formatPointer, parsePointer, valueAt } from '../../lib/parsers/json-pointer';
import { PatchError } from '../../lib/parsers/patch-error';
import { deepFreeze, jsonValue, memberName } from '../support/json-arbitraries';
import { knownFault, oracle } from '../support/json-patch-oracle';
import type { PatchOperation } from '../support/json-patch-oracle';

const runs = 100_000;

/** An operation before it is known to what document: the numbers choose among the places that it has. */
const draft = fc.record({
  op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'),
  path: fc.tuple(fc.nat(999), fc.nat(3), memberName),
  from: fc.tuple(fc.nat(999), fc.nat(7), memberName),
  value: jsonValue(1),
  holds: fc.nat(3),
});
type Draft = typeof draft extends fc.Arbitrary<infer T> ? T : never;

/** Every place in the document, as reference tokens. */
function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, child]) => placesIn(child, [...path, name]))];
}

/** Mostly a place that is there; else one below it, or beside it. */
function pointerInto(document: unknown, [place, twist, token]: Draft['path']): string {
  const places = placesIn(document);
  const tokens = places[place % places.length] ?? [];
  if (twist === 0) return formatPointer([...tokens, token]);
  if (twist === 1) return formatPointer([...tokens.slice(0, -1), token]);
  return formatPointer(tokens);
}

function operationOn(document: unknown, { op, path, from, value, holds }: Draft): PatchOperation {
  const pointer = pointerInto(document, path);
  switch (op) {
    case 'remove':
      return { op, path: pointer };
    case 'move':
    case 'copy':
      return { op, path: pointer, from: pointerInto(document, from) };
    case 'test': {
      const present = valueAt(document, parsePointer(pointer)?.tokens ?? []);
      return { op, path: pointer, value: holds === 0 ? value : (present ?? null) };
    }
    default:
      return { op, path: pointer, value };
  }
}

/** What came of it: the value in a list, or an empty list where it was refused with such an error. */
function outcome(apply: () => unknown, refusal: new (...parameters: never[]) => Error): unknown[] {
  try {
    return [apply()];
  } catch (error) {
    if (error instanceof refusal) return [];
    throw error;
  }
}

/** As a plain condition: half a million calls of `expect` would take longer than all else. */
function insist(condition: boolean, ...told: unknown[]): void {
  if (!condition) throw new Error(told.map((part) => JSON.stringify(part)).join('\n'));
}

// Every third operation is refused, and nobody reads where.
beforeAll(() => {
  Error.stackTraceLimit = 0;
});

test(`${runs} random patches: what npm's rfc6902 makes of them, but for its known faults`, () => {
  const seen = { taken: 0, refused: 0, faults: new Set<string>() };

  fc.assert(
    fc.property(jsonValue(4), fc.array(draft, { minLength: 1, maxLength: 6 }), (document, drafts) => {
      deepFreeze(document);
      const taken: PatchOperation[] = [];
      let current = document;
      for (const step of drafts) {
        const operation = deepFreeze(operationOn(current, step));
        const ours = outcome(() => applyJsonPatch(current, [operation]), PatchError);
        const theirs = outcome(() => oracle(current, [operation]), Error);
        const fault = ours.length < theirs.length ? knownFault(current, operation) : undefined;
        if (fault !== undefined) seen.faults.add(fault);
        else insist(isDeepStrictEqual(ours, theirs), { current, operation, ours, theirs });

        if (ours.length > 0) {
          seen.taken++;
          taken.push(operation);
          current = deepFreeze(ours[0]);
        } else {
          seen.refused++;
          const midway = outcome(() => applyJsonPatch(document, [...taken, operation]), PatchError);
          insist(midway.length === 0, 'taken after others', { document, taken, operation });
        }
      }
      // All that was taken, as one patch, whose operations meet the containers that those before them made; and again.
      for (const time of ['first', 'second']) {
        const whole = applyJsonPatch(document, taken);
        insist(isDeepStrictEqual(whole, current), { time, document, taken, current, whole });
      }
    }),
    { numRuns: runs },
  );

  expect(seen.faults.size).toBe(2);
  expect(seen.taken).toBeGreaterThan(runs);
  expect(seen.refused).toBeGreaterThan(runs / 2);
});
