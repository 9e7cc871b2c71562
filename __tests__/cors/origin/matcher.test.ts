import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { CorsOptions, OriginPredicate } from '../../../lib/cors/policy/options';
import { corsPolicy } from '../../../lib/cors/policy/policy';

const req = new IncomingMessage(new Socket());

function allows(origin: Required<CorsOptions>['origin'], asked: string): boolean | Promise<boolean> {
  return corsPolicy({ origin }).allows(asked, req);
}

describe('any rule of a list may allow', () => {
  const rules = ['https://a.example', 'http://localhost:*', /^https:\/\/r[0-9]\.example$/];

  test.each([
    ['https://a.example', true],
    ['http://localhost:5173', true],
    ['https://r1.example', true],
    ['https://r10.example', false],
    ['https://b.example', false],
    ['null', false],
  ])('%s: %p', (origin, allowed) => {
    expect(allows(rules, origin)).toBe(allowed);
  });

  test('what the host does to its RegExp or its list later has no say', () => {
    const pattern = /^https:\/\/a\.example$/;
    const list: string[] = ['https://b.example'];
    const policy = corsPolicy({ origin: [pattern, ...list] });
    pattern.test = () => true;
    list.push('https://c.example');
    expect(policy.allows('https://c.example', req)).toBe(false);
    expect(policy.allows('https://a.example', req)).toBe(true);
  });
});

describe('`null` is allowed by its own name alone', () => {
  test.each<[string, Required<CorsOptions>['origin'], boolean]>([
    ['its name', 'null', true],
    ['its name in a list', ['https://a.example', 'null'], true],
    ['a RegExp', /^.*$/, false],
    ['a predicate', () => true, false],
  ])('%s: %p', (_title, rules, allowed) => {
    expect(allows(rules, 'null')).toBe(allowed);
  });
});

describe('predicates', () => {
  const a = 'https://a.example';
  const never: OriginPredicate = () => {
    throw new Error('asked in vain');
  };

  test.each<[string, Required<CorsOptions>['origin'], boolean]>([
    ['sync', (origin) => origin === a, true],
    ['sync, refusing', () => false, false],
    ['are asked last', [never, a], true],
    ['are asked in order until one allows', [() => false, () => true, never], true],
    ['allow by true alone', (() => 'yes') as unknown as OriginPredicate, false],
    ['that answer nothing refuse', (() => undefined) as unknown as OriginPredicate, false],
    ['without a then that can be called', (() => ({ then: 1 })) as unknown as OriginPredicate, false],
  ])('%s', (_title, rules, allowed) => {
    expect(allows(rules, a)).toBe(allowed);
  });

  test.each<[string, Required<CorsOptions>['origin'], boolean]>([
    ['async', (origin) => Promise.resolve(origin === a), true],
    ['async, refusing', () => Promise.resolve(false), false],
    [
      'are asked on after one that refused',
      [() => Promise.resolve(false), () => Promise.resolve(true)],
      true,
    ],
    ['are asked no more after one that allowed', [() => Promise.resolve(true), never], true],
    ['allow by true alone', (() => Promise.resolve(1)) as unknown as OriginPredicate, false],
  ])('%s', async (_title, rules, allowed) => {
    expect(allows(rules, a)).toBeInstanceOf(Promise);
    await expect(allows(rules, a)).resolves.toBe(allowed);
  });

  test('get the origin and the request', () => {
    const asked: unknown[] = [];
    void allows((...args) => asked.push(args) > 0, a);
    expect(asked).toEqual([[a, req]]);
  });
});
