import { strict as assert } from 'node:assert';
import { inspect } from 'node:util';
import type { ReadContext, Stored, WriteContext } from '../stores/contract/resource-store';
import type { ConformingStore } from './store-under-test';

type Read = [context?: ReadContext];
type Write = [expected: string | null, next: unknown, context?: WriteContext];

/** One instance of the store, as a case uses it. */
export interface ProbedStore {
  /** Holds JSON of every kind. */
  readonly store: ConformingStore;
  /** The same without a carrier: holds values of its own shape. */
  readonly bare: ConformingStore;
  /** Whether `replace` creates; otherwise every key that is given has a resource. */
  readonly creates: boolean;
  /** Whether it need not hold keys of any kind. */
  readonly hasOwnKeys: boolean;
  readonly nextKey: () => Promise<string>;
}

/** A key in one instance of the store, and assertions about it that say what the store did. */
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

  /** The same key for values of the store's own shape. */
  get bare(): KeyProbe {
    return new KeyProbe({ ...this.probed, store: this.probed.bare }, this.key);
  }

  /** Another key in the same instance, whatever the store makes of it. */
  at(key: string): KeyProbe {
    return new KeyProbe(this.probed, key);
  }

  /** Another key in the same instance that the store holds, and that no case has used. */
  async another(): Promise<KeyProbe> {
    return this.at(await this.probed.nextKey());
  }

  get(...read: Read): Promise<Stored<unknown> | undefined> {
    return this.store.get(this.key, ...read);
  }

  replace(...write: Write): Promise<Stored<unknown> | undefined> {
    return this.store.replace(this.key, ...write);
  }

  /** In a case that needs `deletes`, where the store has it. */
  async delete(expected?: string): Promise<boolean | undefined> {
    return this.store.delete?.(this.key, expected);
  }

  /** The value that a case begins with: created, or in place of what is there. */
  async start(value: unknown, context?: WriteContext): Promise<Stored<unknown>> {
    return this.writes(this.creates ? null : (await this.there()).version, value, context);
  }

  /** What is there before a case has written, where the store does not create. */
  async there(): Promise<Stored<unknown>> {
    const found = await this.get();
    if (found !== undefined) return found;
    assert.fail(
      `The option key gave ${shown(this.key)}, where get finds nothing. With { creates: false }, give the key of a resource that is there.`,
    );
  }

  /** Creates it, where the store holds the key: undefined where it writes nothing. */
  async createIfHeld(value: unknown): Promise<Stored<unknown> | undefined> {
    try {
      return await this.replace(null, value);
    } catch (thrown) {
      // To a client that makes up a key, a refusal that says why is as good as 404.
      if (this.probed.hasOwnKeys && [409, 422].includes(Number(statusOf(thrown)))) return undefined;
      throw thrown;
    }
  }

  async present(...read: Read): Promise<Stored<unknown>> {
    const found = await this.get(...read);
    return found ?? assert.fail(`${this.told('get', read, found)} found something`);
  }

  async holds(value: unknown, ...read: Read): Promise<Stored<unknown>> {
    const found = await this.present(...read);
    assertSameJson(found.value, value);
    return found;
  }

  async isAt(version: string): Promise<void> {
    assert.equal((await this.present()).version, version);
  }

  async isAbsent(): Promise<void> {
    const found = await this.get();
    if (found !== undefined) assert.fail(`${this.told('get', [], found)} found nothing`);
  }

  /** The text that is kept under an id. */
  async outcomeIs(id: string, text: string | undefined): Promise<void> {
    const read = { outcome: { id } };
    const found = await this.get(read);
    if (found?.outcome === text) return;
    assert.fail(`${this.told('get', [read], found)} found the outcome ${shown(text)}`);
  }

  /** `replace`, where it has to write. */
  async writes(...write: Write): Promise<Stored<unknown>> {
    const made = await this.replace(...write);
    return made ?? assert.fail(`${this.told('replace', write, made)} written`);
  }

  /** `replace`, where it has to write nothing. */
  async refuses(...write: Write): Promise<void> {
    const made = await this.replace(...write);
    if (made !== undefined) assert.fail(`${this.told('replace', write, made)} written nothing`);
  }

  /** `replace`, where it has to throw; resolves with what it throws. */
  throws(...write: Write): Promise<unknown> {
    return this.replace(...write).then(
      (made) => assert.fail(`${this.told('replace', write, made)} thrown`),
      (thrown: unknown) => thrown,
    );
  }

  private told(method: string, beside: readonly unknown[], result: unknown): string {
    const given = [this.key, ...beside].map(shown).join(', ');
    return `${method}(${given}) gave ${shown(result)}, and should have`;
  }
}

/** The same value with its members in the same order, whatever the prototypes. -0 is 0, as the contract allows. */
export function assertSameJson(actual: unknown, expected: unknown): void {
  assert.ok(isSameJson(actual, expected), `${shown(expected)} came back as ${shown(actual)}`);
}

export function isSameJson(actual: unknown, expected: unknown): boolean {
  return jsonOf(actual) === jsonOf(expected);
}

/** The columns beside a carrier's text may be integers that JSON does not have. */
function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? `${member}n` : member));
}

export function assertProblem(thrown: unknown, expected: { status: number; code: string }): void {
  const { status, code } = Object(thrown) as Partial<typeof expected>;
  assert.deepEqual({ status, code }, expected, String(thrown));
}

export function statusOf(thrown: unknown): unknown {
  return Reflect.get(Object(thrown) as object, 'status');
}

export function shown(value: unknown): string {
  return inspect(value, { breakLength: Infinity, getters: true, maxArrayLength: 5, maxStringLength: 100 });
}
