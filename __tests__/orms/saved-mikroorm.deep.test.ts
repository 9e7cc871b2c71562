/** What runs when a PATCH saves an entity of MikroORM: what runs when the app itself sets a property, and flushes. */
import {
  type EntityManager,
  EntitySchema,
  type EventArgs,
  type EventSubscriber,
  type FlushEventArgs,
  type ScalarReference,
  Type,
} from '@mikro-orm/core';
import { MikroORM as MariadbOrm } from '@mikro-orm/mariadb';
import { MikroORM as PostgresOrm, type SqlEntityManager } from '@mikro-orm/postgresql';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { mikroormRows, rowStore } from '../../lib/rows';
import { describeOver, openDatabase, type TestDatabase } from './support/databases';
import { replaceAt, stateOf } from '../support/written';
import {
  createPeople,
  dropDeletes,
  hashed,
  insertInto,
  preferences,
  savingDatabases,
  sendTo,
  withoutIds,
} from './support/saved';

class Plan {
  label!: string;
  note?: string;
  since?: Date;

  /** A method that only an instance has. */
  describe(): string {
    return `${this.label}!`;
  }
}

class Person {
  id!: number;
  slug!: string;
  name!: string;
  nickname?: string | null;
  email?: string | null;
  password?: string | null;
  motto?: ScalarReference<string | null>;
  code?: string | null;
  plan?: Plan | null;
  archived!: boolean;
  createdAt!: Date;
  updatedAt?: Date | null;
  revision!: number;
  shown?: string;
}

class Card {
  id!: number;
  person!: Person;
}

/** In capitals in the database alone. */
class Capitals extends Type<string, string> {
  override convertToDatabaseValue(value: string): string {
    return value?.toUpperCase();
  }
  override convertToJSValue(value: string): string {
    return value?.toLowerCase();
  }
}

/** What has run, in order. */
const calls: string[] = [];
/** What a test does in the hook of the entity. */
let inHook: ((person: Person, em: EntityManager) => unknown) | undefined;

/** As many apps write it: it would hash a hash that has been loaded. */
async function beforeUpdate({ entity, em }: EventArgs<Person>): Promise<void> {
  calls.push('beforeUpdate');
  if (entity.password) entity.password = hashed(entity.password);
  if (entity.plan) calls.push(entity.plan.describe());
  await inHook?.(entity, em);
}

class Trimmer implements EventSubscriber {
  onFlush({ uow }: FlushEventArgs): void {
    for (const { entity, payload } of uow.getChangeSets()) {
      if (!(entity instanceof Person)) continue;
      calls.push(`onFlush ${Object.keys(payload).join()}`);
      if (!/^\s|\s$/.test(entity.name)) continue;
      entity.name = entity.name.trim();
      uow.recomputeSingleChangeSet(entity);
    }
  }
}

const text = { type: 'text' } as const;
const nullable = { nullable: true } as const;

const planSchema = new EntitySchema({
  class: Plan,
  embeddable: true,
  properties: { label: text, note: { ...text, ...nullable }, since: { type: 'datetime', ...nullable } },
});
const cardSchema = new EntitySchema({
  class: Card,
  tableName: 'cards',
  properties: {
    id: { type: 'integer', primary: true },
    person: { kind: 'm:1', entity: () => Person, inversedBy: 'cards' as never },
  },
});
const personSchema = new EntitySchema<Person & { cards: unknown }>({
  ...{ class: Person as never, tableName: 'people' },
  properties: {
    id: { type: 'integer', primary: true, autoincrement: true },
    slug: text,
    name: text,
    nickname: { ...text, ...nullable },
    email: { ...text, ...nullable },
    password: { ...text, ...nullable, lazy: true },
    motto: { ...text, ...nullable, lazy: true, ref: true },
    code: { type: Capitals, columnType: 'text', ...nullable },
    plan: { kind: 'embedded', entity: () => Plan, object: true, ...nullable },
    archived: { type: 'boolean', default: false },
    createdAt: { type: 'datetime', length: 3, onCreate: () => new Date('2026-01-01') },
    updatedAt: { type: 'datetime', length: 3, ...nullable, onUpdate: () => new Date() },
    revision: { type: 'integer', version: true },
    shown: { ...text, formula: () => "'made by a formula'" },
    cards: { kind: '1:m', entity: () => Card, mappedBy: 'person', eager: true, orphanRemoval: true },
  } as never,
  filters: { present: { name: 'present', cond: { archived: false }, default: true } },
  hooks: {
    onLoad: [() => void calls.push('onLoad')],
    beforeCreate: [() => void calls.push('beforeCreate')],
    beforeUpdate: [beforeUpdate],
    beforeDelete: [() => void calls.push('beforeDelete')],
  } as never,
});

/** MikroORM flushes none of it. */
class ReadOnlyPerson {
  id!: number;
  slug!: string;
  name!: string;
}
const readOnlySchema = new EntitySchema({
  ...{ class: ReadOnlyPerson, tableName: 'people', readonly: true },
  properties: { id: { type: 'integer', primary: true }, slug: text, name: text },
});

const columns = {
  name: 'string?',
  nickname: 'string?',
  email: 'string?',
  password: 'string?',
  motto: 'string?',
  code: 'string?',
  plan: 'json?',
  archived: 'boolean',
} as const;

const classValidator = [{ property: 'email', constraints: { isEmail: 'email must be an email' } }];
const teapot = Object.assign(new Error('short and stout'), { status: 418 });

const stored = {
  ...{ name: 'Ada', nickname: null, email: 'a@b.example', password: hashed('old'), motto: 'on' },
  ...{ code: 'A', plan: { label: 'old', note: 'gone' }, archived: false },
};

interface Case {
  readonly what: string;
  readonly sent: Readonly<Record<string, unknown>>;
  readonly inHook?: typeof inHook;
  readonly status?: number;
  readonly errors?: readonly object[];
  /** What the database has afterwards, beside what it had. */
  readonly row?: Readonly<Record<string, unknown>>;
  readonly calls: readonly string[];
}

const fails = (error: unknown) => () => {
  throw error;
};
const plain = 'old!';

const cases: readonly Case[] = [
  {
    what: 'a hook hashes a lazy password that is set',
    sent: { password: 'new' },
    row: { password: hashed('new') },
    calls: ['onFlush password,updatedAt', 'beforeUpdate', plain],
  },
  {
    what: 'it does not hash it again when another member is set',
    sent: { nickname: 'Countess' },
    row: { nickname: 'Countess' },
    calls: ['onFlush nickname,updatedAt', 'beforeUpdate', plain],
  },
  {
    what: 'a lazy property with a reference',
    sent: { motto: 'off' },
    row: { motto: 'off' },
    calls: ['onFlush motto,updatedAt', 'beforeUpdate', plain],
  },
  {
    what: 'a lazy property is cleared',
    sent: { password: null, motto: null },
    row: { password: null, motto: null },
    calls: ['onFlush password,motto,updatedAt', 'beforeUpdate', plain],
  },
  {
    what: 'a subscriber changes what is flushed',
    sent: { name: '  Grace ' },
    row: { name: 'Grace' },
    calls: ['onFlush name,updatedAt', 'beforeUpdate', plain],
  },
  {
    what: 'a hook changes another member',
    sent: { name: 'Grace' },
    inHook: (person) => (person.nickname = person.name.toUpperCase()),
    row: { name: 'Grace', nickname: 'GRACE' },
    calls: ['onFlush name,updatedAt', 'beforeUpdate', plain],
  },
  {
    what: 'a custom type converts what is written',
    sent: { code: 'xyz' },
    row: { code: 'XYZ' },
    calls: ['onFlush code,updatedAt', 'beforeUpdate', plain],
  },
  {
    what: 'an embeddable is an instance of its class, and loses the members that are gone',
    sent: { plan: { label: 'new', note: null } },
    row: { plan: { label: 'new' } },
    calls: ['onFlush plan,updatedAt', 'beforeUpdate', 'new!'],
  },
  {
    what: 'a date in an embeddable',
    sent: { plan: { since: '2026-02-03T04:05:06.000Z' } },
    row: { plan: { label: 'old', note: 'gone', since: '2026-02-03T04:05:06.000Z' } },
    calls: ['onFlush plan,updatedAt', 'beforeUpdate', plain],
  },
  {
    what: 'an embeddable is cleared',
    sent: { plan: null },
    row: { plan: null },
    calls: ['onFlush plan,updatedAt', 'beforeUpdate'],
  },
  {
    what: 'a member of an embeddable that its class does not have',
    sent: { plan: { price: 1 } },
    status: 422,
    errors: [{ pointer: '/plan' }],
    calls: [],
  },
  {
    what: 'a type that an embeddable does not have',
    sent: { plan: { label: { a: 1 } } },
    status: 422,
    errors: [{ pointer: '/plan' }],
    calls: [],
  },
  {
    what: 'an error of a hook with a status',
    sent: { name: 'Tea' },
    inHook: fails(teapot),
    status: 418,
    calls: ['onFlush name,updatedAt', 'beforeUpdate', plain],
  },
  {
    what: 'an error of a hook without one',
    sent: { name: 'Tea' },
    inHook: fails(new Error('The mail server is down.')),
    status: 500,
    calls: ['onFlush name,updatedAt', 'beforeUpdate', plain],
  },
  {
    what: 'the list that class-validator throws',
    sent: { email: 'none' },
    inHook: fails(classValidator),
    status: 422,
    errors: [{ pointer: '/email', detail: 'email must be an email' }],
    calls: ['onFlush email,updatedAt', 'beforeUpdate', plain],
  },
  {
    what: 'null where the database has none',
    sent: { name: null },
    status: 422,
    errors: [{ pointer: '/name', detail: 'must not be null or missing' }],
    calls: ['onFlush name,updatedAt', 'beforeUpdate', plain],
  },
];

for (const name of savingDatabases) {
  describeOver[name](name, () => {
    let database: TestDatabase;
    let orm: { readonly em: SqlEntityManager; close(): Promise<void> };
    beforeAll(async () => {
      database = await openDatabase(name);
      await database.sql(createPeople[name]);
      const options = {
        ...{
          clientUrl: database.url,
          entities: [personSchema, planSchema, cardSchema, readOnlySchema] as never[],
        },
        ...{ subscribers: [new Trimmer()], pool: { min: 0, max: 4 } },
        discovery: { checkDuplicateTableNames: false },
      };
      orm = name === 'PostgreSQL' ? await PostgresOrm.init(options) : await MariadbOrm.init(options);
    });
    afterAll(async () => {
      await orm.close();
      await database.close();
    });

    const openStore = (options: { readonly timeout?: number } = {}) =>
      rowStore({ ...mikroormRows(orm.em, 'Person'), columns, key: 'slug', ...options });
    const insert = async (): Promise<string> => {
      const slug = randomUUID();
      await database.sql(insertInto('people', { slug, ...stored }));
      calls.length = 0;
      return slug;
    };
    const readRow = async (slug: string) => {
      const [row = {}] = await database.sql(`SELECT * FROM people WHERE slug = '${slug}'`);
      const { plan, archived } = row;
      return {
        ...{ ...row, archived: Boolean(archived) },
        plan: typeof plan === 'string' ? (JSON.parse(plan) as unknown) : plan,
      };
    };
    const ran = () => calls.filter((call) => call !== 'onLoad');
    beforeEach(() => {
      inHook = undefined;
    });

    /** The row, and what has run, if the app makes the same change itself. */
    const effectsByHand = async ({ plan, motto, ...sent }: Case['sent'], row: Case['row']) => {
      const slug = await insert();
      const em = orm.em.fork();
      const person = await em.findOneOrFail(Person, { slug });
      calls.length = 0;
      Object.assign(person, sent);
      if (motto !== undefined) person.motto?.set(motto as string);
      if (plan !== undefined)
        person.plan = row?.['plan'] === null ? null : Object.assign(new Plan(), row?.['plan']);
      await em.flush().catch(() => undefined);
      return [withoutIds(await readRow(slug)), [...calls]];
    };

    test.each(cases)('$what', async ({ sent, status = 200, errors, row, ...one }) => {
      const slug = await insert();
      inHook = one.inHook;
      const answer = await sendTo(openStore(), 'patch', slug, { sent, prefer: 'return=representation' });
      expect({ status: answer.status, errors: answer.body['errors'] }).toEqual({
        status,
        errors: errors?.map((error) => expect.objectContaining(error) as unknown),
      });
      expect(ran()).toEqual(one.calls);
      const isSaved = status === 200;
      expect(await readRow(slug)).toEqual(
        expect.objectContaining({
          ...{ ...stored, ...row, revision: isSaved ? 2 : 1 },
          updated_at: isSaved ? (expect.any(Date) as unknown) : null,
        }),
      );
      if (!isSaved && 'plan' in sent) return;
      expect(await effectsByHand(sent, row)).toEqual([withoutIds(await readRow(slug)), one.calls]);
      if (!isSaved) return;
      const { code = null, ...members } = row ?? {};
      expect(answer.body).toEqual({ ...stored, ...members, code: String(code ?? 'A').toLowerCase() });
      expect((await sendTo(openStore(), 'get', slug)).body).toEqual(answer.body);
    });

    test('a change that changes nothing: no hook runs, and nothing is written', async () => {
      const slug = await insert();
      const answer = await sendTo(openStore(), 'patch', slug, { sent: { name: stored.name } });
      expect(answer.status).toBe(204);
      expect(ran()).toEqual([]);
      expect(await readRow(slug)).toMatchObject({ revision: 1, updated_at: null });
    });

    test('a date in an embeddable that the app has changed is another state', async () => {
      const slug = await insert();
      const store = openStore();
      const write = (day: number) => {
        const plan = JSON.stringify({ label: 'old', since: new Date(Date.UTC(2026, 1, day)) });
        return database.sql(`UPDATE people SET plan = '${plan}' WHERE slug = '${slug}'`);
      };
      await write(3);
      const current = await stateOf(store, slug);
      await write(4);
      const found = await replaceAt(store, slug, current, { ...current.value, name: 'Grace' });
      expect(found).toMatchObject({ current: { value: { plan: { since: '2026-02-04T00:00:00.000Z' } } } });
    });

    test('the entity is loaded as the app loads it: by its load hook', async () => {
      const slug = await insert();
      await openStore().get(slug);
      expect(calls).toContain('onLoad');
    });

    test.each(preferences)('a row that a filter hides after the write, with Prefer: %s', async (prefer) => {
      const slug = await insert();
      const sent = { archived: true };
      const answer = await sendTo(openStore(), 'patch', slug, { sent, ...(prefer && { prefer }) });
      expect({ status: answer.status, text: answer.text, errors: answer.errors }).toEqual({
        ...{ status: 204, text: '', errors: [] },
      });
      expect(answer.headers).not.toHaveProperty('etag');
      expect(await readRow(slug)).toMatchObject({ archived: true });
      expect((await sendTo(openStore(), 'get', slug)).status).toBe(404);
    });

    test('a hook that writes the same row by another connection is 503 in time, and the pool answers meanwhile', async () => {
      const slug = await insert();
      let outside: Promise<unknown> | undefined;
      inHook = () => {
        outside = orm.em.fork().execute(`UPDATE people SET motto = 'outside' WHERE slug = '${slug}'`);
        return outside;
      };
      const begun = Date.now();
      const patching = sendTo(openStore({ timeout: 500 }), 'patch', slug, { sent: { name: 'Grace' } });
      await delay(200);
      expect(await orm.em.fork().execute('SELECT 1 AS one')).toEqual([{ one: 1 }]);
      const answer = await patching;
      expect(answer.status).toBe(503);
      expect(answer.headers).toHaveProperty('retry-after');
      expect(Date.now() - begun).toBeLessThan(5_000);
      await outside;
      await delay(100); // the hook goes on, and its flush must not write
      expect(await readRow(slug)).toMatchObject({ name: 'Ada', motto: 'outside', revision: 1 });
    });

    test('a hook that uses the em of the event writes in the transaction', async () => {
      const slug = await insert();
      inHook = ({ id }, em) => (em as SqlEntityManager).execute(`INSERT INTO cards VALUES (${id}, ${id})`);
      expect((await sendTo(openStore(), 'patch', slug, { sent: { name: 'Grace' } })).status).toBe(204);
      const id = ((await readRow(slug)) as { id?: number }).id ?? 0;
      expect(await database.sql(`SELECT person_id FROM cards WHERE id = ${id}`)).toEqual([{ person_id: id }]);
    });

    if (name === 'PostgreSQL') {
      test('a DELETE that a trigger drops is an error for the app', async () => {
        const slug = await insert();
        await database.sql(dropDeletes(slug));
        const answer = await sendTo(openStore(), 'delete', slug);
        expect({ status: answer.status, errors: answer.errors.map(String) }).toEqual({
          status: 500,
          errors: [expect.stringContaining('The DELETE deleted no row')],
        });
        expect((await sendTo(openStore(), 'get', slug)).status).toBe(200);
      });
    }

    test('PUT creates with em.create: hooks, onCreate and defaults', async () => {
      const slug = randomUUID();
      calls.length = 0;
      const sent = { ...stored, nickname: 'n' };
      const answer = await sendTo(openStore(), 'put', slug, { sent });
      expect({ status: answer.status, errors: answer.errors }).toEqual({ status: 201, errors: [] });
      expect(ran().at(-1)).toBe('beforeCreate');
      expect(await readRow(slug)).toMatchObject({
        ...{ ...sent, created_at: new Date('2026-01-01'), revision: 1 },
      });
      const again = openStore().replace(slug, null, { ...sent, archived: false } as never);
      expect(await again).toMatchObject({ current: { value: { ...sent, code: 'a' } } });
    });

    test('a required property that is missing in a new entity is 422, with its pointer', async () => {
      const slug = randomUUID();
      const answer = await sendTo(openStore(), 'put', slug, { sent: { archived: false } });
      expect({ status: answer.status, errors: answer.body['errors'] }).toEqual({
        status: 422,
        errors: [{ pointer: '/name', detail: 'must not be null or missing' }],
      });
    });

    test('one that clients cannot set is a fault of the app', async () => {
      const { nickname, archived } = columns;
      const store = rowStore({
        ...mikroormRows(orm.em, 'Person'),
        ...{ columns: { nickname, archived }, key: 'slug' },
      });
      const sent = { nickname: 'x', archived: false };
      const answer = await sendTo(store, 'put', randomUUID(), { sent });
      expect(answer.status).toBe(500);
      expect(String(answer.errors[0])).toMatch(/Value for Person\.name is required/);
    });

    test('a property that the database makes is an error that names it', async () => {
      const slug = await insert();
      const { save } = mikroormRows(orm.em, 'Person');
      await expect(save({ slug }, { shown: 'x' }, {})).rejects.toMatchObject({
        ...{ name: 'GeneratedColumnError', message: expect.stringContaining('shown') as unknown },
      });
    });

    test('an entity that MikroORM does not write is an error that says so', async () => {
      const slug = await insert();
      const rows = mikroormRows(orm.em, ReadOnlyPerson);
      const store = rowStore({ ...rows, columns: { name: 'string' }, key: 'slug' });
      const answer = await sendTo(store, 'patch', slug, { sent: { name: 'Grace' } });
      expect({ status: answer.status, errors: answer.errors.map(String) }).toEqual({
        status: 500,
        errors: [expect.stringContaining('MikroORM does not write the property "name"')],
      });
    });

    test('a version that the store counts, too, is counted once', async () => {
      const slug = await insert();
      const store = rowStore({
        ...{ ...mikroormRows(orm.em, 'Person'), counter: 'revision' },
        ...{ columns: { name: 'string' }, key: 'slug' },
      });
      const answer = await sendTo(store, 'patch', slug, { sent: { name: 'Grace' } });
      expect({ status: answer.status, errors: answer.errors }).toEqual({ status: 204, errors: [] });
      expect(await readRow(slug)).toMatchObject({ name: 'Grace', revision: 2 });
    });

    test('delete removes the entity: its hook runs, and its orphans go with it', async () => {
      const slug = await insert();
      const { id = 0 } = (await readRow(slug)) as { id?: number };
      await database.sql(`INSERT INTO cards VALUES (${1_000_000 + id}, ${id})`);
      calls.length = 0;
      expect((await sendTo(openStore(), 'delete', slug)).status).toBe(204);
      expect(ran()).toContain('beforeDelete');
      expect(await database.sql(`SELECT * FROM people WHERE id = ${id}`)).toEqual([]);
      expect(await database.sql(`SELECT * FROM cards WHERE person_id = ${id}`)).toEqual([]);
    });

    test('a row that the adapter has not read is loaded anew', async () => {
      const slug = await insert();
      const { save, delete: remove } = mikroormRows(orm.em, 'Person');
      expect(await save({ slug }, { name: 'Grace' }, {})).toEqual({ name: 'Grace' });
      expect(await save({ slug: 'none' }, { name: 'Grace' }, {})).toBeUndefined();
      expect(await remove({ slug }, {})).toBe(1);
      expect(await remove({ slug }, {})).toBe(0);
    });
  });
}
