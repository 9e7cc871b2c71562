import { createHash } from 'node:crypto';
import { notAwaited } from '../../config/unawaited';
import { noOptions } from '../../config/prototype-pollution';
import { parseStructuredString } from '../../http/structured-string';
import { originForm } from '../../http/target-path';
import type { Format } from '../formats/format-table';
import type { ChosenFormat } from '../content-type';
import { keyMalformed, keyRequired } from './problems';
import type { OutcomeBounds, PatchHandlerOptions } from '../options/handler-options';
import type { PatchRequest } from '../../http/routed-request';

/** The idempotency key of a request, as stores receive it: the request is carried out once under `id`. */
export interface IdempotencyKey {
  /** A hash of the scope and the client's key. */
  readonly id: string;
  /** A hash of what the option `scope` returned. */
  readonly scope: string;
  readonly keep: number;
  readonly total: number;
  readonly maxAge: number;
}

/** An idempotency key with a fingerprint of its request, to detect reuse of the key. */
export interface IdempotentRequest extends IdempotencyKey {
  readonly fingerprint: string;
}

type IdempotencyOptions = Pick<PatchHandlerOptions<unknown>, 'idempotency' | 'outcomes' | 'scope'>;

/**
 * Makes the function that reads the Idempotency-Key of a request. It gives undefined if there is none, or if
 * the option is off.
 *
 * @throws ProblemError 400
 */
export function idempotencyKeyReader({
  idempotency,
  outcomes,
  scope = () => '',
}: IdempotencyOptions): (req: PatchRequest) => IdempotencyKey | undefined {
  if (idempotency === undefined) return () => undefined;
  const bounds = outcomeBounds(outcomes);

  return (req) => {
    const field = req.headers['idempotency-key']?.toString();
    if (field === undefined) {
      if (idempotency === 'required') throw keyRequired();
      return undefined;
    }
    const key = parseStructuredString(field);
    // An empty string is well-formed, but identifies no request.
    if (key === undefined || key === '') throw keyMalformed();
    const whose = checkScope(notAwaited(scope(req)));
    return { id: digest([whose, key]), scope: digest([whose]), ...bounds };
  };
}

/** Fills in the defaults. */
export function outcomeBounds(bounds: OutcomeBounds = noOptions) {
  const { keep = 150, total = Math.max(500, keep), maxAge = 300 } = bounds;
  return { keep, total, maxAge };
}

/** Without a string, users would share one scope by mistake, so it is an error before anything is done. */
function checkScope(scope: unknown): string {
  if (typeof scope === 'string') return scope;
  throw new TypeError(
    `The option scope returned a value of type ${typeof scope}. Return a string, such as the id of the user.`,
  );
}

/**
 * A hash of everything in a request that affects its result, and of nothing that affects only the answer,
 * such as Prefer (RFC 7240 2). The URI counts as the client wrote it: two URIs of one resource are two
 * targets.
 */
export function fingerprint(req: PatchRequest, format: ChosenFormat<Format>, document: Buffer): string {
  const { headers } = req;
  // All accepted charsets mean the same.
  const parameters = Object.entries(format.parameters).filter(([name]) => name !== 'charset');
  return digest(
    [
      req.method,
      // A proxy can send the target in absolute form (RFC 9112 3.2).
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

/** Hashes the parts as JSON, so that different lists never give the same text. */
function digest(parts: readonly unknown[], document: Buffer | string = ''): string {
  return createHash('sha256').update(JSON.stringify(parts)).update(document).digest('base64url').slice(0, 22);
}
