import { MemoryStore } from '../../lib/stores/memory/memory-store';
import { storeConformance } from '../../lib/testing';

/** The names of all cases. */
export const names = storeConformance(() => ({ open: () => new MemoryStore() })).map(({ name }) => name);
export const everyKey = names.filter(
  (name) => name.startsWith('tells keys') || name.startsWith('stores, or treats as absent, keys'),
);
export const everyValue = names.filter((name) => name.startsWith('keeps '));
export const keys = (family: string) => `tells keys apart by ${family}`;
export const longKeys = 'tells keys of 1 KB apart';
export const perhaps = (family: string) => `stores, or treats as absent, keys with ${family}`;

export const declared = 'the store has exactly the declared capabilities';
export const conditions = {
  absent: 'an absent key: get returns undefined, and replace with a version writes nothing',
  create: 'replace with null writes only if the key is absent',
  stale: 'replace on any state but the current one writes nothing',
  returned: 'replace returns what get then returns',
  found: 'a state that is handed back in place of a write is the one that get returns',
  others: 'a write does not change other keys',
  fit: 'replace writes what fit returns, and refuses what fit refuses',
};
export const races = {
  replace: 'of 50 concurrent replaces of one state exactly one writes',
  create: 'of 50 concurrent creations exactly one writes',
  instances: 'instances over one engine see the writes of each other',
  count: 'four concurrent writers of one key lose no update',
  keys: 'concurrent writers of eight keys lose no update',
  deletion: 'of a deletion and a replace of one state exactly one is carried out',
};
export const versions = {
  equal: 'versions never repeat, even for equal values',
  recreated: 'versions never repeat, even after deletion',
  deleted: 'a deleted resource is absent: get returns undefined, and replace on its state writes nothing',
  deletion: 'delete on a state deletes only that state',
  deleteSays: 'delete returns whether it deleted',
  deleteRace: 'of several concurrent deletes of one state exactly one deletes',
  modified: 'modified, if present, is the current time',
};
export const contents = {
  reads: 'two reads of one state have the same members',
  modified: 'modifying the value of a state does not change the condition of a write on it',
  unchanged: 'a write that changes nothing leaves the resource in its state',
};
export const spelling = 'a key in another spelling is a different key, or absent';
export const emptyKey = 'the empty key is a normal key, or absent';
export const members = {
  foreign: 'a member without a column is refused with 422, or stored',
  cleared: 'a member that is left out is cleared',
  fixed: 'a change of a fixed member is refused with 422, or has no effect',
  fixedOnCreation: 'creation cannot set a fixed member',
  unique: 'a duplicate of a unique value: a 409 problem and nothing is written',
};
export const texts = {
  nul: 'keeps, or refuses with 422, a text with a NUL',
  surrogates: 'keeps, or refuses with 422, a text with lone surrogates',
  spaces: 'keeps, or refuses with 422, a text with spaces at both ends',
  time: 'keeps, or refuses with 422, a text with the form of a time',
};
export const changes = {
  writer: 'modifying a value after the write does not change the store',
  duringWrite: 'modifying a value during the write does not change the store',
  reader: 'modifying a value that was read does not change the store',
};
export const context = {
  aborted: 'a signal aborted before a write: its reason is thrown and nothing is written',
  abortedCreation: 'a signal aborted before a creation: its reason is thrown and nothing is written',
  abortedDeletion: 'a signal aborted before a deletion: its reason is thrown and nothing is deleted',
  notAborted: 'a signal that is not aborted has no effect',
  over: 'a value over maxBytes: a 413 problem and nothing is written, or the whole value is written',
  at: 'a value of exactly maxBytes in UTF-8 is written',
  current: 'replace with context.current writes only if it is still the stored state',
};
export const outcomes = {
  found: 'every instance finds an outcome by its key and id, only if it is asked for',
  stay: 'outcomes survive later writes',
  text: 'text receives the written version, and its result is stored unchanged',
  refused: 'a write that is not carried out stores no outcome',
  throws: 'an error of text is thrown and nothing is written',
  once: 'an id is carried out once, whatever the version',
  race: 'of 50 concurrent writes with one id exactly one writes',
  full: 'over keep: a 503 problem with Retry-After and nothing is written',
  scope: 'a full scope refuses its own requests, but no others',
  total: 'over total: every scope is refused',
  room: 'of many concurrent writes exactly as many write as keep and total allow',
  age: 'an expired outcome is gone, and its room and its id are free',
  deleted: 'deletion removes outcomes',
};
export const everyBound = [outcomes.full, outcomes.scope, outcomes.total, outcomes.room, outcomes.age];
