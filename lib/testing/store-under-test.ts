import { strict as assert } from 'node:assert';
import type { ResourceStore } from '../stores/contract/resource-store';

/** A store to be tested: a `ResourceStore`, and what it need not have beside. */
export interface ConformingStore extends ResourceStore {
  /** True where the store is an `OutcomeStore`. */
  readonly keepsOutcomes?: true;
}

/** One engine for one case: a table, a prefix, a file. */
export interface StoreUnderTest {
  /** Another instance over it, ready for use, as another process would open it. */
  open(): ConformingStore | Promise<ConformingStore>;
  /** Called after the case, however it ended. */
  close?(): unknown;
}

/** What a store may lack, by the names of the options that declare it. */
export type Capability = 'outcomes' | 'deletes' | 'creates';

interface CapabilityCheck {
  readonly isThere: (store: ConformingStore) => boolean;
  /** Why cases that need it are skipped. */
  readonly skip: string;
  /** What is wrong where it is declared, and not there. */
  readonly missing: string;
  /** What is wrong where it is there, and declared absent. */
  readonly undeclared: string;
}

export const capabilities: Readonly<Record<Capability, CapabilityCheck>> = {
  outcomes: {
    isThere: (store) => store.keepsOutcomes === true,
    skip: 'the store keeps no outcomes',
    missing:
      'The store keeps no outcomes: its keepsOutcomes is not true. Make it an OutcomeStore, or declare { outcomes: false }.',
    undeclared:
      'The store keeps outcomes, but { outcomes: false } is declared: leave that out, so that their cases run.',
  },
  deletes: {
    isThere: (store) => store.delete !== undefined,
    skip: 'the store has no delete',
    missing: 'The store has no method delete. Write one, or declare { deletes: false }.',
    undeclared:
      'The store has a method delete, but { deletes: false } is declared: leave that out, so that its cases run.',
  },
  creates: {
    isThere: (store) => store.creates !== false,
    skip: 'the store creates nothing',
    missing:
      'The store creates nothing: its creates is false, or replace(key, null, next) wrote nothing at a key without a resource. Let it create, or declare { creates: false }.',
    undeclared:
      'The store creates, or its creates is not false, but { creates: false } is declared: set creates to false, or leave that out, so that their cases run.',
  },
};

/** The store has the capability, or lacks it, as is declared. */
export function assertDeclared(store: ConformingStore, capability: Capability, declared: boolean): void {
  const { isThere, missing, undeclared } = capabilities[capability];
  assert.equal(isThere(store), declared, declared ? missing : undeclared);
}

/** What a case may need beside: what the options say of keys and values. */
export type Need = Capability | 'any key' | 'objects' | 'clearable' | 'fixed' | 'unique';

/** Why a case that needs it is skipped. */
export const skips: Readonly<Record<Need, string>> = {
  outcomes: capabilities.outcomes.skip,
  deletes: capabilities.deletes.skip,
  creates: capabilities.creates.skip,
  'any key': 'the store has keys of its own, which the option key gives',
  objects: 'the values that the option carrier makes have no members',
  clearable: 'the option members names none that is clearable',
  fixed: 'the option members names none that is fixed',
  unique: 'the option members names none that is unique',
};

export function isCapability(need: Need): need is Capability {
  return Object.hasOwn(capabilities, need);
}
