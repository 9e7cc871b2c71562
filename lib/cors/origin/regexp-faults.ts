import { isIP } from 'node:net';
import type { Fault } from '../../config/mistake';
import { registrableDomain } from './public-suffix';
import { readSampleOrigin, sampleMatches, type Sample } from './regexp-samples';
import { readTerms, type Term } from './regexp-terms';

/**
 * The faults of a RegExp as a rule for origins: flags that make its results differ, dots that match more than
 * was meant, or missing anchors.
 */
export function regExpFaults({ source, flags }: RegExp): Fault[] {
  const harmless = flags.replace(/[gmy]/g, '');
  const withoutFlag = `Remove the flag: /${source}/${harmless}.`;
  const faults: Fault[] = [];
  const [flag] = /[gy]/.exec(flags) ?? [];
  if (flag !== undefined) {
    faults.push({
      code: 'regexp-flag',
      reason: `has the flag ${flag}, which makes every second match of the same origin fail`,
      fix: withoutFlag,
    });
  }
  if (flags.includes('m')) {
    faults.push({
      code: 'regexp-flag',
      reason: 'has the flag m, which lets ^ and $ match at line breaks too',
      fix: withoutFlag,
    });
  }
  faults.push(...dotFaults(new RegExp(source, harmless)));
  if (!isAnchored(source, flags)) {
    faults.push({
      code: 'regexp-unanchored',
      reason: 'must begin with ^ and end with $, outside parentheses and brackets',
      fix: wholeOrigin(source, harmless),
    });
  }
  return faults;
}

/** Dots, and what else matches many characters, that let domains of others match. */
function dotFaults(pattern: RegExp): Fault[] {
  const { source, flags } = pattern;
  const dots = bareDots(source, readTerms(pattern));
  const escaped = new RegExp(insert(source, dots, '\\'), flags);
  const foreign = foreignDomain(escaped);
  const mended = foreign === undefined ? escaped : withSeparator(escaped, foreign);
  const [at] = dots;
  if (at !== undefined) {
    const [before = ''] = /[\w-]{0,20}$/.exec(source.slice(0, at)) ?? [];
    const [after = ''] = /^[\w-]{0,20}/.exec(source.slice(at + 1)) ?? [];
    const around = `${before}.${after}`;
    return [
      {
        code: 'regexp-dot',
        reason: `has a dot in ${around} that matches any character, so domains that you do not own match too`,
        fix:
          mended === undefined
            ? listInstead
            : `Escape ${dots.length > 1 ? 'each one' : 'it'}: ${String(mended)}.`,
      },
    ];
  }
  if (foreign === undefined) return [];
  return [
    {
      code: 'regexp-dot',
      reason: `matches domains that you do not own, such as ${foreign.origin}`,
      fix: mended === undefined ? listInstead : `Write \\. before the domain: ${String(mended)}.`,
    },
  ];
}

const listInstead =
  'Write \\. before your domain, as in /^https:\\/\\/(?:.+\\.)?example\\.com$/, or list the origins.';

/** Where dots stand that are neither escaped nor repeated. What a pattern means by `.+` or `.*` is clear. */
function bareDots(source: string, alternatives: readonly (readonly Term[])[]): number[] {
  return alternatives.flat().flatMap(({ start, end, alternatives: inner }) => {
    if (inner !== undefined) return bareDots(source, inner);
    return source.slice(start, end) === '.' ? [start] : [];
  });
}

function insert(source: string, positions: readonly number[], text: string): string {
  return positions.reduceRight((rest, at) => rest.slice(0, at) + text + rest.slice(at), source);
}

/** An origin that a pattern matches, in a domain that it was not meant to match. */
interface ForeignDomain {
  readonly origin: string;
  /** The label of which the sender can choose a part. */
  readonly label: Sample;
}

/**
 * The first match whose registrable domain the pattern leaves to the sender, as in
 * `/^https:\/\/.*example\.com$/`, which also matches `https://evilexample.com`. Labels below the registrable
 * domain belong to its owner.
 */
function foreignDomain(pattern: RegExp): ForeignDomain | undefined {
  for (const sample of sampleMatches(pattern)) {
    const parts = readSampleOrigin(sample);
    if (parts === undefined || isIP(parts.host) !== 0) continue;
    const { scheme, host, port, labels } = parts;
    const origin = scheme + host + port;
    const label = openLabel(host, labels);
    if (label !== undefined && pattern.test(origin)) return { origin, label };
  }
  return undefined;
}

/** The label of which the sender can choose so much that the domain is another one. */
function openLabel(host: string, labels: readonly Sample[]): Sample | undefined {
  if (!labels.some((label) => label.some(({ isFree }) => isFree))) return undefined;
  // The last label can become any domain. A pattern that writes no part of the host means any host.
  const last = labels.at(-1) ?? [];
  const isWritten = labels.some((label) => label.some(({ isFree }) => !isFree));
  const isOpenEnd = last[0]?.isFree === false || !isMixed(last);
  if (isWritten && isOpenEnd && last.some(({ canBeDot }) => canBeDot)) return last;
  if (!labels.some(isMixed)) return undefined;
  const count = registrableDomain(host)?.split('.').length ?? 0;
  // Labels of which nothing is written are meant; no top-level domain has a digit beside letters.
  return labels.slice(labels.length - count).find((label) => {
    if (label !== last) return isMixed(label);
    return isMixed(label) && label.some(({ isFree, text }) => isFree && /[a-z]/.test(text));
  });
}

function isMixed(label: Sample): boolean {
  return label.some(({ isFree }) => isFree) && label.some(({ isFree }) => !isFree);
}

/** The pattern with an escaped dot between what the sender can choose and the rest of the label. */
function withSeparator({ source, flags }: RegExp, { label }: ForeignDomain): RegExp | undefined {
  const index = label.findIndex(({ isFree }) => !isFree);
  const chosen = label[index - 1]?.term;
  const written = label[index];
  if (chosen?.end !== written?.term.start || chosen === undefined || written?.text === '-') return undefined;
  const before = source.slice(0, chosen.start);
  const set = source.slice(chosen.start, chosen.quantifier);
  const separated = chosen.min === 0 ? `(?:${set}+\\.)?` : `${source.slice(chosen.start, chosen.end)}\\.`;
  const mended = new RegExp(before + separated + source.slice(chosen.end), flags);
  return foreignDomain(mended) === undefined ? mended : undefined;
}

/** Only anchors are not enough for a pattern without a scheme: with them, it would match no origin at all. */
function wholeOrigin(source: string, flags: string): string {
  return source.includes(':\\/\\/')
    ? `Write /^(?:${source})$/${flags} if that is what you mean.`
    : 'Match the whole origin with its scheme, as in /^https:\\/\\/(?:.+\\.)?example\\.com$/, ' +
        "or write a string such as 'https://*.example.com'.";
}

/**
 * Whether every alternative at the top level begins with `^` and ends with `$`. Checking only the first and
 * the last character would accept `/^https:\/\/a\.example|b\.example$/`, in which each alternative is
 * anchored at one end only.
 */
function isAnchored(source: string, flags: string): boolean {
  const unescaped = source.replace(/\\./gs, '.');
  // Character classes can be nested only with the flag v.
  const unclassed = withoutNested(unescaped, flags.includes('v') ? /\[[^[\]]*\]/g : /\[[^\]]*\]/g);
  const alternatives = withoutNested(unclassed, /\([^()]*\)/g).split('|');
  return alternatives.every((alternative) => alternative.startsWith('^') && alternative.endsWith('$'));
}

/** Replaces bracketed parts by a dot, from the innermost outwards. */
function withoutNested(text: string, innermost: RegExp): string {
  const replaced = text.replace(innermost, '.');
  return replaced === text ? text : withoutNested(replaced, innermost);
}
