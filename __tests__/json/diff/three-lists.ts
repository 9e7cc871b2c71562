/** Three random lists: one, and what two people have made of it. */
import { fc } from '../../support/properties';

export type Id = string | number;

export interface Card {
  readonly id: Id;
  readonly a?: number;
  readonly b?: number;
  readonly cards?: readonly Card[];
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
  readonly nested?: boolean;
}

/** Some are equal to each other as text, or names that every object inherits. */
const ids: readonly Id[] = [1, '1', 2, '2', '__proto__', 'constructor', -1, ''];
const newIds: readonly Id[] = [10, '10', 9, 'toString', 1e21, 'a/b'];

const count = fc.nat(7);
const number = fc.nat(2);

function cardList(depth: number): fc.Arbitrary<readonly Card[]> {
  const cards = fc.uniqueArray(fc.constantFrom(...ids), { maxLength: depth > 0 ? 4 : 7 });
  const inner = depth > 0 ? cardList(depth - 1) : fc.constant(undefined);
  return cards.chain((list) =>
    fc.tuple(
      ...list.map((id) =>
        fc
          .tuple(number, fc.option(number), inner)
          .map(([a, b, cards]) => ({ id, a, ...(b !== null && { b }), ...(cards && { cards }) })),
      ),
    ),
  );
}

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
  // Half of the edits of a nested list are inside one of its elements.
  if (plan.nested && card?.cards !== undefined && to % 2 === 1) {
    const cards = applyEdit(card.cards, { ...edit, at: to >> 1, to: at }, plan, side);
    return list.map((each) => (each === card ? { ...card, cards } : each));
  }
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
  return fc.tuple(cardList(plan.nested ? 1 : 0), both, both).map(([base, mine, theirs]) => ({
    base,
    mine: applyEdits(base, mine, plan, 'mine'),
    theirs: applyEdits(base, theirs, plan, 'theirs'),
  }));
}

/**
 * Of scalars, each once in its list; the same edits, without those of members. As many numbers on all sides are left out:
 * those are merged at their places, and have a property of their own.
 */
export const threeScalarLists: fc.Arbitrary<ThreeLists<unknown>> = fc
  .tuple(threeLists({ kinds: ['add', 'remove', 'move'], shared: true }), fc.boolean())
  .map(([{ base, mine, theirs }, areOthers]) => {
    const toScalar = ({ id }: Card): unknown =>
      areOthers && id === 1 ? null : areOthers && id === '1' ? true : id;
    return { base: base.map(toScalar), mine: mine.map(toScalar), theirs: theirs.map(toScalar) };
  })
  .filter(({ base, mine, theirs }) => {
    const areAsMany = mine.length === base.length && theirs.length === base.length;
    return !areAsMany || [...base, ...mine, ...theirs].some((element) => typeof element === 'string');
  });

/** Of equal length, of which both have replaced elements by ones of their own. */
export const threeTuples: fc.Arbitrary<ThreeLists<unknown>> = fc
  .array(fc.tuple(fc.boolean(), fc.boolean(), fc.nat(9), fc.nat(9)), { maxLength: 7 })
  .map((elements) => ({
    base: elements.map((_, i) => i),
    mine: elements.map(([isMine, , value], i) => (isMine ? 100 * (value + 1) + i : i)),
    theirs: elements.map(([, isTheirs, , value], i) => (isTheirs ? -100 * (value + 1) - i : i)),
  }));

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
