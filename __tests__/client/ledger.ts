import express, { type Express } from 'express';
import {
  checkPreconditions,
  entityTag,
  jsonPatch,
  patchHandler,
  type PatchHandlerOptions,
  patchOptions,
  type ResourceStore,
  sendProblem,
} from '../../lib';
import type { Conflict, ResourceClient } from '../../lib/client';

/** What clients change at once: a counter and a list, which grow, and a title, which each wants to be its own. */
export interface Ledger {
  title: string;
  count: number;
  ids: string[];
}

export const emptyLedger: Ledger = { title: '', count: 0, ids: [] };

export function ledgerApp(store: ResourceStore<Ledger>, options: PatchHandlerOptions<Ledger> = {}): Express {
  const app = express();
  app.use(patchOptions({ cors: { origin: '*' } }));
  app.get('/ledgers/:id', async (req, res) => {
    const stored = await store.get(req.params.id);
    const refusal = stored && checkPreconditions(req, stored);
    if (stored === undefined) res.sendStatus(404);
    else if (refusal !== undefined) sendProblem(res, refusal);
    else res.set('ETag', entityTag(stored)).json(stored.value);
  });
  const key = (req: { params: Record<string, string | undefined> }) => req.params['id'];
  app.patch('/ledgers/:id', patchHandler(store, [jsonPatch()], { key, idempotency: 'optional', ...options }));
  return app;
}

/** One title after another, as the store had them. */
export interface Retitled {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

/** What one client has done, and seen. */
export interface Done {
  /** Those that were made, once each. */
  readonly made: readonly string[];
  /** Those of which nobody could tell. */
  readonly uncertain: readonly string[];
  /** Titles that were saved, with what the form began with, and the conflicts that were surfaced. */
  readonly titles: readonly {
    readonly title: string;
    readonly base: string;
    readonly conflicts: readonly string[];
  }[];
}

/**
 * Makes so many changes to ledgers, chosen at random: mostly entries, which count on from what is there; and every fourth a
 * title, which is saved as a form is, and in a conflict wins. Runs in a page, too, and so uses nothing from outside.
 */
export async function keepLedgers(
  client: ResourceClient<Ledger>,
  name: string,
  changes: number,
  ledgers: readonly string[],
): Promise<Done> {
  const done = { made: [] as string[], uncertain: [] as string[], titles: [] as Done['titles'][number][] };
  for (let n = 0; n < changes; n++) {
    const url = `/ledgers/${ledgers[Math.floor(Math.random() * ledgers.length)] ?? ''}`;
    const id = `${name}-${n}`;
    try {
      if (n % 4 === 3) {
        const { value: base } = await client.get(url);
        const conflicts: string[] = [];
        const onConflict = ({ theirs }: Conflict<Ledger>) => {
          conflicts.push(theirs.title);
          return { ...theirs, title: id };
        };
        await client.save(url, base, { ...base, title: id }, { onConflict });
        done.titles.push({ title: id, base: base.title, conflicts });
      } else {
        await client.change(url, (ledger) => {
          ledger.count++;
          ledger.ids.push(id);
        });
        done.made.push(id);
      }
    } catch (error) {
      // What is not told to be uncertain must be made: nothing here is refused.
      if (!(error instanceof Error) || !('uncertain' in error) || error.uncertain !== true) throw error;
      done.uncertain.push(id);
    }
  }
  return done;
}

/** What the server has, held against what the clients were told. */
export function audit(done: readonly Done[], ledgers: readonly Ledger[], history: readonly Retitled[]) {
  const entries = ledgers.flatMap(({ ids }) => ids);
  const made = new Set(done.flatMap((client) => client.made));
  const uncertain = new Set(done.flatMap((client) => client.uncertain));
  const titles = done.flatMap((client) => client.titles);
  const once = new Set(entries);
  return {
    lost: [...made].filter((id) => !once.has(id)),
    doubled: entries.filter((id, i) => entries.indexOf(id) !== i),
    unaccounted: entries.filter((id) => !made.has(id) && !uncertain.has(id)),
    miscounted: ledgers.filter(({ count, ids }) => count !== ids.length).length,
    titlesLost: titles.filter(({ title }) => history.filter(({ to }) => to === title).length !== 1),
    /** What was overwritten by someone who had seen neither it as the base of the form, nor as a conflict at last. */
    overwritten: titles.filter(({ title, base, conflicts }) => {
      const seen = conflicts.at(-1) ?? base;
      return history.some(({ from, to }) => to === title && from !== seen);
    }),
    surfacedTwice: titles.filter(({ conflicts }) => new Set(conflicts).size !== conflicts.length),
    surfacedFalsely: titles.filter(({ base, conflicts }) => conflicts[0] === base),
  };
}

export const nothingAmiss: ReturnType<typeof audit> = {
  ...{ lost: [], doubled: [], unaccounted: [], miscounted: 0 },
  ...{ titlesLost: [], overwritten: [], surfacedTwice: [], surfacedFalsely: [] },
};
