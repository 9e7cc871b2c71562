import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import fc from 'fast-check';
import { corsDecider, type CorsDecision } from '../../lib/cors/cors-decision';
import { corsPolicy } from '../../lib/cors/policy/policy';
import { isRefused } from '../../lib/cors/origin/verdict';
import type { PreflightAnswer } from '../../lib/cors/preflight-answer';
import { targetMethods } from '../../lib/routes/method-set';
import { times } from '../support/deep-scale';

const target = targetMethods(['GET', 'HEAD', 'PATCH']);
const socket = new Socket();

function requestFrom(origin: string, method: string): IncomingMessage {
  const req = new IncomingMessage(socket);
  req.method = method;
  req.headers = { origin, 'access-control-request-method': 'PATCH' };
  return req;
}

/** What Access-Control-Allow-Origin will say; an answer and the verdict that it follows from must agree. */
function allowOriginOf(decision: CorsDecision | Promise<CorsDecision>): string | undefined {
  if (decision instanceof Promise) throw new Error('There is no predicate to wait for');
  const { preflight, verdict, answer } = decision;
  const allowOrigin = isRefused(verdict) ? undefined : verdict.allowOrigin;
  const status = allowOrigin === undefined ? 403 : 200;
  // Compared by hand, as `expect` would cost more than all the rest.
  const agrees = preflight
    ? answer?.status === status && fieldOf(answer, 'Access-Control-Allow-Origin') === allowOrigin
    : answer === undefined;
  if (!agrees) throw new Error('The answer is not what follows from the verdict');
  return allowOrigin;
}

function fieldOf({ fields }: PreflightAnswer, name: string): string | undefined {
  const at = fields.indexOf(name);
  return at === -1 ? undefined : fields[at + 1];
}

describe('the answer to a preflight', () => {
  const ask = (origin: string) => decide(requestFrom(origin, 'OPTIONS'), undefined) as CorsDecision;
  const lookup = jest.fn(() => target);
  const decide = corsDecider(corsPolicy({ origin: ['https://a.example', 'https://b.example'] }), lookup);

  test('is one for all origins that are allowed, but for the origin itself', () => {
    const [a, b] = [ask('https://a.example').answer?.fields, ask('https://b.example').answer?.fields];
    expect(a).toContain('https://a.example');
    expect(b).toEqual(a?.map((value) => value.replace('//a.', '//b.')));
  });

  test('is for the target of the middleware that asks', () => {
    const asking = () => undefined;
    const req = requestFrom('https://a.example', 'OPTIONS');
    void decide(req, asking);
    expect(lookup).toHaveBeenLastCalledWith(req, asking);
  });

  test('to an origin that is refused costs no walk through the routes', () => {
    lookup.mockClear();
    ask('https://evil.example');
    expect(lookup).not.toHaveBeenCalled();
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
    fc.webUrl(),
    fc.string(),
  );

  test('and none within it refused', () => {
    const runs = times(500, 50_000);
    let allowedOnes = 0;
    fc.assert(
      fc.property(
        fc.array(rule, { minLength: 1, maxLength: 3 }),
        fc.array(origin, { minLength: 10 }),
        (rules, asked) => {
          const decide = corsDecider(corsPolicy({ origin: rules }), () => target);
          for (const one of asked) {
            const expected = rules.some((each) => oracle(each, one)) ? one : undefined;
            if (expected !== undefined) allowedOnes++;
            for (const method of ['OPTIONS', 'GET']) {
              const decision = decide(requestFrom(one, method), undefined);
              if (allowOriginOf(decision) !== expected) throw new Error(`${one} by ${rules.join(' ')}`);
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
