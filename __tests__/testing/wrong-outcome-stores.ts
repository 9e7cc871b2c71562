import { outcomesFull, type OutcomeStore } from '../../lib/stores/contract/outcome-store';
import type {
  PendingOutcome,
  ReadContext,
  StoreContext,
  VersionedState,
  WriteContext,
} from '../../lib/stores/contract/resource-store';
import { Right, TwoMethods } from './wrong-stores';

type Found = VersionedState<unknown> | undefined;

/** An OutcomeStore over another, right in everything: each of those below does one thing wrong. */
export class RightOutcomes extends Right implements OutcomeStore {
  readonly keepsOutcomes = true;
}

export class WithoutDelete extends TwoMethods implements OutcomeStore {
  readonly keepsOutcomes = true;
}

/** Keeps outcomes otherwise than it is told. */
const keeping = (change: (outcome: PendingOutcome) => PendingOutcome) =>
  class extends RightOutcomes {
    override replace(key: string, expected: string | null, next: unknown, context: WriteContext = {}) {
      const { outcome } = context;
      const changed = outcome === undefined ? context : { ...context, outcome: change(outcome) };
      return super.replace(key, expected, next, changed);
    }
  };

export const IgnoresKeep = keeping((outcome) => ({ ...outcome, keep: Infinity }));
export const IgnoresTotal = keeping((outcome) => ({ ...outcome, total: Infinity }));
export const HasOneScope = keeping((outcome) => ({ ...outcome, scope: 's' }));
export const FoldsScopes = keeping((outcome) => ({ ...outcome, scope: outcome.scope.toLowerCase() }));
export const CutsScopes = keeping((outcome) => ({ ...outcome, scope: outcome.scope.slice(0, 63) }));
export const TakesKeepForTotal = keeping((outcome) => ({ ...outcome, total: outcome.keep }));
export const IgnoresMaxAge = keeping((outcome) => ({ ...outcome, maxAge: 86_400 }));
export const MakesTheTextTooEarly = keeping(({ text, ...outcome }) => ({
  ...outcome,
  text: () => text('?'),
}));
export const CutsIds = keeping(({ id, ...outcome }) => ({ ...outcome, id: id.slice(0, 32) }));
export const CutsTheText = keeping(({ text, ...outcome }) => ({
  ...outcome,
  text: (version) => text(version).slice(0, 255),
}));
export const KeepsNothingWhereTextFails = keeping(({ text, ...outcome }) => ({
  ...outcome,
  text(version) {
    try {
      return text(version);
    } catch {
      return '';
    }
  },
}));

export class FindsNoOutcomes extends RightOutcomes {
  override async get(key: string, context?: ReadContext) {
    return withOutcome(await super.get(key, context), undefined);
  }
}

export class GivesOutcomesUnasked extends RightOutcomes {
  override get(key: string, context?: ReadContext) {
    return super.get(key, { outcome: { id: 'a' }, ...context });
  }
}

export class FindsOutcomesOfItsOwn extends RightOutcomes {
  readonly #ids = new Set<string>();

  override async get(key: string, context?: ReadContext) {
    const found = await super.get(key, context);
    return this.#ids.has(context?.outcome?.id ?? '') ? found : withOutcome(found, undefined);
  }

  override replace(key: string, expected: string | null, next: unknown, context?: WriteContext) {
    this.#ids.add(context?.outcome?.id ?? '');
    return super.replace(key, expected, next, context);
  }
}

export class ForgetsOutcomesWithTheNextWrite extends RightOutcomes {
  static readonly #versions = new Map<string, string>();

  override async get(key: string, context?: ReadContext) {
    const found = await super.get(key, context);
    const name = `${key} ${context?.outcome?.id ?? ''}`;
    const isPresent = ForgetsOutcomesWithTheNextWrite.#versions.get(name) === found?.version;
    return isPresent ? found : withOutcome(found, undefined);
  }

  override async replace(key: string, expected: string | null, next: unknown, context?: WriteContext) {
    const made = await super.replace(key, expected, next, context);
    const name = `${key} ${context?.outcome?.id ?? ''}`;
    if (made !== undefined) ForgetsOutcomesWithTheNextWrite.#versions.set(name, made.version);
    return made;
  }
}

/** Has outcomes in a map beside the engine, apart from the value, by names that the subclass gives. */
abstract class Apart extends RightOutcomes {
  static readonly kept = new Map<string, string>();

  protected abstract name(key: string, id: string): string;

  override async get(key: string, context?: ReadContext) {
    const found = await super.get(key, context);
    const { id } = context?.outcome ?? {};
    if (found === undefined || id === undefined) return found;
    return withOutcome(found, found.outcome ?? Apart.kept.get(this.name(key, id)));
  }

  protected keep(key: string, outcome: PendingOutcome | undefined): void {
    if (outcome !== undefined) Apart.kept.set(this.name(key, outcome.id), `of ${outcome.id}`);
  }
}

export class FoldsLetterCaseOfIds extends RightOutcomes {
  override get(key: string, context: ReadContext = {}) {
    const { outcome } = context;
    const folded =
      outcome === undefined ? context : { ...context, outcome: { id: outcome.id.toLowerCase() } };
    return super.get(key, folded);
  }
}

export class KeepsOutcomesOfWhatItRefuses extends Apart {
  protected name(key: string, id: string) {
    return `refused ${key} ${id}`;
  }

  override async replace(key: string, expected: string | null, next: unknown, context?: WriteContext) {
    const made = await super.replace(key, expected, next, context);
    if (made === undefined) this.keep(key, context?.outcome);
    return made;
  }
}

export class KeepsOutcomesBeyondDeletion extends Apart {
  static readonly #ids = new Map<string, PendingOutcome[]>();

  protected name(key: string, id: string) {
    return `deleted ${key} ${id}`;
  }

  override replace(key: string, expected: string | null, next: unknown, context?: WriteContext) {
    const ids = KeepsOutcomesBeyondDeletion.#ids;
    if (context?.outcome !== undefined) ids.set(key, [...(ids.get(key) ?? []), context.outcome]);
    return super.replace(key, expected, next, context);
  }

  override delete(key: string, expected?: string, context?: StoreContext) {
    for (const outcome of KeepsOutcomesBeyondDeletion.#ids.get(key) ?? []) this.keep(key, outcome);
    return super.delete(key, expected, context);
  }
}

export class WritesAgainUnderAnId extends RightOutcomes {
  override async replace(key: string, expected: string | null, next: unknown, context: WriteContext = {}) {
    const known = context.outcome && (await this.engine.get(key, { outcome: context.outcome }))?.outcome;
    return super.replace(key, expected, next, known === undefined ? context : {});
  }
}

export class RefusesFullAsALostRace extends RightOutcomes {
  override async replace(key: string, expected: string | null, next: unknown, context?: WriteContext) {
    return super.replace(key, expected, next, context).catch((error: unknown) => {
      if (!isFull(error)) throw error;
      return undefined;
    });
  }
}

export class MakesRoomByForgetting extends RightOutcomes {
  override async replace(key: string, expected: string | null, next: unknown, context: WriteContext = {}) {
    return super.replace(key, expected, next, context).catch((error: unknown) => {
      if (!isFull(error)) throw error;
      return super.replace(key, expected, next);
    });
  }
}

/** Counts the outcomes of a scope beside the engine, and has that ask no more. */
const counting = (remembers: (made: Found) => boolean, isCounted: (expires: number) => boolean) =>
  class Counting extends RightOutcomes {
    static readonly #kept = new Map<string, number[]>();

    override async replace(key: string, expected: string | null, next: unknown, context: WriteContext = {}) {
      const { outcome } = context;
      if (outcome === undefined) return super.replace(key, expected, next, context);
      const name = `${key} ${outcome.scope}`;
      const kept = (Counting.#kept.get(name) ?? []).filter(isCounted);
      const { version = null, outcome: known } = (await this.engine.get(key, { outcome })) ?? {};
      const isFull = kept.length >= outcome.keep;
      if (isFull && version === expected && known === undefined) throw outcomesFull(outcome.maxAge);
      const unbounded = { ...outcome, keep: Infinity };
      const made = await super.replace(key, expected, next, { ...context, outcome: unbounded });
      const expires = Date.now() + outcome.maxAge * 1_000;
      if (remembers(made)) Counting.#kept.set(name, [...kept, expires]);
      return made;
    }

    override async delete(key: string, expected?: string, context?: StoreContext) {
      for (const name of Counting.#kept.keys()) {
        if (name.startsWith(`${key} `)) Counting.#kept.delete(name);
      }
      return super.delete(key, expected, context);
    }
  };

export const CountsWhatIsOverItsAge = counting(
  (made) => made !== undefined,
  () => true,
);
export const CountsWhatItHasNotWritten = counting(
  () => true,
  (expires) => expires > Date.now(),
);

function isFull(error: unknown): boolean {
  return Reflect.get(Object(error) as object, 'status') === 503;
}

function withOutcome(found: Found, outcome: string | undefined): Found {
  if (found === undefined) return undefined;
  const { value, version, modified } = found;
  return { value, version, ...(modified && { modified }), ...(outcome !== undefined && { outcome }) };
}
