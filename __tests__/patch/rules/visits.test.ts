/** Hidden and protected members cost what the paths cost that name them, however much stands beside those. */
import { HiddenMembers } from '../../../lib/patch/rules/hidden-members';
import { keptMembers, protectionCheck } from '../../../lib/patch/rules/protected-members';

const refuse = () => {
  throw new Error('visited');
};
/** Throws if its members are read or listed. */
const unvisited: object = new Proxy(
  {},
  { get: refuse, has: refuse, ownKeys: refuse, getOwnPropertyDescriptor: refuse },
);

/** The object, and how often its members were listed. */
function counting(object: object) {
  let lists = 0;
  const value = new Proxy(object, {
    ownKeys(target) {
      lists++;
      return Reflect.ownKeys(target);
    },
  });
  return { value, lists: () => lists };
}

const names = Array.from({ length: 10 }, (_, index) => `secret${index}`);
const secrets = Object.fromEntries(names.map((name) => [name, 1]));

describe('hidden members', () => {
  test('nothing beside the paths to them is visited', () => {
    const hidden = new HiddenMembers(['/auth/hash', '/pin']);
    const base = { list: unvisited, auth: { hash: 'x', since: unvisited }, pin: 1 };
    const visible = hidden.visible(base);
    expect(Object.keys(visible)).toEqual(['list', 'auth']);
    expect(visible.list).toBe(unvisited);
    const result = { ...visible, title: 'new' };
    const whole = hidden.restored(result, base);
    expect(whole).toMatchObject({ pin: 1, title: 'new' });
    expect(whole.list).toBe(unvisited);
    expect(whole.auth.since).toBe(unvisited);
    expect(whole.auth.hash).toBe('x');
  });

  test.each([
    {
      what: 'taken out of',
      act: (hidden: HiddenMembers, value: object) => hidden.visible(value),
      stored: secrets,
    },
    {
      what: 'put back into',
      act: (hidden: HiddenMembers, value: object) => hidden.restored(value, secrets),
      stored: { title: 'a' },
    },
  ])('ten that are $what an object copy it once', ({ act, stored }) => {
    const one = counting(stored);
    act(new HiddenMembers(['/secret0']), one.value);
    const ten = counting(stored);
    act(new HiddenMembers(names.map((name) => `/${name}`)), ten.value);
    expect(one.lists()).toBeGreaterThan(0);
    expect(ten.lists()).toBe(one.lists());
  });
});

describe('members that are read-only', () => {
  test('nothing beside the paths to them is visited', () => {
    const before = { id: 1, list: unvisited, meta: { owner: 'a', more: unvisited } };
    const sent = { list: unvisited, meta: { owner: 'a' } };
    const readOnly = ['/id', '/meta/owner'];
    expect(protectionCheck({ readOnly })(before, { ...before, list: [] })).toBeUndefined();
    const kept = keptMembers({ readOnly })(before, sent) as typeof before;
    expect(Object.keys(kept)).toEqual(['id', 'list', 'meta']);
    expect(kept.list).toBe(unvisited);
  });
});

describe('members that are writable', () => {
  test('of an object, what is the same in both is not visited', () => {
    const before = { title: 'a', list: unvisited, tags: [unvisited, 1] };
    const check = protectionCheck({ writable: ['/title', '/tags/1'] });
    expect(check(before, { ...before, title: 'b', tags: [unvisited, 2] })).toBeUndefined();
    expect(check(before, { ...before, title: 'b', id: 1 })).toBe('/id');
  });
});
