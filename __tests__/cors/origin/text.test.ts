import fc from 'fast-check';
import { readOriginText } from '../../../lib/cors/origin/text';

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
    'null',
  ])('%s', (text) => {
    expect(readOriginText(text)).toMatchObject({ matches: text, underPublicSuffix: false });
  });
});

describe('HTML, serialization of an origin: what no browser sends is told with what it does send', () => {
  test.each([
    ['https://app.example/', /ends in a slash/, "'https://app.example'"],
    ['https://app.example/path?q', /has a path/, "'https://app.example'"],
    ['https://app.example#top', /has a path/, "'https://app.example'"],
    ['https://app.example:443', /default port/, "'https://app.example'"],
    ['http://app.example:80', /default port/, "'http://app.example'"],
    ['https://App.example', /upper-case/, "'https://app.example'"],
    ['HTTPS://app.example', /upper-case/, "'https://app.example'"],
    ['https://App.example:443/', /upper-case/, "'https://app.example'"],
    ['https://bücher.example', /punycode/, "'https://xn--bcher-kva.example'"],
    ['https://user@app.example', /user name/, "'https://app.example'"],
    ['https://0x7f.1', /not how browsers write/, "'https://127.0.0.1'"],
    ['https://app.example ', /white space around/, "'https://app.example'"],
    [' https://App.example:443/\n', /white space around/, "'https://app.example'"],
    ['app.example', /no :\/\/ after a scheme/, "'https://app.example'"],
    ['localhost:3000', /no :\/\/ after a scheme/, "'http://localhost:3000'"],
    ['LOCALHOST:80', /no :\/\/ after a scheme/, "'http://localhost'"],
    ['localhost:*', /no :\/\/ after a scheme/, "'http://localhost:*'"],
    ['Example.com:443/', /no :\/\/ after a scheme/, "'https://example.com'"],
    ['bücher.example', /no :\/\/ after a scheme/, "'https://xn--bcher-kva.example'"],
    ['https:app.example', /no :\/\/ after a scheme/, "'https://app.example'"],
    ['//app.example', /no :\/\/ after a scheme/, "'https://app.example'"],
    ['app.example:99999', /no URL/, "like 'https://example.com'"],
    ['', /no URL/, "like 'https://example.com'"],
    ['https://', /no URL/, "like 'https://example.com'"],
    ['https://a b', /no URL/, "'https://example.com'"],
    ['https://a.example, https://b.example', /several origins/, "['https://a.example', 'https://b.example']"],
    ['https://a.example,', /several origins/, "['https://a.example']"],
    ['file:///home', /send the origin null/, "'null'"],
    ['capacitor://localhost/', /ends in a slash/, "'capacitor://localhost'"],
    ['Capacitor://localhost', /upper-case/, "'capacitor://localhost'"],
    ['app://é', /in ASCII/, 'as the browser sends it'],
    ['app://x y', /in ASCII/, 'as the browser sends it'],
    ['app:///path', /no scheme and host/, 'as the browser sends it'],
  ])('%s', (text, reason, fix) => {
    const fault = readOriginText(text);
    expect(fault).toMatchObject({ reason: expect.stringMatching(reason) as string });
    expect('fix' in fault && fault.fix).toContain(fix);
  });
});

describe('patterns', () => {
  test.each<[string, string[], string[]]>([
    [
      'https://*.example.com',
      ['https://a.example.com', 'https://a.b.c.example.com', 'https://x-1_y.example.com'],
      [
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
    ],
    [
      'http://localhost:*',
      ['http://localhost', 'http://localhost:1', 'http://localhost:65535'],
      [
        'http://localhost:',
        'http://localhost:x',
        'http://localhost:123456',
        'https://localhost',
        'http://localhost.com:1',
      ],
    ],
    [
      'https://*.example.com:8443',
      ['https://a.example.com:8443'],
      ['https://a.example.com', 'https://a.example.com:84430'],
    ],
    [
      'https://*.example.com:*',
      ['https://a.example.com', 'https://a.b.example.com:1'],
      ['https://example.com:1'],
    ],
    ['http://*.localhost:*', ['http://a.localhost:3000'], ['http://localhost:3000']],
    ['http://[::1]:*', ['http://[::1]:3000'], ['http://[::11]:3000', 'http://[:::1]:3000']],
  ])('%s', (text, matched, others) => {
    const read = readOriginText(text);
    const pattern = 'matches' in read ? read.matches : undefined;
    expect(pattern).toBeInstanceOf(RegExp);
    expect([...matched, ...others].filter((origin) => (pattern as RegExp).test(origin))).toEqual(matched);
  });

  test.each([
    ['https://*.com', true],
    ['https://*.com.', true],
    ['https://*.example.com', false],
    ['http://*.localhost', false],
    ['https://com:*', false],
  ])('%s is under a public suffix: %p', (text, underPublicSuffix) => {
    expect(readOriginText(text)).toMatchObject({ underPublicSuffix });
  });

  test.each([
    ['https://*', 'A star stands for'],
    ['https://*example.com', 'A star stands for'],
    ['https://a.*.example.com', 'A star stands for'],
    ['https://*.*.example.com', 'A star stands for'],
    ['*://example.com', 'A star stands for'],
    ['https://example.com:80*', 'A star stands for'],
    ['https://*.1.2.3.4', "'https://1.2.3.4'"],
    ['https://*.127.1:*', "'https://127.0.0.1:*'"],
    ['http://*.[::1]', "'http://[::1]'"],
    ['https://*.Example.com:443', "'https://*.example.com'"],
    ['http://localhost:*/', "'http://localhost:*'"],
    ['*.example.com', 'A star stands for'],
  ])('%s cannot be one', (text, fix) => {
    const fault = readOriginText(text);
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
    ...[':80', ':443', ':8080', ':99999', ',', 'ß', '\u200d', '-', '_', '\\'],
  );
  const given = fc.array(part, { maxLength: 7 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(given, (text) => {
      const fault = readOriginText(text);
      const [, mended] = ('fix' in fault && /^Write '(.*)'\.$/s.exec(fault.fix)) || [];
      if (mended !== undefined)
        expect([text, readOriginText(mended)]).toEqual([
          text,
          expect.not.objectContaining({ fix: expect.anything() as string }),
        ]);
    }),
    { numRuns: 20_000 },
  );
});
