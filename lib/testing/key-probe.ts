import { strict as assert } from 'node:assert';
import { inspect, types } from 'node:util';
import type {
  FoundState,
  ReadContext,
  StoreContext,
  Stored,
  WriteContext,
} from '../stores/contract/resource-store';
import type { ConformingStore } from './store-under-test';

type Read = [context?: ReadContext];
/**
 * The state that a write is conditional on, a version that no state has, or null if there must be no
 * resource.
 */
type Condition = Stored<unknown> | string | null;
type Write = [on: Condition, next: unknown, context?: WriteContext];

/** One instance of the store under test. */
export interface ProbedStore {
  /** The store, made to hold every JSON value. */
  readonly store: ConformingStore;
  /** The store without its carrier: it holds values in its own form. */
  readonly bare: ConformingStore;
  /** Whether `replace` can create. If not, every key from the options has a resource. */
  readonly creates: boolean;
  /** Whether the keys have a special form, so that other keys need not be stored. */
  readonly hasOwnKeys: boolean;
  readonly nextKey: () => Promise<string>;
}

/** A key in one instance of the store, with assertions about it. */
export class KeyProbe {
  readonly store: ConformingStore;

  constructor(
    private readonly probed: ProbedStore,
    readonly key: string,
  ) {
    this.store = probed.store;
  }

  get creates(): boolean {
    return this.probed.creates;
  }

  /** This key in the store without its carrier. */
  get bare(): KeyProbe {
    return new KeyProbe({ ...this.probed, store: this.probed.bare }, this.key);
  }

  /** Any other key in the same instance. */
  at(key: string): KeyProbe {
    return new KeyProbe(this.probed, key);
  }

  /** An unused key in the same instance that the store can hold. */
  async another(): Promise<KeyProbe> {
    return this.at(await this.probed.nextKey());
  }

  get(...read: Read): Promise<Stored<unknown> | undefined> {
    return this.store.get(this.key, ...read);
  }

  /** @returns the state that was written; undefined if nothing was written */
  async replace(...[on, next, context]: Write): Promise<Stored<unknown> | undefined> {
    const [expected, withCurrent] = toExpected(on, context);
    const result = await this.store.replace(this.key, expected, next, withCurrent);
    return result === undefined || isFound(result) ? undefined : result;
  }

  /** Only for cases that need `deletes`. */
  async delete(on?: Stored<unknown> | string, context?: StoreContext): Promise<boolean | undefined> {
    const [expected, withCurrent] = toExpected(on, context);
    const result = await this.store.delete?.(this.key, expected, withCurrent);
    return isFound(result) ? false : result;
  }

  /** Stores the first value of a case: creates the resource, or replaces the existing one. */
  async start(value: unknown, context?: WriteContext): Promise<Stored<unknown>> {
    return this.writes(this.creates ? null : await this.readExisting(), value, context);
  }

  /** The state before a case writes, if the store does not create. */
  async readExisting(): Promise<Stored<unknown>> {
    const stored = await this.get();
    if (stored !== undefined) return stored;
    assert.fail(
      `The option key returned ${printShort(this.key)}, but get found nothing. ` +
        'With { creates: false }, return keys of existing resources.',
    );
  }

  /** Creates the resource; undefined if the store cannot hold the key. */
  async createIfStorable(value: unknown): Promise<Stored<unknown> | undefined> {
    try {
      return await this.replace(null, value);
    } catch (thrown) {
      // A store may refuse an invented key with an error instead of 404.
      if (this.probed.hasOwnKeys && [409, 422].includes(Number(readStatus(thrown)))) return undefined;
      throw thrown;
    }
  }

  async present(...read: Read): Promise<Stored<unknown>> {
    const stored = await this.get(...read);
    return stored ?? assert.fail(`${this.describe('get', read, stored)} found something`);
  }

  async holds(value: unknown, ...read: Read): Promise<Stored<unknown>> {
    const stored = await this.present(...read);
    assertSameJson(stored.value, value);
    return stored;
  }

  async isAt(state: Stored<unknown>): Promise<void> {
    const present = await this.present();
    assert.equal(present.version, state.version);
    if (state.version === undefined) assertSameJson(present.value, state.value);
  }

  async isAbsent(): Promise<void> {
    const stored = await this.get();
    if (stored !== undefined) assert.fail(`${this.describe('get', [], stored)} found nothing`);
  }

  /** Asserts which outcome is stored under an id. */
  async outcomeIs(id: string, text: string | undefined): Promise<void> {
    const read = { outcome: { id } };
    const stored = await this.get(read);
    if (stored?.outcome === text) return;
    assert.fail(`${this.describe('get', [read], stored)} found the outcome ${printShort(text)}`);
  }

  /** Calls `replace`, which must write. */
  async writes(...write: Write): Promise<Stored<unknown>> {
    const stored = await this.replace(...write);
    return stored ?? assert.fail(`${this.describe('replace', write, stored)} written`);
  }

  /** Calls `replace`, which must write nothing. */
  async refuses(...write: Write): Promise<void> {
    const stored = await this.replace(...write);
    if (stored !== undefined) assert.fail(`${this.describe('replace', write, stored)} written nothing`);
  }

  /** Calls `replace`, which must throw, and resolves with the error. */
  throws(...write: Write): Promise<unknown> {
    return this.replace(...write).then(
      (stored) => assert.fail(`${this.describe('replace', write, stored)} thrown`),
      (thrown: unknown) => thrown,
    );
  }

  private describe(method: string, beside: readonly unknown[], result: unknown): string {
    const args = [this.key, ...beside].map(printShort).join(', ');
    return `${method}(${args}) returned ${printShort(result)}, but should have`;
  }
}

/**
 * The arguments for a condition: a store with versions compares them, and a store without versions gets its
 * state back.
 */
function toExpected<E extends string | null | undefined, C extends StoreContext>(
  on: Stored<unknown> | E,
  context: C | undefined,
): [expected: string | E, context: C | undefined] {
  return isState(on) ? [on.version ?? '', { ...context, current: on } as unknown as C] : [on, context];
}

function isState(on: unknown): on is Stored<unknown> {
  return typeof on === 'object' && on !== null;
}

export function isFound(result: unknown): result is FoundState<unknown> {
  return typeof result === 'object' && result !== null && 'current' in result && !('value' in result);
}

/** The time of a state; undefined if it has none. */
export function readModified({ modified }: Stored<unknown>): Date | undefined {
  const isValid = modified === undefined || (types.isDate(modified) && !Number.isNaN(modified.getTime()));
  assert.ok(isValid, `modified is ${printShort(modified)}, but should be a valid Date, or left out`);
  return modified;
}

/**
 * Asserts equal values with the same order of members, whatever their prototypes. -0 equals 0, as the
 * contract allows.
 */
export function assertSameJson(actual: unknown, expected: unknown): void {
  if (!isSameJson(actual, expected))
    assert.fail(`${printShort(expected)} was read back as ${printShort(actual)}`);
}

export function isSameJson(actual: unknown, expected: unknown): boolean {
  return toComparableText(actual) === toComparableText(expected);
}

/** A text for comparisons. Columns beside the text of a carrier can be BigInts, which JSON does not have. */
export function toComparableText(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? `${member}n` : member));
}

export function assertProblem(thrown: unknown, expected: { status: number; code: string }): void {
  const { status, code } = Object(thrown) as Partial<typeof expected>;
  assert.deepEqual({ status, code }, expected, String(thrown));
}

export function readStatus(thrown: unknown): unknown {
  return Reflect.get(Object(thrown) as object, 'status');
}

export function printShort(value: unknown): string {
  return inspect(value, { breakLength: Infinity, getters: true, maxArrayLength: 5, maxStringLength: 100 });
}
