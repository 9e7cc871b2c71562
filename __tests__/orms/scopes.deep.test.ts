/**
 * What an ORM does by itself: it finds the transaction that the app has open (CLS, RequestContext), loads relations with
 * each row, and flushes entities that the app has changed. None of it makes a write fail, wait, or write more.
 */
import { EntitySchema as MikroormSchema, RequestContext } from '@mikro-orm/core';
import { MikroORM } from '@mikro-orm/postgresql';
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { DataTypes, Sequelize } from 'sequelize';
import { DataSource, EntitySchema } from 'typeorm';
import { mikroormRows, rowStore, type Rows, sequelizeRows, typeormRows } from '../../lib/rows';
import { openDatabase, type TestDatabase } from './support/databases';
import { write } from './support/written';

interface Owner {
  id: number;
  name: string;
}
interface Page {
  slug: string;
  title: string;
  owner?: Owner;
  ownerId: number;
}

const TypeormOwner = new EntitySchema<Owner>({
  name: 'Owner',
  tableName: 'owners',
  columns: { id: { type: 'integer', primary: true }, name: { type: 'text' } },
});
const TypeormPage = new EntitySchema<Page>({
  name: 'Page',
  tableName: 'pages',
  columns: {
    slug: { type: 'text', primary: true },
    title: { type: 'text' },
    ownerId: { type: 'integer', name: 'owner_id', nullable: true },
  },
  relations: {
    owner: { type: 'many-to-one', target: 'Owner', eager: true, joinColumn: { name: 'owner_id' } },
  },
});
const MikroormOwner = new MikroormSchema<Owner>({
  name: 'Owner',
  tableName: 'owners',
  properties: { id: { type: 'integer', primary: true }, name: { type: 'text' } },
});
const MikroormPage = new MikroormSchema<Page>({
  name: 'Page',
  tableName: 'pages',
  properties: {
    slug: { type: 'text', primary: true },
    title: { type: 'text' },
    owner: { kind: 'm:1', entity: () => 'Owner', eager: true, nullable: true, fieldName: 'owner_id' },
    ownerId: { type: 'integer', fieldName: 'owner_id', persist: false },
  },
});

function sequelizeModels(sequelize: Sequelize) {
  const OwnerModel = sequelize.define(
    'Owner',
    { id: { type: DataTypes.INTEGER, primaryKey: true }, name: DataTypes.TEXT },
    { tableName: 'owners', timestamps: false },
  );
  const PageModel = sequelize.define(
    'Page',
    { slug: { type: DataTypes.TEXT, primaryKey: true }, title: DataTypes.TEXT, ownerId: DataTypes.INTEGER },
    {
      ...{ tableName: 'pages', timestamps: false, underscored: true },
      defaultScope: { include: [{ model: OwnerModel, as: 'owner' }] },
    },
  );
  PageModel.belongsTo(OwnerModel, { as: 'owner', foreignKey: 'ownerId' });
  return { OwnerModel, PageModel };
}

/** A namespace of cls-hooked. */
const storage = new AsyncLocalStorage<Map<string, unknown>>();
const namespace = {
  bind: (act: () => unknown) => AsyncResource.bind(act),
  run: (act: (context: unknown) => unknown) => {
    storage.run(new Map(), () => act(undefined));
  },
  get: (name: string) => storage.getStore()?.get(name),
  set: (name: string, value: unknown) => storage.getStore()?.set(name, value),
};

let database: TestDatabase;
let dataSource: DataSource;
let sequelize: Sequelize;
let orm: MikroORM;
let models: ReturnType<typeof sequelizeModels>;

beforeAll(async () => {
  database = await openDatabase('PostgreSQL');
  await database.sql(`
    CREATE TABLE owners (id integer PRIMARY KEY, name text NOT NULL);
    CREATE TABLE pages (slug text PRIMARY KEY, title text NOT NULL, owner_id integer REFERENCES owners);
    INSERT INTO owners VALUES (1, 'Ada')`);
  const { url } = database;
  dataSource = await new DataSource({
    ...{ type: 'postgres', url },
    entities: [TypeormOwner, TypeormPage],
  }).initialize();
  Sequelize.useCLS(namespace);
  sequelize = new Sequelize(url, { logging: false });
  models = sequelizeModels(sequelize);
  orm = await MikroORM.init({ clientUrl: url, entities: [MikroormOwner, MikroormPage] });
});
afterAll(async () => {
  await dataSource.destroy();
  await sequelize.close();
  await orm.close();
  await database.close();
});

const rowsOf: Readonly<Record<'TypeORM' | 'Sequelize' | 'MikroORM', () => Rows>> = {
  TypeORM: () => typeormRows(dataSource.getRepository(TypeormPage)),
  Sequelize: () => sequelizeRows(models.PageModel),
  MikroORM: () => mikroormRows(orm.em, MikroormPage),
};
const names = ['TypeORM', 'Sequelize', 'MikroORM'] as const;

const openStore = (name: (typeof names)[number]) =>
  rowStore({ ...rowsOf[name](), columns: { title: 'string' }, key: 'slug' });
const insert = async (owner: 1 | 'NULL' = 1): Promise<string> => {
  const slug = randomUUID();
  await database.sql(`INSERT INTO pages VALUES ('${slug}', 'a', ${owner})`);
  return slug;
};
const readTitle = async (slug: string) =>
  (await database.sql(`SELECT title FROM pages WHERE slug = '${slug}'`))[0]?.['title'];

describe.each(names)('%s: a relation that is loaded with each row', (name) => {
  test.each([{ owner: 1 as const }, { owner: 'NULL' as const }])(
    'does not make the write fail, with the owner $owner',
    async ({ owner }) => {
      const slug = await insert(owner);
      const store = openStore(name);
      expect((await write(store, slug, await store.get(slug), { title: 'b' })).value).toEqual({ title: 'b' });
      expect(await store.delete?.(slug)).toBe(true);
    },
  );

  test('is not locked, so that a write neither waits for its row nor makes others wait', async () => {
    const slug = await insert();
    let free: readonly object[] = [];
    const store = rowStore({
      ...{ ...rowsOf[name](), columns: { title: 'string' }, key: 'slug' },
      onWrite: async () => {
        free = await database.sql('SELECT id FROM owners FOR UPDATE SKIP LOCKED');
      },
    });
    await write(store, slug, await store.get(slug), { title: 'b' });
    expect(free).toEqual([{ id: 1 }]);
  });
});

interface Scope {
  readonly orm: 'Sequelize' | 'MikroORM';
  /** Runs a transaction of the app, in which it has written to the row. */
  readonly inScope: (slug: string, act: () => Promise<unknown>) => Promise<unknown>;
}

const scopes: readonly Scope[] = [
  {
    orm: 'Sequelize',
    inScope: (slug, act) =>
      sequelize.transaction(async () => {
        await models.PageModel.update({ title: 'by the app' }, { where: { slug } });
        await act();
      }),
  },
  {
    orm: 'MikroORM',
    inScope: (slug, act) =>
      RequestContext.create(orm.em, () =>
        orm.em.transactional(async () => {
          await orm.em.nativeUpdate(MikroormPage, { slug }, { title: 'by the app' });
          await act();
        }),
      ),
  },
];

describe.each(scopes)('$orm: a transaction in scope', ({ orm: name, inScope }) => {
  test('a write joins it, and is rolled back with it', async () => {
    const slug = await insert();
    const thrown = new Error('thrown by the app');
    const running = inScope(slug, async () => {
      const store = openStore(name);
      const changed = await write(store, slug, await store.get(slug), { title: 'by the store' });
      expect(changed.value).toEqual({ title: 'by the store' });
      throw thrown;
    });
    await expect(running).rejects.toBe(thrown);
    expect(await readTitle(slug)).toBe('a');
  });

  test('a write that is refused leaves it as it was', async () => {
    const slug = await insert();
    const thrown = new Error('thrown by onWrite');
    await inScope(slug, async () => {
      const store = rowStore({
        ...{ ...rowsOf[name](), columns: { title: 'string' }, key: 'slug' },
        onWrite: () => {
          throw thrown;
        },
      });
      const seen = await store.get(slug);
      await expect(write(store, slug, seen, { title: 'by the store' })).rejects.toBe(thrown);
    });
    expect(await readTitle(slug)).toBe('by the app');
  });
});

describe('MikroORM: entities that the app has changed, and not flushed', () => {
  test.each([
    { what: 'of another row', isOther: true },
    { what: 'of the same row', isOther: false },
  ])('$what', async ({ isOther }) => {
    const [slug, other] = [await insert(), await insert()];
    await RequestContext.create(orm.em, async () => {
      const dirty = await orm.em.findOneOrFail(MikroormPage, { slug: isOther ? other : slug });
      dirty.title = 'not yet';
      const store = rowStore({
        ...{ ...rowsOf.MikroORM(), columns: { title: 'string' }, key: 'slug' },
        onWrite: () => Promise.resolve(),
      });
      const seen = await store.get(slug);
      expect(seen?.value).toEqual({ title: 'a' });
      expect((await write(store, slug, seen, { title: 'b' })).value).toEqual({ title: 'b' });
      expect([await readTitle(slug), await readTitle(other)]).toEqual(['b', 'a']);
      expect(dirty.title).toBe('not yet');
      await orm.em.flush();
    });
    expect([await readTitle(slug), await readTitle(other)]).toEqual(
      isOther ? ['b', 'not yet'] : ['not yet', 'a'],
    );
  });
});
