import { randomUUID } from 'node:crypto';
import type { ConformanceOptions, ConformingStore } from '../../lib/testing';
import type { Members } from '../../lib/testing/members';
import { ProblemError } from '../../lib';
import type { StoreContext, Stored, WriteContext } from '../../lib/stores/contract/resource-store';

export interface Row {
  readonly id: number;
  readonly slug: string;
  readonly title: string;
  readonly age: number | null;
  readonly email: string | null;
  /** Counted by the engine. */
  readonly changes: number;
  /** What clients are not shown. */
  readonly role: string;
  readonly version: string;
}

/** As engines have tables: with serial ids, a default for each column, a unique column, and a trigger. */
export class Table {
  readonly #rows: Row[] = [];
  #lastId = 0;

  find(isIt: (row: Row) => boolean): Row | undefined {
    return this.#rows.find(isIt);
  }

  insert(given: Partial<Row>): Row {
    const id = ++this.#lastId;
    const defaults = { id, slug: `row-${id}`, title: '', age: null, email: null, changes: 0, role: 'reader' };
    const row = { ...defaults, version: randomUUID(), ...given };
    this.#rows.push(row);
    return row;
  }

  update(row: Row, set: Partial<Row>): Row {
    const changed = { ...row, version: randomUUID(), ...set, changes: row.changes + 1 };
    this.#rows.splice(this.#rows.indexOf(row), 1, changed);
    return changed;
  }

  delete(row: Row): void {
    this.#rows.splice(this.#rows.indexOf(row), 1);
  }

  isTaken(email: string | null | undefined, by: Row | undefined): boolean {
    return this.#rows.some((row) => row !== by && typeof email === 'string' && row.email === email);
  }
}

export const refused = (what: string) => new ProblemError(422, 'invalid-result', `${what} is refused.`);

/** The columns of a row that is to be created under a key; undefined where none is. */
type Creation = (key: string) => Partial<Row> | undefined;

const isSlug = (key: string) => /^[a-z0-9-]{1,50}$/.test(key);

type Found = Promise<Stored<unknown> | undefined>;

/** Rows by their serial id, right in everything: each of those that extend it does one thing wrong. */
export class RowsById implements ConformingStore {
  readonly creates?: boolean = false;

  constructor(protected readonly table: Table) {}

  protected find(key: string): Row | undefined {
    return this.table.find(({ id }) => String(id) === key);
  }

  /** Undefined where nothing is to be created. */
  protected readonly creation: Creation = () => undefined;

  /** What is to be set. */
  protected columns(next: Members, row: Partial<Row>): Partial<Row> {
    for (const name of Object.keys(next)) this.checkMember(name, next, row);
    const { title, age, email } = next as Partial<Row>;
    return { title: this.fitTitle(String(title)), age: age ?? null, email: email ?? null };
  }

  protected checkMember(name: string, next: Members, row: Partial<Row>): void {
    if (['title', 'age', 'email', 'changes'].includes(name)) return;
    const isShown = name === 'id' || name === 'slug';
    if (!isShown || next[name] !== row[name]) throw refused(name);
  }

  protected fitTitle(title: string): string {
    if (/[\0\p{Surrogate}]/u.test(title)) throw refused('title');
    return title;
  }

  protected checkUnique(email: string | null | undefined, row: Row | undefined): void {
    if (!this.table.isTaken(email, row)) return;
    throw new ProblemError(409, 'unique-violation', 'Another resource has this email.');
  }

  protected stored({ id, slug, title, age, email, changes, version }: Row): Stored<unknown> {
    return { value: { id, slug, title, age, email, changes }, version };
  }

  get(key: string): Found {
    const row = this.find(key);
    return Promise.resolve(row && this.stored(row));
  }

  async replace(key: string, expected: string | null, next: unknown, context?: WriteContext): Found {
    context?.signal?.throwIfAborted();
    const row = this.find(key);
    if ((row?.version ?? null) !== expected) return undefined;
    const created = row ?? this.creation(key);
    if (created === undefined) return undefined;
    if (Buffer.byteLength(JSON.stringify(next)) > (context?.maxBytes ?? Infinity)) {
      throw new ProblemError(413, 'limit-result', 'Too long.');
    }
    const set = this.columns(next as Members, created);
    this.checkUnique(set.email, row);
    const written = row ? this.table.update(row, set) : this.table.insert({ ...created, ...set });
    return this.stored(written);
  }

  async delete(key: string, expected?: string, context?: StoreContext): Promise<boolean> {
    context?.signal?.throwIfAborted();
    const row = this.find(key);
    if (row === undefined || (expected ?? row.version) !== row.version) return false;
    this.table.delete(row);
    return true;
  }
}

/** Rows by a slug of their own, which are created, too. */
export class RowsBySlug extends RowsById {
  override readonly creates = true;

  protected override find(key: string) {
    return this.table.find(({ slug }) => slug === key);
  }

  protected override readonly creation: Creation = (key) => (isSlug(key) ? { slug: key } : undefined);
}

/** As where a CHECK refuses slugs. */
export class RowsByCheckedSlug extends RowsBySlug {
  protected override readonly creation: Creation = (key) => {
    if (!isSlug(key)) throw refused('slug');
    return { slug: key };
  };
}

/** Rows of one tenant: the slug has the number of the tenant in front. */
export class RowsOfTenant extends RowsBySlug {
  protected override readonly creation: Creation = (key) =>
    key.startsWith('7/') && isSlug(key.slice(2)) ? { slug: key } : undefined;
}

const ofRows: ConformanceOptions<Members> = {
  carrier: { wrap: (title) => ({ title }), unwrap: ({ title }) => String(title) },
  members: {
    clearable: { age: 7 },
    fixed: { id: 777, slug: 'stolen', changes: 1_000, role: 'admin' },
    unique: () => ({ email: `${randomUUID()}@example.com` }),
  },
  outcomes: false,
};

export const byId = (table: Table): ConformanceOptions<Members> => ({
  ...ofRows,
  key: () => String(table.insert({ title: 'not JSON' }).id),
  creates: false,
});

export const bySlug = (): ConformanceOptions<Members> => ({
  ...ofRows,
  key: () => Promise.resolve(randomUUID()),
});

export const ofTenant = (): ConformanceOptions<Members> => ({ ...ofRows, key: () => `7/${randomUUID()}` });
