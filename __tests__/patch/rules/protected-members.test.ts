import { protectionCheck } from '../../../lib/patch/rules/protected-members';

interface Row {
  readonly title: string;
  readonly before: unknown;
  readonly after: unknown;
  /** Of the first change that is not writable. */
  readonly beside?: string;
}

describe('writable: /title, /address/city, /list and /tags/0', () => {
  const check = protectionCheck({ writable: ['/title', '/address/city', '/list', '/tags/0'] });

  test.each<Row>([
    { title: 'nothing', before: { id: 1 }, after: { id: 1 } },
    { title: 'a writable member changes', before: { id: 1, title: 'a' }, after: { id: 1, title: 'b' } },
    { title: 'it is added', before: { id: 1 }, after: { id: 1, title: 'b' } },
    { title: 'it is removed', before: { id: 1, title: 'a' }, after: { id: 1 } },
    { title: 'anything below one', before: { list: [1] }, after: { list: { a: [2] } } },
    { title: 'a member of a member', before: { address: { city: 'A' } }, after: { address: { city: 'B' } } },
    { title: 'an element', before: { tags: [1, 2] }, after: { tags: [3, 2] } },
    { title: 'another member', before: { id: 1 }, after: { id: 2 }, beside: '/id' },
    { title: 'another is added', before: {}, after: { role: 'admin' }, beside: '/role' },
    { title: 'another is removed', before: { id: 1 }, after: {}, beside: '/id' },
    {
      title: 'a neighbour of a writable one',
      before: { address: { zip: 1 } },
      after: { address: { zip: 2 } },
      beside: '/address/zip',
    },
    {
      title: 'an object on the way is made',
      before: {},
      after: { address: { city: 'B' } },
      beside: '/address',
    },
    {
      title: 'an object on the way is removed',
      before: { address: { city: 'A' } },
      after: {},
      beside: '/address',
    },
    {
      title: 'an object on the way becomes a text',
      before: { address: {} },
      after: { address: 'B' },
      beside: '/address',
    },
    { title: 'another element', before: { tags: [1, 2] }, after: { tags: [1, 3] }, beside: '/tags/1' },
    { title: 'an element more', before: { tags: [1] }, after: { tags: [1, 2] }, beside: '/tags' },
    { title: 'the whole value', before: { title: 'a' }, after: [1], beside: '' },
    {
      title: 'a name that is inherited',
      before: {},
      after: JSON.parse('{"__proto__":1}'),
      beside: '/__proto__',
    },
    { title: 'a name that a pointer escapes', before: {}, after: { 'a/b~': 1 }, beside: '/a~1b~0' },
    { title: 'the order of members alone', before: { id: 1, a: 2 }, after: { a: 2, id: 1 } },
  ])('$title', ({ before, after, beside }) => {
    expect(check(before, after)).toBe(beside);
  });

  test('none, and nothing may change', () => {
    expect(protectionCheck({ writable: [] })({ a: 1 }, { a: 2 })).toBe('/a');
    expect(protectionCheck({ writable: [] })({ a: 1 }, { a: 1 })).toBeUndefined();
  });

  test('the whole value, and everything may', () => {
    expect(protectionCheck({ writable: [''] })({ a: 1 }, [2])).toBeUndefined();
  });
});
