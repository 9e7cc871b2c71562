/** What a store was given, or gave, in place of a value. */
export const carriers = new WeakMap<object, unknown>();

/** A value that `change` changes in each of its containers. */
export const changeable = (): unknown => ({ list: ['a'], member: { text: 'b' }, text: 'c' });

/** Changes every string in a value and in its carrier, to one that is JSON itself, for a carrier to unwrap; what is frozen stays as it is. */
export function change(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  change(carriers.get(value));
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'string') Reflect.set(value, name, '"changed"');
    else change(member);
  }
}
