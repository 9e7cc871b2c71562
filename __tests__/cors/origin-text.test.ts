import { isLoopback, readOriginText } from '../../lib/cors/origin-text';
import { times } from '../support/deep-scale';
import { fc } from '../support/properties';

describe('an origin as browsers serialise it stands for itself', () => {
  test.each([
    'https://app.example',
    'https://app.example:8443',
    'http://localhost:3000',
    'http://127.0.0.1',
    'http://[::1]:8080',
    'https://xn--bcher-kva.example',
    'https://app.example.',
    'chrome-extension://gmbmikajjgmnabiglmofipeabaddhgne',
    'capacitor://localhost',
    'app://.',
    'app://',
    'file://',
    'http://localhost.',
    'http://a.localhost.:3000',
    `https://${'a'.repeat(63)}.example`,
    `https://${'a.'.repeat(123)}example`,
    `https://${'a.'.repeat(123)}example.`,
    'null',
    'https://undefined.example',
    'myhttps://a..b',
  ])('%s', (text) => {
    expect(readOriginText(text)).toMatchObject({ matches: text });
  });
});

describe('HTML, serialization of an origin: what no browser sends is told with what it does send', () => {
  test.each([
    { text: 'https://app.example/', reason: /ends with a slash/, fix: "'https://app.example'" },
    { text: 'https://app.example/path?q', reason: /has a path/, fix: "'https://app.example'" },
    { text: 'https://app.example#top', reason: /has a path/, fix: "'https://app.example'" },
    { text: 'https://app.example:443', reason: /default port/, fix: "'https://app.example'" },
    { text: 'http://app.example:80', reason: /default port/, fix: "'http://app.example'" },
    { text: 'https://App.example', reason: /upper-case/, fix: "'https://app.example'" },
    { text: 'HTTPS://app.example', reason: /upper-case/, fix: "'https://app.example'" },
    { text: 'https://App.example:443/', reason: /ends with a slash/, fix: "'https://app.example'" },
    { text: 'https://bücher.example', reason: /not in ASCII/, fix: "'https://xn--bcher-kva.example'" },
    { text: 'https://user@app.example', reason: /user name/, fix: "'https://app.example'" },
    { text: 'https://0x7f.1', reason: /not the form in which browsers send/, fix: "'https://127.0.0.1'" },
    { text: 'https://0x7f.1:8080', reason: /not the form/, fix: "'https://127.0.0.1:8080'" },
    { text: 'http:a.example', reason: /has no scheme/, fix: "Write 'http://a.example'." },
    { text: 'a.example/https://b', reason: /has a path/, fix: "Write 'https://a.example'." },
    { text: 'https://app.example ', reason: /white space around/, fix: "'https://app.example'" },
    { text: ' https://App.example:443/\n', reason: /white space around/, fix: "'https://app.example'" },
    { text: 'app.example', reason: /has no scheme/, fix: "'https://app.example'" },
    { text: 'localhost:3000', reason: /has no scheme/, fix: "'http://localhost:3000'" },
    { text: 'LOCALHOST:80', reason: /has no scheme/, fix: "'http://localhost'" },
    { text: 'localhost:*', reason: /has no scheme/, fix: "'http://localhost:*'" },
    { text: 'Example.com:443/', reason: /has no scheme/, fix: "'https://example.com'" },
    { text: 'bücher.example', reason: /has no scheme/, fix: "'https://xn--bcher-kva.example'" },
    { text: 'https:app.example', reason: /has no scheme/, fix: "'https://app.example'" },
    { text: '//app.example', reason: /has no scheme/, fix: "'https://app.example'" },
    { text: 'app.example:99999', reason: /not a URL/, fix: "such as 'https://example.com'" },
    {
      text: 'http://localhost:undefined',
      reason: /ends with "undefined".* variable/,
      fix: 'Set that variable',
    },
    { text: 'https://undefined', reason: /ends with "undefined".* variable/, fix: 'Set that variable' },
    { text: 'undefined', reason: /ends with "undefined".* variable/, fix: 'Set that variable' },
    { text: 'http://localhost:NaN', reason: /ends with "NaN".* variable/, fix: 'Set that variable' },
    ...['', ' \n', ',', '""', '[]'].map((text) => ({
      text,
      reason: /^contains no origin$/,
      fix: 'Set the variable that it comes from, or leave it out.',
    })),
    ...[
      `"https://a.example"`,
      `'https://a.example/'`,
      '`a.example',
      '“https://a.example”',
      '\\"https://a.example\\"',
    ].map((text) => ({ text, reason: /^has quotes in the string$/, fix: "Write 'https://a.example'." })),
    { text: '"*"', reason: /quotes/, fix: 'Remove the quotes.' },
    { text: '"', reason: /contains no origin/, fix: 'Set the variable' },
    { text: 'a"b.example', reason: /has no scheme/, fix: "such as 'https://example.com'" },
    {
      text: '["http://localhost:5173"]',
      reason: /^is JSON in a string$/,
      fix: "Pass the list that JSON.parse() returns: ['http://localhost:5173'].",
    },
    {
      text: '[ "http://localhost:5173/", "https://app.example" ]',
      reason: /^is JSON in a string$/,
      fix: "Pass the list that JSON.parse() returns: ['http://localhost:5173', 'https://app.example'].",
    },
    { text: '["*"]', reason: /^is JSON in a string$/, fix: 'Pass the result of JSON.parse().' },
    ...[
      'https://a.example;https://b.example',
      'a.example|b.example/',
      'https://a.example https://b.example',
    ].map((text) => ({
      text,
      reason: /^contains several origins in one string$/,
      fix: "Write a list: ['https://a.example', 'https://b.example'].",
    })),
    {
      text: 'https://a.example, https://b c',
      reason: /several origins/,
      fix: "Write a list: ['https://a.example', 'https://b', 'https://c'].",
    },
    {
      text: 'https://a.example, https://b*c',
      reason: /several origins/,
      fix: "Write a list, such as ['https://a.example', 'https://b.example'].",
    },
    { text: 'https://', reason: /not a URL/, fix: "such as 'https://example.com'" },
    { text: 'https://a b', reason: /not a URL/, fix: "'https://example.com'" },
    {
      text: 'https://a.example, https://b.example',
      reason: /several origins/,
      fix: "['https://a.example', 'https://b.example']",
    },
    {
      text: 'https://a.example,',
      reason: /^has a comma or the like beside/,
      fix: "Write 'https://a.example'.",
    },
    { text: 'file:///home', reason: /has a path/, fix: "Write 'null', which browsers send for files" },
    { text: 'capacitor://localhost/', reason: /ends with a slash/, fix: "'capacitor://localhost'" },
    { text: '.example.com', reason: /an empty label/, fix: "such as 'https://example.com'" },
    { text: 'Capacitor://localhost', reason: /upper-case/, fix: "'capacitor://localhost'" },
    { text: 'app://é', reason: /in ASCII/, fix: "'app://%C3%A9'" },
    { text: 'app://x y', reason: /not a URL/, fix: "'https://example.com'" },
    { text: 'app:///path', reason: /has a path/, fix: "'app://'" },
    { text: 'app://./index.html', reason: /has a path/, fix: "'app://.'" },
  ])('$text: $reason', ({ text, reason, fix }) => {
    const fault = readOriginText(text);
    expect(fault).toMatchObject({
      code: expect.stringMatching(/^cors-origin-(?:form|list)$/) as string,
      reason: expect.stringMatching(reason) as string,
    });
    expect('fix' in fault && fault.fix).toContain(fix);
  });
});

test.each([
  'http://example..com',
  'http://*.example..com',
  'https://*..example.com',
  'https://example.com..',
  'https://.example.com',
])('%s has an empty label', (text) => {
  expect(readOriginText(text)).toMatchObject({
    code: 'cors-origin-form',
    reason: 'has an empty label in its host name',
  });
});

test.each([
  { hostname: 'localhost', is: true },
  { hostname: 'localhost.', is: true },
  { hostname: 'a.b.localhost.', is: true },
  { hostname: '127.1.2.3', is: true },
  { hostname: '127.10.200.30', is: true },
  { hostname: '[::1]', is: true },
  { hostname: 'localhost..', is: false },
  { hostname: 'xlocalhost', is: false },
  { hostname: 'localhost.example', is: false },
])('Secure Contexts 3.1: $hostname is the loopback: $is', ({ hostname, is }) => {
  expect(isLoopback(hostname)).toBe(is);
});

describe('patterns', () => {
  test.each<{ readonly text: string; readonly matched: string[]; readonly others: string[] }>([
    {
      text: 'https://*.example.com',
      matched: ['https://a.example.com', 'https://a.b.c.example.com', 'https://x-1_y.example.com'],
      others: [
        'https://example.com',
        'https://evilexample.com',
        'https://.example.com',
        'https://a..example.com',
        'https://a.example.com.evil.com',
        'https://a.example.com:8443',
        'https://evil.com/a.example.com',
        'https://a.exampleXcom',
        'http://a.example.com',
        'https://A.example.com',
      ],
    },
    {
      text: 'http://localhost:*',
      matched: ['http://localhost', 'http://localhost:1', 'http://localhost:65535'],
      others: [
        'http://localhost:',
        'http://localhost:x',
        'http://localhost:123456',
        'https://localhost',
        'http://localhost.com:1',
      ],
    },
    {
      text: 'https://*.example.com:8443',
      matched: ['https://a.example.com:8443'],
      others: ['https://a.example.com', 'https://a.example.com:84430'],
    },
    {
      text: 'https://*.example.com:*',
      matched: ['https://a.example.com', 'https://a.b.example.com:1'],
      others: ['https://example.com:1'],
    },
    {
      text: 'http://*.page.test:*',
      // What URL lets stand in a host name, Chromium sends.
      matched: ['http://a~b.page.test:81', "http://a!$&'()*+;=_`{}.page.test", 'http://a"b.page.test'],
      others: [
        'http://a,b.page.test',
        'http://a b.page.test',
        'http://a@b.page.test',
        'http://a%b.page.test',
        'http://A.page.test',
      ],
    },
    { text: 'http://*.localhost:*', matched: ['http://a.localhost:3000'], others: ['http://localhost:3000'] },
    {
      text: 'http://[::1]:*',
      matched: ['http://[::1]:3000'],
      others: ['http://[::11]:3000', 'http://[:::1]:3000'],
    },
  ])('$text', ({ text, matched, others }) => {
    const read = readOriginText(text);
    const pattern = 'matches' in read ? read.matches : undefined;
    expect(pattern).toBeInstanceOf(RegExp);
    expect([...matched, ...others].filter((origin) => (pattern as RegExp).test(origin))).toEqual(matched);
  });

  test.each([
    { text: 'https://*', fix: 'Write it for labels' },
    {
      text: 'moz-extension://*',
      fix: "write a function, such as (origin) => origin.startsWith('moz-extension://')",
    },
    { text: 'chrome-extension://*', fix: 'Write the host, such as the id of an extension.' },
    { text: 'https://*example.com', fix: 'Write it for labels' },
    { text: 'https://a.*.example.com', fix: 'Write it for labels' },
    { text: 'https://*.*.example.com', fix: 'Write it for labels' },
    { text: '*://example.com', fix: 'Write it for labels' },
    { text: 'https://＊a.example.com', fix: 'Write an origin such as' },
    { text: 'https://example.com:80*', fix: 'Write it for labels' },
    { text: 'https://*.1.2.3.4', fix: 'Write it for labels' },
    { text: 'https://*.127.1:*', fix: 'Write it for labels' },
    { text: 'http://*.[::1]', fix: 'Write it for labels' },
    { text: 'https://*.Example.com:443', fix: "'https://*.example.com'" },
    { text: 'http://localhost:*/', fix: "Write 'http://localhost:*'." },
    { text: '*.example.com', fix: "'https://*.example.com'" },
    { text: 'https://example.com/*', fix: "'https://example.com'" },
    { text: 'https://*.a.example, https://b.example', fix: "['https://*.a.example', 'https://b.example']" },
  ])('$text cannot be one', ({ text, fix }) => {
    const fault = readOriginText(text);
    expect(fault).toMatchObject({
      code: expect.stringMatching(/^cors-origin-(?:form|list|wildcard)$/) as string,
    });
    expect('fix' in fault && fault.fix).toContain(fix);
  });
});

test('what a mistake says to write is no mistake itself', () => {
  const part = fc.constantFrom(
    ...[
      'https',
      'HTTP',
      'app',
      'null',
      ':',
      '//',
      '://',
      '*.',
      ':*',
      '.',
      '/',
      '@',
      '?',
      '#',
      ' ',
      '\t',
      '%41',
      '%',
    ],
    ...[
      'localhost',
      'a.example',
      'B.example',
      'bücher.example',
      'com',
      '127.1',
      '0x7f.1',
      '[::1]',
      '[::FFFF:1.2.3.4]',
    ],
    ...['"', "'", ';', '|', '["', '"]', '","', 'https://a.example', 'https://b.example'],
    ...[':80', ':443', ':8080', ':99999', ',', 'ß', '\u200d', '-', '_', '\\'],
  );
  const given = fc.array(part, { maxLength: 7 }).map((parts) => parts.join(''));
  const runs = times(250, 400_000);
  let mistakes = 0;
  fc.assert(
    fc.property(given, (text) => {
      const fault = readOriginText(text);
      const [, one, list] = ('fix' in fault && /^(?:Write '(.*)'|.*: \['(.*)'\])\.$/s.exec(fault.fix)) || [];
      for (const mended of one === undefined ? (list?.split("', '") ?? []) : [one]) {
        mistakes++;
        expect([text, readOriginText(mended)]).toEqual([
          text,
          expect.not.objectContaining({ fix: expect.anything() as string }),
        ]);
        expect(mended).not.toMatch(/["'`;|]/);
      }
    }),
    { numRuns: runs },
  );
  expect(mistakes).toBeGreaterThan(runs / 100);
});
