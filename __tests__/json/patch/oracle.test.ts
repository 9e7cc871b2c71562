import { isDeepStrictEqual } from 'node:util';
import { applyJsonPatch } from '../../../lib/json/patch/apply-json-patch';
import { JsonError } from '../../../lib/json/json-error';
import { fc } from '../../support/properties';
import { deepFreeze, jsonValue } from './json-arbitraries';
import {
  operationDraft,
  type OperationDraft,
  operationOn,
  type PatchOperation,
} from './operation-arbitraries';
import { knownFault, oracle } from './oracle';
import { times } from '../../support/deep-scale';

const runs = times(250, 500_000);

const draft = operationDraft('add', 'remove', 'replace', 'move', 'copy', 'test');

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

/** What is random meets the first fault once in 700 patches: it has to come in the first tests, too. */
const meetingFaults: [document: unknown, drafts: OperationDraft[]][] = [
  [{ a: 'text' }, [{ op: 'test', path: [1, 0, '0'], from: [0, 2, ''], value: 't', holds: false }]],
  [[1], [{ op: 'replace', path: [0, 0, 'a'], from: [0, 2, ''], value: 2, holds: false }]],
];

test("random patches: what npm's rfc6902 makes of them, but for its known faults", () => {
  const seen = { taken: 0, refused: 0, faults: new Set<string>() };

  fc.assert(
    fc.property(jsonValue(4), fc.array(draft, { minLength: 1, maxLength: 6 }), (document, drafts) => {
      deepFreeze(document);
      const taken: PatchOperation[] = [];
      let current = document;
      for (const step of drafts) {
        const operation = deepFreeze(operationOn(current, step));
        const ours = outcome(() => applyJsonPatch(current, [operation]), JsonError);
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
          const midway = outcome(() => applyJsonPatch(document, [...taken, operation]), JsonError);
          insist(midway.length === 0, 'taken after others', { document, taken, operation });
        }
      }
      // All that was taken, as one patch, whose operations meet the containers that those before them made; and again.
      for (const time of ['first', 'second']) {
        const whole = applyJsonPatch(document, taken);
        insist(isDeepStrictEqual(whole, current), { time, document, taken, current, whole });
      }
    }),
    { numRuns: runs, examples: meetingFaults },
  );

  expect(seen.faults.size).toBe(2);
  expect(seen.taken).toBeGreaterThan(runs);
  expect(seen.refused).toBeGreaterThan(runs / 2);
});
