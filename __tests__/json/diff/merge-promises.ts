/** What docs/json.md promises of a merge, a function a promise: it returns what is broken. */
import type { MergeResult } from '../../../lib/json';
import { isEqualJson } from '../../../lib/json/value';
import { isObject, type ThreeBoards } from './three-boards';

export type Merge = (base: unknown, mine: unknown, theirs: unknown) => MergeResult;

interface Place {
  /** Member names; and the identities of elements, or else their indexes. */
  readonly path: string;
  readonly element: unknown;
}

/** The elements of lists that have an identity, by that, wherever they are. A text is its own. */
type Places = ReadonlyMap<string, readonly Place[]>;

function readPlaces(document: unknown): Places {
  const places = new Map<string, Place[]>();
  const visit = (value: unknown, path: string): void => {
    if (!Array.isArray(value)) {
      if (isObject(value))
        for (const [name, member] of Object.entries(value)) visit(member, `${path}/${name}`);
      return;
    }
    for (const [index, element] of (value as readonly unknown[]).entries()) {
      const id = readId(element);
      if (id !== undefined) places.set(id, [...(places.get(id) ?? []), { path, element }]);
      visit(element, `${path}/${id ?? String(index)}`);
    }
  };
  visit(document, '');
  return places;
}

function readId(element: unknown): string | undefined {
  if (typeof element === 'string') return `text ${element}`;
  if (!isObject(element)) return undefined;
  const id = ['id', '_id', 'key']
    .map((name) => element[name])
    .find((each) => ['string', 'number'].includes(typeof each));
  return id === undefined ? undefined : JSON.stringify(id);
}

/** The places of one identity in all documents that count. */
interface Counted {
  readonly id: string;
  readonly base: readonly Place[];
  readonly mine: readonly Place[];
  readonly theirs: readonly Place[];
  readonly withMine: readonly Place[];
  readonly withTheirs: readonly Place[];
  readonly isSilent: boolean;
}

function count(merge: Merge, { base, mine, theirs }: ThreeBoards): readonly Counted[] {
  const { paths, withMine, withTheirs } = merge(base, mine, theirs);
  const documents = { base, mine, theirs, withMine, withTheirs };
  const places = Object.entries(documents).map(([name, document]) => [name, readPlaces(document)] as const);
  const ids = new Set(places.flatMap(([, each]) => [...each.keys()]));
  return [...ids].map((id) => ({
    id,
    isSilent: paths.length === 0,
    ...(Object.fromEntries(places.map(([name, each]) => [name, each.get(id) ?? []])) as Record<
      keyof typeof documents,
      Place[]
    >),
  }));
}

/** One identity can be that of several elements: these have the same member names. */
function byMemberNames(counted: Counted): readonly Counted[] {
  const readNames = ({ element }: Place) =>
    isObject(element) ? JSON.stringify(Object.keys(element).sort()) : '';
  const { id, isSilent, ...lists } = counted;
  const all = new Set(Object.values(lists).flat().map(readNames));
  const keep = (places: readonly Place[], names: string) =>
    places.filter((place) => readNames(place) === names);
  return [...all].map((names) => ({
    id: `${id} ${names}`,
    isSilent,
    ...(Object.fromEntries(
      Object.entries(lists).map(([name, places]) => [name, keep(places, names)]),
    ) as unknown as typeof lists),
  }));
}

/** A text counts if `base` has it: both sides can add the same one to different lists. */
function isUnique({ id, base, mine, theirs }: Counted): boolean {
  return (
    Math.max(base.length, mine.length, theirs.length) === 1 && (base.length === 1 || !id.startsWith('text '))
  );
}

const show = (list: readonly Counted[], what: string) => list.map(({ id }) => `${id} ${what}`);

/** An element that each of the three values has at most once is there at most once. */
function onlyOnce(merge: Merge, boards: ThreeBoards): readonly string[] {
  const isTwice = ({ withMine, withTheirs }: Counted) => withMine.length > 1 || withTheirs.length > 1;
  return show(count(merge, boards).flatMap(byMemberNames).filter(isUnique).filter(isTwice), 'is there twice');
}

/** What both sides have is there; what one side has added too, but for the choice of the other in a conflict. */
function nothingGone(merge: Merge, boards: ThreeBoards): readonly string[] {
  const isGone = ({ base, mine, theirs, withMine, withTheirs, isSilent }: Counted): boolean => {
    const [inMine, inTheirs] = [withMine.length > 0, withTheirs.length > 0];
    if (mine.length + theirs.length === 2) return !inMine || !inTheirs;
    if (base.length > 0) return false;
    return mine.length > 0 ? !inMine || (isSilent && !inTheirs) : !inTheirs || (isSilent && !inMine);
  };
  return show(count(merge, boards).filter(isUnique).filter(isGone), 'is gone');
}

/** What one side has removed is not there, if the other has left it alone. */
function nothingBack(merge: Merge, boards: ThreeBoards): readonly string[] {
  const isBack = ({ base, mine, theirs, withMine, withTheirs, isSilent }: Counted): boolean => {
    const [remover, others] = mine.length === 0 ? [withMine, withTheirs] : [withTheirs, withMine];
    if (base.length === 0 || mine.length + theirs.length !== 1) return false;
    return isEqualJson(base, [...mine, ...theirs]) && (remover.length > 0 || (isSilent && others.length > 0));
  };
  return show(count(merge, boards).filter(isUnique).filter(isBack), 'is back');
}

function unchangedSide(merge: Merge, { base, mine, theirs }: ThreeBoards): readonly string[] {
  return [
    ...differ('only mine', merge(base, mine, structuredClone(base)), {
      paths: [],
      withMine: mine,
      withTheirs: mine,
    }),
    ...differ('only theirs', merge(base, structuredClone(base), theirs), {
      paths: [],
      withMine: theirs,
      withTheirs: theirs,
    }),
  ];
}

function equalChanges(merge: Merge, { base, mine }: ThreeBoards): readonly string[] {
  return differ('alike', merge(base, mine, structuredClone(mine)), {
    paths: [],
    withMine: mine,
    withTheirs: mine,
  });
}

function mirrored(merge: Merge, { base, mine, theirs }: ThreeBoards): readonly string[] {
  const toSorted = ({ paths, ...results }: MergeResult) => ({ ...results, paths: [...paths].sort() });
  const { paths, withMine, withTheirs } = merge(base, theirs, mine);
  return differ(
    'swapped',
    toSorted(merge(base, mine, theirs)),
    toSorted({ paths, withMine: withTheirs, withTheirs: withMine }),
  );
}

/** A form that is saved again onto its own result changes nothing. */
function savedAgain(merge: Merge, { base, mine, theirs }: ThreeBoards): readonly string[] {
  const { paths, withTheirs } = merge(base, mine, theirs);
  if (paths.length > 0) return [];
  return differ('again', merge(base, mine, withTheirs), { paths: [], withMine: withTheirs, withTheirs });
}

function differ(what: string, actual: unknown, expected: unknown): readonly string[] {
  return isEqualJson(actual, expected)
    ? []
    : [`${what}: ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`];
}

export const promises = {
  onlyOnce,
  nothingGone,
  nothingBack,
  unchangedSide,
  equalChanges,
  mirrored,
  savedAgain,
};
