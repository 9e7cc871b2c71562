import { memberOf } from '../../prototype-pollution';
import { frozenJson } from '../contract/frozen-json';
import type { Stored } from '../contract/resource-store';

/** A state that is given to many: its value is deeply frozen, and its Date made anew for each. */
export class SharedState<T> {
  readonly #version: string;
  readonly #modified: number | undefined;
  /** Undefined once the value is read, so that the engine's text of it can go. */
  #found: Stored<T> | undefined;
  #value: T | undefined;

  /** @param value - that of `found`, where it is at hand and deeply frozen */
  constructor(found: Stored<T>, value?: T) {
    this.#version = found.version;
    this.#modified = memberOf(found, 'modified')?.getTime();
    this.#found = value === undefined ? found : undefined;
    this.#value = value;
  }

  /** The value, where it has been read. */
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

  /** Not before it is asked for: a 304 needs the version alone, and a megabyte takes its time. */
  #read(): T {
    if (this.#found !== undefined) {
      this.#value = frozenJson(this.#found.value);
      this.#found = undefined;
    }
    return this.#value as T;
  }
}
