/** What a resource was when it was last read or written: its value, frozen, and its strong entity tag. */
export interface Resource<T = unknown> {
  readonly value: T;
  readonly etag: string;
}

/** What is kept at most: so many resources, and so many characters of their JSON. */
const most = { resources: 100, characters: 10_000_000 };

interface Kept {
  readonly resource: Resource;
  readonly characters: number;
}

/** Resources by URL, as they were last seen. Those that were not asked for the longest go first. */
export class Memory {
  readonly #kept = new Map<string, Kept>();
  #characters = 0;
  /** Counts how often all was forgotten: what was asked for before is not to be remembered after. */
  #era = 0;

  get era(): number {
    return this.#era;
  }

  find(url: string): Resource | undefined {
    const kept = this.#kept.get(url);
    if (kept === undefined) return undefined;
    this.#kept.delete(url);
    this.#kept.set(url, kept);
    return kept.resource;
  }

  keep(url: string, resource: Resource, characters: number, era: number): void {
    this.#drop(url);
    if (era !== this.#era || characters > most.characters) return;
    this.#kept.set(url, { resource, characters });
    this.#characters += characters;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= most.resources && this.#characters <= most.characters) break;
      this.#drop(oldest);
    }
  }

  /** All of them, where no URL is given. */
  forget(url?: string): void {
    this.#era++;
    if (url !== undefined) {
      this.#drop(url);
      return;
    }
    this.#kept.clear();
    this.#characters = 0;
  }

  #drop(url: string): void {
    this.#characters -= this.#kept.get(url)?.characters ?? 0;
    this.#kept.delete(url);
  }
}
