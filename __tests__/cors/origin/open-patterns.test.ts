import { ConfigurationError, corsPreflight } from '../../../lib';
import type { CorsOptions } from '../../../lib/cors/policy/options';

/** The codes of the mistakes in a policy. */
function faultsIn(options: CorsOptions): readonly string[] {
  try {
    corsPreflight(options);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.mistakes.map(({ code }) => code);
    throw error;
  }
}

/** Each with an origin that a stranger can have. */
const anyone: readonly (readonly [pattern: RegExp, stranger: string])[] = [
  [/^.*$/, 'https://attacker.com'],
  [/^.+$/, 'https://attacker.com'],
  [/^(.*)$/, 'https://attacker.com'],
  [/^[^]*$/, 'https://attacker.com'],
  [/^[\s\S]+$/, 'https://attacker.com'],
  [/^.+?$/, 'https://attacker.com'],
  [/^.{8,}$/, 'https://attacker.com'],
  [/^.{40,}$/, `https://${'a'.repeat(40)}.com`],
  [/^\S+$/, 'https://attacker.com'],
  [/^[^ ]+$/, 'https://attacker.com'],
  [/^\w+:\/\/.+$/, 'https://attacker.com'],
  [/^[a-z]+:\/\/[^/]+$/, 'https://attacker.com'],
  [/^(?:https?:\/\/)?.+$/, 'https://attacker.com'],
  [/^https?:.*$/, 'https://attacker.com'],
  [/^http.*$/, 'https://attacker.com'],
  [/^h.*$/, 'https://attacker.com'],
  [/^.*:\/\/.*$/, 'https://attacker.com'],
  [/^https:\/\/.+$/, 'https://attacker.com'],
  [/^https:\/\/.*$/, 'https://attacker.com'],
  [/^https:\/\/(.+)$/, 'https://attacker.com'],
  [/^(?:https:\/\/.+)$/, 'https://attacker.com'],
  [/^https?:\/\/.+$/, 'https://attacker.com'],
  [/^http:\/\/.+$/, 'http://attacker.com'],
  [/^https:\/\/[^/]+$/, 'https://attacker.com'],
  [/^https:\/\/[^/:]+(?::\d+)?$/, 'https://attacker.com'],
  [/^https:\/\/\S+$/, 'https://attacker.com'],
  [/^https:\/\/[\w.-]+$/, 'https://attacker.com'],
  [/^https:\/\/[\w.-]+(?::\d{1,5})?$/, 'https://attacker.com'],
  [/^https:\/\/[a-z.]+$/, 'https://attacker.com'],
  [/^https:\/\/[a-z0-9.-]+$/i, 'https://attacker.com'],
  [/^https:\/\/.+\..+$/, 'https://attacker.com'],
  [/^https:\/\/[^.]+\.[^.]+$/, 'https://attacker.com'],
  [/^https:\/\/[a-z]+\.[a-z]+$/, 'https://attacker.com'],
  [/^https:\/\/[a-z]+\.[a-z]{2,3}$/, 'https://attacker.com'],
  [/^https:\/\/[a-m]{3}\.[a-z]{2}$/, 'https://abc.de'],
  [/^https:\/\/(?:[a-z0-9-]+\.)+[a-z]{2,}$/, 'https://attacker.com'],
  [/^https:\/\/(?:\w+\.)*\w+\.\w+$/, 'https://attacker.com'],
  [/^https:\/\/(?:www\.)?[a-z]+\.[a-z]+$/, 'https://attacker.com'],
  [/^https:\/\/.{1,15}$/, 'https://attacker.com'],
  [/^https:\/\/.{20,60}$/, `https://${'a'.repeat(30)}.com`],
  [/^https:\/\/\d+\.[a-z]+$/, 'https://4711.com'],
  [/^https:\/\/.+:3000$/, 'https://attacker.com:3000'],
  [/^http:\/\/[^:]+:\d+$/, 'http://attacker.com:81'],
  [/^https:\/\/.+:(?:3000|8443)$/, 'https://attacker.com:8443'],
  [/^(?!https:\/\/evil\.com$).*$/, 'https://attacker.com'],
  [/^(?!null$).+$/, 'https://attacker.com'],
  [/^https:\/\/(?!evil)[a-z.]+$/, 'https://attacker.com'],
  [/^https:\/\/(?!.*attacker).+$/, 'https://hostile.net'],
  [/^(?=https:).*$/, 'https://attacker.com'],
  [/^(https?):\/\/.+(?<!\.evil\.com)$/, 'https://attacker.com'],
  [/^https:\/\/(.+)\.(?:.+)$/, 'https://attacker.com'],
  [/^https:\/\/app\.example\.com$|^https:\/\/.+$/, 'https://attacker.com'],
  [/^https:\/\/(?:app\.example\.com|.+)$/, 'https://attacker.com'],
  [/^(?:https:\/\/app\.example\.com|.*)$/, 'https://attacker.com'],
  [/^https:\/\/(?:[a-z]+\.)?(?:example\.com|.+)$/, 'https://attacker.com'],
  [/^https?:\/\/\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/, 'https://203.0.113.66'],
  [/^http:\/\/(?:\d+\.){3}\d+:\d+$/, 'http://203.0.113.66:8080'],
  [/^https?:\/\/\[[\da-f:]+\]$/, 'http://[2001:db8::1]'],
  [/^\p{L}+:\/\/\P{Zs}+$/u, 'https://attacker.com'],
  [new RegExp('^https://[[a-z][.]]+$', 'v'), 'https://attacker.com'],
  [/^https:\/\/[^e].*$/, 'https://attacker.com'],
];

/** Each with the public suffix that it writes. */
const ofSuffix: readonly (readonly [pattern: RegExp, stranger: string])[] = [
  [/^https:\/\/.+\.com$/, 'https://attacker.com'],
  [/^https:\/\/[a-z]+\.(?:com|org)$/, 'https://attacker.org'],
  [/^https?:\/\/[^.]+\.net(?::\d+)?$/, 'https://attacker.net'],
  [/^https:\/\/.+\.co\.uk$/, 'https://attacker.co.uk'],
  [/^https:\/\/(?:.+\.)?[a-z]+\.io$/, 'https://attacker.io'],
  [/^https:\/\/\d+\.com$/, 'https://4711.com'],
  [/^https:\/\/(?:app\.example|[a-z]+)\.com$/, 'https://attacker.com'],
  [/^https:\/\/.+\.github\.io$/, 'https://attacker.github.io'],
  [/^https:\/\/[a-z0-9-]+\.vercel\.app$/, 'https://attacker.vercel.app'],
  [/^https:\/\/.*\.netlify\.app$/, 'https://attacker.netlify.app'],
];

const legitimate: readonly (readonly [pattern: RegExp, origin: string])[] = [
  [/^https:\/\/app\.example\.com$/, 'https://app.example.com'],
  [/^https:\/\/(?:www|app)\.example\.com$/, 'https://www.example.com'],
  [/^https:\/\/(?:.+\.)?example\.com$/, 'https://a.b.example.com'],
  [/^https:\/\/(?:[^.]+\.)?example\.com$/, 'https://example.com'],
  [/^https:\/\/.+\.example\.com$/, 'https://a.b.example.com'],
  [/^https:\/\/.*\.example\.com$/, 'https://a.example.com'],
  [/^https:\/\/[a-z0-9-]+\.example\.com$/, 'https://a-1.example.com'],
  [/^https:\/\/([a-z0-9-]+\.)*example\.com$/, 'https://a.b.example.com'],
  [/^https:\/\/(?:[a-z0-9-]+\.)+example\.com$/, 'https://a.b.example.com'],
  [/^https:\/\/\w+\.example\.com$/i, 'https://a.example.com'],
  [/^https:\/\/[^/]+\.example\.com$/, 'https://a.example.com'],
  [/^https:\/\/\S+\.example\.com$/, 'https://a.example.com'],
  [/^https?:\/\/.+\.example\.com$/, 'http://a.example.com'],
  [/^https:\/\/.+\.example\.com:\d+$/, 'https://a.example.com:8443'],
  [/^https:\/\/example\.com:?\d*$/, 'https://example.com:8443'],
  [/^https:\/\/(?:.+\.)?example\.com(?::\d+)?$/, 'https://a.example.com:8443'],
  [/^https:\/\/(?:.+\.)?example\.co\.uk$/, 'https://a.example.co.uk'],
  [/^https:\/\/(?:.+\.)?(?:example\.com|example\.org)$/, 'https://a.example.org'],
  [/^https:\/\/(?:.+\.)?example\.(?:com|org|de)$/, 'https://a.example.de'],
  [/^https:\/\/example\.[a-z]+$/, 'https://example.de'],
  [/^https:\/\/(?:www\.)?example\.[a-z]{2,3}$/, 'https://www.example.fr'],
  [/^https:\/\/pr-\d+\.example\.com$/, 'https://pr-7.example.com'],
  [/^https:\/\/[a-z]+-preview\.example\.com$/, 'https://a-preview.example.com'],
  [/^https:\/\/app-(?:pr-\d+|[a-f\d]{7})\.example\.com$/, 'https://app-pr-7.example.com'],
  [/^https:\/\/app[12]\.example\.com$/, 'https://app2.example.com'],
  [/^https:\/\/(?!.*evil)[a-z]+\.example\.com$/, 'https://a.example.com'],
  [/^https:\/\/([a-z]+)\.\1\.example\.com$/, 'https://a.a.example.com'],
  [/^https:\/\/.+\.eu\.example\.com$/, 'https://a.eu.example.com'],
  [/^https:\/\/a[.]example[.]com$/, 'https://a.example.com'],
  [/^https:\/\/deploy-preview-\d+--mine\.netlify\.app$/, 'https://deploy-preview-7--mine.netlify.app'],
  [/^https:\/\/mine-[a-z0-9]+-team\.vercel\.app$/, 'https://mine-a7-team.vercel.app'],
  [/^https:\/\/mine\.github\.io$/, 'https://mine.github.io'],
  [/^https:\/\/.+\.mine\.web\.app$/, 'https://a.mine.web.app'],
  [/^https:\/\/attacker\.com$/, 'https://attacker.com'],
  [/^https:\/\/(?:.+\.)?hostile\.com$/, 'https://www.hostile.com'],
  [/^https?:\/\/8\.8\.8\.8$/, 'https://8.8.8.8'],
  [/^http:\/\/localhost:\d+$/, 'http://localhost:3000'],
  [/^http:\/\/localhost(?::\d+)?$/, 'http://localhost'],
  [/^https?:\/\/localhost(?::.+)?$/, 'http://localhost:3000'],
  [/^http:\/\/localhost:?\d*$/, 'http://localhost:3000'],
  [/^https?:\/\/localhost:[0-9]{4,5}$/, 'https://localhost:3000'],
  [/^http:\/\/(?:.+\.)?localhost$/, 'http://a.localhost'],
  [/^http:\/\/.+\.localhost:\d+$/, 'http://a.localhost:3000'],
  [/^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]):\d+$/, 'http://[::1]:3000'],
  [/^http:\/\/127(?:\.\d{1,3}){3}:\d+$/, 'http://127.0.0.1:3000'],
  [/^http:\/\/192\.168\.\d{1,3}\.\d{1,3}(?::\d+)?$/, 'http://192.168.1.7:3000'],
  [/^http:\/\/10\.\d+\.\d+\.\d+$/, 'http://10.0.0.7'],
  [/^http:\/\/172\.(?:1[6-9]|2\d|3[01])\.\d+\.\d+$/, 'http://172.16.0.7'],
  [/^https:\/\/.+\.internal$/, 'https://a.internal'],
  [/^https:\/\/.+\.corp\.internal(?::\d+)?$/, 'https://a.corp.internal'],
  [/^http:\/\/[a-z0-9-]+\.local$/, 'http://printer.local'],
  [/^https:\/\/.+\.test$/, 'https://a.test'],
  [/^https:\/\/.+\.example$/, 'https://a.example'],
  [/^https?:\/\/[a-z0-9-]+$/, 'http://intranet'],
  [/^http:\/\/[a-z]+:\d+$/, 'http://intranet:8080'],
  [/^chrome-extension:\/\/[a-p]{32}$/, `chrome-extension://${'a'.repeat(32)}`],
  [
    /^chrome-extension:\/\/abcdefghijklmnopabcdefghijklmnop$/,
    'chrome-extension://abcdefghijklmnopabcdefghijklmnop',
  ],
  [/^moz-extension:\/\/[\da-f-]{36}$/, 'moz-extension://01234567-89ab-cdef-0123-456789abcdef'],
  [/^moz-extension:\/\/.+$/, 'moz-extension://a'],
  [/^capacitor:\/\/localhost$/, 'capacitor://localhost'],
  [/^(?:capacitor|ionic|http):\/\/localhost$/, 'ionic://localhost'],
  [/^vscode-webview:\/\/[\da-z-]+$/, 'vscode-webview://a'],
  [/^https:\/\/app\.example\.com$|^http:\/\/localhost:\d+$/, 'http://localhost:3000'],
  [/^(?:https:\/\/(?:.+\.)?example\.com|http:\/\/localhost:\d+)$/, 'https://a.example.com'],
];

describe('RegExps with credentials, by what they match', () => {
  test.each(anyone)('%p matches origins of anyone, as %s', (pattern, stranger) => {
    expect(pattern.test(stranger)).toBe(true);
    expect(faultsIn({ origin: pattern, credentials: true })).toEqual(['cors-origin-any']);
    expect(faultsIn({ origin: ['https://app.example', pattern], credentials: true })).toHaveLength(1);
    expect(faultsIn({ origin: pattern })).toEqual([]);
    const meant = { credentials: true, dangerouslyAllowAnyOriginWithCredentials: true };
    expect(faultsIn({ origin: pattern, ...meant })).toEqual([]);
  });

  test.each(ofSuffix)('%p matches every domain under a public suffix, as %s', (pattern, stranger) => {
    expect(pattern.test(stranger)).toBe(true);
    expect(faultsIn({ origin: pattern, credentials: true })).toEqual(['cors-origin-public-suffix']);
    expect(faultsIn({ origin: pattern })).toEqual([]);
    const meant = { credentials: true, dangerouslyAllowPublicSuffixes: true };
    expect(faultsIn({ origin: pattern, ...meant })).toEqual([]);
  });

  test.each(legitimate)('%p matches what its owner has, as %s', (pattern, origin) => {
    expect(pattern.test(origin)).toBe(true);
    expect(faultsIn({ origin: pattern, credentials: true })).toEqual([]);
  });

  test('what is said names an origin that the pattern matches', () => {
    expect.assertions(3 * (anyone.length + ofSuffix.length));
    for (const [pattern] of [...anyone, ...ofSuffix]) {
      try {
        corsPreflight({ origin: pattern, credentials: true });
      } catch (error) {
        const { mistakes } = error as ConfigurationError;
        const [{ reason, value } = { reason: '', value: undefined }] = mistakes;
        const [, named = ''] = / such as (\S+), so with credentials/.exec(reason) ?? [];
        expect(value).toBe(pattern);
        expect(pattern.test(named)).toBe(true);
        expect(new URL(named).origin).toBe(named);
      }
    }
  });

  test('patterns that backtrack are checked at once', () => {
    for (const host of ['(?:[a-z]+)+', '(?:[a-z0-9-]+\\.?)+', '(?:[a-z.]+)+', '(?:(?:a|b|c|.)+)+']) {
      const started = process.cpuUsage();
      faultsIn({ origin: new RegExp(`^https:\\/\\/${host}\\.example\\.com$`), credentials: true });
      expect(process.cpuUsage(started).user).toBeLessThan(10_000_000);
    }
  });
});
