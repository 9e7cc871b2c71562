/** Writes values of kinds, in many members of a row at once, and says which are not read back as they were sent. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../lib/config/object';
import { formatPointer } from '../../lib/json/pointer';
import type { ResourceStore, Stored } from '../../lib';
import { fc } from '../support/properties';
import { seed } from '../support/seed';
import { replaceAt, written } from '../support/written';
import { type KindSent, sentOf } from './kinds-in-columns';

/** A store whose members are named while the test runs. */
export type MemberStore = ResourceStore<Readonly<Record<string, unknown>>>;

type Sent = Readonly<Record<string, unknown>>;

/** What came of a value. */
interface Finding {
  readonly member: string;
  readonly sent: unknown;
  /** What was read instead, or why it was not. */
  readonly got?: unknown;
}

export interface Findings {
  /** Values that were neither read back nor refused, or refused although they are read back. */
  readonly wrong: Finding[];
  /** How many values were refused, with 422 and their pointer, and left the row as it was. */
  refused: number;
  /** How many values were written. */
  checked: number;
}

export function noFindings(): Findings {
  return { wrong: [], refused: 0, checked: 0 };
}

/** A member that clients can write. */
export interface Member extends KindSent {
  readonly name: string;
}

/** What the members are set to in each row: two values, the second of which comes instead of the first. */
export type Pair = readonly [first: Sent, second: Sent];

/** Every edge of each kind, and after those `count` pairs at random. */
export function pairsOf(members: readonly Member[], count: number): Pair[] {
  const sent = members.map((member) => [member.name, sentOf(member)] as const);
  const longest = Math.max(...sent.map(([, { edges }]) => edges.length));
  const edges = Array.from({ length: longest }, (_, index) => {
    const at = (of: number) =>
      Object.fromEntries(
        sent.map(([name, { edges: all, any }]) => [
          name,
          all.length > 0 ? all[of % all.length] : fc.sample(any, { numRuns: 1, seed })[0],
        ]),
      );
    return [at(index), at(index + 1)] as const;
  });
  const any = fc.record(Object.fromEntries(sent.map(([name, { any: others }]) => [name, others])));
  return count === 0 ? edges : [...edges, ...fc.sample(fc.tuple(any, any), { numRuns: count, seed })];
}

/**
 * Sets the members in a new row, instead of another value, to NULL, and instead of NULL: each time they are read as they were
 * sent, or were refused, and then the row is as it was.
 *
 * @param slug - the key of the row, which is left with the first values
 */
export async function writeAndRead(
  store: MemberStore,
  members: readonly Member[],
  [first, second]: Pair,
  findings: Findings,
  slug: string = randomUUID(),
): Promise<Sent> {
  const { wrong } = findings;
  const nothing = Object.fromEntries(members.map(({ name, kind }) => [name, nothingOf(kind)]));
  const get = async () => {
    try {
      return await store.get(slug);
    } catch (error) {
      wrong.push({ member: '', sent: before, got: `It cannot be read: ${String(error)}` });
      return undefined;
    }
  };
  let current: Stored<Sent> | undefined;
  let before: Sent = nothing;
  for (const step of [first, second, nothing, first]) {
    let next = { ...step };
    findings.checked += members.length;
    let stored: Awaited<ReturnType<MemberStore['get']>>;
    for (;;) {
      try {
        stored = written(
          current === undefined
            ? await store.replace(slug, null, next)
            : await replaceAt(store, slug, current, next),
        );
        break;
      } catch (error) {
        const isRefused = isObject(error) && Reflect.get(error, 'status') === 422;
        const named = isRefused ? namedMembers(error, members) : [];
        const alone = isRefused && named.length === 0 ? await refusedAlone(store, nothing, next) : named;
        const names = alone.filter((name) => next[name] !== before[name]);
        const isKept = isDeepStrictEqual((await get())?.value, current?.value);
        if (names.length === 0 || !isKept) {
          wrong.push({ member: '', sent: next, got: isKept ? String(error) : 'refused, and written' });
          return before;
        }
        for (const { name, kind, refuses } of members.filter((member) => names.includes(member.name))) {
          const sent = next[name];
          const elements = kind.includes('[]') && Array.isArray(sent) ? (sent as unknown[]) : [sent];
          const isRight = elements.some((one) => refuses?.(one));
          if (isRight) findings.refused += 1;
          else wrong.push({ member: name, sent, got: `refused: ${String(error)}` });
        }
        next = { ...next, ...Object.fromEntries(names.map((name) => [name, before[name]])) };
      }
    }
    const seen = await get();
    if (!isDeepStrictEqual(stored?.value, seen?.value))
      wrong.push({ member: '', sent: stored?.value, got: seen?.value });
    for (const { name, kind, rounds = (value: unknown) => value } of members) {
      const [value, read] = [next[name], seen?.value[name]].map((one) => rounds(spelled(kind, one)));
      if (!isDeepStrictEqual(read, value))
        wrong.push({ member: name, sent: step[name], got: read ?? 'nothing' });
    }
    if (stored === undefined || seen === undefined) return before;
    before = seen.value;
    current = stored;
  }
  return before;
}

/** The members that a refusal names. */
function namedMembers(error: object, members: readonly Member[]): string[] {
  if (members.length === 1) return members.map(({ name }) => name);
  const problem: unknown = Reflect.get(error, 'problem');
  const errors: unknown = isObject(problem) ? Reflect.get(problem, 'errors') : undefined;
  const list: readonly unknown[] = Array.isArray(errors) ? errors : [];
  const pointers = list.map((one) => (isObject(one) ? String(Reflect.get(one, 'pointer')) : ''));
  return members
    .map(({ name }) => name)
    .filter((name) => pointers.some((pointer) => isWithin(pointer, name)));
}

/** The members that a database refuses, which need not say which of several it is: each in a row of its own. */
async function refusedAlone(store: MemberStore, nothing: Sent, next: Sent): Promise<string[]> {
  const names: string[] = [];
  for (const [name, value] of Object.entries(next)) {
    try {
      await store.replace(randomUUID(), null, { ...nothing, [name]: value });
    } catch {
      names.push(name);
    }
  }
  return names;
}

function isWithin(pointer: string, member: string): boolean {
  const path = formatPointer([member]);
  return pointer === path || pointer.startsWith(`${path}/`);
}

/** What a member is set to between two values. */
function nothingOf(kind: string): unknown {
  if (kind.endsWith('?')) return null;
  if (kind.endsWith(']')) return [];
  return kind === 'boolean' ? false : {};
}

/** As the kinds spell it, of which a database has only one: UUIDs in lower case, and no negative zero. */
function spelled(kind: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => spelled(kind, one));
  if (typeof value !== 'string') return value;
  if (kind.startsWith('uuid')) return value.toLowerCase();
  return kind.startsWith('decimal') ? value.replace(/^-(?=[0.]+$)/, '') : value;
}
