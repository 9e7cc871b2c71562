/** The state of a resource when it was last read or written. */
export interface Resource<T = unknown> {
  /** The value, frozen. */
  readonly value: T;
  /** The entity tag of the value, in its strong form. */
  readonly etag: string;
}

/** The maximum number of cached resources, and of characters of their JSON. */
const limits = { resources: 100, characters: 10_000_000 };

interface Entry {
  readonly resource: Resource;
  readonly characters: number;
}

/** An If-Match that was answered with 412, and the ETag of that. */
interface Refused {
  readonly condition: string;
  readonly tag: string | null;
  /** Whether GET has returned the tag of If-Match since then. */
  isRead?: boolean;
}

/** Resources by URL. The least recently used are dropped first. */
export class ResourceCache {
  readonly #entries = new Map<string, Entry>();
  #characters = 0;
  readonly #refused = new Map<string, Refused>();
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

  /** Notes a GET, by the If-Match for its tag. */
  noteRead(url: string, condition: string): void {
    const last = this.#refused.get(url);
    if (last?.condition === condition) last.isRead = true;
    else this.#refused.delete(url);
  }

  /**
   * Notes the answer to a write.
   *
   * @param tag - the ETag of a 412, null if it has none; undefined for any other answer
   * @returns whether the write before was refused in the same way, although GET has returned the tag since then
   */
  noteWrite(url: string, condition: string, tag: string | null | undefined): boolean {
    const last = this.#refused.get(url);
    const isSame = last?.condition === condition && last.tag === tag;
    if (isSame) return last.isRead === true;
    this.#refused.delete(url);
    if (this.#refused.size === limits.resources) this.#refused.clear();
    if (tag !== undefined) this.#refused.set(url, { condition, tag });
    return false;
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
