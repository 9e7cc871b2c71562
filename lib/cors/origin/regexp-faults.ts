import type { Fault } from '../../configuration';

/** Why a RegExp cannot decide on origins: it remembers the last one, or it admits more than one reads in it. */
export function regExpFaults({ source, flags }: RegExp): Fault[] {
  const harmless = flags.replace(/[gmy]/g, '');
  const withoutFlag = `Leave the flag out: /${source}/${harmless}.`;
  const faults: Fault[] = [];
  const [remembering] = /[gy]/.exec(flags) ?? [];
  if (remembering !== undefined) {
    faults.push({
      code: 'regexp-flag',
      reason: `has the flag ${remembering}, with which it remembers where it stopped and refuses every other time`,
      fix: withoutFlag,
    });
  }
  if (flags.includes('m')) {
    faults.push({
      code: 'regexp-flag',
      reason: 'has the flag m, with which ^ and $ are not the ends',
      fix: withoutFlag,
    });
  }
  if (!isAnchored(source, flags)) {
    faults.push({
      code: 'regexp-unanchored',
      reason: 'is not anchored at both ends, by ^ and $ outside brackets',
      fix: `Write /^(?:${source})$/${harmless}, if that is what you mean.`,
    });
  }
  return faults;
}

/**
 * Does every alternative at the top level begin with `^` and end with `$`? Looking at the first and the last character
 * alone would let `/^https:\/\/a\.example|b\.example$/` through, whose halves are anchored at one end each.
 */
function isAnchored(source: string, flags: string): boolean {
  const unescaped = source.replace(/\\./gs, '.');
  // Only under the flag v are there classes within classes.
  const unclassed = withoutNested(unescaped, flags.includes('v') ? /\[[^[\]]*\]/g : /\[[^\]]*\]/g);
  const alternatives = withoutNested(unclassed, /\([^()]*\)/g).split('|');
  return alternatives.every((alternative) => alternative.startsWith('^') && alternative.endsWith('$'));
}

/** Replaces what is in brackets, from the innermost outwards. */
function withoutNested(text: string, innermost: RegExp): string {
  const replaced = text.replace(innermost, '.');
  return replaced === text ? text : withoutNested(replaced, innermost);
}
