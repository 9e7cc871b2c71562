import { memberOf } from '../../prototype-pollution';
import { frozenJson } from '../contract/frozen-json';
import type { Stored } from '../contract/resource-store';

/** A state that many callers share: its value is deeply frozen, and each caller gets its own Date. */
export class SharedState<T> {
  readonly #version: string;
  readonly #modified: number | undefined;
  /** Undefined once the value has been read, so that the engine's text can be garbage-collected. */
  #found: Stored<T> | undefined;
  #value: T | undefined;

  /** @param value - the value of `found`, if it is already known and deeply frozen */
  constructor(found: Stored<T>, value?: T) {
    this.#version = found.version;
    this.#modified = memberOf(found, 'modified')?.getTime();
    this.#found = value === undefined ? found : undefined;
    this.#value = value;
  }

  /** The value, if it has been read. */
  get frozen(): T | undefined {
    return this.#value;
  }

  stored(): Stored<T> {
    const read = (): T => this.#read();
    const stored = {
      get value() {
        return read();
      },
      version: this.#version,
    };
    return this.#modified === undefined
      ? stored
      : Object.assign(stored, { modified: new Date(this.#modified) });
  }

  /** Parsed on first use: a 304 needs only the version, and parsing a megabyte takes time. */
  #read(): T {
    if (this.#found !== undefined) {
      this.#value = frozenJson(this.#found.value);
      this.#found = undefined;
    }
    return this.#value as T;
  }
}
