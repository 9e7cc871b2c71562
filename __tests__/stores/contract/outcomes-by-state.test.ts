import { type OutcomeStore, OutcomesByState } from '../../../lib/stores/contract/outcome-store';
import type { PendingOutcome } from '../../../lib/stores/contract/resource-store';

const outcome: PendingOutcome = {
  id: 'b',
  scope: 's',
  text: () => 'of b',
  keep: 10,
  total: 10,
  maxAge: 60,
};
const text = `${Date.now() + 60_000} s a of a`;
const write = { key: 'key', expected: 'v1', version: 'v2' };

/** A store with one state, and the number of its reads. */
function createStore(version = 'v1') {
  const outcomes = new OutcomesByState('the column outcomes');
  const reads = { count: 0 };
  const store: OutcomeStore = {
    keepsOutcomes: true,
    get(_key, context) {
      reads.count++;
      return Promise.resolve(outcomes.addOutcome({ value: 1, version }, text, context?.outcome?.id ?? ''));
    },
    replace: () => Promise.reject(new Error('not called')),
  };
  return { outcomes, reads, store };
}

test('the outcomes that were read with the state are not read again', async () => {
  const { outcomes, reads, store } = createStore();
  const current = await store.get('key', { outcome: { id: 'a' } });
  expect(current?.outcome).toBe('of a');
  const next = await outcomes.nextText(store, write, outcome, { outcome, ...(current && { current }) });
  expect(next?.split('\n')).toEqual([text, expect.stringMatching(/^\d+ s b of b$/)]);
  expect(reads.count).toBe(1);
});

test.each([
  { title: 'there is none', current: undefined },
  { title: 'it is a copy that another store has made', current: { value: 1, version: 'v1' } },
  { title: 'it has another version', current: { value: 1, version: 'v0' } },
])('they are read where $title', async ({ current }) => {
  const { outcomes, reads, store } = createStore();
  const next = await outcomes.nextText(store, write, outcome, { outcome, ...(current && { current }) });
  expect(next?.split('\n')).toHaveLength(2);
  expect(reads.count).toBe(1);
});

test('nothing is to be written where the version is another, though there is no room either', async () => {
  const { outcomes, store } = createStore('v3');
  expect(await outcomes.nextText(store, write, { ...outcome, keep: 1 }, { outcome })).toBeUndefined();
});

test('nothing is to be written where the request has its outcome', async () => {
  const { outcomes, store } = createStore();
  expect(await outcomes.nextText(store, write, { ...outcome, id: 'a' }, {})).toBeUndefined();
});

test('a resource that is new has only the outcome of its request, and nothing is read', async () => {
  const { outcomes, reads, store } = createStore();
  const next = await outcomes.nextText(store, { ...write, expected: null }, outcome, { outcome });
  expect(next).toMatch(/^\d+ s b of b$/);
  expect(reads.count).toBe(0);
});
