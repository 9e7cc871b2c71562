import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { decideOrigin, type OriginDecision } from '../../lib/cors/origin';
import { createPolicy, type CorsPolicy } from '../../lib/cors/policy';
import { times } from '../support/deep-scale';
import { fc } from '../support/properties';

const socket = new Socket();

function judged(policy: CorsPolicy, origin: string, preflight: boolean): OriginDecision {
  const req = new IncomingMessage(socket);
  req.headers = { origin };
  const verdict = decideOrigin(policy, req, preflight);
  if (verdict instanceof Promise) throw new Error('There is no predicate to wait for');
  return verdict;
}

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
      free.every((label) => /^[a-z0-9!"$&'()*+;=_`{}~-]+$/.test(label)) &&
      asked.labels.slice(free.length).join('.') === fixed.join('.')
    );
  }

  const host = fc.constantFrom('example.com', 'a.example.com', 'evilexample.com', 'b.co.uk', 'localhost');
  const scheme = fc.constantFrom('https', 'http');
  const port = fc.constantFrom('', ':8443', ':3000', ':123456');
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
  const origin = fc.oneof(
    { weight: 4, arbitrary: near },
    { weight: 4, arbitrary: changed },
    // fc.webUrl() takes more than a second to list all characters.
    fc
      .tuple(scheme, fc.webAuthority({ withPort: true }), fc.constantFrom('', '/', '/a?b#c'))
      .map(([s, a, rest]) => `${s}://${a}${rest}`),
    fc.string(),
  );

  test('and none within it refused', () => {
    const runs = times(125, 50_000);
    let allowedOnes = 0;
    fc.assert(
      fc.property(
        fc.array(rule, { minLength: 1, maxLength: 3 }),
        fc.array(origin, { minLength: 10 }),
        (rules, asked) => {
          const policy = createPolicy({ origin: rules });
          for (const one of asked) {
            const expected = rules.some((each) => oracle(each, one)) ? one : undefined;
            if (expected !== undefined) allowedOnes++;
            for (const preflight of [true, false]) {
              const { allowOrigin } = judged(policy, one, preflight);
              if (allowOrigin !== expected) throw new Error(`${one} by ${rules.join(' ')}`);
            }
          }
        },
      ),
      { numRuns: runs },
    );
    // The generator is worth nothing unless it hits.
    expect(allowedOnes).toBeGreaterThan(runs / 10);
  });
});
