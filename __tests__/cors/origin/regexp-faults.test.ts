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

describe('a dot that matches any character', () => {
  test.each([
    { pattern: /^https:\/\/app.example\.com$/, escaped: String.raw`/^https:\/\/app\.example\.com$/` },
    { pattern: /^https:\/\/app\.example.com$/i, escaped: String.raw`/^https:\/\/app\.example\.com$/i` },
    { pattern: /^https:\/\/(?:a|b).example\.c0.uk$/, escaped: String.raw`\.c0\.uk$/` },
  ])('$pattern: the dot is named, and escaped in the fix', ({ pattern, escaped }) => {
    const faults = regExpFaults(pattern);
    expect(faults.map(({ code }) => code)).toEqual(['regexp-dot']);
    expect(faults[0]?.fix).toContain(escaped);
  });

  test.each([
    /^https:\/\/.+\.example\.com$/,
    /^https:\/\/a.*\.example\.com$/,
    /^https:\/\/[a.b]\.example\.com$/,
    /^https:\/\/pr-\d+\.example\.com$/,
    /^https:\/\/\w.?\.example\.com$/,
    /^.$/,
  ])('%p is meant', (pattern) => {
    expect(regExpFaults(pattern)).toEqual([]);
  });
});
