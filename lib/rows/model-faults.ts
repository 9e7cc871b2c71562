import { isObject } from '../config/object';

/** One fault that the model of the app has found in an entity. */
export interface ModelFault {
  /** The property, and what is inside it; empty for a rule about several. */
  readonly path: readonly string[];
  readonly message: string;
}

/**
 * What validators of the app's model say, in the forms that they have: the `errors` of Sequelize, the `issues` of
 * Zod and other libraries with the Standard Schema, and the list that `validateOrReject` of class-validator throws.
 *
 * @returns undefined if the error is none of these
 */
export function readModelFaults(error: unknown): readonly ModelFault[] | undefined {
  if (!isObject(error)) return undefined;
  const { name, errors, issues } = error as Readonly<Record<string, unknown>>;
  if (name === 'SequelizeValidationError')
    return toFaults(errors, ({ path, message }) => fault([path], message));
  if (Array.isArray(error)) return toFaults(error, readClassValidator);
  return toFaults(issues, ({ path = [], message }) => {
    return Array.isArray(path) ? fault(path.map(readSegment), message) : undefined;
  });
}

type Member = Readonly<Record<string, unknown>>;

/** @returns undefined unless the list has faults, and nothing else */
function toFaults(
  list: unknown,
  read: (entry: Member) => readonly ModelFault[] | undefined,
): readonly ModelFault[] | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const faults = list.map((entry: unknown) => (isObject(entry) ? read(entry as Member) : undefined));
  return faults.every((one) => one !== undefined) ? faults.flat() : undefined;
}

function fault(path: readonly unknown[], message: unknown): readonly ModelFault[] | undefined {
  const tokens = path.filter((token) => token !== undefined && token !== null).map(String);
  return typeof message === 'string' ? [{ path: tokens, message }] : undefined;
}

/** A segment of the Standard Schema is a key, or has one. */
function readSegment(segment: unknown): unknown {
  return isObject(segment) ? Reflect.get(segment, 'key') : segment;
}

/** `{ property, constraints: { isEmail: 'email must be an email' }, children }` */
function readClassValidator({ property, constraints, children }: Member): readonly ModelFault[] | undefined {
  if (typeof property !== 'string') return undefined;
  const messages = isObject(constraints) ? Object.values(constraints) : [];
  const own = messages.flatMap((message: unknown) => fault([property], message) ?? []);
  const inner = toFaults(children, readClassValidator) ?? [];
  const faults = [...own, ...inner.map(({ path, message }) => ({ path: [property, ...path], message }))];
  return faults.length > 0 ? faults : undefined;
}
