import { hasNames } from '../config/object';
import { inspectValue } from '../config/inspect';
import { conditions, absentConditions } from './cases/conditions';
import { context, creationContext, deletionContext } from './cases/context';
import { declarations } from './cases/declarations';
import { anyKeys, keySpellings } from './cases/keys';
import {
  clearedMembers,
  fixedMembers,
  fixedOnCreation,
  foreignMembers,
  uniqueMembers,
} from './cases/members';
import { outcomes, deletionOutcomes, versionOutcomes } from './cases/outcomes';
import { fitting } from './cases/fit';
import { races, creationRaces, deletionRaces } from './cases/races';
import { texts, values } from './cases/values';
import { contentStates, deletion, recreation, times, versions } from './cases/versions';
import { checkArguments, type ConformanceOptions } from './conformance-options';
import type { ConformanceTest, ConformanceTests } from './conformance-test';
import { KeyProbe } from './key-probe';
import { createSampleValues } from './sample-values';
import { assertDeclared, isCapability, type Need, skips, type StoreUnderTest } from './store-under-test';
import { createTextStore, SeenStates } from './text-carrier';
import { strict as assert } from 'node:assert';
import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';

/** A test of one clause of the store contract, for any test runner. */
export interface ConformanceCase {
  /** The name of the case: unique, and stable across releases. */
  readonly name: string;
  /**
   * Runs the case. Rejects with an AssertionError that says what the store did, or with the error that the
   * store threw; a skipped case always rejects.
   */
  readonly run: () => Promise<void>;
  /** Why the case does not apply to the store as declared; undefined if it applies. */
  readonly skip?: string;
}

interface Group {
  readonly needs: readonly Need[];
  readonly tests: ConformanceTests;
}

/** The tests, with the capabilities that they need. */
const groups: readonly Group[] = [
  { needs: [], tests: conditions },
  { needs: ['creates'], tests: absentConditions },
  { needs: [], tests: races },
  { needs: ['creates'], tests: creationRaces },
  { needs: ['creates', 'deletes'], tests: deletionRaces },
  { needs: ['versions'], tests: versions },
  { needs: ['content'], tests: contentStates },
  { needs: [], tests: times },
  { needs: ['deletes'], tests: deletion },
  { needs: ['creates', 'deletes', 'versions'], tests: recreation },
  { needs: [], tests: { ...values, ...texts } },
  { needs: [], tests: fitting },
  { needs: ['objects'], tests: foreignMembers },
  { needs: ['objects', 'clearable'], tests: clearedMembers },
  { needs: ['objects', 'fixed'], tests: fixedMembers },
  { needs: ['objects', 'fixed', 'creates'], tests: fixedOnCreation },
  { needs: ['objects', 'unique'], tests: uniqueMembers },
  { needs: [], tests: keySpellings },
  { needs: ['any key', 'creates'], tests: anyKeys },
  { needs: [], tests: context },
  { needs: ['creates'], tests: creationContext },
  { needs: ['deletes'], tests: deletionContext },
  { needs: ['outcomes'], tests: outcomes },
  { needs: ['outcomes', 'versions'], tests: versionOutcomes },
  { needs: ['outcomes', 'deletes', 'creates'], tests: deletionOutcomes },
];

/**
 * Returns test cases for the contract of `ResourceStore` and `OutcomeStore`. The options declare the values
 * that the store can hold and the features that it lacks; a case that does not apply has a reason in `skip`.
 *
 * ```ts
 * const factory = () => ({ open: () => new PrismaStore(prisma) });
 * for (const { name, run, skip } of storeConformance(factory, { outcomes: false, deletes: false })) {
 *   (skip === undefined ? test : test.skip)(name, run);
 * }
 * ```
 *
 * @param factory - called once per case. It can return the same engine each time, because no two cases share
 *   a key
 * @throws ConfigurationError with every mistake in the options
 */
export function storeConformance<T = unknown>(
  factory: () => StoreUnderTest | Promise<StoreUnderTest>,
  options: ConformanceOptions<T> = {},
): readonly ConformanceCase[] {
  const settings = checkArguments(factory, options);
  const {
    carrier,
    key,
    members,
    creates = true,
    outcomes = true,
    deletes = true,
    versions: hasVersions = true,
  } = settings;
  const isMet: Readonly<Record<Need, boolean>> = {
    ...{ creates, outcomes, deletes, versions: hasVersions, content: !hasVersions },
    'any key': key === undefined,
    objects: carrier === undefined || hasNames(carrier.wrap('""')),
    clearable: carrier === undefined || members?.clearable !== undefined,
    fixed: members?.fixed !== undefined,
    unique: members?.unique !== undefined,
  };
  const samples = createSampleValues(settings);
  const nextKey = createKeySource(key);

  const runTest = async (test: ConformanceTest, needs: readonly Need[]): Promise<void> => {
    const underTest = await factory();
    const states = new SeenStates();
    const open = async () => {
      const bare = await underTest.open();
      const store = carrier === undefined ? bare : createTextStore(bare, carrier, states);
      return { store, bare, creates, hasOwnKeys: key !== undefined, nextKey };
    };
    try {
      const probed = await open();
      for (const need of needs) if (isCapability(need)) assertDeclared(probed.store, need, true);
      const here = new KeyProbe(probed, await nextKey());
      await test(here, async () => new KeyProbe(await open(), here.key), samples);
    } finally {
      await underTest.close?.();
    }
  };

  const declarationGroup = {
    needs: [],
    tests: declarations({ creates, outcomes, deletes, versions: hasVersions }),
  };
  return [declarationGroup, ...groups].flatMap(({ needs, tests }: Group) => {
    const unmetNeed = needs.find((need) => !isMet[need]);
    const skip = unmetNeed && skips[unmetNeed];
    return Object.entries(tests).map(([name, test]) =>
      skip === undefined
        ? { name, run: () => runTest(test, needs) }
        : { name, run: () => Promise.reject(new Error(`This case does not apply: ${skip}.`)), skip },
    );
  });
}

/** Makes the function that gives each case a key of its own. */
function createKeySource(key: ConformanceOptions['key']): () => Promise<string> {
  if (key === undefined) return () => Promise.resolve(`conformance/${randomUUID()}`);
  const keys = new Set<unknown>();
  return async () => {
    const next: unknown = await key();
    assert.ok(typeof next === 'string', `The option key returned ${inspectValue(next)}. Return a string.`);
    const isOther = !keys.has(next);
    assert.ok(isOther, `The option key returned ${inspect(next)} twice. Return a new key on each call.`);
    keys.add(next);
    return next;
  };
}
