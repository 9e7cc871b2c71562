import type {
  DeleteContext,
  ReadContext,
  Stored,
  WriteContext,
} from '../../lib/stores/contract/resource-store';
import { type ContentEngine, ContentStore } from '../support/content-store';
import { conditions, contents, context, declared, outcomes, races, versions } from './case-names';

/** Returns another state than the one that it has found. */
class HandsBackAnOldState extends ContentStore {
  override async replace(key: string, expected: string | null, next: unknown, context?: WriteContext) {
    const result = await super.replace(key, expected, next, context);
    return result !== undefined && 'current' in result && context?.current !== undefined
      ? { current: context.current }
      : result;
  }
}

/** Says that nothing is there, where something else is. */
class HandsBackNothing extends ContentStore {
  override async replace(key: string, expected: string | null, next: unknown, context?: WriteContext) {
    const result = await super.replace(key, expected, next, context);
    return result !== undefined && 'current' in result ? { current: undefined } : result;
  }
}

/** Has a member that is made anew at each reading, such as an age or a signed URL. */
class MakesAMemberAtEachReading extends ContentStore {
  static #reads = 0;

  override async get(key: string, context?: ReadContext) {
    const stored = await super.get(key, context);
    const isNote = stored !== undefined && typeof stored.value === 'object' && stored.value !== null;
    const isKnown = isNote && 'b' in stored.value;
    return isKnown
      ? { ...stored, value: { ...stored.value, b: String(MakesAMemberAtEachReading.#reads++) } }
      : stored;
  }
}

/** Has another state after each write, although no member shows it. */
class CountsWrites extends ContentStore {
  override async replace(...[key, expected, next, context]: Parameters<ContentStore['replace']>) {
    const result = await super.replace(key, expected, next, context);
    const entry = this.engine.get(key);
    if (result === undefined || 'current' in result || entry === undefined) return result;
    this.engine.set(key, { ...entry, text: `${entry.text}${' '.repeat(Math.ceil(Math.random() * 1_000))}` });
    return this.read(key);
  }
}

/** Compares nothing with what is stored. */
class WritesOnAnyState extends ContentStore {
  protected override isAt(entry: object | undefined, state: Stored<unknown> | undefined) {
    return (entry === undefined) === (state === undefined);
  }
}

/** Compares what the caller has, who can have modified it. */
class ComparesTheValueOfTheCaller extends ContentStore {
  protected override isAt(entry: { readonly text: string } | undefined, state: Stored<unknown> | undefined) {
    return entry?.text === (state && JSON.stringify(state.value));
  }
}

class DeletesAnyState extends ContentStore {
  override delete(key: string, _expected?: string, context?: DeleteContext) {
    return super.delete(key, undefined, context);
  }
}

class HasVersions extends ContentStore {
  protected override read(key: string, outcomeId?: string) {
    const stored = super.read(key, outcomeId);
    return stored && { ...stored, version: 'the only one' };
  }

  override replace(...[key, expected, next, context]: Parameters<ContentStore['replace']>) {
    return super.replace(key, expected === 'the only one' ? '' : expected, next, context);
  }

  override delete(key: string, expected?: string, context?: DeleteContext) {
    return super.delete(key, expected === 'the only one' ? '' : expected, context);
  }
}

/** Stores whose states are their content, each with the cases that it fails. */
export const contentTable: readonly {
  readonly what: string;
  readonly Store: new (engine: ContentEngine) => ContentStore;
  readonly failures: readonly string[];
}[] = [
  { what: 'is right', Store: ContentStore, failures: [] },
  { what: 'hands back an old state', Store: HandsBackAnOldState, failures: [conditions.found] },
  { what: 'hands back nothing', Store: HandsBackNothing, failures: [conditions.found] },
  {
    what: 'makes a member at each reading',
    Store: MakesAMemberAtEachReading,
    failures: [contents.reads, 'keeps members that are null'],
  },
  {
    what: 'writes on any state',
    Store: WritesOnAnyState,
    failures: [
      conditions.stale,
      conditions.found,
      races.replace,
      races.instances,
      races.count,
      context.current,
      versions.deletion,
      versions.deleteSays,
      races.deletion,
      outcomes.room,
    ],
  },
  { what: 'counts writes', Store: CountsWrites, failures: [contents.unchanged] },
  {
    what: 'compares the value of the caller',
    Store: ComparesTheValueOfTheCaller,
    failures: [contents.modified],
  },
  {
    what: 'deletes any state',
    Store: DeletesAnyState,
    failures: [versions.deletion, versions.deleteSays, races.deletion],
  },
  { what: 'has versions, and is declared not to', Store: HasVersions, failures: [declared] },
];
