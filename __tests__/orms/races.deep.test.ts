/** 20 at once that read, add one and write: what the store's writes lose, and what the ORM's own call by the id loses. */
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { scaled } from '../support/deep-scale';
import { describeEachOrm } from './support/each-orm';
import { notesOf } from './support/notes';

const writers = 20;
/** A CHECK refuses 200. */
const rounds = scaled(9);

const lost: Record<string, unknown>[] = [];
afterAll(() => {
  console.table(lost);
});

describeEachOrm((opened, about) => {
  const { orm, database } = about;
  const created = async (): Promise<string> => {
    const slug = randomUUID();
    await notesOf(opened(), about).replace(slug, null, { title: 'a', age: 0 } as never);
    return slug;
  };
  const atOnce = async (act: () => Promise<void>): Promise<void> => {
    await Promise.all(Array.from({ length: writers }, act));
  };

  test('the store loses none', async () => {
    const store = notesOf(opened(), about);
    const slug = await created();
    const count = async (): Promise<void> => {
      for (let done = 0; done < rounds;) {
        const seen = await store.get(slug);
        if (seen === undefined) throw new Error('The note is gone.');
        const next = { ...seen.value, age: (seen.value.age ?? 0) + 1 };
        if (await store.replace(slug, seen.version, next, { current: seen })) done += 1;
      }
    };
    await atOnce(count);
    const written = (await store.get(slug))?.value.age;
    lost.push({
      orm,
      database,
      call: 'rowStore',
      writes: writers * rounds,
      lost: writers * rounds - Number(written),
    });
    expect(written).toBe(writers * rounds);
  });

  test('its own call by the id loses nearly all', async () => {
    const { ownRead, ownWrite } = opened();
    const slug = await created();
    await atOnce(async () => {
      const { id, age } = await ownRead(slug);
      await setImmediate(); // the time that applying a patch takes, others come in between
      await ownWrite(id, { age: Number(age) + 1 });
    });
    const { age } = await ownRead(slug);
    lost.push({ orm, database, call: 'by the id', writes: writers, lost: writers - Number(age) });
    expect(age).toBeLessThan(writers);
  });
});
