/** The transaction of a write: both writes or neither, in the one that the app has open, and in one of the app's own. */
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { rowStore, type RowWrite, type Rows } from '../../lib/rows';
import { scaled } from '../support/deep-scale';
import { describeEachOrm } from './support/each-orm';
import { writeRow } from './support/write-row';
import { written } from './support/written';

const columns = { title: 'string', body: 'string?', age: 'integer?' } as const;
const unread = { title: 'a', body: null };

type OnWrite = (tx: unknown, write: RowWrite<{ age: number | null }>) => unknown;

describeEachOrm((opened, about) => {
  const openStore = (options: Partial<Rows> & { onWrite?: OnWrite; timeout?: number } = {}) =>
    rowStore({ ...opened().rows, ...options, columns, key: 'slug' });
  type Store = ReturnType<typeof openStore>;
  const created = async (age = 0): Promise<string> => {
    const slug = randomUUID();
    written(await openStore().replace(slug, null, { ...unread, age }));
    return slug;
  };
  const readAge = async (slug: string) => Number((await opened().ownRead(slug)).age);
  const audits = async (slug: string) => {
    const rows = await opened().sql(`SELECT * FROM audits WHERE slug = '${slug}' ORDER BY id`);
    return rows.map(({ before, after }) => ({ before, after }));
  };
  const isSynchronous = () => opened().rows.transactionSync !== undefined;

  /** Audits the age of each write, and then does what a test wants. */
  const auditing =
    (then: (tx: unknown) => unknown = () => undefined): OnWrite =>
    (tx, { key, before, after }) => {
      const row = {
        slug: key,
        before: before === undefined ? null : String(before.age),
        after: String(after?.age),
      };
      const audited = opened().audit(tx, row);
      return isSynchronous() ? then(tx) : Promise.resolve(audited).then(() => then(tx));
    };
  const addOne = async (slug: string, store: Store): Promise<boolean> => {
    const current = await store.get(slug);
    if (current === undefined) throw new Error('The note is gone.');
    const next = { ...current.value, age: Number(current.value.age) + 1 };
    const result = await store.replace(slug, '', next, { current });
    return result !== undefined && 'value' in result;
  };

  test('the audit row is written with the change, and with the creation', async () => {
    const slug = randomUUID();
    const store = openStore({ onWrite: auditing() });
    written(await store.replace(slug, null, { ...unread, age: 0 }));
    expect(await addOne(slug, store)).toBe(true);
    expect(await audits(slug)).toEqual([
      { before: null, after: '0' },
      { before: '0', after: '1' },
    ]);
  });

  test('what onWrite throws undoes both, and is thrown as it is', async () => {
    const slug = await created();
    const thrown = new Error('thrown by the app');
    const store = openStore({
      onWrite: auditing(() => {
        throw thrown;
      }),
    });
    await expect(addOne(slug, store)).rejects.toBe(thrown);
    expect(await readAge(slug)).toBe(0);
    expect(await audits(slug)).toEqual([]);
    await expect(store.delete(slug)).rejects.toBe(thrown);
    expect(await readAge(slug)).toBe(0);
    const other = randomUUID();
    await expect(store.replace(other, null, { ...unread, age: 0 })).rejects.toBe(thrown);
    expect(await openStore().get(other)).toBeUndefined();
  });

  test('a constraint that a write of onWrite breaks is a fault of the app, not of the client', async () => {
    const slug = await created();
    const { audit } = opened();
    const store = openStore({
      onWrite: (tx) => audit(tx, { slug, before: null, after: null as never }),
    });
    const failed: unknown = await addOne(slug, store).catch((error: unknown) => error);
    expect(failed).toHaveProperty('message'); // the driver's, as it is
    expect(failed).not.toHaveProperty('status');
    expect(await readAge(slug)).toBe(0);
  });

  test('of 10 at once that count, each that wrote has one audit row', async () => {
    const slug = await created();
    const store = openStore({ onWrite: auditing(), timeout: 60_000 });
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        for (let times = 0; times < 3;) if (await addOne(slug, store)) times += 1;
      }),
    );
    expect(await readAge(slug)).toBe(30);
    expect((await audits(slug)).map(({ after }) => Number(after)).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 1),
    );
  });

  test('100 writes at once over a pool of ten, whose onWrite uses the transaction', async () => {
    const count = Math.max(20, scaled(100));
    const slugs = await Promise.all(Array.from({ length: count }, () => created()));
    const store = openStore({ onWrite: auditing(), timeout: 60_000 });
    expect(await Promise.all(slugs.map((slug) => addOne(slug, store)))).toEqual(slugs.map(() => true));
    for (const slug of slugs) expect(await audits(slug)).toEqual([{ before: '0', after: '1' }]);
  });

  test('a state that is not the current one: nothing is written, and the current one is returned', async () => {
    const slug = await created();
    const store = openStore({ onWrite: auditing() });
    const current = await store.get(slug);
    await opened().ownIncrement(slug);
    const result = await store.replace(
      slug,
      '',
      { ...unread, title: 'b', age: 0 },
      { current: current as never },
    );
    expect(result).toMatchObject({ current: { value: { title: 'a', age: 1 } } });
    expect(await audits(slug)).toEqual([]);
  });

  const isOwnAsync = !(about.orm === 'Drizzle' && about.database === 'SQLite');
  if (isOwnAsync) {
    const begin: NonNullable<Rows['transaction']> = (run) => {
      const { ownTransaction } = opened();
      if (ownTransaction === undefined) throw new Error('There is no transaction of the app.');
      return ownTransaction(run);
    };
    const inside = (rows: Rows, onWrite: OnWrite = auditing()) =>
      rowStore({ ...rows, columns, key: 'slug', onWrite } as never) as unknown as Store;

    describe('in a transaction that the app has open on the row', () => {
      test('a write joins it, and is rolled back with it', async () => {
        const slug = await created();
        const thrown = new Error('thrown by the app');
        const running = Promise.resolve(
          begin(async (rows) => {
            await writeRow(rows, { slug }, { title: 'by the app' });
            expect(await addOne(slug, inside(rows))).toBe(true);
            expect((await inside(rows).get(slug))?.value).toEqual({
              title: 'by the app',
              body: null,
              age: 1,
            });
            throw thrown;
          }),
        );
        await expect(running).rejects.toBe(thrown);
        expect((await openStore().get(slug))?.value).toEqual({ ...unread, age: 0 });
        expect(await audits(slug)).toEqual([]);
      });

      test('a write that is refused leaves it as it was', async () => {
        const slug = await created();
        const thrown = new Error('thrown by onWrite');
        await begin(async (rows) => {
          await writeRow(rows, { slug }, { title: 'by the app' });
          const refusing = inside(
            rows,
            auditing(() => {
              throw thrown;
            }),
          );
          await expect(addOne(slug, refusing)).rejects.toBe(thrown);
          // What the database itself refuses: a CHECK.
          const current = await refusing.get(slug);
          const tooOld = { title: 'by the app', body: null, age: 200 };
          const refused = refusing.replace(slug, '', tooOld, { current: current as never });
          await expect(refused).rejects.toMatchObject({ status: 422 });
          expect(await addOne(slug, inside(rows))).toBe(true);
          await writeRow(rows, { slug }, { body: 'and after it' });
        });
        expect((await openStore().get(slug))?.value).toEqual({
          title: 'by the app',
          body: 'and after it',
          age: 1,
        });
        expect(await audits(slug)).toEqual([{ before: '0', after: '1' }]);
      });
    });

    if (about.database === 'MariaDB') {
      // At REPEATABLE READ, its first read decides what every read without a lock shows.
      test('in a transaction that has read before the app wrote: what was written since is not undone', async () => {
        const slug = await created();
        const { ownTransaction, ownIncrement } = opened();
        const joined = Promise.resolve(
          ownTransaction?.(async (rows) => {
            const store = inside(rows);
            const seen = await store.get(slug);
            await ownIncrement(slug);
            const result = await store.replace(slug, '', { ...unread, age: 100 }, { current: seen as never });
            expect(result).toEqual({
              current: expect.objectContaining({ value: { ...unread, age: 1 } }) as unknown,
            });
          }, 'repeatable read'),
        );
        // Prisma has no read that locks.
        if (about.orm === 'Prisma')
          await expect(joined).rejects.toThrow("{ isolationLevel: 'ReadCommitted' }");
        else await joined;
        expect(await readAge(slug)).toBe(1);
        expect(await audits(slug)).toEqual([]);
      });
    }

    describe('in the option transaction of the app', () => {
      test('both are written or neither', async () => {
        const slug = await created();
        const store = openStore({ transaction: begin, onWrite: auditing() });
        expect(await addOne(slug, store)).toBe(true);
        expect(await audits(slug)).toEqual([{ before: '0', after: '1' }]);
        const thrown = new Error('thrown by the app');
        const refusing = openStore({
          transaction: begin,
          onWrite: auditing(() => {
            throw thrown;
          }),
        });
        await expect(addOne(slug, refusing)).rejects.toBe(thrown);
        expect([await readAge(slug), await audits(slug)]).toEqual([1, [{ before: '0', after: '1' }]]);
      });

      if (about.database !== 'SQLite') {
        test('what another transaction has undone is run again', async () => {
          const [slug, other] = [await created(1), await created(1)];
          const { audit, readAudits } = opened();
          const bothHaveRead = new EventEmitter();
          let runs = 0;
          // Write skew: each reads the audits of the other and adds one of its own, which no order of the two explains.
          const crossing = (own: string, read: string) =>
            openStore({
              transaction: begin,
              timeout: 60_000,
              onWrite: async (tx, { after }) => {
                await readAudits(tx, read);
                runs += 1;
                if (runs === 1) await once(bothHaveRead, 'yes');
                else bothHaveRead.emit('yes');
                await audit(tx, { slug: own, before: null, after: String(after?.age) });
              },
            });
          const stores = [crossing(slug, other), crossing(other, slug)] as const;
          expect(await Promise.all([addOne(slug, stores[0]), addOne(other, stores[1])])).toEqual([
            true,
            true,
          ]);
          // The run after the first conflict can meet the other transaction once more.
          expect(runs).toBeGreaterThan(2);
          expect(await Promise.all([readAge(slug), readAge(other)])).toEqual([2, 2]);
          expect([await audits(slug), await audits(other)]).toEqual([
            [expect.anything()],
            [expect.anything()],
          ]);
        });
      }

      test('one that does not wait is an error, and nothing is written', async () => {
        const slug = await created();
        let later: unknown;
        const store = openStore({
          transaction: (run) => {
            later = delay(20).then(() => begin(run));
          },
        });
        await expect(addOne(slug, store)).rejects.toThrow('resolved before run did');
        await expect(later).rejects.toThrow('resolved before run did');
        expect(await readAge(slug)).toBe(0);
      });

      // Sequelize and MikroORM find the transaction themselves.
      if (!['Sequelize', 'MikroORM'].includes(about.orm)) {
        test('rows that are not of the transaction are an error, and nothing is written', async () => {
          const slug = await created();
          const { rows } = opened();
          const store = openStore({ transaction: (run) => begin((_rows, tx) => run(rows, tx)) });
          await expect(addOne(slug, store)).rejects.toThrow('write outside the transaction');
          expect(await readAge(slug)).toBe(0);
        });
      }

      test('what it catches is thrown all the same', async () => {
        const slug = await created();
        const thrown = new Error('thrown by the app');
        const store = openStore({
          transaction: (run) => Promise.resolve(begin(run)).catch(() => undefined),
          onWrite: () => {
            throw thrown;
          },
        });
        await expect(addOne(slug, store)).rejects.toBe(thrown);
        expect(await readAge(slug)).toBe(0);
      });
    });
  } else {
    test('an onWrite that awaits is an error over a synchronous driver, and nothing is written', async () => {
      const slug = await created();
      const store = openStore({ onWrite: async () => delay(1) });
      await expect(addOne(slug, store)).rejects.toThrow('onWrite returned a promise');
      expect(await readAge(slug)).toBe(0);
    });

    test('transaction of the app is a mistake over a synchronous driver', () => {
      expect(() => openStore({ transaction: () => undefined })).toThrow(
        'statements of other requests would get into the transaction',
      );
    });
  }
});
