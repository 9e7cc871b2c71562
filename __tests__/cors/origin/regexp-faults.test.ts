import { regExpFaults } from '../../../lib/cors/origin/regexp-faults';

test.each([
  /^https:\/\/a\.example$/,
  /^https:\/\/(?:a|b)\.example$/,
  /^https:\/\/a\.example$|^https:\/\/b\.example$/,
  /^https:\/\/[a-z|$(]+\.example$/i,
  /^https:\/\/[\]a]\.example$/,
  /^$/,
])('%p decides on whole origins', (pattern) => {
  expect(regExpFaults(pattern)).toEqual([]);
});

test.each([
  { pattern: /example\.com$/ },
  { pattern: /^https:\/\/example/ },
  { pattern: /^a|b$/ },
  { pattern: /^a$|b$/ },
  { pattern: /^a|^b$/ },
  { pattern: /^a\$/ },
  { pattern: /^a[$]/ },
  { pattern: /^a(?:b$)/ },
  { pattern: /(?:^a$)/ },
  { pattern: /^a\\\$/i },
  { pattern: /^a$|/ },
  { pattern: new RegExp('^[a[$]]$|b', 'v') },
])('$pattern is not anchored at both ends', ({ pattern }) => {
  const [fault, ...others] = regExpFaults(pattern);
  expect(others).toEqual([]);
  expect(fault?.reason).toMatch(/must begin with \^ and end with \$/);
});

test.each([
  { pattern: /^https:\/\/example\.com/, origin: 'https://example.com' },
  { pattern: /https?:\/\/(?:a|b)\.example$/i, origin: 'http://b.example' },
  { pattern: /example\.com$/, origin: 'https://example.com' },
  { pattern: /example\.com$/, origin: 'https://sub.example.com' },
  { pattern: /\.example\.com/, origin: 'https://sub.example.com' },
])('what to write in place of $pattern matches $origin, and no origin around it', ({ pattern, origin }) => {
  const [fault] = regExpFaults(pattern);
  const [, source = '', flags] = / (?:as in )?\/(.+?)\/(i?)(?: if|,)/.exec(fault?.fix ?? '') ?? [];
  const written = new RegExp(source, flags);
  expect(regExpFaults(written)).toEqual([]);
  expect(written.test(origin)).toBe(true);
  expect(written.test(`${origin}.evil.example`)).toBe(false);
  expect(written.test('https://evilexample.com')).toBe(false);
});

test.each([
  { pattern: /^a$/g, reason: /flag g/, fix: '/^a$/.' },
  { pattern: /^a$/iy, reason: /flag y/, fix: '/^a$/i.' },
  { pattern: /^a$/m, reason: /flag m/, fix: '/^a$/.' },
])('$pattern has a flag that makes it say another thing', ({ pattern, reason, fix }) => {
  expect(regExpFaults(pattern)).toEqual([
    {
      code: 'regexp-flag',
      reason: expect.stringMatching(reason) as string,
      fix: expect.stringContaining(fix) as string,
    },
  ]);
});

test('every fault is told, and what to write mends them all', () => {
  expect(regExpFaults(/a$/gm).map(({ fix }) => fix)).toEqual([
    'Remove the flag: /a$/.',
    'Remove the flag: /a$/.',
    expect.stringContaining("'https://*.example.com'"),
  ]);
});

/** The origins that a mended pattern must still match: those of the app. */
const own = [
  'https://app.example.com',
  'https://www.example.com',
  'https://example.com',
  'https://app.example.co.uk',
  'http://localhost:3000',
];

interface ForeignRow {
  readonly pattern: RegExp;
  /** An origin of another domain, which the pattern matches. */
  readonly foreign: string;
  /** What the fix says to write; undefined if it says to list the origins. */
  readonly written?: RegExp;
}

const any = 'https://evilexample.com';

describe('a pattern that matches other domains', () => {
  test.each<ForeignRow>([
    // A dot that is not escaped.
    { pattern: /^https:\/\/app.example\.com$/, foreign: 'https://appxexample.com' },
    { pattern: /^https:\/\/app\.example.com$/i, foreign: 'https://app.examplexcom' },
    { pattern: /^https:\/\/app.example.com$/, foreign: 'https://app-example.com' },
    { pattern: /^https:\/\/(?:app|www).example\.com$/, foreign: 'https://appxexample.com' },
    { pattern: /^https:\/\/(app|www).example\.com$/, foreign: 'https://wwwxexample.com' },
    { pattern: /^https:\/\/(?<sub>app).example\.com$/, foreign: 'https://appxexample.com' },
    { pattern: /^https:\/\/app(.)example\.com$/, foreign: 'https://appxexample.com' },
    { pattern: /^https:\/\/app(?:.example\.com)$/, foreign: 'https://appxexample.com' },
    { pattern: /^https:\/\/app\.example.(com|org)$/, foreign: 'https://app.examplexcom' },
    { pattern: /^https:\/\/app.(?=example)example\.com$/, foreign: 'https://appxexample.com' },
    { pattern: /^https:\/\/ap\p.example\.com$/, foreign: 'https://appxexample.com' },
    { pattern: /^https:\/\/ap\x70.example\.com$/, foreign: 'https://appxexample.com' },
    { pattern: /^https:\/\/\u0061pp.example\.com$/u, foreign: 'https://appxexample.com' },
    { pattern: /^https:\/\/app?.example\.com$/, foreign: 'https://appxexample.com' },
    { pattern: /^https:\/\/ap{2}.example\.com$/, foreign: 'https://appxexample.com' },
    { pattern: /^https:\/\/[a-z]+.example\.com$/, foreign: any },
    { pattern: /^https:\/\/[a-z]*.example\.com$/, foreign: any },
    { pattern: /^https:\/\/\w+.example\.com$/, foreign: any },
    { pattern: /^https:\/\/.*.example\.com$/, foreign: any },
    { pattern: /^https:\/\/.+.example\.com$/, foreign: any },
    { pattern: /^https:\/\/(?:.+.)?example\.com$/, foreign: any },
    { pattern: /^https:\/\/([a-z0-9-]+.)*example\.com$/, foreign: any },
    // A wildcard directly before the domain.
    {
      pattern: /^https:\/\/.*example\.com$/,
      foreign: any,
      written: /^https:\/\/(?:.+\.)?example\.com$/,
    },
    { pattern: /^https:\/\/.+example\.com$/, foreign: any, written: /^https:\/\/.+\.example\.com$/ },
    { pattern: /^https?:\/\/\w+example\.com$/, foreign: any, written: /^https?:\/\/\w+\.example\.com$/ },
    {
      pattern: /^https:\/\/[a-z0-9-]*example\.com$/,
      foreign: any,
      written: /^https:\/\/(?:[a-z0-9-]+\.)?example\.com$/,
    },
    {
      pattern: /^https:\/\/[^]*?example\.com$/,
      foreign: any,
      written: /^https:\/\/(?:[^]+\.)?example\.com$/,
    },
    {
      pattern: /^https:\/\/.*example.com$/,
      foreign: any,
      written: /^https:\/\/(?:.+\.)?example\.com$/,
    },
    {
      pattern: /^https:\/\/.*example\.co\.uk$/,
      foreign: 'https://evilexample.co.uk',
      written: /^https:\/\/(?:.+\.)?example\.co\.uk$/,
    },
    { pattern: /^https:\/\/(?:.+\.|.+-)?example\.com$/, foreign: 'https://evil-example.com' },
    { pattern: /^https:\/\/(?:app|.*)example\.com$/, foreign: any },
    { pattern: /^https:\/\/[\w.]+example\.com$/, foreign: any, written: /^https:\/\/[\w.]+\.example\.com$/ },
    {
      pattern: new RegExp('^https://[a-z[0-9]]+example\\.com$', 'v'),
      foreign: any,
      written: new RegExp('^https://[a-z[0-9]]+\\.example\\.com$', 'v'),
    },
    { pattern: /^.*example\.com$/, foreign: any, written: /^(?:.+\.)?example\.com$/ },
    // One within it, or behind it.
    { pattern: /^https:\/\/app.{1}example\.com$/, foreign: 'https://appxexample.com' },
    { pattern: /^https:\/\/app[^]example\.com$/, foreign: 'https://appxexample.com' },
    { pattern: /^https:\/\/app[\s\S]example\.com$/, foreign: 'https://appxexample.com' },
    { pattern: /^https:\/\/app.?example\.com$/, foreign: 'https://appxexample.com' },
    { pattern: /^https:\/\/example.*\.com$/, foreign: 'https://example-evil.com' },
    { pattern: /^https:\/\/example\.com.*$/, foreign: 'https://example.com.evil.test' },
    { pattern: /^https?:\/\/localhost.*$/, foreign: 'http://localhost.evil.test' },
    { pattern: /^http:\/\/192\.168\..+$/, foreign: 'http://192.168.evil.test' },
    { pattern: /^https:\/\/app\.example\..+$/, foreign: 'https://app.example.evil.test' },
  ])('$pattern, such as $foreign', ({ pattern, foreign, written }) => {
    expect(pattern.test(foreign)).toBe(true);
    const faults = regExpFaults(pattern);
    expect(faults.map(({ code }) => code)).toEqual(['regexp-dot']);
    const [{ fix, reason } = { fix: '', reason: '' }] = faults;
    const example = / such as (\S+)$/.exec(reason)?.[1];
    if (example !== undefined) expect(pattern.test(example)).toBe(true);

    const [, source = '', flags = ''] = /(?:it|one|domain): \/(.+)\/([a-z]*)\.$/.exec(fix) ?? [];
    if (written !== undefined) expect(new RegExp(source, flags)).toEqual(written);
    if (source === '') {
      expect(fix).toMatch(/or list the origins\.$/);
      return;
    }
    const mended = new RegExp(source, flags);
    expect(regExpFaults(mended)).toEqual([]);
    expect([foreign, any, 'https://appxexample.com'].filter((origin) => mended.test(origin))).toEqual([]);
    // What was meant still matches, but for the domain itself where only its subdomains are written.
    expect(own.some((origin) => pattern.test(origin) && mended.test(origin)) || written !== undefined).toBe(
      true,
    );
  });

  test.each([
    /^https:\/\/app\.example\.com$/,
    /^https:\/\/app[.]example[.]com$/,
    /^https:\/\/app\u002eexample\x2ecom$/,
    /^https:\/\/(?:www|app)\.example\.com$/,
    /^https:\/\/(www|app)\.example\.(com|org)$/,
    /^https:\/\/([a-z0-9-]+\.)*example\.com$/,
    /^https:\/\/(?:[a-z0-9-]+\.)+example\.com$/,
    /^https:\/\/(?:.+\.)?example\.com$/,
    /^https:\/\/(?:[^.]+\.)?example\.com$/,
    /^https:\/\/(?:.*\.|)example\.com(?::\d+)?$/,
    /^https:\/\/.+\.example\.com$/,
    /^https:\/\/.*\.example\.co\.uk$/,
    /^https:\/\/a.*\.example\.com$/,
    /^https:\/\/a.?b\.example\.com$/,
    /^https:\/\/a.{2,5}b\.example\.com$/,
    /^https:\/\/[a.b]\.example\.com$/,
    /^https:\/\/[a-z.]+\.example\.com$/,
    /^https:\/\/[a\].b]\.example\.com$/,
    /^https:\/\/\w.?\.example\.com$/,
    /^https:\/\/[a-z]+-preview\.example\.com$/,
    /^https:\/\/pr-\d+\.example\.com$/,
    /^https:\/\/app-(?:pr-\d+|[a-f\d]{7})\.example\.com$/,
    /^https:\/\/deploy-preview-\d+--mine\.netlify\.app$/,
    /^https:\/\/mine-[a-z0-9]+-team\.vercel\.app$/,
    /^https:\/\/a(?!x.y)b\.example\.com$/,
    /^https:\/\/(?!.*evil)[a-z]+\.example\.com$/,
    /^https:\/\/(?=.)[a-z]+(?<!x.y)\.example\.com$/,
    /^https:\/\/([a-z]+)\.\1\.example\.com$/,
    /^https:\/\/\w+\.example\.com$/i,
    /^https:\/\/x\d\.example$/,
    /^https:\/\/app[12]\.example\.com$/,
    /^https:\/\/.+\.example$/,
    /^https:\/\/[a-z]+\.(?:com|org)$/,
    /^https:\/\/example\.[a-z]+$/,
    /^http:\/\/localhost:\d+$/,
    /^https?:\/\/localhost(?::.+)?$/,
    /^http:\/\/localhost:?\d*$/,
    /^http:\/\/(?:.+\.)?localhost$/,
    /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]):\d+$/,
    /^http:\/\/192\.168\.\d{1,3}\.\d{1,3}(?::\d+)?$/,
    /^http:\/\/192\.168\.1\.1\d+$/,
    /^https:\/\/example\.com:?\d*$/,
    /^chrome-extension:\/\/[a-p]{32}$/,
    /^moz-extension:\/\/.+$/,
    /^https:\/\/.+$/,
    /^.*$/,
    new RegExp('^https://[a.b[c.d]]+\\.x\\.com$', 'v'),
  ])('%p matches what is written', (pattern) => {
    expect(regExpFaults(pattern)).toEqual([]);
  });

  test.each([
    { what: 'many groups', source: `${'(?:a|b|c)?'.repeat(40)}.*example\\.com`, faults: 1 },
    { what: 'long groups', source: `${`(?:${'a|'.repeat(400)}b)`.repeat(20)}.*example\\.com`, faults: 1 },
    { what: 'nested repetitions', source: '(?:(?:(?:a{99}){99}){99}){99}.*example\\.com', faults: 0 },
    { what: 'repetitions of nothing', source: '(?:(?:a?){999999999})example\\.com', faults: 0 },
  ])('a pattern of $what is checked at once', ({ source, faults }) => {
    const started = process.cpuUsage();
    expect(regExpFaults(new RegExp(`^https:\\/\\/${source}$`))).toHaveLength(faults);
    expect(process.cpuUsage(started).user).toBeLessThan(10_000_000);
  });
});
