import type { Fault } from '../../config/mistake';

/**
 * A dot between two letters or digits, as in `app.example`, which is neither escaped nor repeated. What a
 * pattern means by `.+` or `.*` is clear.
 */
const bareDot = /(?<!\\)[a-z\d]\.(?=[a-z\d])/i;

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
  const dot = bareDot.exec(source.replace(/\[[^\]]*\]/g, (characters) => ' '.repeat(characters.length)));
  if (dot !== null) {
    const at = dot.index + 1;
    const around = source.slice(Math.max(0, at - 10), at + 10);
    faults.push({
      code: 'regexp-dot',
      reason:
        `has a dot in ${around} that matches any character, ` + 'so domains that you do not own match too',
      fix: `Escape it: /${source.slice(0, at)}\\${source.slice(at)}/${harmless}.`,
    });
  }
  if (!isAnchored(source, flags)) {
    faults.push({
      code: 'regexp-unanchored',
      reason: 'must begin with ^ and end with $, outside parentheses and brackets',
      fix: wholeOrigin(source, harmless),
    });
  }
  return faults;
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
