/** So many names are compared one by one, which is cheaper than a Set of them. */
const few = 8;

/** The member names of one object, to find out whether one stands there twice. */
export class MemberNames {
  readonly #few: string[] = [];
  #all: Set<string> | undefined;

  /** @returns false where the name is there already */
  add(name: string): boolean {
    if (this.#all === undefined) {
      if (this.#few.includes(name)) return false;
      if (this.#few.length < few) {
        this.#few.push(name);
        return true;
      }
      this.#all = new Set(this.#few.map(hashed));
    }
    const size = this.#all.size;
    return this.#all.add(hashed(name)).size > size;
  }
}

/**
 * A name that V8 hashes by all of its characters, with a secret seed. It hashes array indices by their value, so that a
 * Set of chosen ones would be a single chain. What begins with the quotation mark gets one too, to be told apart.
 */
function hashed(name: string): string {
  return startsAsIndex.test(name) ? `"${name}` : name;
}

const startsAsIndex = /^[0-9"]/;
