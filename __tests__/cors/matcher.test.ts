import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { CorsOptions, OriginPredicate } from '../../lib/cors/options';
import { createPolicy } from '../../lib/cors/policy';

const req = new IncomingMessage(new Socket());

function allows(origin: Required<CorsOptions>['origin'], asked: string): boolean | Promise<boolean> {
  return createPolicy({ origin }).allows(asked, req);
}

describe('any rule of a list may allow', () => {
  const rules = ['https://a.example', 'http://localhost:*', 'https://*.r.example'];

  test.each([
    { origin: 'https://a.example', allowed: true },
    { origin: 'http://localhost:5173', allowed: true },
    { origin: 'https://r1.r.example', allowed: true },
    { origin: 'https://r1-r.example', allowed: false },
    { origin: 'https://b.example', allowed: false },
    { origin: 'null', allowed: false },
  ])('$origin: $allowed', ({ origin, allowed }) => {
    expect(allows(rules, origin)).toBe(allowed);
  });

  test('what your app does to its list later changes nothing', () => {
    const list: string[] = ['https://b.example'];
    const policy = createPolicy({ origin: list });
    list.push('https://c.example');
    expect(policy.allows('https://c.example', req)).toBe(false);
    expect(policy.allows('https://b.example', req)).toBe(true);
  });
});

describe('`null` is allowed by its own name alone', () => {
  test.each<{
    readonly title: string;
    readonly rules: Required<CorsOptions>['origin'];
    readonly allowed: boolean;
  }>([
    { title: 'its name', rules: 'null', allowed: true },
    { title: 'its name in a list', rules: ['https://a.example', 'null'], allowed: true },
    { title: 'a predicate', rules: () => true, allowed: false },
  ])('$title: $allowed', ({ rules, allowed }) => {
    expect(allows(rules, 'null')).toBe(allowed);
  });
});

describe('predicates', () => {
  const a = 'https://a.example';
  const never: OriginPredicate = () => {
    throw new Error('asked in vain');
  };

  test.each<{
    readonly title: string;
    readonly rules: Required<CorsOptions>['origin'];
    readonly allowed: boolean;
  }>([
    { title: 'sync', rules: (origin) => origin === a, allowed: true },
    { title: 'sync, refusing', rules: () => false, allowed: false },
    { title: 'are asked last', rules: [never, a], allowed: true },
    { title: 'are asked in order until one allows', rules: [() => false, () => true, never], allowed: true },
    { title: 'allow by true alone', rules: (() => 'yes') as unknown as OriginPredicate, allowed: false },
    {
      title: 'that answer nothing refuse',
      rules: (() => undefined) as unknown as OriginPredicate,
      allowed: false,
    },
    {
      title: 'without a then that can be called',
      rules: (() => ({ then: 1 })) as unknown as OriginPredicate,
      allowed: false,
    },
  ])('$title', ({ rules, allowed }) => {
    expect(allows(rules, a)).toBe(allowed);
  });

  test.each<{
    readonly title: string;
    readonly rules: Required<CorsOptions>['origin'];
    readonly allowed: boolean;
  }>([
    { title: 'async', rules: (origin) => Promise.resolve(origin === a), allowed: true },
    { title: 'async, refusing', rules: () => Promise.resolve(false), allowed: false },
    {
      title: 'are asked on after one that refused',
      rules: [() => Promise.resolve(false), () => Promise.resolve(true)],
      allowed: true,
    },
    {
      title: 'are asked no more after one that allowed',
      rules: [() => Promise.resolve(true), never],
      allowed: true,
    },
    {
      title: 'allow by true alone',
      rules: (() => Promise.resolve(1)) as unknown as OriginPredicate,
      allowed: false,
    },
  ])('$title', async ({ rules, allowed }) => {
    expect(allows(rules, a)).toBeInstanceOf(Promise);
    await expect(allows(rules, a)).resolves.toBe(allowed);
  });

  test('get the origin and the request', () => {
    const asked: unknown[] = [];
    void allows((...args) => asked.push(args) > 0, a);
    expect(asked).toEqual([[a, req]]);
  });
});

describe('a function that gives no boolean is told once, by a process warning', () => {
  const returning = (value: unknown) => () => value as boolean;

  test.each<{ readonly title: string; readonly origin: OriginPredicate; readonly tells?: RegExp }>([
    { title: 'false', origin: returning(false) },
    { title: 'a promise of false', origin: returning(Promise.resolve(false)) },
    { title: 'undefined, as with a callback', origin: returning(undefined), tells: /returned undefined/ },
    { title: 'a promise of a string', origin: returning(Promise.resolve('yes')), tells: /returned a string/ },
    {
      title: 'the callback of npm cors',
      origin: (_origin, callback) =>
        Reflect.apply(callback as unknown as () => boolean, undefined, [null, true]) as boolean,
      tells: /threw .*no callback is passed/,
    },
    {
      title: 'a rejection',
      origin: () => Promise.reject(new Error('no such tenant')),
      tells: /threw Error, so the origin is refused/,
    },
  ])('$title', async ({ origin, tells }) => {
    const emit = jest.spyOn(process, 'emitWarning').mockImplementation();
    const { allows: ask } = createPolicy({ origin });
    for (let times = 0; times < 2; times++) {
      const answer = await Promise.resolve()
        .then(() => ask('https://a.example', req))
        .catch(() => false);
      expect(answer).toBe(false);
    }
    expect(emit.mock.calls).toEqual(
      tells === undefined ? [] : [[expect.stringMatching(tells), { code: 'PATCH_OPTIONS_ORIGIN' }]],
    );
    emit.mockRestore();
  });
});
