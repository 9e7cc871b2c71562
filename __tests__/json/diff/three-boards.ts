/** Three random documents with lists of several kinds: one, and what two people have made of it. */
import { fc } from '../../support/properties';

export interface ThreeBoards {
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
}

/** What a person does to the element `at` of the list `from`. */
interface Edit {
  readonly kind: 'add' | 'remove' | 'change' | 'move' | 'copy' | 'rename';
  readonly from: number;
  readonly at: number;
  readonly to: number;
  readonly place: number;
  readonly value: number;
}

type Element = Record<string, unknown>;

const number = fc.nat(11);

/** Few enough to be the same on both sides, sometimes in different lists. */
const ids = [1, 2, 3, 4, 5, '1', '4', '__proto__', 'toString'] as const;
const isComment = (id: unknown) => [4, 5, '__proto__'].some((each) => each === id);
const texts = ['x', 'y', 'z', 'toString', '__proto__', ''] as const;

const text = fc.constantFrom(...texts);
const comment = (id: unknown): Element => ({ id, text: `comment ${String(id)}`, replies: [] });

/** Cards and comments of one identity each, some lists without identities, and some in which few have one. */
const board: fc.Arbitrary<unknown> = fc
  .record({
    ids: fc.shuffledSubarray([...ids]),
    places: fc.array(fc.nat(5), { minLength: 9, maxLength: 9 }),
    texts: fc.uniqueArray(text, { maxLength: 4 }),
    numbers: fc.array(fc.nat(3), { maxLength: 3 }),
    loose: fc.array(fc.oneof(fc.record({ text }), fc.nat(3), text), { maxLength: 3 }),
  })
  .map(({ ids, places, texts, numbers, loose }) => {
    const lists: unknown[][] = [[], [], [], [], []];
    const cards: Element[] = [];
    ids.forEach((id, i) => {
      const parent = cards[(places[i] ?? 0) % Math.max(1, cards.length)];
      if (isComment(id)) {
        if (parent !== undefined) (parent['comments'] as unknown[]).push(comment(id));
        return;
      }
      const card: Element = { id, title: `card ${String(id)}`, comments: [], tags: texts.slice(i, i + 1) };
      cards.push(card);
      lists[(places[i] ?? 0) % 3]?.push(card);
    });
    const [todo, doing, done] = lists;
    return {
      todo,
      columns: [
        { id: 'doing', cards: doing },
        { id: 'done', cards: done },
      ],
      texts,
      numbers,
      loose,
    };
  });

const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom('add', 'add', 'remove', 'change', 'move', 'move', 'copy', 'rename'),
  from: number,
  at: number,
  to: number,
  place: number,
  value: number,
});

/** Copies are left out unless `copies` says so: with them, an element can be there twice. */
export function threeBoards(copies = true): fc.Arbitrary<ThreeBoards> {
  const edits = fc.array(copies ? edit : edit.filter(({ kind }) => kind !== 'copy'), { maxLength: 4 });
  return fc.tuple(board, edits, edits).map(([base, mine, theirs]) => ({
    base,
    mine: mine.reduce(applyEdit, base),
    theirs: theirs.reduce(applyEdit, base),
  }));
}

function applyEdit(document: unknown, { kind, from, at, to, place, value }: Edit): unknown {
  const root = structuredClone(document);
  const lists = listsIn(root);
  const list = lists[from % lists.length] ?? [];
  const target = lists[to % lists.length] ?? [];
  const index = at % Math.max(1, list.length);
  const element = list[index];
  if (kind === 'add') list.splice(place % (list.length + 1), 0, created(list, value));
  else if (element === undefined) return root;
  else if (kind === 'remove') list.splice(index, 1);
  else if (kind === 'copy') target.splice(place % (target.length + 1), 0, structuredClone(element));
  else if (kind === 'move' && !listsIn(element).includes(target)) {
    list.splice(index, 1);
    target.splice(place % (target.length + 1), 0, element);
  } else if (kind === 'change') list[index] = changed(element, value);
  else if (kind === 'rename' && isObject(element)) element[nameMember(element)] = `title ${value % 3}`;
  return root;
}

/** Another element like those of the list, sometimes with the identity of one elsewhere. */
function created(list: readonly unknown[], value: number): unknown {
  const [first] = list;
  if (typeof first === 'number') return value % 4;
  if (typeof first === 'string') return texts[value % texts.length];
  const id = ids[value % ids.length];
  return isComment(id) ? comment(id) : { id, title: 'new', comments: [], tags: [] };
}

function changed(element: unknown, value: number): unknown {
  if (!isObject(element)) return typeof element === 'number' ? element + 1 : texts[value % texts.length];
  const { due, ...others } = element;
  return value % 2 || due !== undefined
    ? { ...others, [nameMember(element)]: `changed ${value % 3}` }
    : { ...others, due: value };
}

function nameMember(element: Element): string {
  return 'replies' in element ? 'text' : 'title';
}

function listsIn(value: unknown): unknown[][] {
  if (Array.isArray(value)) return [value as unknown[], ...value.flatMap(listsIn)];
  return isObject(value) ? Object.values(value).flatMap(listsIn) : [];
}

export function isObject(value: unknown): value is Element {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
