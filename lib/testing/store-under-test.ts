import { strict as assert } from 'node:assert';
import type { ResourceStore } from '../stores/contract/resource-store';

/** A store that `storeConformance` can test: a `ResourceStore`, which can also be an `OutcomeStore`. */
export interface ConformingStore extends ResourceStore {
  /** True if the store is an `OutcomeStore`. */
  readonly keepsOutcomes?: true;
}

/** The engine of one case, such as a table, a key prefix or a file. */
export interface StoreUnderTest {
  /** Opens another instance of the store over this engine, as another process would. */
  open(): ConformingStore | Promise<ConformingStore>;
  /** Called after the case, whether it passed or failed. */
  close?(): unknown;
}

/** The capabilities that a store can lack, by the names of their options. */
export type Capability = 'outcomes' | 'deletes' | 'creates' | 'versions';

interface CapabilityCheck {
  readonly isThere: (store: ConformingStore) => boolean;
  /** The reason for skipping cases that need it. */
  readonly skip: string;
  /** The message if it is declared, but missing. */
  readonly missing: string;
  /** The message if it exists, but is declared missing. */
  readonly undeclared: string;
}

export const capabilities: Readonly<Record<Capability, CapabilityCheck>> = {
  outcomes: {
    isThere: (store) => store.keepsOutcomes === true,
    skip: 'the store keeps no outcomes',
    missing:
      'The store keeps no outcomes: its keepsOutcomes is not true. ' +
      'Make it an OutcomeStore, or set { outcomes: false }.',
    undeclared:
      'The store keeps outcomes, but { outcomes: false } is set. ' +
      'Remove that option, so that the cases about outcomes run.',
  },
  deletes: {
    isThere: (store) => store.delete !== undefined,
    skip: 'the store has no delete method',
    missing: 'The store has no delete method. Add one, or set { deletes: false }.',
    undeclared:
      'The store has a delete method, but { deletes: false } is set. ' +
      'Remove that option, so that the cases that delete run.',
  },
  creates: {
    isThere: (store) => store.creates !== false,
    skip: 'the store creates nothing',
    missing:
      'The store creates nothing: its creates is false, or replace(key, null, next) wrote nothing ' +
      'at an absent key. Let it create, or set { creates: false }.',
    undeclared:
      'The store creates resources, or its creates is not false, but { creates: false } is set. ' +
      'Set creates of the store to false, or remove that option, so that the cases that create run.',
  },
  versions: {
    isThere: (store) => store.versions !== false,
    skip: 'the states of the store are their content',
    missing:
      'The states of the store have no versions: its versions is false. ' +
      'Let it write versions, or set { versions: false }.',
    undeclared:
      'The states of the store have versions, but { versions: false } is set. ' +
      'Set versions of the store to false, or remove that option, so that the cases about versions run.',
  },
};

/** Asserts that the store has the capability exactly if it is declared. */
export function assertDeclared(store: ConformingStore, capability: Capability, declared: boolean): void {
  const { isThere, missing, undeclared } = capabilities[capability];
  assert.equal(isThere(store), declared, declared ? missing : undeclared);
}

/** The needs of a case: a capability, or a property of keys and values that the options declare. */
export type Need = Capability | 'content' | 'any key' | 'objects' | 'clearable' | 'fixed' | 'unique';

/** The reasons for skipping a case that needs it. */
export const skips: Readonly<Record<Need, string>> = {
  outcomes: capabilities.outcomes.skip,
  deletes: capabilities.deletes.skip,
  creates: capabilities.creates.skip,
  versions: capabilities.versions.skip,
  content: 'the states of the store have versions',
  'any key': 'the keys have a special form, which the option key returns',
  objects: 'the values of the option carrier are not objects',
  clearable: 'the option members has no clearable',
  fixed: 'the option members has no fixed',
  unique: 'the option members has no unique',
};

export function isCapability(need: Need): need is Capability {
  return Object.hasOwn(capabilities, need);
}
