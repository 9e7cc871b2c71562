/** `transaction` and `onWrite`: both writes or neither, again where the database undid them, and never past the transaction. */
import Database from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { drizzleRows } from '../../lib/rows';
import { sqliteNotes } from './support/drizzle-schema';
import { describeEachOrm } from './support/each-orm';
import { notesOf } from './support/notes';

describeEachOrm((opened, about) => {
  const created = async (age = 0): Promise<string> => {
    const slug = randomUUID();
    await notesOf(opened(), about).replace(slug, null, { title: 'a', age } as never);
    return slug;
  };
  const ageOf = async (slug: string) => (await notesOf(opened(), about).get(slug))?.value.age;
  const audits = async (slug: string) => {
    const rows = await opened().sql(`SELECT * FROM audits WHERE slug = '${slug}' ORDER BY id`);
    return rows.map(({ before, after }) => ({ before, after }));
  };

  /** A store that audits the age of each write, and then does what a test wants. */
  const audited = (slug: string, then: (tx: unknown) => unknown = () => undefined) => {
    const { transaction, audit } = opened();
    return notesOf(opened(), about, {
      transaction: (run) => transaction(run),
      onWrite: async (tx, { before, after }) => {
        await audit(tx, {
          slug,
          before: before === undefined ? null : String(before.age),
          after: String(after?.age),
        });
        await then(tx);
      },
    });
  };
  const count = async (slug: string, store: ReturnType<typeof audited>): Promise<boolean> => {
    const seen = await store.get(slug);
    if (seen === undefined) throw new Error('The note is gone.');
    const next = { ...seen.value, age: Number(seen.value.age) + 1 };
    return (await store.replace(slug, seen.version, next, { current: seen })) !== undefined;
  };

  test('the audit row is written with the change, and with the creation', async () => {
    const slug = randomUUID();
    const store = audited(slug);
    await store.replace(slug, null, { title: 'a', age: 0 } as never);
    expect(await count(slug, store)).toBe(true);
    expect(await audits(slug)).toEqual([
      { before: null, after: '0' },
      { before: '0', after: '1' },
    ]);
  });

  test('what onWrite throws undoes both, and is thrown as it is', async () => {
    const slug = await created();
    const thrown = new Error('thrown by the app');
    const store = audited(slug, () => {
      throw thrown;
    });
    await expect(count(slug, store)).rejects.toBe(thrown);
    expect(await ageOf(slug)).toBe(0);
    expect(await audits(slug)).toEqual([]);
    await expect(store.replace(randomUUID(), null, { title: 'b' } as never)).rejects.toBe(thrown);
  });

  test('a constraint that a write of onWrite breaks is a fault of the app, not of the client', async () => {
    const slug = await created();
    const { audit } = opened();
    const store = audited(slug, (tx) => audit(tx, { slug, before: null, after: null as never }));
    const failed: unknown = await count(slug, store).catch((error: unknown) => error);
    expect(failed).toHaveProperty('message'); // that of the driver, as it is
    expect(failed).not.toHaveProperty('status');
    expect(await ageOf(slug)).toBe(0);
  });

  test('of 10 at once that count, each that wrote has one audit row', async () => {
    const slug = await created();
    const store = audited(slug);
    const written = await Promise.all(
      Array.from({ length: 10 }, async () => {
        for (let times = 0; times < 3;) if (await count(slug, store)) times += 1;
      }),
    );
    expect(written).toHaveLength(10);
    expect(await ageOf(slug)).toBe(30);
    expect((await audits(slug)).map(({ after }) => Number(after)).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 1),
    );
  });

  if (about.database !== 'SQLite') {
    test('what another transaction has undone is run again', async () => {
      const [slug, other] = [await created(1), await created(1)];
      const { transaction, audit, readAudits } = opened();
      const bothHaveRead = new EventEmitter();
      let runs = 0;
      // Write skew: each reads the audits of the other and adds one of its own, which no order of the two explains.
      const crossing = (own: string, read: string) =>
        notesOf(opened(), about, {
          transaction: (run) => transaction(run),
          onWrite: async (tx, { after }) => {
            await readAudits(tx, read);
            runs += 1;
            if (runs === 1) await once(bothHaveRead, 'yes');
            else bothHaveRead.emit('yes');
            await audit(tx, { slug: own, before: null, after: String(after?.age) });
          },
        });
      const stores = [crossing(slug, other), crossing(other, slug)] as const;
      expect(await Promise.all([count(slug, stores[0]), count(other, stores[1])])).toEqual([true, true]);
      // The run after the first conflict can meet the other transaction once more.
      expect(runs).toBeGreaterThan(2);
      expect(await Promise.all([ageOf(slug), ageOf(other)])).toEqual([2, 2]);
      expect([await audits(slug), await audits(other)]).toEqual([[expect.anything()], [expect.anything()]]);
    });
  }

  test('a transaction that does not wait is an error, and nothing is written', async () => {
    const slug = await created();
    const { transaction } = opened();
    let later: unknown;
    const store = notesOf(opened(), about, {
      transaction: (run) => {
        later = delay(20).then(() => transaction(run));
      },
    });
    await expect(count(slug, store as never)).rejects.toThrow('resolved before run did');
    await expect(later).rejects.toThrow('resolved before run did');
    expect(await ageOf(slug)).toBe(0);
  });

  // Sequelize and MikroORM find the transaction themselves, and a synchronous driver has one connection.
  const mayBeInside =
    ['Sequelize', 'MikroORM'].includes(about.orm) || (about.orm === 'Drizzle' && about.database === 'SQLite');
  if (!mayBeInside) {
    test('rows that are not of the transaction are an error, and nothing is written', async () => {
      const slug = await created();
      const { rows, transaction } = opened();
      const store = notesOf(opened(), about, {
        transaction: (run) => transaction((_rows, tx) => run(rows, tx)),
        onWrite: () => {
          throw new Error('thrown by the app');
        },
      });
      await expect(count(slug, store as never)).rejects.toThrow('write outside the transaction');
      expect(await ageOf(slug)).toBe(0);
    });
  }

  if (about.orm === 'Drizzle' && about.database === 'SQLite') {
    test('better-sqlite3 refuses a transaction that awaits, and nothing is written', async () => {
      const slug = await created();
      const client = new Database(opened().url);
      const db = drizzle(client);
      const store = notesOf(opened(), about, {
        transaction: (run) => db.transaction((tx) => run(drizzleRows(tx, sqliteNotes), tx)),
      });
      await expect(count(slug, store)).rejects.toThrow('cannot return a promise');
      await delay(50);
      expect(await ageOf(slug)).toBe(0);
      client.close();
    });
  }

  test('what a transaction catches is thrown all the same', async () => {
    const slug = await created();
    const { transaction } = opened();
    const thrown = new Error('thrown by the app');
    const store = notesOf(opened(), about, {
      transaction: (run) => Promise.resolve(transaction(run)).catch(() => undefined),
      onWrite: () => {
        throw thrown;
      },
    });
    await expect(count(slug, store as never)).rejects.toBe(thrown);
    expect(await ageOf(slug)).toBe(0);
  });

  test('nothing is written where the version is another', async () => {
    const slug = await created();
    const store = audited(slug);
    expect(await store.replace(slug, 'another', { title: 'b' } as never)).toBeUndefined();
    expect(await audits(slug)).toEqual([]);
  });
});
