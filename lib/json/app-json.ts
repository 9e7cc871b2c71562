import { sayNotJson, toJson } from './to-json';

/**
 * Thrown for a value of the app that JSON cannot hold: it contains a BigInt or itself, or nests too deep; where
 * handlers and `change` read it, also NaN, a Map and the like, which `JSON.stringify` would change.
 */
export class NotJsonError extends TypeError {
  override readonly name = 'NotJsonError';
  readonly code = 'PATCH_OPTIONS_NOT_JSON';
  /** The JSON Pointer of what is not JSON, if it is known. */
  readonly pointer: string | undefined;

  constructor(message: string, { pointer, ...options }: ErrorOptions & { readonly pointer?: string } = {}) {
    super(message, options);
    this.pointer = pointer;
  }
}

/**
 * A value that a function of the app has made, as JSON: see `toJson`.
 *
 * @param subject - names it in messages
 * @param known - a JSON value: parts that both values share in the same place are not checked again
 * @throws NotJsonError
 */
export function readAppJson(value: unknown, subject: string, known?: unknown): unknown {
  const refuse = (what: string, pointer: string) =>
    new NotJsonError(sayNotJson(subject, what, pointer), { pointer });
  return toJson(value, refuse, known);
}
