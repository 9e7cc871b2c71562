/**
 * What a handler says of itself to the walk over the routes, in the two places that instrumentation leaves alone.
 *
 * OpenTelemetry, elastic-apm and express-async-errors put a function of their own in the handler's place and copy its
 * enumerable properties with string keys (symbols are lost); New Relic keeps only `name` and `length`. So a mark is
 * such a property and a name at once. No registry is needed, and two copies of this library read each other's marks.
 */
export interface HandlerMark {
  /** The first words of the handler's name; what follows is the list of values. */
  readonly label: string;
  /** The property's key. */
  readonly key: string;
}

/** Marks `handler` itself, and returns it. */
export function markHandler<T extends object>(handler: T, mark: HandlerMark, values: readonly string[]): T {
  const name = [mark.label, values.join(', ')].join(' ').trimEnd();
  Object.defineProperty(handler, 'name', { value: name, configurable: true });
  return addProperty(handler, mark.key, values);
}

/** Adds the property alone, for what cannot be said in a name. */
export function addProperty<T extends object>(handler: T, key: string, value: unknown): T {
  return Object.defineProperty(handler, key, { value, enumerable: true, configurable: true });
}

/** The values that `handler` was marked with, whoever wrapped it since; undefined where it was not. */
export function markOf(handler: unknown, mark: HandlerMark): readonly string[] | undefined {
  if (typeof handler !== 'function') return undefined;
  const property: unknown = Reflect.get(handler, mark.key);
  if (Array.isArray(property)) return property.filter((value) => typeof value === 'string');
  if (handler.name === mark.label) return [];
  if (!handler.name.startsWith(`${mark.label} `)) return undefined;
  return handler.name.slice(mark.label.length + 1).split(', ');
}
