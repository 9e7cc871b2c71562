/** The state of a resource when it was last read or written. */
export interface Resource<T = unknown> {
  /** The value, frozen. */
  readonly value: T;
  /** The strong entity tag of the value. */
  readonly etag: string;
}

/** The maximum number of cached resources, and of characters of their JSON. */
const limits = { resources: 100, characters: 10_000_000 };

interface Entry {
  readonly resource: Resource;
  readonly characters: number;
}

/** Resources by URL. The least recently used are dropped first. */
export class ResourceCache {
  readonly #entries = new Map<string, Entry>();
  #characters = 0;
  /** Counts the calls of `forget`. */
  #calls = 0;
  #allForgotten = 0;
  readonly #forgotten = new Map<string, number>();

  /**
   * Changes when a resource is forgotten: a response to a request that was sent before must not be cached
   * after it.
   */
  generation(url: string): number {
    return this.#forgotten.get(url) ?? this.#allForgotten;
  }

  find(url: string): Resource | undefined {
    const entry = this.#entries.get(url);
    if (entry === undefined) return undefined;
    this.#entries.delete(url);
    this.#entries.set(url, entry);
    return entry.resource;
  }

  keep(url: string, resource: Resource, characters: number, generation: number): void {
    this.drop(url);
    if (generation !== this.generation(url) || characters > limits.characters) return;
    this.#entries.set(url, { resource, characters });
    this.#characters += characters;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= limits.resources && this.#characters <= limits.characters) break;
      this.drop(oldest);
    }
  }

  /** Drops one resource or, without a URL, all of them. */
  forget(url?: string): void {
    this.#calls++;
    if (url === undefined || this.#forgotten.size === limits.resources) {
      // Nothing that is under way is cached any more, whatever its URL, so few URLs need to be remembered.
      this.#forgotten.clear();
      this.#allForgotten = this.#calls;
    }
    if (url === undefined) {
      this.#entries.clear();
      this.#characters = 0;
    } else {
      this.#forgotten.set(url, this.#calls);
      this.drop(url);
    }
  }

  /** Drops the state of a resource that is known to have another. */
  drop(url: string): void {
    this.#characters -= this.#entries.get(url)?.characters ?? 0;
    this.#entries.delete(url);
  }
}
