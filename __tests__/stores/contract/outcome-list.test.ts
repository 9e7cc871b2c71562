import { OutcomeList } from '../../../lib/stores/contract/outcome-store';
import type { PendingOutcome } from '../../../lib/stores/contract/resource-store';
import { anyCharacter, fc } from '../../support/properties';

const now = jest.spyOn(Date, 'now');
beforeEach(() => now.mockReturnValue(1_000_000));
afterAll(() => now.mockRestore());

const bounds = { scope: 's', keep: 10, total: 100, maxAge: 60 };
const add = (list: OutcomeList, change: Partial<PendingOutcome> & { readonly id: string }) =>
  list.with({ ...bounds, text: (version) => `${change.id} made ${version}`, ...change }, 'v1');

/** A list with an outcome for each of the ids. */
function createList(...ids: string[]): OutcomeList {
  return ids.reduce((list, id) => add(list, { id }) ?? list, OutcomeList.empty);
}

test('an outcome is found by its id until it expires, and then makes room', () => {
  const list = createList('a', 'b');
  expect([list.find('a'), list.find('b'), list.find('A')]).toEqual(['a made v1', 'b made v1', undefined]);
  now.mockReturnValue(1_059_999);
  expect(list.find('a')).toBe('a made v1');
  expect(add(list, { id: 'a' })).toBeUndefined();
  now.mockReturnValue(1_060_000);
  expect(list.find('a')).toBeUndefined();
  const next = add(list, { id: 'a', text: () => 'again' });
  expect(next?.find('a')).toBe('again');
  expect(String(next).split('\n')).toHaveLength(1);
});

test('the list that was there stays as it is', () => {
  const list = createList('a');
  const before = String(list);
  add(list, { id: 'b' });
  expect([String(list), list.find('b')]).toEqual([before, undefined]);
});

test.each<{ readonly title: string; readonly more: Partial<PendingOutcome>; readonly seconds: string }>([
  { title: 'keep of the scope', more: { keep: 2 }, seconds: '30' },
  { title: 'total of all scopes', more: { scope: 't', total: 3 }, seconds: '10' },
  { title: 'both', more: { keep: 2, total: 3 }, seconds: '30' },
])('over $title: 503, until the first of them expires', ({ more, seconds }) => {
  let list = add(OutcomeList.empty, { id: 'u', scope: 'u', maxAge: 10 });
  for (const [id, maxAge] of [
    ['a', 60],
    ['b', 30],
  ] as const) {
    list = list && add(list, { id, maxAge });
  }
  expect(() => list && add(list, { id: 'c', ...more })).toThrow(
    expect.objectContaining({ status: 503, code: 'outcomes-full', headers: { 'Retry-After': seconds } }),
  );
  now.mockReturnValue(1_000_000 + Number(seconds) * 1_000);
  expect(list && add(list, { id: 'c', ...more })?.find('c')).toBe('c made v1');
});

test('whatever the texts are, they are read back from the text of the list', () => {
  const ids = fc.stringMatching(/^[\w-]{1,64}$/);
  const texts = fc.oneof(fc.string(), fc.stringMatching(/^[%\n25A0 -]*$/), fc.string({ unit: anyCharacter }));
  const outcomes = fc.uniqueArray(fc.tuple(ids, texts), { selector: ([id]) => id, maxLength: 8 });
  fc.assert(
    fc.property(outcomes, (pairs) => {
      const list = pairs.reduce(
        (before, [id, text]) => add(before, { id, text: () => text }) ?? before,
        OutcomeList.empty,
      );
      const readBack = OutcomeList.parse('the column outcomes', String(list));
      expect(String(readBack)).toBe(String(list));
      for (const [id, text] of pairs) expect(readBack.find(id)).toBe(text);
    }),
  );
});

test.each([undefined, null, ''])('%j has none', (text) => {
  expect(String(OutcomeList.parse('the column outcomes', text))).toBe('');
});

test.each([1, {}, 'x', '[]', '\n', '12 s', '1 s a', '1  a x', '1 s a text\n', ' 1 s a text'])(
  '%j is refused with the place and what to do',
  (text) => {
    expect(() => OutcomeList.parse('the column outcomes', text)).toThrow(
      'There is something other than outcomes in the column outcomes, although only the store may write there. Empty it.',
    );
  },
);
