import type { OriginFault } from './origin-text';

/** Why a RegExp cannot decide on origins: it remembers the last one, or it admits more than one reads in it. */
export function regExpFaults(pattern: RegExp): OriginFault[] {
  const { source, flags } = pattern;
  const faults: OriginFault[] = [];
  if (/[gy]/.test(flags)) {
    faults.push({
      reason: `has the flag ${flags.includes('g') ? 'g' : 'y'}, with which it remembers where it stopped and refuses every other time`,
      fix: `Leave the flag out: ${shown(source, flags.replace(/[gy]/g, ''))}.`,
    });
  }
  if (pattern.multiline) {
    faults.push({
      reason: 'has the flag m, with which ^ and $ are not the ends',
      fix: `Leave the flag out: ${shown(source, flags.replace('m', ''))}.`,
    });
  }
  if (!isAnchored(pattern)) {
    faults.push({
      reason: 'is not anchored at both ends, and so admits longer origins that contain what it names',
      fix: `Write ${shown(`^(?:${source})$`, flags.replace(/[gmy]/g, ''))}, if that is what you mean.`,
    });
  }
  return faults;
}

function shown(source: string, flags: string): string {
  return `/${source}/${flags}`;
}

/**
 * Does every alternative at the top level begin with `^` and end with `$`? Looking at the first and the last character
 * alone would let `/^https:\/\/a\.example|b\.example$/` through, whose halves are anchored at one end each.
 */
function isAnchored({ source, flags }: RegExp): boolean {
  const nestedClasses = flags.includes('v');
  let groups = 0;
  let classes = 0;
  let atStart = true;
  let atEnd = false;
  for (let i = 0; i < source.length; i++) {
    const character = source[i];
    if (atStart && character !== '^') return false;
    atStart = false;
    const wasAtEnd = atEnd;
    atEnd = false;
    if (character === '\\') i++;
    else if (classes > 0) {
      if (character === ']') classes--;
      else if (character === '[' && nestedClasses) classes++;
    } else if (character === '[') classes++;
    else if (character === '(') groups++;
    else if (character === ')') groups--;
    else if (groups === 0 && character === '$') atEnd = true;
    else if (groups === 0 && character === '|') {
      if (!wasAtEnd) return false;
      atStart = true;
    }
  }
  return atEnd;
}
