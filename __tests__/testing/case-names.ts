import { MemoryStore } from '../../lib/stores/memory/memory-store';
import { storeConformance } from '../../lib/testing';

/** The names of all cases. */
export const names = storeConformance(() => ({ open: () => new MemoryStore() })).map(({ name }) => name);
export const everyKey = names.filter(
  (name) => name.startsWith('tells keys') || name.startsWith('holds keys'),
);
export const everyValue = names.filter((name) => name.startsWith('keeps '));
export const keys = (family: string) => `tells keys apart by ${family}`;
export const perhaps = (family: string) => `holds keys, or has them absent, with ${family}`;

export const declared = 'the store has what is declared, and nothing that is declared absent';
export const conditions = {
  absent: 'an absent key: get is undefined, and a replace with a version writes nothing',
  create: 'null writes only while the key is absent',
  stale: 'a version that is not the present one writes nothing',
  returned: 'replace returns what get then returns',
  others: 'a write leaves every other key alone',
};
export const races = {
  replace: 'of 50 replaces at once with one expected version exactly one writes',
  create: 'of 50 creations at once exactly one writes',
  instances: 'instances over one engine see each other',
  count: 'no update is lost among four that count at once',
  keys: 'no update is lost among eight keys at once',
};
export const versions = {
  equal: 'no version comes twice, also for equal values',
  recreated: 'no version comes twice, also after deletion',
  deleted: 'a deleted resource is absent: get is undefined, and a replace with its version writes nothing',
  deletion: 'delete with a version deletes only that version',
  deleteSays: 'delete says whether it deleted',
  deleteRace: 'of several who delete one version at once exactly one does',
  modified: 'modified, where there is one, is the present time',
};
export const spelling = 'the key in another spelling is another key, or absent';
export const emptyKey = 'the empty key is a key like any other, or absent';
export const members = {
  foreign: 'a member that the store has no place for is refused with 422, or kept',
  cleared: 'a member that is left out is cleared',
  fixed: 'a member that is fixed is refused with 422, or stays as it is',
  fixedOnCreation: 'a member that is fixed is not set by creation',
  unique: 'a value that no two resources may have: a 409 problem, and nothing is written',
};
export const texts = {
  nul: 'keeps, or refuses with 422, a text with a NUL',
  surrogates: 'keeps, or refuses with 422, a text with lone surrogates',
};
export const changes = {
  writer: 'a value that its writer changes afterwards does not change the store',
  reader: 'a value that its reader changes does not change the store',
};
export const context = {
  aborted: 'aborted before the write: the reason is thrown, and nothing is written',
  abortedCreation: 'aborted before the creation: the reason is thrown, and nothing is written',
  notAborted: 'a signal that is not aborted changes nothing',
  over: 'over maxBytes: a 413 problem, and nothing is written; or all of it',
  at: 'at maxBytes, counted as UTF-8: written',
};
export const stale = {
  own: 'with mayBeStale: a state that was there, the value under its own version',
  present: 'without mayBeStale: the present state, whatever was given with it',
  hands: 'what a caller does to a value is not what is remembered of it',
};
export const outcomes = {
  found: 'an outcome is found under its id and key, by every instance, where it is asked for',
  stay: 'outcomes stay when the resource moves on',
  text: 'the text is made of the version that is written, and comes back as it is',
  refused: 'a write that is not carried out keeps no outcome',
  throws: 'what text throws is thrown, and nothing is written',
  once: 'an id is written once, whatever the version',
  race: 'of 50 at once that add under one id exactly one adds',
  full: 'where keep is reached: a 503 problem with Retry-After, and nothing is written',
  scope: 'a scope that has reached keep refuses its own requests, and no others',
  total: 'where total is reached every scope is refused',
  room: 'of many at once as many write as keep and total have room for',
  age: 'over its age an outcome is gone, and its place and its id are free',
  deleted: 'deletion forgets outcomes',
};
export const everyBound = [outcomes.full, outcomes.scope, outcomes.total, outcomes.room, outcomes.age];
