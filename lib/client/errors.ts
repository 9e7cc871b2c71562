import type { Conflict } from './conflict';

/** What all errors of the client have in common: `code` stays the same when messages are reworded. */
export abstract class ClientError extends Error {
  abstract readonly code: string;
}

/** A mistake in the options of `resourceClient`, or in what one of its methods was given. */
export class ArgumentError extends ClientError {
  override readonly name = 'ArgumentError';
  /**
   * `'option-unknown'`, `'option-type'` or `'option-value'`; `'url-invalid'`; `'precondition-unknown'`: nothing was read of
   * the resource, and no entity tag given; `'recipe-invalid'`: a recipe is asynchronous, or has changed its draft and
   * returned another value too; `'value-not-json'`: what is to be sent is nothing that JSON can write.
   */
  readonly code: ArgumentErrorCode;

  constructor(code: ArgumentErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** What is wrong with an argument or an option: the `code` of an `ArgumentError`. */
export type ArgumentErrorCode =
  | 'option-unknown'
  | 'option-type'
  | 'option-value'
  | 'url-invalid'
  | 'precondition-unknown'
  | 'recipe-invalid'
  | 'value-not-json';

/** No answer came, however often the request was sent within `timeout`. The `cause` is the last failure. */
export class ConnectionError extends ClientError {
  override readonly name = 'ConnectionError';
  readonly code = 'connection-failed';
  /** Whether the server may have carried the request out all the same. */
  readonly uncertain: boolean;

  constructor(method: string, url: string, uncertain: boolean, cause: unknown) {
    const rest = uncertain ? ' It may have been carried out all the same.' : '';
    super(
      `No answer to ${method} ${url} came in time.${rest} In a browser, its console says whether CORS kept the answer from the page.`,
      { cause },
    );
    this.uncertain = uncertain;
  }
}

/** The entity tag of an answer is missing, weak, or not the one that the server compares. */
export class EntityTagError extends ClientError {
  override readonly name = 'EntityTagError';

  constructor(
    readonly code: 'entity-tag-missing' | 'entity-tag-weak' | 'entity-tag-mismatch',
    message: string,
  ) {
    super(message);
  }
}

/** A success whose content is not JSON, as a login page or a proxy sends it. */
export class ContentError extends ClientError {
  override readonly name = 'ContentError';
  readonly code = 'content-not-json';
  /** Whether the request was one for a change: then that may have been made. */
  readonly uncertain: boolean;

  constructor(method: string, url: string, contentType: string | null, uncertain: boolean) {
    const what = contentType === null || contentType === '' ? 'of no type that it names' : contentType;
    super(`The answer to ${method} ${url} is ${what}, and not JSON. Look who has answered.`);
    this.uncertain = uncertain;
  }
}

/** Three states of a resource that do not go together. */
export interface ThreeStates<T = unknown> {
  /** What the change was made from. */
  readonly base: T;
  readonly mine: T;
  /** What the resource is now. */
  readonly theirs: T;
}

/** `save` met a change of somebody else in the same place, and there is no `onConflict` that decides. Nothing was written. */
export class ConflictError<T = unknown> extends ClientError implements Conflict<T> {
  override readonly name = 'ConflictError';
  readonly code = 'conflict';
  readonly base: T;
  readonly mine: T;
  readonly theirs: T;
  /** JSON Pointers into `base` to where both have changed it. */
  readonly paths: readonly string[];
  /** What both have changed, in one value; in the places of `paths` it is mine. */
  readonly withMine: T;
  /** The same, but in the places of `paths` it is theirs. */
  readonly withTheirs: T;

  constructor({ base, mine, theirs, paths, withMine, withTheirs }: Conflict<T>) {
    const places = paths.slice(0, 5).map((path) => JSON.stringify(path));
    const more = paths.length > 5 ? ', …' : '';
    super(
      `Somebody else has changed the same: ${places.join(', ')}${more}. Give onConflict, or let a person decide.`,
    );
    this.base = base;
    this.mine = mine;
    this.theirs = theirs;
    this.paths = paths;
    this.withMine = withMine;
    this.withTheirs = withTheirs;
  }
}

/**
 * An answer was lost, and then the resource was another: whether by this change or by that of somebody else cannot be told.
 * With an Idempotency-Key the server can tell: see the option `idempotency`.
 */
export class UncertainError extends ClientError {
  override readonly name = 'UncertainError';
  readonly code = 'uncertain';
  /** What the change was made from; undefined where that was never read. */
  readonly base: unknown;
  /** What was sent; undefined for `remove`. */
  readonly mine: unknown;
  /** What the resource is now; undefined where it is gone, or could not be read. */
  readonly theirs: unknown;

  constructor({ base, mine, theirs }: ThreeStates, cause?: unknown) {
    super(
      'An answer was lost, and the resource has changed since: by this request or by another. Compare mine and theirs.',
      cause === undefined ? {} : { cause },
    );
    this.base = base;
    this.mine = mine;
    this.theirs = theirs;
  }
}
