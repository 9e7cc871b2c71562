import { listedSuffix, registrableDomain } from './public-suffix';
import { readSampleOrigin, sampleMatches, type Sample, type SampleOrigin } from './regexp-samples';

/** An origin that a pattern matches, and that anyone can get. */
export interface OpenMatch {
  readonly origin: string;
  /** The public suffix that the pattern writes; undefined if it leaves even that to the sender. */
  readonly suffix: string | undefined;
}

/**
 * Hosts of which no two belong to the same owner. They are short, because what a pattern does not match can
 * take exponential time.
 */
const strangers = [
  ...['attacker.com', 'evil.net', 'hijack.org', 'phish.io', 'x7.dev', 'bad.de', 'ab.cc', 'spam123.xyz'],
  ...['evil.co.uk', 'www.hostile.com', 'a.b.hostile.net', 'my-evil.info', 'xn--80ak6aa.com', '4711.com'],
  ...['203.0.113.66', '8.8.8.8', '198.51.100.7', '[2001:db8::bad]', '[2001:db8::1]'],
];
const schemes = ['https://', 'http://'];
const topLevels = ['com', 'net', 'org', 'io', 'de', 'cc', 'app', 'info'];

/**
 * An origin of a domain that anyone can register, or of a name that a platform gives to anyone; undefined if
 * none is found. None matches a pattern for one domain, for loopback or for an internal network.
 */
export function findOpenMatch({ source, flags }: RegExp): OpenMatch | undefined {
  const pattern = new RegExp(source, flags.replace(/[gmy]/g, ''));
  let ofSuffix: OpenMatch | undefined;
  for (const sample of sampleMatches(pattern)) {
    const parts = readSampleOrigin(sample);
    const match = parts === undefined ? matchLong(pattern, sample) : matchStranger(pattern, parts);
    if (match !== undefined && match.suffix === undefined) return match;
    ofSuffix ??= match;
  }
  if (ofSuffix !== undefined) return ofSuffix;
  // What the samples do not show, such as lookarounds. The owner of one of these hosts can write it.
  const matched = strangers
    .map((host) => schemes.map((scheme) => scheme + host).find((origin) => pattern.test(origin)))
    .filter((origin) => origin !== undefined);
  const [origin] = matched;
  return origin === undefined || matched.length === 1 ? undefined : { origin, suffix: undefined };
}

/** For a pattern that says only how long an origin is. */
function matchLong(pattern: RegExp, sample: Sample): OpenMatch | undefined {
  if (!sample.every(({ isFree }) => isFree)) return undefined;
  const labels = 'x'.repeat(Math.max(sample.length - 'https://.com'.length, 1)).match(/.{1,50}/g) ?? [];
  const origin = `https://${labels.join('.')}.com`;
  return pattern.test(origin) ? { origin, suffix: undefined } : undefined;
}

function matchStranger(pattern: RegExp, parts: SampleOrigin): OpenMatch | undefined {
  const { scheme, host, port, labels } = parts;
  const isChosen = labels.map((label) => label.every(({ isFree }) => isFree));
  if (isChosen.every(Boolean)) {
    const origin = [...strangers, ...registrableLike(host)]
      .map((each) => scheme + each + port)
      .find((each) => pattern.test(each));
    return origin === undefined ? undefined : { origin, suffix: undefined };
  }
  const suffix = listedSuffix(host);
  if (suffix === undefined) return undefined;
  const domain = labels.length - suffix.split('.').length - 1;
  const origin = scheme + host + port;
  return isChosen[domain] === true && pattern.test(origin) ? { origin, suffix } : undefined;
}

/** Names that can be registered, of the length and the characters of a host. */
function registrableLike(host: string): readonly string[] {
  const labels = host.split('.');
  return topLevels
    .flatMap((name) => [
      [...labels.slice(0, -1), name].join('.'),
      `${host.slice(0, -name.length - 1)}.${name}`,
    ])
    .filter((each) => !each.startsWith('.') && registrableDomain(each) !== undefined);
}
