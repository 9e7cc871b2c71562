/** Writers at once, through each ORM: what the writes of the store lose, and what the calls of the app itself lose. */
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Stored } from '../../lib';
import { rowStore } from '../../lib/rows';
import { scaled } from '../support/deep-scale';
import { describeEachOrm, type Opened } from './support/each-orm';
import type { OrmUnderTest } from './support/orm';

const writers = 20;
/** A CHECK refuses 200. */
const rounds = scaled(9);

const columns = { title: 'string', age: 'integer?' } as const;

/** A path that a write takes: with the content as the state; and over the builders, with a version of PostgreSQL. */
interface Way {
  readonly way: string;
  readonly version?: 'xmin';
}

function waysOf({ orm, database }: OrmUnderTest): readonly Way[] {
  const hasXmin = database === 'PostgreSQL' && ['Drizzle', 'Knex', 'Kysely'].includes(orm);
  return [{ way: 'the content' }, ...(hasXmin ? [{ way: 'xmin', version: 'xmin' as const }] : [])];
}

const openStore = ({ rows }: Opened, { version }: Way) =>
  rowStore({ ...rows, columns, key: 'slug', ...(version !== undefined && { version }) });
type Store = ReturnType<typeof openStore>;

/** As PATCH does: a state that was found instead is judged next. */
async function addOne(store: Store, slug: string): Promise<void> {
  let current = await store.get(slug);
  for (;;) {
    if (current === undefined) throw new Error('The note is gone.');
    const { value, version = '' }: Stored<{ title: string; age: number | null }> = current;
    const result = await store.replace(slug, version, { ...value, age: Number(value.age) + 1 }, { current });
    if (result !== undefined && 'value' in result) return;
    current = result === undefined ? await store.get(slug) : result.current;
  }
}

const lost: Record<string, unknown>[] = [];
afterAll(() => {
  console.table(lost);
});

describeEachOrm((opened, about) => {
  const { orm, database } = about;
  const created = async (): Promise<string> => {
    const slug = randomUUID();
    await opened().rows.insert({ slug, title: 'a', age: 0 });
    return slug;
  };
  const atOnce = async (count: number, act: () => unknown): Promise<void> => {
    await Promise.all(Array.from({ length: count }, act));
  };
  const readAge = async (slug: string): Promise<number> => Number((await opened().ownRead(slug)).age);

  test.each(waysOf(about))('writes of the store at once, on the condition of $way', async (way) => {
    const store = openStore(opened(), way);
    const slug = await created();
    await atOnce(writers, async () => {
      for (let done = 0; done < rounds; done++) await addOne(store, slug);
    });
    const age = await readAge(slug);
    lost.push({ orm, database, call: way.way, writes: writers * rounds, lost: writers * rounds - age });
    expect(age).toBe(writers * rounds);
  });

  test.each(waysOf(about))(
    '20 writes of the store beside 50 UPDATEs of the app, on the condition of $way',
    async (way) => {
      const store = openStore(opened(), way);
      const slug = await created();
      const own = async () => {
        for (let done = 0; done < 10; done++) {
          await opened().ownIncrement(slug);
          await setImmediate();
        }
      };
      await Promise.all([atOnce(20, () => addOne(store, slug)), atOnce(5, own)]);
      expect(await readAge(slug)).toBe(70);
    },
  );

  test('its own call by the id loses nearly all', async () => {
    const { ownRead, ownWrite } = opened();
    const slug = await created();
    await atOnce(writers, async () => {
      const { id, age } = await ownRead(slug);
      await setImmediate(); // the time that applying a patch takes, others come in between
      await ownWrite(id, { age: Number(age) + 1 });
    });
    const age = await readAge(slug);
    lost.push({ orm, database, call: 'by the id', writes: writers, lost: writers - age });
    expect(age).toBeLessThan(writers);
  });
});
