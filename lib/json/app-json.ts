import { sayNotJson, toJson } from './to-json';

/**
 * A value from your app is not JSON: for example, it contains NaN, a BigInt or itself. `pointer` is the place
 * of the mistake. Nothing was written.
 */
export class NotJsonError extends TypeError {
  override readonly name = 'NotJsonError';
  readonly code = 'PATCH_OPTIONS_NOT_JSON';
  /** The JSON Pointer of the part that is not JSON, if it is known. */
  readonly pointer: string | undefined;

  constructor(message: string, { pointer, ...options }: ErrorOptions & { readonly pointer?: string } = {}) {
    super(message, options);
    this.pointer = pointer;
  }
}

/**
 * A value that a function of the app has returned, as JSON: see `toJson`.
 *
 * @param subject - the name of the value in messages
 * @param known - a JSON value: parts that both values share at the same place are not checked again
 * @throws NotJsonError
 */
export function readAppJson(value: unknown, subject: string, known?: unknown): unknown {
  const refuse = (what: string, pointer: string) =>
    new NotJsonError(sayNotJson(subject, what, pointer), { pointer });
  return toJson(value, refuse, known);
}
