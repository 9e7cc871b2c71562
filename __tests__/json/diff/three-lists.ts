/** Three random lists: one, and what two people have made of it. */
import { fc } from '../../support/properties';

export type Id = string | number;

export interface Card {
  readonly id: Id;
  readonly a?: number;
  readonly b?: number;
}

export interface ThreeLists<T> {
  readonly base: readonly T[];
  readonly mine: readonly T[];
  readonly theirs: readonly T[];
}

type Kind = 'add' | 'remove' | 'change' | 'move';

interface Edit {
  readonly kind: Kind;
  readonly at: number;
  readonly to: number;
  readonly value: number;
}

interface Plan {
  readonly kinds: readonly Kind[];
  /** Whether both can add elements of the same identity. */
  readonly shared?: boolean;
}

/** Some are equal to each other as text, or names that every object inherits. */
const ids: readonly Id[] = [1, '1', 2, '2', '__proto__', 'constructor', -1, ''];
const newIds: readonly Id[] = [10, '10', 9, 'toString', 1e21, 'a/b'];

const count = fc.nat(7);
const number = fc.nat(2);

const cardList: fc.Arbitrary<readonly Card[]> = fc
  .uniqueArray(fc.constantFrom(...ids), { maxLength: 7 })
  .chain((list) =>
    fc.tuple(
      ...list.map((id) =>
        fc.tuple(number, fc.option(number)).map(([a, b]) => ({ id, a, ...(b !== null && { b }) })),
      ),
    ),
  );

function edits(kinds: readonly Kind[]): fc.Arbitrary<readonly Edit[]> {
  const edit = fc.record({ kind: fc.constantFrom(...kinds), at: count, to: count, value: fc.nat(99) });
  return fc.array(edit, { maxLength: 5 });
}

function applyEdits(
  list: readonly Card[],
  edits: readonly Edit[],
  plan: Plan,
  side: string,
): readonly Card[] {
  return edits.reduce((cards, edit) => applyEdit(cards, edit, plan, side), list);
}

function applyEdit(list: readonly Card[], edit: Edit, plan: Plan, side: string): readonly Card[] {
  const { kind, at, to, value } = edit;
  const card = list[at % Math.max(1, list.length)];
  if (kind === 'add') {
    const id = newIds[value % newIds.length] ?? 0;
    const added = {
      id: plan.shared ? id : `${id} of ${side}`,
      a: value % 3,
      ...(value % 2 && { b: value % 5 }),
    };
    const isThere = list.some((each) => each.id === added.id);
    return isThere ? list : list.toSpliced(at % (list.length + 1), 0, added);
  }
  if (card === undefined) return list;
  const rest = list.filter((each) => each !== card);
  if (kind === 'remove') return rest;
  if (kind === 'move') return rest.toSpliced(to % (rest.length + 1), 0, card);
  const { b, ...others } = card;
  const changes = [{ ...card, a: value }, { ...others }, { ...others, b: (b ?? 0) + (value % 2) + 1 }];
  return list.map((each) => (each === card ? (changes[value % 3] ?? card) : each));
}

export function threeLists(plan: Plan): fc.Arbitrary<ThreeLists<Card>> {
  const both = edits(plan.kinds);
  return fc.tuple(cardList, both, both).map(([base, mine, theirs]) => ({
    base,
    mine: applyEdits(base, mine, plan, 'mine'),
    theirs: applyEdits(base, theirs, plan, 'theirs'),
  }));
}

/** Of texts, each once in its list; the same edits, without those of members. */
export const threeTextLists: fc.Arbitrary<ThreeLists<unknown>> = threeLists({
  kinds: ['add', 'remove', 'move'],
  shared: true,
}).map(({ base, mine, theirs }) => {
  const toText = ({ id }: Card) => (typeof id === 'number' ? `number ${id}` : id);
  return { base: base.map(toText), mine: mine.map(toText), theirs: theirs.map(toText) };
});

/** Lists in a member that is sometimes missing, and that sometimes cannot be merged by identity. */
export const threeUnevenLists: fc.Arbitrary<Record<'base' | 'mine' | 'theirs', unknown>> = fc
  .tuple(
    threeLists({ kinds: ['add', 'remove', 'change', 'move'], shared: true }),
    fc.tuple(fc.nat(11), fc.nat(11), fc.nat(11)),
    count,
  )
  .map(([{ base, mine, theirs }, [b, m, t], at]) => ({
    base: uneven(base, b, at),
    mine: uneven(mine, m, at),
    theirs: uneven(theirs, t, at),
  }));

function uneven(list: readonly Card[], how: number, at: number): unknown {
  const card = list[at % Math.max(1, list.length)];
  if (how === 0) return {};
  if (how === 1) return { list: [] };
  if (how === 2 && card !== undefined) return { list: [...list, card] };
  if (how === 3) return { list: list.toSpliced(at, 0, { a: at } as never) };
  if (how === 4) return { list: [...list, null, null] };
  if (how === 5) return { list: { 0: list[0] ?? null } };
  return { list };
}
