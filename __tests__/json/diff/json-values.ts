import { fc } from '../../support/properties';

/** Of few different names and scalars, so that two values have much in common. */
const name = fc.constantFrom('a', 'b', 'id', 'a/b', 'm~n', '', '0', '__proto__', 'constructor');
const scalar = fc.constantFrom<unknown>(null, true, false, 0, 1, -1, 2.5, 1e21, '', 'x', 'y', '0', 'ä\u2028');

export const jsonValue: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 7 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 5 }).map(objectOf),
  ),
})).value;

/** Defined, not assigned: one of the names is `__proto__`. */
function objectOf(entries: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(entries);
}

/** A value, and what a few edits have made of it, somewhere in it. */
export const editedPair: fc.Arbitrary<readonly [unknown, unknown]> = fc
  .tuple(jsonValue, fc.array(fc.tuple(fc.nat(), fc.nat(5), jsonValue), { minLength: 1, maxLength: 4 }))
  .map(([before, edits]) => {
    let after: unknown = structuredClone(before);
    for (const [where, how, value] of edits) after = edited(after, where, how, value);
    return [before, after] as const;
  });

function edited(root: unknown, where: number, how: number, value: unknown): unknown {
  const containers = containersIn(root);
  const container = containers[where % containers.length];
  if (container === undefined) return value;
  const copy: unknown = structuredClone(value);
  if (Array.isArray(container)) {
    const at = where % (container.length + 1);
    if (how < 2) container.splice(at, 0, copy);
    else if (how < 4) container.splice(at, 1);
    else if (at < container.length) container[at] = copy;
    return root;
  }
  const object = container as Record<string, unknown>;
  const names = Object.keys(object);
  const chosen = names[where % names.length];
  if (how < 3 && chosen !== undefined) Reflect.deleteProperty(object, chosen);
  else {
    const member = chosen ?? 'new';
    const descriptor = { value: copy, writable: true, enumerable: true, configurable: true };
    Object.defineProperty(object, how === 3 ? 'new' : member, descriptor);
  }
  return root;
}

function containersIn(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(containersIn)];
}

/** The value with every list sorted, for comparisons in which order does not count. */
export function toUnordered(value: unknown): unknown {
  if (Array.isArray(value)) {
    const texts = value.map((element) => JSON.stringify(toUnordered(element)));
    return texts.sort().map((text) => JSON.parse(text) as unknown);
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, toUnordered(member)] as const);
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)));
}
