import { ProblemError } from '../../../lib';

/** What an app may throw. */
const thrown: readonly { readonly what: string; readonly value: () => unknown }[] = [
  { what: 'an Error', value: () => new Error('out of order') },
  { what: 'undefined', value: () => undefined },
  { what: 'null', value: () => null },
  { what: 'an empty string', value: () => '' },
  { what: "'route', by which Express skips a route", value: () => 'route' },
  { what: "'router', by which it skips a router", value: () => 'router' },
  { what: 'a symbol', value: () => Symbol('out of order') },
  { what: 'a BigInt', value: () => 10n },
  { what: 'an object without a prototype', value: () => Object.create(null) as unknown },
  { what: 'an Error that causes itself', value: () => causingItself() },
  { what: 'an Error with headers that cannot be sent', value: () => withHeaders(new Error('no')) },
  {
    what: 'a refusal that is not JSON',
    value: () => new ProblemError(422, 'own', 'No.', { extensions: { limit: 10n } }),
  },
  {
    what: 'a refusal with headers that cannot be sent',
    value: () => new ProblemError(422, 'own', 'No.', { headers: { 'X-Reason': 'a\nb' } }),
  },
  {
    what: 'a refusal without a valid status',
    value: () => new ProblemError(NaN, 'own', 'No.'),
  },
  {
    what: 'a refusal whose status was changed',
    value: () => Object.assign(new ProblemError(422, 'own', 'No.'), { status: NaN }),
  },
  ...['Trailer', 'Transfer-Encoding'].map((name) => ({
    what: `a refusal with a ${name}`,
    value: () => new ProblemError(422, 'own', 'No.', { headers: { [name]: 'chunked' } }),
  })),
  {
    what: 'an Error with a Trailer',
    value: () => Object.assign(new Error('no'), { status: 400, headers: { Trailer: 'Digest' } }),
  },
];

/** How it comes about. */
const manners: readonly { readonly how: string; readonly make: (value: unknown) => unknown }[] = [
  {
    how: 'throws',
    make: (value) => {
      throw value;
    },
  },
  {
    how: 'rejects at once with',
    make: async (value) => {
      await Promise.resolve();
      throw value;
    },
  },
  {
    how: 'rejects later with',
    make: async (value) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      throw value;
    },
  },
  {
    how: 'gives a thenable that throws',
    make: (value) => ({
      then: () => {
        throw value;
      },
    }),
  },
  {
    how: 'gives an object with a then that throws when it is read',
    make: (value) =>
      Object.defineProperty({}, 'then', {
        get: () => {
          throw value;
        },
      }),
  },
  {
    how: 'gives a thenable that rejects later with',
    make: (value) => ({
      then: (_: unknown, reject: (reason: unknown) => void) => setTimeout(reject, 1, value),
    }),
  },
];

/** What an app's function may give back, and what throws when it is looked at. */
const given: readonly { readonly what: string; readonly value: () => unknown }[] = [
  { what: 'undefined', value: () => undefined },
  { what: 'null', value: () => null },
  { what: 'a BigInt', value: () => 10n },
  { what: 'a symbol', value: () => Symbol('out of order') },
  { what: 'an object whose toString throws', value: () => ({ toString: out }) },
  { what: 'an object whose toJSON throws', value: () => ({ toJSON: out }) },
  { what: 'an object that holds itself', value: () => causingItself() },
  { what: 'an object whose members throw', value: () => withGetters({}) },
  { what: 'a list whose elements throw', value: () => [withGetters({})] },
  { what: 'a list of what is not JSON', value: () => [{ detail: 10n, message: 10n, pointer: Symbol('/a') }] },
  {
    what: 'a list with an iterator that throws',
    value: () => Object.assign([1], { [Symbol.iterator]: out }),
  },
  { what: 'issues of which each throws', value: () => ({ issues: [withGetters({})] }) },
  {
    what: 'issues with a path that throws',
    value: () => ({ issues: [{ message: 'No.', path: [{ key: { toString: out } }] }] }),
  },
  {
    what: 'issues with an iterator that throws',
    value: () => ({ issues: { [Symbol.iterator]: out, map: out } }),
  },
  { what: 'a Proxy that throws whatever is asked of it', value: () => throwingProxy({}) },
  { what: 'a function of which that is true', value: () => throwingProxy(() => undefined) },
];

/** A function of the app's that does not do what it should. */
export interface Fault {
  readonly what: string;
  /** Throws or rejects, in whatever manner; the others give back what cannot be used. */
  readonly throws: boolean;
  /** Before it returns. */
  readonly atOnce: boolean;
  readonly call: () => unknown;
}

/** Every manner with everything that can be thrown. */
export function allFaults(): readonly Fault[] {
  return faults(() => true);
}

/**
 * Every other of them, of manners but one with two things that can be thrown: once it is caught, all of it takes the same way.
 *
 * @param from - the number of the place, so that each is tried at half of them
 */
export function someFaults(from: number): readonly Fault[] {
  const few = faults((how, what) => how === 'throws' || /^(?:an Error|undefined)$/.test(what));
  return few.filter((_, i) => (i + from) % 2 === 0);
}

function faults(isTried: (how: string, what: string) => boolean): readonly Fault[] {
  return [
    ...manners.flatMap(({ how, make }) =>
      thrown
        .filter(({ what }) => isTried(how, what))
        .map(({ what, value }) => ({
          what: `${how} ${what}`,
          throws: true,
          atOnce: how === 'throws',
          call: () => make(value()),
        })),
    ),
    ...given.map(({ what, value }) => ({ what: `gives ${what}`, throws: false, atOnce: false, call: value })),
    ...given.map(({ what, value }) => ({
      what: `gives a promise of ${what}`,
      throws: false,
      atOnce: false,
      call: () =>
        new Promise((resolve) =>
          setTimeout(() => {
            resolve(value());
          }, 1),
        ),
    })),
  ];
}

function out(): never {
  throw new Error('out of order');
}

function causingItself(): unknown {
  const error = new Error('out of order');
  return Object.assign(error, { cause: error, errors: [error] });
}

function withHeaders(error: Error): Error {
  return Object.assign(error, { status: 400, headers: { 'X-Reason': 'a\nb' } });
}

const members = [
  'detail',
  'pointer',
  'issues',
  'message',
  'path',
  'key',
  'value',
  'version',
  'modified',
  'outcome',
];

function withGetters(object: object): object {
  for (const member of members) Object.defineProperty(object, member, { get: out, enumerable: true });
  return object;
}

function throwingProxy(target: object): object {
  const traps = Reflect.ownKeys(Reflect).filter((name) => typeof Reflect.get(Reflect, name) === 'function');
  return new Proxy(target, Object.fromEntries(traps.map((name) => [name, out])));
}
