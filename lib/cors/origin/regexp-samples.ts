import { readTerms, type Term } from './regexp-terms';

/** A character that a RegExp matches. */
export interface SampleCharacter {
  readonly text: string;
  /** The term that matches it. */
  readonly term: Term;
  /** Whether the term matches other characters there too, as many as the sender of an origin likes. */
  readonly isFree: boolean;
  /** Whether the term can match a dot there too, and so more labels. */
  readonly canBeDot: boolean;
}

export type Sample = readonly SampleCharacter[];

/** A sample that is an origin of the web, in its parts. */
export interface SampleOrigin {
  /** The scheme and the two slashes. */
  readonly scheme: string;
  readonly host: string;
  /** The port with its colon; empty if there is none. */
  readonly port: string;
  /** The labels of the host. */
  readonly labels: readonly Sample[];
}

/** Reads a sample as an origin; undefined if it is none of the web. */
export function readSampleOrigin(sample: Sample): SampleOrigin | undefined {
  const text = sample.map((character) => character.text).join('');
  const [, scheme = '', host, port = ''] = /^(https?:\/\/)([^/:]+)((?::[^/]*)?)$/.exec(text) ?? [];
  if (host === undefined) return undefined;
  const labels = splitLabels(sample.slice(scheme.length, scheme.length + host.length));
  return { scheme, host, port, labels };
}

function splitLabels(host: Sample): readonly Sample[] {
  const labels: SampleCharacter[][] = [[]];
  for (const character of host) {
    if (character.text === '.') labels.push([]);
    else labels.at(-1)?.push(character);
  }
  return labels;
}

/** The maximum number of samples. The last groups of a RegExp are combined first: they match the domain. */
const mostSamples = 1_000;

/** A host name has 253 characters at most (RFC 1035 2.3.4). */
const longestSample = 300;

/** The characters of origins: browsers send them in lower case. The first that a term matches is taken. */
const characters = [
  ...Array.from('xabcdefghijklmnopqrstuvwyz0123456789-.:/'),
  ...Array.from('!"#$%&\'()*+,;<=>?@[\\]^_`{|}~'),
];

/** A class of more characters than the ten digits is not meant as a list of its characters. */
const longestList = 10;

/**
 * Texts that a RegExp may match: with each alternative of its groups, with and without what is optional, and
 * with what is repeated as seldom as possible. Lookarounds are not heeded.
 */
export function sampleMatches(pattern: RegExp): readonly Sample[] {
  const { source, flags } = pattern;
  const settings = flags.replace(/[gmy]/g, '');

  /** What each character class, escape or character matches. */
  const matches = new Map<string, readonly string[]>();

  function matchedBy(written: string): readonly string[] {
    const set = new RegExp(`^(?:${written})$`, settings);
    return characters.filter((character) => set.test(character));
  }

  function ofAlternatives(alternatives: readonly (readonly Term[])[]): readonly Sample[] {
    return alternatives.flatMap(ofSequence).slice(0, mostSamples);
  }

  function ofSequence(terms: readonly Term[]): readonly Sample[] {
    let samples: readonly Sample[] = [[]];
    for (const term of terms) {
      const next = ofTerm(term);
      const starts = samples.slice(0, Math.ceil(mostSamples / Math.max(next.length, 1)));
      samples = starts
        .flatMap((start) => next.map((end) => [...start, ...end]))
        .filter(({ length }) => length <= longestSample);
    }
    return samples;
  }

  function ofTerm(term: Term): readonly Sample[] {
    const { min, max, alternatives } = term;
    const times = Math.min(Math.max(min, 1), max);
    const once = alternatives === undefined ? ofSet(term) : ofAlternatives(alternatives);
    const repeated = once
      .filter(({ length }) => length * times <= longestSample)
      .map((sample) => (sample.length === 0 ? [] : Array.from({ length: times }, () => sample).flat()));
    return min === 0 ? [...repeated, []] : repeated;
  }

  function ofSet(term: Term): readonly Sample[] {
    const written = source.slice(term.start, term.quantifier);
    // What a backreference matches is not known.
    if (/^\\[1-9k]/.test(written)) return [];
    const matched = matches.get(written) ?? matchedBy(written);
    matches.set(written, matched);
    const isFree = matched.length > longestList || (matched.length > 1 && term.max > 1);
    const toSample = (text: string): Sample =>
      Array.from(text, (each) => ({ text: each, term, isFree, canBeDot: matched.includes('.') }));
    // A dot that is repeated can also stand for the scheme.
    const schemes =
      term.max > 8 && matched.includes(':') && matched.includes('/') ? ['://x', 'https://x'] : [];
    return [...matched.slice(0, 1), ...schemes].map(toSample);
  }

  return ofAlternatives(readTerms(pattern));
}
