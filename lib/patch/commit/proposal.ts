import { falsePrecondition } from '../../http/check-preconditions';
import type { Validators } from '../../http/preconditions';
import type { ReturnPreference } from '../../http/prefer';
import type { Patch } from '../../parsers/patch-parser';
import type { Proposal } from './commit';
import type { ChosenFormat } from '../request/format';
import type { Stored } from '../../stores/contract/resource-store';
import type { PatchRequest } from '../options/handler-options';
import { targetNotFound } from '../problems';
import type { PatchSettings } from '../options/settings';

interface PatchInput<T> {
  readonly req: PatchRequest;
  readonly format: ChosenFormat<T>;
  readonly document: Buffer;
  /** What the answer is to hold. */
  readonly wanted: ReturnPreference;
}

/**
 * What `commit` asks for each state that it meets. RFC 9110 13.2.1: preconditions are judged only where the answer would
 * otherwise be a success, but before the content is processed. So 404 comes before them, and a malformed patch after.
 */
export function proposer<T>(
  settings: PatchSettings<T>,
  { req, format, document, wanted }: PatchInput<T>,
): (current: Stored<T> | undefined) => Promise<Proposal<T>> {
  const { limits, initial, rules, represent, validatorsOf } = settings;
  let patch: Patch<T> | undefined;

  return async (current) => {
    const base = current === undefined ? await initial?.(req) : current.value;
    if (base === undefined) throw targetNotFound();

    const validators = (): Validators | undefined => current && validatorsOf(current);
    const refusal = falsePrecondition(req, validators, settings);
    if (refusal !== undefined) throw refusal;

    patch ??= format.parser.parse(document, { limits, parameters: format.parameters, request: req });
    const next = await rules(patch(base), current?.value, base, req);
    const content = wanted === 'representation' ? jsonOf(await represent(next, req)) : undefined;
    return { before: current, next, content };
  };
}

function jsonOf(representation: unknown): string {
  const text: unknown = JSON.stringify(representation);
  if (typeof text === 'string') return text;
  throw new TypeError('The option represent gave nothing that JSON can write. Return a value, or null.');
}
