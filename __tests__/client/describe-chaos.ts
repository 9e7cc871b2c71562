import { resourceClient } from '../../lib/client';
import type { OutcomeStore } from '../../lib';
import { serving } from '../support/serving';
import {
  audit,
  emptyLedger,
  keepLedgers,
  type Ledger,
  ledgerApp,
  nothingAmiss,
  type Retitled,
} from './ledger';
import { type Fault, UnrulyProxy } from './unruly-proxy';

type Mode = 'with' | 'without';

interface ChaosStore {
  readonly store: OutcomeStore<Ledger>;
  /** How many outcomes each resource keeps, and for how many seconds: all, unless that would cost too much. */
  readonly close?: () => void;
}

const clients = 8;
const ledgers = ['a', 'b', 'c', 'd'];

/** So many changes of each client, over a network where everything goes wrong. */
export function describeChaos(
  what: string,
  open: (ledgers: readonly string[]) => Promise<ChaosStore>,
  changes: number,
  modes: readonly Mode[] = ['with', 'without'],
): void {
  describe(`${clients} clients with ${changes} changes each, over ${what}`, () => {
    let opened: ChaosStore;
    beforeEach(async () => {
      opened = await open(ledgers);
      for (const id of ledgers) {
        if ((await opened.store.get(id)) === undefined) await opened.store.replace(id, null, emptyLedger);
      }
    });
    afterEach(() => opened.close?.());

    test.each(modes)('%s Idempotency-Key, none is lost, and none doubled', async (mode) => {
      const idempotency = mode === 'with';
      // Without a key, a duplicate that is made by the network, and whose refusal is what comes back, looks like any other.
      const without: readonly Fault[] = idempotency ? [] : ['request twice'];
      const { store } = opened;
      const history: Retitled[] = [];
      const onPatched = ({
        key,
        before,
        after,
      }: {
        key: string;
        before?: { value: Ledger } | undefined;
        after: { value: Ledger };
      }) => {
        const from = before?.value.title ?? '';
        if (after.value.title !== from) history.push({ id: key, from, to: after.value.title });
      };
      // They are written with every change; a minute is longer than any client here goes on repeating one.
      const idempotencyLimits = { keep: 1_000, total: 1_000, maxAge: 60 };
      await serving(ledgerApp(store, { onPatched, idempotencyLimits }), async (_server, port) => {
        const proxy = await UnrulyProxy.start(port, without);
        const done = await Promise.all(
          Array.from({ length: clients }, (_, i) => {
            const headers = { 'X-Client': String(i) };
            const options = { idempotency, headers, timeout: 15_000 };
            const client = resourceClient<Ledger>(proxy.url, options);
            return keepLedgers(client, `client${i}`, changes, ledgers);
          }),
        );
        await proxy.close();
        const stored = await Promise.all(ledgers.map(async (id) => (await store.get(id))?.value));
        const found = audit(
          done,
          stored.filter((ledger) => ledger !== undefined),
          history,
        );
        expect(found).toEqual(nothingAmiss);

        const uncertain = done.flatMap((client) => client.uncertain).length;
        const surfaced = done.flatMap(({ titles }) => titles.flatMap(({ conflicts }) => conflicts)).length;
        // With a key there is nothing that nobody could tell.
        if (idempotency) expect(uncertain).toBe(0);
        const told = `${clients * changes} changes over ${what}: ${uncertain} uncertain, ${surfaced} conflicts; `;
        process.stdout.write(`${told}${[...proxy.counts].map(([fault, n]) => `${n} ${fault}`).join(', ')}\n`);
        // Else it has proved nothing; a short one may meet no conflict.
        if (changes >= 100) expect(surfaced).toBeGreaterThan(0);
        expect(proxy.counts.get('answer dropped')).toBeGreaterThan(0);
        expect(proxy.counts.get('page of a gateway')).toBeGreaterThan(0);
      });
    });
  });
}
