import { entityTag } from '../../../lib/http/entity-tag';
import { mergePatch } from '../../../lib/parsers/merge-patch';
import { patchHandler } from '../../../lib/patch/patch-handler';
import { cachedStore } from '../../../lib/stores/cached/cached-store';
import type { StoreContext, Stored } from '../../../lib/stores/contract/resource-store';
import { fc } from '../../support/properties';
import { InterleavedEngine } from './interleaved-engine';
import { type Answer, patchInProcess } from '../../support/patch-in-process';

/**
 * What a client does: it reads, or deletes, or adds a member of its own by PATCH or by the app's PUT; `patch once` does
 * it with an Idempotency-Key, at both processes at the same time.
 */
const step = fc.record({
  does: fc.constantFrom(
    'get',
    'recall',
    'patch',
    'patch what it read',
    'patch or create',
    'patch once',
    'put',
    'delete',
  ),
  key: fc.constantFrom('a', 'b'),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const clients = fc.array(
  fc.record({ process: fc.nat(1), steps: fc.array(step, { minLength: 1, maxLength: 6 }) }),
  { minLength: 1, maxLength: 4 },
);

const faults = fc.infiniteStream(
  fc.oneof(
    { weight: 20, arbitrary: fc.constant('none' as const) },
    { weight: 1, arbitrary: fc.constantFrom('request lost' as const, 'answer lost' as const) },
  ),
);

/** One process: a cache of its own around the engine, and the app's handlers. */
class Process {
  readonly #store;
  readonly #patch;
  readonly #patchOrCreate;
  /** Of each key, the place of the newest state that this process was told it had made. */
  readonly #made = new Map<string, number>();

  constructor(engine: InterleavedEngine, max: number) {
    this.#store = cachedStore(engine, { max });
    const key = (req: { params: { id?: string } }) => req.params.id;
    const idempotency = 'optional';
    this.#patch = patchHandler(this.#store, [mergePatch()], { key, idempotency });
    this.#patchOrCreate = patchHandler(this.#store, [mergePatch()], { key, idempotency, create: true });
  }

  /** @param read - the entity tag that the client has read last */
  answer({ does, key }: Step, member: string, read: string): Promise<Answer> {
    const patch = { [member]: true };
    switch (does) {
      case 'get':
        return this.#get(key);
      case 'recall':
        return this.#get(key, { mayBeStale: true });
      case 'put':
        return this.#put(key, patch);
      case 'delete':
        return this.#delete(key);
      case 'patch or create':
        return patchInProcess(this.#patchOrCreate, key, patch);
      case 'patch what it read':
        return patchInProcess(this.#patch, key, patch, { 'if-match': read });
      case 'patch':
        return patchInProcess(this.#patch, key, patch);
      case 'patch once':
        return patchInProcess(this.#patchOrCreate, key, patch, { 'idempotency-key': `"${member}"` });
    }
  }

  async #get(key: string, context?: StoreContext): Promise<Answer> {
    const stored = await this.#store.get(key, context);
    return stored === undefined ? { status: 404 } : { status: 200, tag: entityTag(stored) };
  }

  async #put(key: string, members: object): Promise<Answer> {
    for (;;) {
      const stored = await this.#store.get(key);
      const next = { ...(stored?.value as object | undefined), ...members };
      const written = await this.#store.replace(key, stored?.version ?? null, next);
      if (written !== undefined) return { status: stored ? 204 : 201, tag: entityTag(written) };
    }
  }

  async #delete(key: string): Promise<Answer> {
    return { status: (await this.#store.delete(key)) ? 204 : 404 };
  }

  /** The place of the oldest state that the process may take for the present one. */
  oldest(key: string): number {
    return this.#made.get(key) ?? 0;
  }

  hasMade(key: string, place: number): void {
    this.#made.set(key, Math.max(place, this.oldest(key)));
  }
}

interface Done {
  readonly step: Step;
  readonly member: string;
  readonly read: string;
  readonly answer: Answer;
  /** The states that the engine had between the request and its answer; for a recall, since the process last wrote. */
  readonly states: readonly State[];
}
type State = Stored<unknown> | undefined;

const tagOf = (state: State) => state && entityTag(state);
const members = (state: State) => Object.keys(state?.value ?? {});

/** Whether a state in which the engine was meanwhile gives the reason of the answer. */
function isTrue({ step: { does }, member, read, answer: { status, tag }, states }: Done): boolean {
  const changes = states.slice(1).map((after, index) => [states[index], after] as const);
  switch (status) {
    case 500:
      return true;
    case 404:
      return states.includes(undefined);
    case 412:
      return does === 'patch what it read' && tag !== read && states.some((state) => tagOf(state) === tag);
    case 200:
      return states.some((state) => tagOf(state) === tag);
    case 201:
      return changes.some(([before, after]) => before === undefined && tagOf(after) === tag);
    case 204:
      if (does === 'delete') return changes.some(([, after]) => after === undefined);
      return changes.some(
        ([before, after]) =>
          before !== undefined &&
          tagOf(after) === tag &&
          members(after).includes(member) &&
          (does !== 'patch what it read' || tagOf(before) === read),
      );
    default:
      return false;
  }
}

/** Whether every state has what the one before it had, and a member more, or is the absence after a deletion. */
function losesNothing(states: readonly State[]): boolean {
  return states.slice(1).every((after, index) => {
    const before = members(states[index]);
    return after === undefined || members(after).join() === [...before, members(after).at(-1)].join();
  });
}

/**
 * Two processes, each with a cache around one engine, under so many random interleavings of their calls and answers, with
 * some lost: no update may be lost, and every answer must be true of a state that the engine was in meanwhile.
 *
 * @returns the statuses of the answers
 */
export async function interleave(runs: number): Promise<ReadonlySet<number>> {
  const seen = new Set<number>();
  await fc.assert(
    fc.asyncProperty(clients, fc.nat(1), faults, fc.scheduler(), async (all, room, faults, scheduler) => {
      const engine = new InterleavedEngine(scheduler, faults);
      const [here, there] = [new Process(engine, 1 + room), new Process(engine, 1 + room)];
      const done: Done[] = [];

      /** Sends a request three times at once, to both processes, and all again until there is an answer. */
      const actOnce = async (...request: Parameters<Process['answer']>): Promise<Answer[]> => {
        for (;;) {
          const answers = await Promise.all(
            [here, here, there].map((process) =>
              process.answer(...request).catch((): Answer => ({ status: 500 })),
            ),
          );
          const answered = answers.filter(({ status }) => status !== 500);
          if (answered.length > 0) return answered;
        }
      };

      const act = async (steps: readonly Step[], process: Process, name: string): Promise<void> => {
        let read = '"none"';
        for (const [index, step] of steps.entries()) {
          const { does, key } = step;
          const member = `${name}.${index}`;
          const from = does === 'recall' ? process.oldest(key) : engine.statesOf(key).length - 1;
          const answers =
            does === 'patch once'
              ? await actOnce(step, member, read)
              : [await process.answer(step, member, read).catch((): Answer => ({ status: 500 }))];
          const states = engine.statesOf(key).slice(from);
          for (const answer of answers) {
            const made = states.findIndex((state) => tagOf(state) === answer.tag);
            const byOne = does !== 'patch once'; // else perhaps by the other
            if (byOne && made > 0 && [201, 204].includes(answer.status)) process.hasMade(key, from + made);
            done.push({ step, member, read, answer, states });
            read = answer.tag ?? read;
          }
        }
      };
      await scheduler.waitFor(
        Promise.all(
          all.map(({ process, steps }, index) => act(steps, process === 0 ? here : there, `c${index}`)),
        ),
      );

      for (const key of ['a', 'b']) {
        const states = engine.statesOf(key);
        if (!losesNothing(states)) throw new Error(`lost: ${JSON.stringify(states)}`);
      }
      for (const one of done) {
        if (!isTrue(one)) throw new Error(`untrue: ${JSON.stringify(one)}`);
        seen.add(one.answer.status);
      }
    }),
    { numRuns: runs },
  );
  return seen;
}

/** A proof is none unless all of them came. */
export const everyStatus = new Set([200, 201, 204, 404, 412, 500]);
