import type { ConfigurationError } from '../../lib/config/options-check';
import { corsPreflight } from '../../lib/cors/cors-preflight';
import type { CorsOptions } from '../../lib/cors/options';
import { createPolicy } from '../../lib/cors/policy';
import { mistakesOf, shown } from '../support/mistakes-of';

/** What an app without type checks may write. */
type Written = Record<string, unknown>;

function mistakesIn(options: unknown): ConfigurationError['mistakes'] {
  return mistakesOf(() => corsPreflight(options as CorsOptions));
}

const defaultExposed = [
  ...['ETag', 'Accept-Patch', 'Allow', 'Content-Location', 'Location'],
  ...['Preference-Applied', 'Retry-After'],
];

/** The form of npm cors with options for each request. */
const delegate = (_req: unknown, callback: (error: unknown, options: object) => void): void => {
  callback(null, { origin: 'https://a.example' });
};

describe('options that cannot work are refused at start, with the fix', () => {
  const https = (host: string) => `https://${host}`;

  test.each([
    { origin: 'http://a.example/', fixes: ['https://a.example', 'https://a.example'] },
    { origin: '"http://a.example"', fixes: ['https://a.example', 'https://a.example'] },
    { origin: 'http://a.example;https://b.example', fixes: ['https://a.example', 'https://a.example'] },
    { origin: '["https://*.co.uk"]', fixes: ['https://*.example.com', 'https://*.example.com'] },
    { origin: 'http://*.co.uk', fixes: ['https://*.example.com', undefined] },
  ])('$origin: no fix is a mistake itself, with credentials', ({ origin, fixes }) => {
    const shownFixes = mistakesIn({ origin, credentials: true }).map(
      ({ fix }) => /'(https?:[^']*)'/.exec(fix)?.[1],
    );
    expect(shownFixes).toEqual(fixes);
  });

  test.each<{
    readonly options: Written;
    readonly option: string;
    readonly value: string;
    readonly fix: RegExp;
  }>([
    // Fetch, CORS check step 4, and the rights that any page would have.
    { options: { credentials: true }, option: 'origin', value: '*', fix: /List the origins/ },
    { options: { origin: '*', credentials: true }, option: 'origin', value: '*', fix: /List the origins/ },
    {
      options: { origin: ['*', https('a.example')] },
      option: 'origin[0]',
      value: '*',
      fix: /Write origin: '\*'/,
    },
    {
      options: { origin: ['*', https('a.example')], credentials: true },
      option: 'origin[0]',
      value: '*',
      fix: /^Remove it from the list/,
    },
    {
      options: { origin: ['null'], credentials: true },
      option: 'origin[0]',
      value: 'null',
      fix: /dangerouslyAllowAnyOrigin/,
    },
    {
      options: { origin: 'http://a.example', credentials: true },
      option: 'origin',
      value: 'http://a.example',
      fix: /'https:\/\/a\.example'/,
    },
    {
      options: { origin: 'http://*.a.example', credentials: true },
      option: 'origin',
      value: 'http://*.a.example',
      fix: /'https:\/\/\*\.a\.example'/,
    },
    {
      options: { origin: ['https://*.com'] },
      option: 'origin[0]',
      value: 'https://*.com',
      fix: /a function that checks which of them are yours/,
    },
    {
      options: { exposedHeaders: '*', origin: https('a.example'), credentials: true },
      option: 'exposedHeaders',
      value: '*',
      fix: /List the/,
    },
    {
      options: { allowedHeaders: ['*'], origin: https('a.example'), credentials: true },
      option: 'allowedHeaders[0]',
      value: '*',
      fix: /List the/,
    },
    // Fetch, forbidden methods and header names.
    { options: { methods: 'TRACE' }, option: 'methods', value: 'TRACE', fix: /Leave it out/ },
    { options: { methods: ['GET', 'track'] }, option: 'methods[1]', value: 'track', fix: /Leave it out/ },
    { options: { methods: ['patch'] }, option: 'methods[0]', value: 'patch', fix: /Write 'PATCH'/ },
    { options: { methods: 'GET, PU T' }, option: 'methods', value: 'PU T', fix: /Write a method such as/ },
    { options: { methods: '*' }, option: 'methods', value: '*', fix: /computed from the routes/ },
    {
      options: { allowedHeaders: ['Cookie'] },
      option: 'allowedHeaders[0]',
      value: 'Cookie',
      fix: /Leave it out/,
    },
    {
      options: { allowedHeaders: 'Sec-Fetch-Site' },
      option: 'allowedHeaders',
      value: 'Sec-Fetch-Site',
      fix: /Leave it out/,
    },
    { options: { allowedHeaders: 'X Y' }, option: 'allowedHeaders', value: 'X Y', fix: /Leave it out/ },
    {
      options: { exposedHeaders: 'Set-Cookie' },
      option: 'exposedHeaders',
      value: 'Set-Cookie',
      fix: /Leave it out/,
    },
    { options: { exposedHeaders: 'a:b' }, option: 'exposedHeaders', value: 'a:b', fix: /Leave it out/ },
  ])('$option: $value, $fix', ({ options, option, value, fix }) => {
    const mistakes = mistakesIn(options);
    expect(mistakes.map((mistake) => [mistake.option, mistake.value])).toEqual([[option, shown(value)]]);
    expect(mistakes[0]?.fix).toMatch(fix);
    expect(mistakes[0]?.code).toMatch(/^(?:cors|header|method|option)-[a-z-]+$/);
  });

  test.each<{
    readonly options: Written;
    readonly option: string;
    readonly value: unknown;
    readonly fix: RegExp;
  }>([
    { options: { origin: true }, option: 'origin', value: true, fix: /List the origins/ },
    { options: { origin: false }, option: 'origin', value: false, fix: /Leave corsPreflight\(\) out/ },
    {
      options: { origin: ['https://a.example', undefined as never] },
      option: 'origin[1]',
      value: undefined,
      fix: /^Set the variable that it comes from, or leave it out of the list\.$/,
    },
    { options: { origin: [] }, option: 'origin', value: [], fix: /List at least one origin/ },
    { options: { origin: 3000 }, option: 'origin', value: 3000, fix: /Write an origin/ },
    { options: { origin: undefined }, option: 'origin', value: undefined, fix: /setting is missing/ },
    {
      options: { origin: [/^https:\/\/a\.example$/g] },
      option: 'origin[0]',
      value: /^https:\/\/a\.example$/g,
      fix: /^Write a pattern such as .*, an origin such as .*, or a function such as /,
    },
    {
      options: { origin: /example\.com$/ },
      option: 'origin',
      value: /example\.com$/,
      fix: /^Write a pattern such as 'https:\/\/\*\.example\.com'/,
    },
    ...['allowedOrigins', 'allowedOrigin', 'allowOrigin', 'allowOrigins', 'origins'].map((option) => ({
      ...{ options: { [option]: 'https://a.example' }, option, value: 'https://a.example' },
      fix: /^Did you mean 'origin'\?$/,
    })),
    ...['allowedMethods', 'allowMethods', 'method'].map((option) => ({
      ...{ options: { [option]: 'GET' }, option, value: 'GET', fix: /^Did you mean 'methods'\?$/ },
    })),
    {
      options: delegate as never,
      option: 'options',
      value: delegate,
      fix: /of npm cors, mount an instance on each path/,
    },
    { options: { maxAge: -1 }, option: 'maxAge', value: -1, fix: /Write 600/ },
    { options: { maxAge: 1.5 }, option: 'maxAge', value: 1.5, fix: /Write 600/ },
    { options: { maxAge: 86_401 }, option: 'maxAge', value: 86_401, fix: /Write 600/ },
    { options: { maxAge: '600' }, option: 'maxAge', value: '600', fix: /Write 600/ },
    { options: { maxAge: NaN }, option: 'maxAge', value: NaN, fix: /Write 600/ },
    { options: { methods: [] }, option: 'methods', value: [], fix: /computed/ },
    { options: { methods: 5 }, option: 'methods', value: 5, fix: /Write an array/ },
    { options: { methods: [5] }, option: 'methods[0]', value: 5, fix: /Write the name as a string/ },
    { options: { fallbackMethods: [] }, option: 'fallbackMethods', value: [], fix: /Write methods such as/ },
    { options: { fallbackMethods: true }, option: 'fallbackMethods', value: true, fix: /Write an array/ },
    {
      options: { fallbackMethods: ['GET', 'Put'] },
      option: 'fallbackMethods[1]',
      value: 'Put',
      fix: /'PUT'/,
    },
    {
      options: { fallbackMethods: 'put', methods: 'PUT' },
      option: 'fallbackMethods',
      value: 'put',
      fix: /'PUT'/,
    },
    { options: { fallbackMethods: '*' }, option: 'fallbackMethods', value: '*', fix: /List the methods/ },
    { options: { fallbackMethods: 'TRACE' }, option: 'fallbackMethods', value: 'TRACE', fix: /Leave it out/ },
    {
      options: { fallbackMethods: 'GET,PUT', methods: 'GET' },
      option: 'fallbackMethods',
      value: 'PUT',
      fix: /add it to methods/,
    },
    {
      options: { allowedHeaders: [1] },
      option: 'allowedHeaders[0]',
      value: 1,
      fix: /Write the name as a string/,
    },
    { options: { allowedHeaders: null }, option: 'allowedHeaders', value: null, fix: /Write an array/ },
    { options: { allowedHeaders: [] }, option: 'allowedHeaders', value: [], fix: /write { only: \[\] }/ },
    {
      options: { allowedHeaders: { only: null } },
      ...{ option: 'allowedHeaders.only', value: null, fix: /Write an array/ },
    },
    {
      options: { allowedHeaders: { only: ['Cookie'] } },
      ...{ option: 'allowedHeaders.only[0]', value: 'Cookie', fix: /Leave it out/ },
    },
    {
      options: { exposedHeaders: { only: 'Allow', except: ['ETag'] } as object },
      ...{ option: 'exposedHeaders.except', value: ['ETag'], fix: /The options are only/ },
    },
    { options: { exposedHeaders: false }, option: 'exposedHeaders', value: false, fix: /Write an array/ },
    {
      options: { credentials: 'true', origin: 'https://a.example' },
      option: 'credentials',
      value: 'true',
      fix: /Write true/,
    },
    {
      options: { dangerouslyAllowAnyOriginWithCredentials: 1 },
      option: 'dangerouslyAllowAnyOriginWithCredentials',
      value: 1,
      fix: /Write true/,
    },
    { options: { onRefused: 'log' }, option: 'onRefused', value: 'log', fix: /Pass a function/ },
    { options: { root: {} }, option: 'root', value: {}, fix: /Pass the app/ },
    { options: { allowHeaders: [] }, option: 'allowHeaders', value: [], fix: /'allowedHeaders'/ },
    { options: { orgin: '*' }, option: 'orgin', value: '*', fix: /'origin'/ },
    {
      options: { preflightContinue: true },
      option: 'preflightContinue',
      value: true,
      fix: /all other OPTIONS requests go on to your app/,
    },
    {
      options: { optionsSuccessStatus: 204 },
      option: 'optionsSuccessStatus',
      value: 204,
      fix: /answered 200/,
    },
    { options: { headers: ['X-A'] }, option: 'headers', value: ['X-A'], fix: /'allowedHeaders'/ },
    { options: { constructor: 1 }, option: 'constructor', value: 1, fix: /The options are/ },
    { options: { origin: ['*'] }, option: 'origin[0]', value: '*', fix: /Write origin: '\*'/ },
  ])('$option: $value, $fix', ({ options, option, value, fix }) => {
    const mistakes = mistakesIn(options);
    expect(mistakes.map((mistake) => [mistake.option, mistake.value])).toEqual([[option, shown(value)]]);
    expect(mistakes[0]?.fix).toMatch(fix);
    expect(mistakes[0]?.code).toMatch(/^(?:cors|header|method|option)-[a-z-]+$/);
  });

  const forbidden = [
    ...[
      'Accept-Charset',
      'Accept-Encoding',
      'Access-Control-Request-Headers',
      'Access-Control-Request-Method',
    ],
    ...['Connection', 'Content-Length', 'Cookie', 'Cookie2', 'Date', 'DNT', 'Expect', 'Host', 'Keep-Alive'],
    ...['Origin', 'Referer', 'Set-Cookie', 'TE', 'Trailer', 'Transfer-Encoding', 'Upgrade', 'Via'],
    ...['Proxy-Authorization', 'Sec-CH-UA'],
  ];
  test.each<[name: string, options: CorsOptions]>([
    ...forbidden.map((name): [string, CorsOptions] => [name, { allowedHeaders: name }]),
    ...['Set-Cookie', 'set-cookie2'].map((name): [string, CorsOptions] => [name, { exposedHeaders: name }]),
  ])('Fetch, forbidden request-header, and response-header name: %s in %j', (name, options) => {
    expect(mistakesIn(options)).toMatchObject([{ code: 'cors-header-forbidden', value: `'${name}'` }]);
  });

  test.each([
    { title: 'a delegate, as npm cors takes it', options: () => ({ origin: 'https://a.example' }) },
    { title: 'null', options: null },
    { title: 'an origin by itself', options: 'https://a.example' },
  ])('$title is not taken for no options', ({ options }) => {
    expect(mistakesIn(options)).toMatchObject([{ option: 'options', value: shown(options) }]);
  });

  test.each<{ readonly options: Written; readonly fixes: RegExp[] }>([
    {
      options: { origin: 'http://a.example/', credentials: true },
      fixes: [/^Write 'https:\/\/a\.example', or a function/, /^Write 'https:\/\/a\.example', or a function/],
    },
    {
      options: { origin: 'https://*.COM' },
      fixes: [/^Write your own domain/, /^Write your own domain/],
    },
    {
      options: { origin: 'http://a.example:443', credentials: true },
      fixes: [/^Write 'https:\/\/a\.example', or a function/],
    },
  ])(
    '$options: what is wrong with a rule also when its form is mended is told at once',
    ({ options, fixes }) => {
      expect(mistakesIn(options).map(({ fix }) => fix)).toEqual(
        fixes.map((fix) => expect.stringMatching(fix) as string),
      );
    },
  );

  test('all of them in one error', () => {
    const options = {
      origin: ['https://a.example/', 'b.example'],
      maxAge: -1,
      method: 'GET',
      credentials: true,
    };
    expect(mistakesIn(options).map(({ option }) => option)).toEqual([
      'method',
      'maxAge',
      'origin[0]',
      'origin[1]',
    ]);
    expect(() => corsPreflight(options)).toThrow(/^corsPreflight\(\) received invalid options:\n {2}method/);
  });
});

describe('options that can', () => {
  test.each<{ readonly title: string; readonly options: CorsOptions }>([
    { title: 'none, for a public API', options: {} },
    { title: 'the origin of sandboxed frames', options: { origin: 'null' } },
    {
      title: 'trustworthy origins with credentials',
      options: {
        origin: [
          'http://localhost:3000',
          'http://127.0.0.1:*',
          'http://[::1]',
          'http://a.localhost',
          'http://localhost.',
          'http://*.localhost.:*',
        ],
        credentials: true,
      },
    },
    {
      title: 'every kind of rule with credentials',
      options: { origin: ['https://*.example.com', 'https://a.example', () => true], credentials: true },
    },
    {
      title: 'null with credentials, stated explicitly',
      options: { origin: 'null', credentials: true, dangerouslyAllowAnyOriginWithCredentials: true },
    },
    {
      title: 'any header, and Authorization, which * does not cover',
      options: { allowedHeaders: '*, Authorization', exposedHeaders: '*', maxAge: 86_400 },
    },
    {
      title: 'headers that a standard defines for the other direction',
      options: {
        allowedHeaders: 'ETag, Location, Last-Modified, X-Frame-Options, Access-Control-Allow-Origin',
        exposedHeaders: ['Authorization', 'Idempotency-Key', 'Range', 'If-Match', 'Origin', 'Cookie'],
      },
    },
    {
      title: 'headers that pages could otherwise not read',
      options: { exposedHeaders: 'Date, Content-Encoding, Via' },
    },
    {
      title: 'headers that are named like those that cannot',
      options: {
        allowedHeaders: 'X-Sec-A, My-Proxy-A, X-Requested, Requested-With',
        exposedHeaders: 'X-Set-Cookie, Set-Cookie3, Set-Cookie2x, Requested',
      },
    },
    {
      title: 'whatever headers are requested, with credentials',
      options: { allowedHeaders: 'requested', origin: 'https://a.example', credentials: true },
    },
    {
      title: 'methods of paths that cannot be seen, among those that all are narrowed to',
      options: { fallbackMethods: 'GET,POST', methods: ['POST', 'GET', 'PUT'] },
    },
    { title: 'methods as npm cors writes them', options: { methods: 'GET,HEAD,PUT,PATCH,POST,DELETE' } },
  ])('$title', ({ options }) => {
    expect(mistakesIn(options)).toEqual([]);
  });

  test('the policy is frozen, and lists are read from strings and arrays alike', () => {
    const policy = createPolicy({
      allowedHeaders: ' If-Match ,, , x-one,if-match',
      exposedHeaders: ['ETag', 'etag'],
    });
    const ofPatch = ['Content-Type', 'If-Match', 'If-None-Match', 'If-Unmodified-Since', 'Prefer'];
    expect(policy).toMatchObject({
      allowedHeaders: { all: [...ofPatch, 'Idempotency-Key', 'Authorization', 'x-one'] },
      exposedHeaders: defaultExposed,
    });
    expect(Object.isFrozen(policy)).toBe(true);
  });

  test('the rules of origins, by kind', () => {
    const predicate = () => true;
    const texts = ['https://a.example', 'https://*.b.example'];
    expect(createPolicy({ origin: [...texts, predicate] }).originRules).toEqual({
      ...{ texts, exact: new Set(['https://a.example']), patterns: [expect.any(RegExp)] },
      predicates: [predicate],
    });
    const none = { texts: [], exact: new Set(), patterns: [], predicates: [] };
    expect(createPolicy({}).originRules).toEqual(none);
  });

  test.each<{ written: CorsOptions['exposedHeaders']; exposed: readonly string[] }>([
    { written: undefined, exposed: defaultExposed },
    { written: 'X-Total-Count', exposed: [...defaultExposed, 'X-Total-Count'] },
    { written: ['etag', 'X-A', 'x-a', 'X-B'], exposed: [...defaultExposed, 'X-A', 'X-B'] },
    { written: { only: ['ETag', 'X-A'] }, exposed: ['ETag', 'X-A'] },
    { written: { only: 'X-A, X-B' }, exposed: ['X-A', 'X-B'] },
    { written: { only: [] }, exposed: [] },
    { written: '*', exposed: ['*'] },
    { written: ['X-A', '*'], exposed: ['X-A', '*'] },
    { written: { only: '*' }, exposed: ['*'] },
  ])('a list adds to the default one, and { only } replaces it: $written', ({ written, exposed }) => {
    const options = written === undefined ? {} : { exposedHeaders: written };
    expect(createPolicy(options).exposedHeaders).toEqual(exposed);
  });
});
