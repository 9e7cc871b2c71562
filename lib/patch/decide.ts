import { falsePrecondition } from '../http/check-preconditions';
import type { Validators } from '../http/preconditions';
import { isEqualJson } from '../json/value';
import { parsePatch } from '../formats/parse-patch';
import type { Patch, PatchParser } from '../formats/patch-parser';
import type { Stored } from '../stores/contract/resource-store';
import { unreadableMembers } from '../stores/contract/unreadable';
import type { PatchRequest } from '../request/routed-request';
import type { PatchSettings } from './options/settings';
import { notPermitted, targetNotFound } from './problems';
import type { ChosenFormat } from '../request/format';
import type { Change, Proposal, Replay } from './commit';

/** The value to be written. */
export interface Replacement<T> extends Proposal<T> {
  readonly next: T;
}

/** Whether the change leaves the resource as it is; the order of members does not count (RFC 8259 4). */
export function isUnchanged<T>({ before, next }: Replacement<T>): boolean {
  return before !== undefined && unreadableMembers(before) === undefined && isEqualJson(next, before.value);
}

interface DocumentSent<T, Outcome> {
  readonly key: string;
  readonly req: PatchRequest;
  readonly format: ChosenFormat<PatchParser<T>>;
  readonly document: Buffer;
  /** Whether the document is the whole representation. */
  readonly isWhole: boolean;
  /** Finds the outcome of this request in a state, if it is a repeat. */
  readonly findReplay: (current: Stored<T> | undefined) => Replay<T, Outcome> | undefined;
}

/**
 * Makes the function that decides on each state, for a patch document or a whole representation.
 *
 * `may` comes first, because a client without access must learn nothing else. RFC 9110 13.2.1: preconditions count
 * only if the request would otherwise succeed, but before its content is processed. So 404 comes before them, and a
 * malformed document after.
 */
export function decider<T, Outcome>(
  settings: PatchSettings<T>,
  { key, req, format, document, isWhole, findReplay }: DocumentSent<T, Outcome>,
): Change<T, Replacement<T>, Outcome, unknown>['decide'] {
  const { limits, may, initial, hidden, states, rules, validatorsOf } = settings;
  let patch: Patch<T> | undefined;

  return async (current) => {
    const guardedValue = current && states.guard(current).value;
    if (may !== undefined && !(await may(req, guardedValue))) throw notPermitted(req.method);

    const replay = findReplay(current);
    if (replay !== undefined) return replay;

    const base = current === undefined ? await initial?.(req) : current.value;
    if (base === undefined) throw targetNotFound();

    const validators = (): Validators | undefined => current && validatorsOf(current);
    const refusal = falsePrecondition(req, validators, settings);
    if (refusal !== undefined) throw refusal;
    if (current !== undefined) {
      if (isWhole) states.assertReplaceable(current);
      else states.assertPatchable(current);
    }

    const { format: parser, mediaType, parameters } = format;
    const context = { limits, parameters, request: req, hidden: hidden.paths };
    patch ??= parsePatch(parser, mediaType, document, context);
    const visible = hidden.visible(base);
    const made = patch(visible);
    const next = await rules({ key, visible, made, base, current: current?.value, guardedValue, req });
    return { before: current, next };
  };
}
