import { randomUUID } from 'node:crypto';
import { ProblemError } from '../../lib/http/problem';
import type { ConformingStore } from '../../lib/testing';
import type { MemoryStore } from '../../lib/stores/memory/memory-store';
import type {
  ReadContext,
  VersionedState,
  StoreContext,
  WriteContext,
} from '../../lib/stores/contract/resource-store';

type Found = VersionedState<unknown> | undefined;

/** For a store that awaits before it writes: the caller can modify the value meanwhile. */
const copy = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** The least that a store can be. */
export class TwoMethods implements ConformingStore {
  constructor(protected readonly engine: MemoryStore) {}

  get(key: string, context?: ReadContext): Promise<Found> {
    return this.engine.get(key, context);
  }

  replace(key: string, expected: string | null, next: unknown, context?: WriteContext): Promise<Found> {
    return this.engine.replace(key, expected, next, context);
  }
}

/** A store over another, right in everything: each of those below does one thing wrong. */
export class Right extends TwoMethods {
  delete(key: string, expected?: string, context?: StoreContext): Promise<boolean> {
    return this.engine.delete(key, expected, context);
  }
}

export class WritesWhateverTheVersion extends Right {
  override async replace(key: string, _: string | null, next: unknown, context?: StoreContext) {
    const value = copy(next);
    const present = await this.engine.get(key);
    return this.engine.replace(key, present?.version ?? null, value, context);
  }
}

export class CreatesForAnyVersion extends Right {
  override async replace(key: string, expected: string | null, next: unknown, context?: StoreContext) {
    const value = copy(next);
    const present = await this.engine.get(key);
    return this.engine.replace(key, present === undefined ? null : expected, value, context);
  }
}

export class CreatesOverWhatIsThere extends Right {
  override async replace(key: string, expected: string | null, next: unknown, context?: StoreContext) {
    const value = copy(next);
    if (expected === null) await this.engine.delete(key);
    return this.engine.replace(key, expected, value, context);
  }
}

export class TrimsVersions extends Right {
  override replace(key: string, expected: string | null, next: unknown, context?: StoreContext) {
    return this.engine.replace(key, expected === null ? null : expected.trim(), next, context);
  }
}

export class FoldsLetterCaseOfVersions extends Right {
  override replace(key: string, expected: string | null, next: unknown, context?: StoreContext) {
    return this.engine.replace(key, expected === null ? null : expected.toLowerCase(), next, context);
  }
}

/** As where versions are put together as text. */
export const creating = (absent: string) =>
  class extends Right {
    override replace(key: string, expected: string | null, next: unknown, context?: StoreContext) {
      return this.engine.replace(key, expected === absent ? null : expected, next, context);
    }
  };

export class ComparesFirstAndWritesLater extends Right {
  override async replace(key: string, expected: string | null, next: unknown, context?: StoreContext) {
    const value = copy(next);
    const present = await this.engine.get(key, context);
    if ((present?.version ?? null) !== expected) return undefined;
    await new Promise(setImmediate);
    const now = await this.engine.get(key);
    return this.engine.replace(key, now?.version ?? null, value, context);
  }
}

export class RemembersWhatItRead extends Right {
  readonly #seen = new Map<string, VersionedState<unknown>>();

  override async get(key: string, context?: StoreContext) {
    const found = this.#seen.get(key) ?? (await super.get(key, context));
    if (found !== undefined) this.#seen.set(key, found);
    return found;
  }

  override async replace(key: string, expected: string | null, next: unknown, context?: StoreContext) {
    const made = await super.replace(key, expected, next, context);
    if (made !== undefined) this.#seen.set(key, made);
    return made;
  }

  override delete(key: string, expected?: string, context?: StoreContext) {
    this.#seen.delete(key);
    return super.delete(key, expected, context);
  }
}

/** Keeps what it is given in a map of its own, and makes the versions that the subclass says. */
abstract class OwnMap implements ConformingStore {
  static kept = new Map<string, VersionedState<unknown>>();

  protected abstract version(key: string, next: unknown): string;

  protected copy(value: unknown): unknown {
    return copy(value);
  }

  get(key: string, context?: StoreContext): Promise<Found> {
    return new Promise((resolve) => {
      context?.signal?.throwIfAborted();
      const found = OwnMap.kept.get(key);
      resolve(found && { ...found, value: this.copy(found.value) });
    });
  }

  replace(key: string, expected: string | null, next: unknown, context?: StoreContext): Promise<Found> {
    return new Promise((resolve) => {
      context?.signal?.throwIfAborted();
      const isAt = (OwnMap.kept.get(key)?.version ?? null) === expected;
      if (!isAt) {
        resolve(undefined);
        return;
      }
      const made = { value: this.copy(next), version: this.version(key, next) };
      OwnMap.kept.set(key, made);
      resolve({ ...made, value: this.copy(next) });
    });
  }

  delete(key: string, expected?: string, context?: StoreContext): Promise<boolean> {
    return new Promise((resolve) => {
      context?.signal?.throwIfAborted();
      const isAt = expected === undefined || OwnMap.kept.get(key)?.version === expected;
      resolve(isAt && OwnMap.kept.delete(key));
    });
  }
}

export class HashesTheValue extends OwnMap {
  protected version(_: string, next: unknown) {
    return JSON.stringify(next);
  }
}

export class CountsFromOneAgain extends OwnMap {
  protected version(key: string) {
    return String(Number(OwnMap.kept.get(key)?.version ?? 0) + 1);
  }
}

export class KeepsTheCallersObject extends OwnMap {
  protected version() {
    return randomUUID();
  }

  protected override copy(value: unknown) {
    return value;
  }
}

/** As a file of all resources does: reads all, changes one and writes all. Those who write one key do so in turn. */
export class WritesAllThatItHasRead extends OwnMap {
  static readonly #turns = new Map<string, Promise<Found>>();

  protected version() {
    return randomUUID();
  }

  override replace(...write: Parameters<OwnMap['replace']>) {
    const [key, expected, next, context] = write;
    const value = copy(next);
    const ahead = WritesAllThatItHasRead.#turns.get(key) ?? Promise.resolve(undefined);
    const inTurn = async () => {
      const all = new Map(OwnMap.kept);
      await new Promise(setImmediate);
      OwnMap.kept = all;
      return super.replace(key, expected, value, context);
    };
    const turn = ahead.then(inTurn, inTurn);
    WritesAllThatItHasRead.#turns.set(key, turn);
    return turn;
  }
}

/** Writes values as the given function does, and not as JSON. */
export const writing = (write: (value: unknown) => unknown) =>
  class extends OwnMap {
    protected version() {
      return randomUUID();
    }

    protected override copy(value: unknown): unknown {
      return write(copy(value));
    }
  };

export const onText = (change: (text: string) => string) =>
  writing((value) => JSON.parse(change(JSON.stringify(value))));

/** Takes one key for another. */
export const folding = (fold: (key: string) => string) =>
  class extends Right {
    override get(key: string, context?: StoreContext) {
      return super.get(fold(key), context);
    }

    override replace(key: string, expected: string | null, next: unknown, context?: StoreContext) {
      return super.replace(fold(key), expected, next, context);
    }

    override delete(key: string, expected?: string, context?: StoreContext) {
      return super.delete(fold(key), expected, context);
    }
  };

export class TrustsTheStateThatTheCallerHasRead extends Right {
  override async replace(key: string, expected: string | null, next: unknown, context?: WriteContext) {
    if (context?.current === undefined) return super.replace(key, expected, next, context);
    const value = copy(next);
    const present = await this.engine.get(key, context);
    return this.engine.replace(key, present?.version ?? null, value, context);
  }
}

export class TakesAnyReadStateForOutdated extends Right {
  override async replace(key: string, expected: string | null, next: unknown, context?: WriteContext) {
    return context?.current ? undefined : super.replace(key, expected, next, context);
  }
}

/** As where a connection is awaited, and the value serialised for it. */
export class CopiesTheValueLater extends Right {
  override async replace(key: string, expected: string | null, next: unknown, context?: WriteContext) {
    await new Promise(setImmediate);
    return super.replace(key, expected, next, context);
  }
}

export class CopiesTheValueLaterAtCreation extends CopiesTheValueLater {
  override async replace(key: string, expected: string | null, next: unknown, context?: WriteContext) {
    const value = expected === null ? next : copy(next);
    return super.replace(key, expected, value, context);
  }
}

export class ReturnsWhatWasThereBefore extends Right {
  override async replace(key: string, expected: string | null, next: unknown, context?: StoreContext) {
    const value = copy(next);
    const before = await this.engine.get(key);
    const made = await this.engine.replace(key, expected, value, context);
    return made && { ...made, value: before?.value ?? made.value };
  }
}

export class DeletesWhateverTheVersion extends Right {
  override delete(key: string, _?: string, context?: StoreContext) {
    return this.engine.delete(key, undefined, context);
  }
}

export class SaysNothingOfDelete extends Right {
  override async delete(key: string, expected?: string, context?: StoreContext) {
    await super.delete(key, expected, context);
    return true;
  }
}

export class LooksBeforeItDeletes extends Right {
  override async delete(key: string, expected?: string, context?: StoreContext) {
    const current = await this.engine.get(key, context);
    if (current === undefined || (expected ?? current.version) !== current.version) return false;
    await new Promise(setImmediate);
    await this.engine.delete(key);
    return true;
  }
}

export class DeletesWhatItHasLookedAt extends Right {
  override async delete(key: string, expected?: string, context?: StoreContext) {
    const current = await this.engine.get(key, context);
    if (current === undefined || (expected ?? current.version) !== current.version) return false;
    await new Promise(setImmediate);
    return this.engine.delete(key);
  }
}

/** Compares the versions of deletions as the given function folds them. */
export const deletingBy = (fold: (version: string) => string) =>
  class extends Right {
    override async delete(key: string, expected?: string, context?: StoreContext) {
      const current = await this.engine.get(key, context);
      if (current === undefined || expected === undefined) return super.delete(key, expected, context);
      const isAt = fold(expected) === fold(current.version);
      return super.delete(key, isAt ? current.version : expected, context);
    }
  };

export class TakesAnEmptyVersionForAny extends Right {
  override delete(key: string, expected?: string, context?: StoreContext) {
    return super.delete(key, expected === '' ? undefined : expected, context);
  }
}

/** A store with `fit`: right by default. */
export const fitting = ({
  fit = (value: unknown): unknown => value,
  complete = (value: unknown): unknown => value,
  refuses = false,
}: {
  readonly fit?: (value: unknown) => unknown;
  readonly complete?: (value: unknown) => unknown;
  readonly refuses?: boolean;
} = {}) =>
  class extends Right {
    complete(_key: string, next: unknown): unknown {
      return complete(next);
    }
    fit(_key: string, next: unknown): unknown {
      if (refuses) throw new ProblemError(422, 'invalid-result', 'It does not fit.');
      return fit(next);
    }
  };

export const accepting = (accept: (value: unknown) => unknown) =>
  class extends Right {
    accept(_key: string, next: unknown): unknown {
      return accept(next);
    }
  };

/** Has keys of no more bytes of UTF-8. */
export const holdingUpTo = (bytes: number) =>
  class extends Right {
    override async replace(key: string, expected: string | null, next: unknown, context?: StoreContext) {
      return Buffer.byteLength(key) > bytes ? undefined : super.replace(key, expected, next, context);
    }
  };

export class TellsTheTimeToReadersAlone extends Right {
  override async replace(key: string, expected: string | null, next: unknown, context?: StoreContext) {
    const made = await super.replace(key, expected, next, context);
    return made && { value: made.value, version: made.version };
  }
}

/** Tells other times than the engine does. */
export const telling = (timeOf: (key: string, time: number) => number) =>
  class extends Right {
    override async get(key: string, context?: ReadContext) {
      return this.#told(key, await super.get(key, context));
    }

    override async replace(key: string, expected: string | null, next: unknown, context?: StoreContext) {
      return this.#told(key, await super.replace(key, expected, next, context));
    }

    #told(key: string, found: Found): Found {
      return found && { ...found, modified: new Date(timeOf(key, found.modified?.getTime() ?? 0)) };
    }
  };

/** The first time that was told of a key. */
export function ofCreation() {
  const times = new Map<string, number>();
  return (key: string, time: number) => times.get(key) ?? (times.set(key, time), time);
}

export class IgnoresTheSignal extends Right {
  override replace(key: string, expected: string | null, next: unknown) {
    return this.engine.replace(key, expected, next);
  }
}

export class IgnoresTheSignalOfDeletions extends Right {
  override delete(key: string, expected?: string) {
    return this.engine.delete(key, expected);
  }
}

export class DeletesWhatWasAborted extends Right {
  override async delete(key: string, expected?: string, context?: StoreContext) {
    const deleted = await this.engine.delete(key, expected);
    context?.signal?.throwIfAborted();
    return deleted;
  }
}

export class WritesWhatWasAborted extends Right {
  override async replace(key: string, expected: string | null, next: unknown, context?: StoreContext) {
    const made = await this.engine.replace(key, expected, next);
    context?.signal?.throwIfAborted();
    return made;
  }
}

export class TakesAnySignalForAborted extends Right {
  override replace(key: string, expected: string | null, next: unknown, context?: StoreContext) {
    return context?.signal ? Promise.resolve(undefined) : this.engine.replace(key, expected, next);
  }
}

export class RefusesSizeAsAFault extends Right {
  override replace(key: string, expected: string | null, next: unknown, context?: StoreContext) {
    const isOver = Buffer.byteLength(JSON.stringify(next)) > (context?.maxBytes ?? Infinity);
    return isOver ? Promise.reject(new Error('too long')) : super.replace(key, expected, next, context);
  }
}

export class CountsCodeUnits extends Right {
  override replace(key: string, expected: string | null, next: unknown, context?: StoreContext) {
    const isOver = JSON.stringify(next).length > (context?.maxBytes ?? Infinity);
    const error = Object.assign(new Error('too long'), { status: 413, code: 'limit-result' });
    return isOver ? Promise.reject(error) : super.replace(key, expected, next, context);
  }
}

export class RefusesSizeAtTheLimit extends Right {
  override replace(key: string, expected: string | null, next: unknown, context?: StoreContext) {
    const isOver = Buffer.byteLength(JSON.stringify(next)) >= (context?.maxBytes ?? Infinity);
    const error = Object.assign(new Error('too long'), { status: 413, code: 'limit-result' });
    return isOver ? Promise.reject(error) : super.replace(key, expected, next, context);
  }
}

export class RefusesSizeTooLate extends Right {
  override async replace(key: string, expected: string | null, next: unknown, context?: StoreContext) {
    const made = await super.replace(key, expected, next, context);
    const isOver = Buffer.byteLength(JSON.stringify(next)) > (context?.maxBytes ?? Infinity);
    if (isOver) throw Object.assign(new Error('too long'), { status: 413, code: 'limit-result' });
    return made;
  }
}

export class AcknowledgesKeysThatItCannotHold extends Right {
  override async replace(key: string, expected: string | null, next: unknown, context?: StoreContext) {
    const made = await super.replace(key, expected, next, context);
    return made ?? (expected === null && key.includes('\0') ? { value: next, version: 'none' } : undefined);
  }
}

export class ThrowsForKeysThatItCannotHold extends Right {
  override get(key: string, context?: StoreContext) {
    return key.includes('\0') ? Promise.reject(new Error('22021')) : super.get(key, context);
  }
}

export class ForgetsTheEmptyKey extends Right {
  override get(key: string, context?: StoreContext) {
    return key === '' ? Promise.resolve(undefined) : super.get(key, context);
  }
}

/** The text with the members of every object in the order of their names. */
export function sortMembers(text: string): string {
  return JSON.stringify(JSON.parse(text), (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

/** The text with strings of the form of a date cut to the day. */
export function dateStrings(text: string): string {
  return text.replaceAll(/(\d{4}-\d\d-\d\d)T[^"]*/g, '$1');
}

/** The text with the names of members normalized. */
export function normalizeNames(text: string): string {
  return text.replaceAll(/"[^"]*":/g, (name) => name.normalize());
}

/** The value with every string changed. */
export const mapStrings = (change: (text: string) => string) => (value: unknown) =>
  JSON.parse(JSON.stringify(value), (_, member: unknown) =>
    typeof member === 'string' ? change(member) : member,
  ) as unknown;

/** The value without what nests deeper. */
export function cutBelow(levels: number, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return null;
  const cut = (member: unknown) => cutBelow(levels - 1, member);
  if (Array.isArray(value)) return value.map(cut);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cut(member)]));
}
