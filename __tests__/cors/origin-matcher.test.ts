import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import fc from 'fast-check';
import type { CorsOptions, OriginPredicate } from '../../lib/cors/cors-options';
import { corsPolicy } from '../../lib/cors/cors-policy';

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

describe('no origin outside the policy is ever allowed', () => {
  /** As plain as it can be: takes both apart and compares the parts. */
  function oracle(rule: string, origin: string): boolean {
    const parts = (text: string) => {
      const [scheme = '', authority = ''] = text.split('://');
      const [host = '', port = ''] = authority.split(':');
      return { scheme, labels: host.split('.'), port, whole: `${scheme}://${authority}` };
    };
    const ruled = parts(rule);
    const asked = parts(origin);
    if (asked.whole !== origin || origin.split(':').length > (asked.port === '' ? 2 : 3)) return false;
    if (asked.scheme !== ruled.scheme) return false;
    if (ruled.port === '*' ? !/^[0-9]{0,5}$/.test(asked.port) : ruled.port !== asked.port) return false;
    if (ruled.labels[0] !== '*') return ruled.labels.join('.') === asked.labels.join('.');
    const fixed = ruled.labels.slice(1);
    const free = asked.labels.slice(0, asked.labels.length - fixed.length);
    return (
      free.length > 0 &&
      free.every((label) => /^[a-z0-9_-]+$/.test(label)) &&
      asked.labels.slice(free.length).join('.') === fixed.join('.')
    );
  }

  const host = fc.constantFrom('example.com', 'a.example.com', 'evilexample.com', 'b.co.uk', 'localhost');
  const scheme = fc.constantFrom('https', 'http');
  const port = fc.constantFrom('', ':8443', ':3000');
  const rule = fc
    .tuple(scheme, fc.constantFrom('', '*.'), host, fc.constantFrom('', ':8443', ':*'))
    .map(([s, star, h, p]) => `${s}://${star}${h}${p}`);

  /** Origins of the same parts as the rules, and then changed by a character or two here and there. */
  const near = fc
    .tuple(scheme, fc.constantFrom('', 'a.', 'a.b.', '.', 'evil', '*.', 'a..', 'A.', 'x/'), host, port)
    .map((parts) => `${parts[0]}://${parts[1]}${parts[2]}${parts[3]}`);
  const changed = fc
    .tuple(
      near,
      fc.nat(),
      fc.constantFrom('', '.', ':', '/', '@', '#', 'a', '0', '.evil.com', '://'),
      fc.nat(2),
    )
    .map(([origin, at, inserted, removed]) => {
      const index = at % (origin.length + 1);
      return origin.slice(0, index) + inserted + origin.slice(index + removed);
    });
  const origin = fc.oneof(near, changed, fc.webUrl(), fc.string());

  test('and none within it refused', () => {
    let allowedOnes = 0;
    fc.assert(
      fc.property(
        fc.array(rule, { minLength: 1, maxLength: 3 }),
        fc.array(origin, { minLength: 10 }),
        (rules, asked) => {
          const policy = corsPolicy({ origin: rules });
          for (const one of asked) {
            const expected = one !== 'null' && rules.some((each) => oracle(each, one));
            if (expected) allowedOnes++;
            if (policy.allows(one, req) !== expected) throw new Error(`${one} by ${rules.join(' ')}`);
          }
        },
      ),
      { numRuns: 5_000 },
    );
    // The generator is worth nothing unless it hits.
    expect(allowedOnes).toBeGreaterThan(500);
  });
});
