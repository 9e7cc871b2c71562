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

/** The last 412 to If-Match; or `'agreed'`, after GET and writes have used the same tag. */
type Comparison = Refused | 'agreed';

interface Refused {
  readonly condition: string;
  /** The ETag of the 412; null if it has none. */
  readonly tag: string | null;
  /** Whether GET has returned the tag of If-Match since then. */
  isRead: boolean;
}

/** Resources by URL. The least recently used are dropped first. */
export class ResourceCache {
  readonly #entries = new Map<string, Entry>();
  #characters = 0;
  readonly #comparisons = new Map<string, Comparison>();
  /** Counts the calls of `forget`. */
  #calls = 0;
  #allForgotten = 0;
  readonly #forgotten = new Map<string, number>();

  /**
   * A number that changes when a resource is forgotten: the response to a request that was sent before that
   * must not be cached.
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

  /** Records the tag that GET returned, in the form in which If-Match sends it. */
  noteRead(url: string, condition: string): void {
    const last = this.#comparisons.get(url);
    if (typeof last !== 'object') return;
    if (last.condition === condition) last.isRead = true;
    else if (last.tag !== null && condition.includes(last.tag)) this.#comparisons.set(url, 'agreed');
  }

  /**
   * Records that If-Match was true, or that the answer was a 412 with this tag.
   *
   * @returns whether If-Match will always fail: it has failed in the same way before, and GET has returned
   *   its tag again in between. False after GET and writes have used the same tag: then a state has come
   *   back, such as the state of a switch whose tag is made of its content
   */
  noteMatch(url: string, condition: string, tag: string | null | undefined): boolean {
    const last = this.#comparisons.get(url);
    if (last === 'agreed') return false;
    if (last?.condition === condition && last.tag === tag) {
      const isAgain = last.isRead;
      last.isRead = false;
      return isAgain;
    }
    if (this.#comparisons.size === limits.resources) this.#comparisons.clear();
    this.#comparisons.set(url, tag === undefined ? 'agreed' : { condition, tag, isRead: false });
    return false;
  }

  /** Drops one resource or, without a URL, all of them. */
  forget(url?: string): void {
    this.#calls++;
    if (url === undefined || this.#forgotten.size === limits.resources) {
      // No response to a request in progress is cached any more, whatever its URL, so the remembered URLs can
      // be dropped.
      this.#forgotten.clear();
      this.#allForgotten = this.#calls;
    }
    if (url === undefined) {
      this.#entries.clear();
      this.#comparisons.clear();
      this.#characters = 0;
    } else {
      this.#forgotten.set(url, this.#calls);
      this.drop(url);
    }
  }

  /** Drops the state of a resource that is known to be in another one. */
  drop(url: string): void {
    this.#characters -= this.#entries.get(url)?.characters ?? 0;
    this.#entries.delete(url);
  }
}
