import { strict as assert } from 'node:assert';
import { inspect } from 'node:util';
import type { ReadContext, Stored, WriteContext } from '../stores/contract/resource-store';
import type { ConformingStore } from './store-under-test';

type Read = [context?: ReadContext];
type Write = [expected: string | null, next: unknown, context?: WriteContext];

/** A key in one instance of the store, and assertions about it that say what the store did. */
export class KeyProbe {
  constructor(
    readonly store: ConformingStore,
    readonly key: string,
  ) {}

  /** Another key in the same instance. */
  beside(end: string): KeyProbe {
    return new KeyProbe(this.store, this.key + end);
  }

  get(...read: Read): Promise<Stored<unknown> | undefined> {
    return this.store.get(this.key, ...read);
  }

  replace(...write: Write): Promise<Stored<unknown> | undefined> {
    return this.store.replace(this.key, ...write);
  }

  /** In a case that needs `deletes`, where the store has it. */
  async delete(expected?: string): Promise<void> {
    await this.store.delete?.(this.key, expected);
  }

  async present(...read: Read): Promise<Stored<unknown>> {
    const found = await this.get(...read);
    assert.ok(found, `${this.told('get', read, found)} found something`);
    return found;
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
    assert.ok(found === undefined, `${this.told('get', [], found)} found nothing`);
  }

  /** The text that is kept under an id. */
  async outcomeIs(id: string, text: string | undefined): Promise<void> {
    const read = { outcome: { id } };
    const found = await this.get(read);
    assert.ok(found?.outcome === text, `${this.told('get', [read], found)} found the outcome ${shown(text)}`);
  }

  /** `replace`, where it has to write. */
  async writes(...write: Write): Promise<Stored<unknown>> {
    const made = await this.replace(...write);
    assert.ok(made, `${this.told('replace', write, made)} written`);
    return made;
  }

  /** `replace`, where it has to write nothing. */
  async refuses(...write: Write): Promise<void> {
    const made = await this.replace(...write);
    assert.ok(made === undefined, `${this.told('replace', write, made)} written nothing`);
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
  const isSame = JSON.stringify(actual) === JSON.stringify(expected);
  assert.ok(isSame, `${shown(expected)} came back as ${shown(actual)}`);
}

export function assertProblem(thrown: unknown, expected: { status: number; code: string }): void {
  const { status, code } = Object(thrown) as Partial<typeof expected>;
  assert.deepEqual({ status, code }, expected, String(thrown));
}

function shown(value: unknown): string {
  return inspect(value, { breakLength: Infinity, maxArrayLength: 5, maxStringLength: 100 });
}
