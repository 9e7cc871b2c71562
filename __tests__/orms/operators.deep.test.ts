/** JSON that reads like an operator, a raw fragment or an entity of an ORM is data: in what is set, and in what a key says. */
import { randomUUID } from 'node:crypto';
import { rowStore } from '../../lib/rows';
import { describeEachOrm } from './support/each-orm';
import { writeRow } from './support/write-row';
import { write } from './support/written';

/** As `JSON.parse` gives them. */
const lookalikes: readonly string[] = [
  '{"$ne":null}',
  '{"$or":[{"slug":"a"}]}',
  '{"$raw":"now()"}',
  '{"not":""}',
  '{"contains":""}',
  '{"increment":1}',
  '{"set":{"a":1}}',
  '{"@instanceof":"FindOperator","_type":"not","_value":"","useParameter":true}',
  '{"@instanceof":"Symbol(FindOperator)","type":"raw","value":"1=1"}',
  '{"__raw":true,"sql":"now()","params":[]}',
  '{"__entity":true,"__helper":{"__meta":{"compositePK":true},"__primaryKeys":["a"]}}',
  '{"__reference":true,"unwrap":"a"}',
  '{"fn":"now","args":[]}',
  '{"val":"now()"}',
  '{"expressionType":"a","toOperationNode":"now()","isRaw":true}',
  '{"sql":"now()","bindings":[],"toSQL":"now()"}',
  '{"queryChunks":["now()"],"decoder":{}}',
  '{"toSqlString":"now()"}',
  '{"type":"Buffer","data":[110,111]}',
  '{"constructor":{"name":"Raw"},"toJSON":"now()"}',
  '{"__proto__":{"isRaw":true}}',
  '[{"$ne":null},["a"],{"__entity":true}]',
];

describeEachOrm((opened, { orm }) => {
  const created = async (): Promise<string> => {
    const slug = randomUUID();
    await opened().rows.insert({ slug, title: 'a' });
    return slug;
  };

  // Prisma and TypeORM drop a member of the one name, and MikroORM takes the other for a class: both are refused.
  const refused = { Prisma: '__proto__', TypeORM: '__proto__', MikroORM: 'constructor' } as Readonly<
    Record<string, string>
  >;
  const stored = lookalikes.filter((text) => !text.includes(refused[orm] ?? 'none'));
  test.each(stored)('%s is stored as it is', async (text) => {
    const store = rowStore({
      ...opened().rows,
      ...({ columns: { title: 'string', facts: 'json' }, key: 'slug' } as const),
    });
    const slug = await created();
    const facts: unknown = JSON.parse(text);
    const changed = await write(store, slug, await store.get(slug), { title: 'a', facts });
    expect(changed.value).toEqual({ title: 'a', facts });
    const nested = { title: 'b', facts: { a: [facts] } };
    await write(store, slug, changed, nested);
    expect((await store.get(slug))?.value).toEqual(nested);
  });

  test.each(lookalikes)('%s in a key finds no row, and changes none', async (text) => {
    const store = rowStore({
      ...opened().rows,
      ...({
        columns: { title: 'string', slug: { kind: 'string', readOnly: true } },
      } as const),
      key: (key) => ({ slug: JSON.parse(key) as unknown }),
    });
    const slug = await created();
    const outcome = (act: () => Promise<unknown>) => act().catch(() => 'refused');
    expect([undefined, 'refused']).toContain(await outcome(() => store.get(text)));
    const current = await store.get(JSON.stringify(slug));
    expect([undefined, 'refused']).toContain(
      await outcome(async () => {
        const result = await store.replace(text, '', { title: 'b', slug }, { current: current as never });
        return result !== undefined && 'current' in result ? result.current : result;
      }),
    );
    expect([false, 'refused']).toContain(await outcome(() => store.delete(text)));
    expect(await opened().sql(`SELECT title FROM notes WHERE slug = '${slug}'`)).toEqual([{ title: 'a' }]);
  });

  test('what is undefined is left as it is', async () => {
    const slug = await created();
    await writeRow(opened().rows, { slug }, { body: 'before' });
    await writeRow(opened().rows, { slug }, { title: 'b', body: undefined });
    expect(await opened().sql(`SELECT title, body FROM notes WHERE slug = '${slug}'`)).toEqual([
      { title: 'b', body: 'before' },
    ]);
  });

  test('a column that there is not is an error', async () => {
    const slug = await created();
    // Not toThrow: an error of better-sqlite3 is made in the realm of the test file that has loaded it first.
    const error = { message: expect.stringContaining('missing') as unknown };
    const found = Promise.resolve().then(() => opened().rows.find({ slug }, ['slug', 'missing']));
    await expect(found).rejects.toMatchObject(error);
    const set = { title: 'b', missing: 'x' };
    const updated = Promise.resolve().then(() => writeRow(opened().rows, { slug }, set));
    await expect(updated).rejects.toMatchObject(error);
    expect(await opened().sql(`SELECT title FROM notes WHERE slug = '${slug}'`)).toEqual([{ title: 'a' }]);
  });
});
