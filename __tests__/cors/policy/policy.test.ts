import type { ConfigurationError } from '../../../lib/configuration';
import { corsPreflight } from '../../../lib/cors/cors-preflight';
import type { CorsOptions } from '../../../lib/cors/policy/options';
import { corsPolicy } from '../../../lib/cors/policy/policy';
import { mistakesOf } from '../../support/mistakes-of';

/** What a host without type checks may write. */
type Written = Record<string, unknown>;

function mistakesIn(options: unknown): ConfigurationError['mistakes'] {
  return mistakesOf(() => corsPreflight(options as CorsOptions));
}

describe('options that cannot work are refused at start, with the fix', () => {
  const https = (host: string) => `https://${host}`;

  test.each<[Written, string, string, RegExp]>([
    // Fetch, CORS check step 4, and the rights that any page would have.
    [{ credentials: true }, 'origin', '*', /Name the origins/],
    [{ origin: '*', credentials: true }, 'origin', '*', /Name the origins/],
    [{ origin: ['*', https('a.example')] }, 'origin[0]', '*', /Write origin: '\*'/],
    [{ origin: ['null'], credentials: true }, 'origin[0]', 'null', /dangerouslyAllowAnyOrigin/],
    [
      { origin: 'http://a.example', credentials: true },
      'origin',
      'http://a.example',
      /'https:\/\/a\.example'/,
    ],
    [
      { origin: 'http://*.a.example', credentials: true },
      'origin',
      'http://*.a.example',
      /'https:\/\/\*\.a\.example'/,
    ],
    [{ origin: ['https://*.com'] }, 'origin[0]', 'https://*.com', /dangerouslyAllowPublicSuffixes/],
    [
      { exposedHeaders: '*', origin: https('a.example'), credentials: true },
      'exposedHeaders',
      '*',
      /Name the/,
    ],
    [
      { allowedHeaders: ['*'], origin: https('a.example'), credentials: true },
      'allowedHeaders[0]',
      '*',
      /Name the/,
    ],
    // Fetch, forbidden methods and header names.
    [{ methods: 'TRACE' }, 'methods', 'TRACE', /Leave it out/],
    [{ methods: ['GET', 'track'] }, 'methods[1]', 'track', /Leave it out/],
    [{ methods: ['patch'] }, 'methods[0]', 'patch', /Write 'PATCH'/],
    [{ methods: 'GET, PU T' }, 'methods', 'PU T', /Write methods like/],
    [{ methods: '*' }, 'methods', '*', /computed from the routes/],
    [{ allowedHeaders: ['Cookie'] }, 'allowedHeaders[0]', 'Cookie', /Leave it out/],
    [{ allowedHeaders: 'Sec-Fetch-Site' }, 'allowedHeaders', 'Sec-Fetch-Site', /Leave it out/],
    [{ allowedHeaders: 'X Y' }, 'allowedHeaders', 'X Y', /Leave it out/],
    [{ exposedHeaders: 'Set-Cookie' }, 'exposedHeaders', 'Set-Cookie', /Leave it out/],
    [{ exposedHeaders: 'a:b' }, 'exposedHeaders', 'a:b', /Leave it out/],
    // Header fields of the other direction.
    [{ allowedHeaders: 'ETag' }, 'allowedHeaders', 'ETag', /Leave it out/],
    [
      { allowedHeaders: 'Access-Control-Allow-Origin' },
      'allowedHeaders',
      'Access-Control-Allow-Origin',
      /Leave/,
    ],
    [{ exposedHeaders: 'If-Match' }, 'exposedHeaders', 'If-Match', /Leave it out/],
    [{ exposedHeaders: 'Idempotency-Key' }, 'exposedHeaders', 'Idempotency-Key', /Leave it out/],
    [{ exposedHeaders: 'Origin' }, 'exposedHeaders', 'Origin', /Leave it out/],
  ])('%j', (options, option, value, fix) => {
    const mistakes = mistakesIn(options);
    expect(mistakes.map((mistake) => [mistake.option, mistake.value])).toEqual([[option, value]]);
    expect(mistakes[0]?.fix).toMatch(fix);
  });

  test.each<[Written, string, unknown, RegExp]>([
    [{ origin: true }, 'origin', true, /Name the origins/],
    [{ origin: false }, 'origin', false, /Leave corsPreflight\(\) out/],
    [{ origin: [] }, 'origin', [], /Name an origin/],
    [{ origin: 3000 }, 'origin', 3000, /Write an origin/],
    [{ origin: undefined }, 'origin', undefined, /setting is missing/],
    [{ origin: [/^https:$/g] }, 'origin[0]', /^https:$/g, /Leave the flag out/],
    [{ origin: /example\.com$/ }, 'origin', /example\.com$/, /\^\(\?:example/],
    [{ maxAge: -1 }, 'maxAge', -1, /Write 600/],
    [{ maxAge: 1.5 }, 'maxAge', 1.5, /Write 600/],
    [{ maxAge: 86_401 }, 'maxAge', 86_401, /Write 600/],
    [{ maxAge: '600' }, 'maxAge', '600', /Write 600/],
    [{ maxAge: NaN }, 'maxAge', NaN, /Write 600/],
    [{ methods: [] }, 'methods', [], /computed/],
    [{ methods: 5 }, 'methods', 5, /Write an array/],
    [{ methods: [5] }, 'methods[0]', 5, /Write a name/],
    [{ allowedHeaders: [1] }, 'allowedHeaders[0]', 1, /Write a name/],
    [{ allowedHeaders: null }, 'allowedHeaders', null, /Write an array/],
    [{ exposedHeaders: false }, 'exposedHeaders', false, /Write an array/],
    [{ vary: 'X-Tenant' }, 'vary', 'X-Tenant', /Leave it out/],
    [{ vary: 'a b', origin: () => true }, 'vary', 'a b', /Leave it out/],
    [{ credentials: 'true', origin: 'https://a.example' }, 'credentials', 'true', /Write true/],
    [{ dangerouslyAllowPublicSuffixes: 1 }, 'dangerouslyAllowPublicSuffixes', 1, /Write true/],
    [{ onRefused: 'log' }, 'onRefused', 'log', /Give a function/],
    [{ root: {} }, 'root', {}, /Give the app/],
    [{ allowHeaders: [] }, 'allowHeaders', [], /'allowedHeaders'/],
    [{ orgin: '*' }, 'orgin', '*', /'origin'/],
    [{ preflightContinue: true }, 'preflightContinue', true, /The options are/],
  ])('%p', (options, option, value, fix) => {
    const mistakes = mistakesIn(options);
    expect(mistakes.map((mistake) => [mistake.option, mistake.value])).toEqual([[option, value]]);
    expect(mistakes[0]?.fix).toMatch(fix);
  });

  test.each([
    ['a delegate, as npm cors takes it', () => ({ origin: 'https://a.example' })],
    ['null', null],
    ['an origin by itself', 'https://a.example'],
  ])('%s is not taken for no options', (_title, options) => {
    expect(mistakesIn(options)).toMatchObject([{ option: 'options', value: options }]);
  });

  test.each<[Written, RegExp[]]>([
    [
      { origin: 'http://a.example/', credentials: true },
      [/^Write 'http:\/\/a\.example'\.$/, /^Write 'https:\/\/a\.example'; or say/],
    ],
    [{ origin: 'https://*.COM' }, [/^Write 'https:\/\/\*\.com'\.$/, /^Name your own domain/]],
    [{ origin: 'http://a.example:443', credentials: true }, [/^Write 'https:\/\/a\.example'; or say/]],
  ])('%j: what is wrong with a rule also when its form is mended is told at once', (options, fixes) => {
    expect(mistakesIn(options).map(({ fix }) => fix)).toEqual(
      fixes.map((fix) => expect.stringMatching(fix) as string),
    );
  });

  test('all of them in one error', () => {
    const options = {
      origin: ['https://a.example/', 'b.example'],
      maxAge: -1,
      method: 'GET',
      credentials: true,
    };
    expect(mistakesIn(options).map(({ option }) => option)).toEqual([
      'method',
      'origin[0]',
      'origin[1]',
      'maxAge',
    ]);
    expect(() => corsPreflight(options)).toThrow(
      /^corsPreflight\(\) cannot work with these options:\n {2}method/,
    );
  });
});

describe('options that can', () => {
  test.each<[CorsOptions]>([
    [{}],
    [{ origin: 'null' }],
    [
      {
        origin: ['http://localhost:3000', 'http://127.0.0.1:*', 'http://[::1]', 'http://a.localhost'],
        credentials: true,
      },
    ],
    [{ origin: ['https://*.example.com', /^https:\/\/a\.example$/, () => true], credentials: true }],
    [{ origin: 'http://a.example', credentials: true, dangerouslyAllowInsecureOrigins: true }],
    [{ origin: 'https://*.com', dangerouslyAllowPublicSuffixes: true }],
    [{ origin: 'null', credentials: true, dangerouslyAllowAnyOriginWithCredentials: true }],
    [{ allowedHeaders: '*, Authorization', exposedHeaders: '*', maxAge: 86_400 }],
    [{ exposedHeaders: 'Date, Content-Encoding, Via' }],
    [{ methods: 'GET,HEAD,PUT,PATCH,POST,DELETE' }],
  ])('%p', (options) => {
    expect(mistakesIn(options)).toEqual([]);
  });

  test('the policy is frozen, and lists are read from strings and arrays alike', () => {
    const policy = corsPolicy({
      allowedHeaders: ' If-Match ,, x-one,if-match',
      exposedHeaders: ['ETag', 'etag'],
    });
    expect(policy).toMatchObject({ allowedHeaders: ['If-Match', 'x-one'], exposedHeaders: ['ETag'] });
    expect(Object.isFrozen(policy)).toBe(true);
  });
});
