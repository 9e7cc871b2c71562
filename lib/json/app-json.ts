import { sayNotJson, toJson } from './to-json';

/**
 * A value that your app has made is not JSON: for example, it contains NaN, a BigInt or itself. `pointer` is its
 * place. Nothing was written.
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
