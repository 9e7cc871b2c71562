import { createHash } from 'node:crypto';
import { notAwaited } from '../../app-callbacks';
import { noOptions } from '../../prototype-pollution';
import { parseStructuredString } from '../../http/structured-string';
import { originForm } from '../../http/target-path';
import type { Format } from '../../parsers/format-table';
import type { ChosenFormat } from '../../request/format';
import { keyMalformed, keyRequired } from './problems';
import type { OutcomeBounds, PatchHandlerOptions } from '../options/handler-options';
import type { PatchRequest } from '../../request/routed-request';

/** A request's idempotency key, as stores are told of it: the request is carried out once under `id`. */
export interface IdempotencyKey {
  /** A hash of the scope and of what the client sent. */
  readonly id: string;
  /** A hash of what the option gave. */
  readonly scope: string;
  readonly keep: number;
  readonly total: number;
  readonly maxAge: number;
}

/** The same with what tells this request from another that comes under its key. */
export interface IdempotentRequest extends IdempotencyKey {
  readonly fingerprint: string;
}

type IdempotencyOptions = Pick<PatchHandlerOptions<unknown>, 'idempotency' | 'outcomes' | 'scope'>;

/**
 * Makes the function that reads a request's Idempotency-Key; undefined where it has none, or none is asked for.
 *
 * @param ofStore - what is kept where the options say nothing
 * @throws ProblemError 400
 */
export function idempotencyKeyReader(
  { idempotency, outcomes, scope = () => '' }: IdempotencyOptions,
  ofStore?: OutcomeBounds,
): (req: PatchRequest) => IdempotencyKey | undefined {
  if (idempotency === undefined) return () => undefined;
  const bounds = outcomeBounds(outcomes, ofStore);

  return (req) => {
    const field = req.headers['idempotency-key']?.toString();
    if (field === undefined) {
      if (idempotency === 'required') throw keyRequired();
      return undefined;
    }
    const key = parseStructuredString(field);
    // An empty string is well-formed, and tells no request from another.
    if (key === undefined || key === '') throw keyMalformed();
    const whose = textOf(notAwaited(scope(req)));
    return { id: digest([whose, key]), scope: digest([whose]), ...bounds };
  };
}

/** With the defaults filled in: the store's, where it has any. */
export function outcomeBounds(given: OutcomeBounds = noOptions, ofStore: OutcomeBounds = noOptions) {
  const { keep = ofStore.keep ?? 1_000, maxAge = ofStore.maxAge ?? 86_400 } = given;
  const { total = Math.max(keep, ofStore.total ?? keep * 10) } = given;
  return { keep, total, maxAge };
}

/** A scope that is none would let users meet in one that nobody meant: better a fault, before anything is done. */
function textOf(scope: unknown): string {
  if (typeof scope === 'string') return scope;
  throw new TypeError('The option scope gave no string. Return one that names whose keys these are.');
}

/**
 * All of a request that decides what it does, and nothing that merely decides how it is answered, as Prefer does
 * (RFC 7240 2). The URI stands as the client wrote it: two URIs of one resource are two targets.
 */
export function fingerprint(req: PatchRequest, format: ChosenFormat<Format>, document: Buffer): string {
  const { headers } = req;
  // Of the charsets, those that are taken mean the same.
  const parameters = Object.entries(format.parameters).filter(([name]) => name !== 'charset');
  return digest(
    [
      req.method,
      // A proxy may have written the target in absolute form (RFC 9112 3.2).
      originForm(req.originalUrl),
      format.mediaType,
      ...parameters.sort(([a], [b]) => (a < b ? -1 : 1)),
      headers['if-match'],
      headers['if-none-match'],
      headers['if-unmodified-since'],
    ],
    document,
  );
}

/** As JSON, so that no two lists are one text. */
function digest(parts: readonly unknown[], document: Buffer | string = ''): string {
  return createHash('sha256').update(JSON.stringify(parts)).update(document).digest('base64url');
}
