import type { ConformanceOptions, ConformingStore } from '../../lib/testing';
import { type Members, replaceMembers } from '../../lib/testing/members';
import { changes, conditions, declared, emptyKey, members, perhaps, spelling, texts } from './case-names';
import {
  byId,
  bySlug,
  ofTenant,
  refused,
  type Row,
  RowsByCheckedSlug,
  RowsById,
  RowsBySlug,
  RowsOfTenant,
  type Table,
} from './row-stores';

interface RowStoreRow {
  readonly what: string;
  readonly Store: new (table: Table) => ConformingStore;
  readonly options: (table: Table) => ConformanceOptions<Members>;
  readonly failures: readonly string[];
}

/** As an ORM's `update({ data })`, which skips what is undefined. */
class SkipsWhatIsUndefined extends RowsById {
  protected override columns(next: Members, row: Partial<Row>) {
    const set = super.columns(next, row);
    return 'age' in next ? set : { ...set, age: row.age ?? null };
  }
}

/** As `({ title, age, email }) => update({ title, age, email })`. */
class DropsWhatIsNoColumn extends RowsById {
  protected override checkMember(name: string, next: Members, row: Partial<Row>) {
    if (name !== 'aMemberThatIsNoColumn') super.checkMember(name, next, row);
  }
}

/** Takes a refusal for a lost race: it has written nothing, and says no more. */
const silentAbout = (status: number) =>
  class extends RowsById {
    override async replace(...write: Parameters<RowsById['replace']>) {
      return super.replace(...write).catch((error: unknown) => {
        if (Reflect.get(Object(error) as object, 'status') === status) return undefined;
        throw error;
      });
    }
  };

class ThrowsWhatTheDriverThrows extends RowsById {
  protected override checkMember(name: string, next: Members, row: Partial<Row>) {
    if (name === 'aMemberThatIsNoColumn') throw new Error('42703: no such column');
    super.checkMember(name, next, row);
  }
}

class AnswersWhatItWasGiven extends RowsById {
  override async replace(...write: Parameters<RowsById['replace']>) {
    const made = await super.replace(...write);
    return made && { ...made, value: replaceMembers(made.value, write[2]) };
  }
}

/** Lets clients set a column that they are not to. */
const setting = (column: 'id' | 'slug' | 'role') =>
  class extends RowsById {
    protected override checkMember(name: string, next: Members, row: Partial<Row>) {
      if (name !== column) super.checkMember(name, next, row);
    }

    protected override columns(next: Members, row: Partial<Row>) {
      return { ...super.columns(next, row), ...(column in next && { [column]: next[column] }) };
    }
  };

/** Takes the body as the row that is to be created. */
class CreatesWithAnyId extends RowsBySlug {
  protected override checkMember(name: string, next: Members, row: Partial<Row>) {
    if ('version' in row || name !== 'id') super.checkMember(name, next, row);
  }

  protected override columns(next: Members, row: Partial<Row>) {
    const set = super.columns(next, row);
    return 'version' in row || !('id' in next) ? set : { ...set, id: Number(next['id']) };
  }
}

class SharesWhatIsUnique extends RowsById {
  protected override checkUnique() {
    // Whatever it is.
  }
}

class FailsOnWhatIsUnique extends RowsById {
  protected override checkUnique(email: string | null | undefined, row: Row | undefined) {
    if (this.table.isTaken(email, row)) throw new Error('23505: duplicate key');
  }
}

class WritesBeforeItIsRefused extends RowsById {
  protected override checkUnique(email: string | null | undefined, row: Row | undefined) {
    if (row !== undefined && this.table.isTaken(email, row)) this.table.update(row, { title: 'written' });
    super.checkUnique(email, row);
  }
}

class FailsOnWhatIsUniqueAtCreation extends RowsBySlug {
  protected override checkUnique(email: string | null | undefined, row: Row | undefined) {
    if (row === undefined && this.table.isTaken(email, row)) throw new Error('23505: duplicate key');
    super.checkUnique(email, row);
  }
}

/** Finds rows by what it makes of a key. */
const findingBy = (idOf: (key: string) => number) =>
  class extends RowsById {
    protected override find(key: string) {
      return this.table.find(({ id }) => id === idOf(key));
    }
  };

const foldingSlugs = (fold: (slug: string) => string) =>
  class extends RowsBySlug {
    protected override find(key: string) {
      return this.table.find(({ slug }) => fold(slug) === fold(key));
    }
  };

const holdingTitles = (fit: (title: string) => string) =>
  class extends RowsById {
    protected override fitTitle(title: string) {
      return fit(title);
    }
  };

class CreatesWhatIsDeclaredAbsent extends RowsById {
  override async replace(...write: Parameters<RowsById['replace']>) {
    const [key, expected, next] = write;
    if (expected !== null || this.find(key) !== undefined) return super.replace(...write);
    const row = this.table.insert({ title: (next as Row).title });
    return this.stored(row);
  }
}

class DoesNotSayThatItCreatesNothing extends RowsById {
  override readonly creates = true;
}

/** Stores of rows: what they hold is declared. */
export const rowTable: readonly RowStoreRow[] = [
  { what: 'has serial ids', Store: RowsById, options: byId, failures: [] },
  { what: 'has slugs', Store: RowsBySlug, options: bySlug, failures: [] },
  { what: 'refuses other slugs', Store: RowsByCheckedSlug, options: bySlug, failures: [] },
  { what: 'has tenants', Store: RowsOfTenant, options: ofTenant, failures: [] },

  {
    what: 'skips what is undefined',
    Store: SkipsWhatIsUndefined,
    options: byId,
    failures: [members.cleared],
  },
  { what: 'drops what is no column', Store: DropsWhatIsNoColumn, options: byId, failures: [members.foreign] },
  {
    what: 'throws what the driver throws of a column',
    Store: ThrowsWhatTheDriverThrows,
    options: byId,
    failures: [members.foreign],
  },
  {
    what: 'writes nothing, and says nothing',
    Store: silentAbout(422),
    options: byId,
    failures: [members.foreign, members.fixed, texts.nul, texts.surrogates],
  },
  {
    what: 'answers what it was given, where a trigger counts',
    Store: AnswersWhatItWasGiven,
    options: byId,
    failures: [
      ...[conditions.returned, conditions.fit, members.cleared, members.fixed],
      ...[changes.duringWrite, texts.spaces, texts.time],
    ],
  },
  { what: 'rewrites ids', Store: setting('id'), options: byId, failures: [members.fixed] },
  { what: 'rewrites slugs', Store: setting('slug'), options: byId, failures: [members.fixed] },
  {
    what: 'rewrites a column that is not shown',
    Store: setting('role'),
    options: byId,
    failures: [members.fixed],
  },
  {
    what: 'creates with any id',
    Store: CreatesWithAnyId,
    options: bySlug,
    failures: [members.fixedOnCreation],
  },
  { what: 'shares what is unique', Store: SharesWhatIsUnique, options: byId, failures: [members.unique] },
  { what: 'fails on what is unique', Store: FailsOnWhatIsUnique, options: byId, failures: [members.unique] },
  {
    what: 'takes a violation for a lost race',
    Store: silentAbout(409),
    options: byId,
    failures: [members.unique],
  },
  {
    what: 'writes before it is refused',
    Store: WritesBeforeItIsRefused,
    options: byId,
    failures: [members.unique],
  },
  {
    what: 'fails on what is unique at creation',
    Store: FailsOnWhatIsUniqueAtCreation,
    options: bySlug,
    failures: [members.unique],
  },
  { what: 'reads keys by Number', Store: findingBy(Number), options: byId, failures: [spelling] },
  {
    what: 'reads keys by parseInt',
    Store: findingBy((key) => Number.parseInt(key)),
    options: byId,
    failures: [spelling, perhaps('a NUL'), perhaps('lone surrogates'), perhaps('a length of 100 KB')],
  },
  {
    what: 'folds letter case of slugs',
    Store: foldingSlugs((slug) => slug.toLowerCase()),
    options: bySlug,
    failures: [spelling],
  },
  {
    what: 'folds accents of slugs',
    Store: foldingSlugs((slug) => slug.normalize('NFD').replaceAll(/\p{M}/gu, '')),
    options: bySlug,
    failures: [spelling],
  },
  { what: 'trims slugs', Store: foldingSlugs((slug) => slug.trim()), options: bySlug, failures: [spelling] },
  {
    what: 'drops a NUL',
    Store: holdingTitles((title) => {
      if (/\p{Surrogate}/u.test(title)) throw refused('title');
      return title.replaceAll('\0', '');
    }),
    options: byId,
    failures: [texts.nul],
  },
  {
    what: 'fails on a NUL',
    Store: holdingTitles((title) => {
      if (title.includes('\0')) throw new Error('22021: invalid byte sequence');
      if (/\p{Surrogate}/u.test(title)) throw refused('title');
      return title;
    }),
    options: byId,
    failures: [texts.nul],
  },
  {
    what: 'makes U+FFFD of lone surrogates',
    Store: holdingTitles((title) => Buffer.from(title).toString()),
    options: byId,
    failures: [texts.surrogates],
  },
  {
    what: 'creates, and is declared not to',
    Store: CreatesWhatIsDeclaredAbsent,
    options: byId,
    failures: [
      declared,
      emptyKey,
      spelling,
      ...['a NUL', 'lone surrogates', 'a length of 100 KB'].map(perhaps),
    ],
  },
  {
    what: 'does not say that it creates nothing',
    Store: DoesNotSayThatItCreatesNothing,
    options: byId,
    failures: [declared],
  },
];
