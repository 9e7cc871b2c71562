import { randomUUID } from 'node:crypto';
import { OptionsCheck } from '../configuration';
import { conditions } from './cases/conditions';
import { context } from './cases/context';
import { keys } from './cases/keys';
import { outcomes, outcomesOfDeleted } from './cases/outcomes';
import { races } from './cases/races';
import { stale } from './cases/stale';
import { values } from './cases/values';
import { deletion, versions } from './cases/versions';
import type { ConformanceTest, ConformanceTests } from './conformance-test';
import { KeyProbe } from './key-probe';
import { assertDeclared, capabilities, type Capability, type StoreUnderTest } from './store-under-test';
import { carryingText, isTextCarrier, type TextCarrier } from './text-carrier';

/** One clause of the contract, for any test runner. */
export interface ConformanceCase {
  /** Unique, and the same in every release that has it. */
  readonly name: string;
  /** Rejects with an AssertionError that says what the store did, or with what it threw; of a skipped case, always. */
  readonly run: () => Promise<void>;
  /** Why the case does not apply to a store as it is declared; undefined where it does. */
  readonly skip?: string;
}

/** Options of `storeConformance`: what the store can hold, and what it lacks. */
export interface ConformanceOptions<T = unknown> {
  /** For a store that cannot hold JSON of every kind: how its values carry a text. Default none. */
  readonly carrier?: TextCarrier<T>;
  /** Whether it is an `OutcomeStore`. Default true; false skips the cases that need outcomes. */
  readonly outcomes?: boolean;
  /** Whether it has `delete`. Default true; false skips the cases that delete. */
  readonly deletes?: boolean;
}

/** The tests, with what a store must have for them to apply. */
const groups: readonly { readonly needs: readonly Capability[]; readonly tests: ConformanceTests }[] = [
  { needs: [], tests: { ...conditions, ...races, ...versions } },
  { needs: ['deletes'], tests: deletion },
  { needs: [], tests: { ...values, ...keys, ...context, ...stale } },
  { needs: ['outcomes'], tests: outcomes },
  { needs: ['outcomes', 'deletes'], tests: outcomesOfDeleted },
];

/**
 * The contract of `ResourceStore`, and of `OutcomeStore`, as cases: what a store lacks is declared, and skipped.
 *
 * ```ts
 * const factory = () => ({ open: () => new PrismaStore(prisma) });
 * for (const { name, run, skip } of storeConformance(factory, { outcomes: false, deletes: false })) {
 *   (skip === undefined ? test : test.skip)(name, run);
 * }
 * ```
 *
 * @param factory - called once a case; may give the same engine each time: no two cases share a key
 * @throws ConfigurationError with every mistake in the options
 */
export function storeConformance<T = unknown>(
  factory: () => StoreUnderTest | Promise<StoreUnderTest>,
  options: ConformanceOptions<T> = {},
): readonly ConformanceCase[] {
  const { carrier, outcomes = true, deletes = true } = checkArguments(factory, options);
  const declared = { outcomes, deletes };
  const declarations: ConformanceTests = {
    'the store has what is declared, and nothing that is declared absent': ({ store }) => {
      assertDeclared(store, 'outcomes', outcomes);
      assertDeclared(store, 'deletes', deletes);
    },
  };

  const runTest = async (test: ConformanceTest, needs: readonly Capability[]): Promise<void> => {
    const underTest = await factory();
    const key = `conformance/${randomUUID()}`;
    const open = async () => {
      const store = await underTest.open();
      return new KeyProbe(carrier === undefined ? store : carryingText(store, carrier), key);
    };
    try {
      const here = await open();
      for (const capability of needs) assertDeclared(here.store, capability, true);
      await test(here, open);
    } finally {
      await underTest.close?.();
    }
  };

  return [{ needs: [], tests: declarations }, ...groups].flatMap(({ needs, tests }) => {
    const lacking = needs.find((capability) => !declared[capability]);
    const skip = lacking && capabilities[lacking].skip;
    return Object.entries(tests).map(([name, test]) =>
      skip === undefined
        ? { name, run: () => runTest(test, needs) }
        : { name, run: () => Promise.reject(new Error(`The case does not apply: ${skip}.`)), skip },
    );
  });
}

function checkArguments<T>(factory: unknown, given: ConformanceOptions<T>): ConformanceOptions<T> {
  const check = new OptionsCheck('storeConformance()');
  if (typeof factory !== 'function') {
    const fix = 'Write () => ({ open: () => store }).';
    check.mistake('factory', factory, { code: 'option-type', reason: 'must be a function', fix });
  }
  const options = check.names(given, ['carrier', 'outcomes', 'deletes']);
  check.flags(options, ['outcomes', 'deletes']);
  const { carrier } = options;
  if (carrier !== undefined && !isTextCarrier(carrier)) {
    check.mistake('carrier', carrier, {
      code: 'option-type',
      reason: 'must have the functions wrap and unwrap',
      fix: 'Write { wrap: (text) => ({ body: text }), unwrap: ({ body }) => body }.',
    });
  }
  check.done();
  return options;
}
