/** What runs when a PATCH saves an instance of Sequelize: what runs when the app itself sets an attribute, and saves. */
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { DataTypes, type Model, Sequelize } from 'sequelize';
import { rowStore, sequelizeRows } from '../../lib/rows';
import { describeOver, openDatabase, type TestDatabase } from './support/databases';
import {
  createPeople,
  hashed,
  insertInto,
  preferences,
  savingDatabases,
  sendTo,
  withoutIds,
} from './support/saved';

interface Person extends Model {
  name: string;
  nickname: string | null;
  email: string | null;
  password: string | null;
  code: string | null;
}

/** What has run, in order. */
const calls: string[] = [];
/** What a test does in `beforeUpdate`. */
let inHook: ((person: Person, options: { transaction?: unknown }) => unknown) | undefined;

const text = DataTypes.TEXT;

/** A setter of Sequelize has the instance as `this`. */
type Setter = (this: Model, value: string) => void;
const setWords: Setter = function (words) {
  const [first = '', last = ''] = words.split(' ');
  this.set({ name: first, nickname: last });
};
const setLowercase: Setter = function (email) {
  this.setDataValue('email', typeof email === 'string' ? email.toLowerCase() : email);
};

function definePerson(sequelize: Sequelize) {
  return sequelize.define<Person>(
    'Person',
    {
      id: { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true },
      slug: { type: text, allowNull: false, unique: true },
      name: {
        ...{ type: text, allowNull: false },
        validate: { len: { args: [2, 40], msg: 'A name has 2 to 40 letters.' } },
      },
      nickname: text,
      email: {
        type: text,
        set: setLowercase,
        validate: { isEmail: { msg: 'This is not an email address.' } },
      },
      password: text,
      motto: {
        type: text,
        get(this: Model) {
          const motto = this.getDataValue('motto') as string | null | undefined;
          return motto?.toUpperCase();
        },
      },
      code: text,
      archived: { type: DataTypes.BOOLEAN, allowNull: false, defaultValue: false },
      words: {
        type: DataTypes.VIRTUAL,
        get(this: Model) {
          return `${String(this.get('name'))} ${String(this.get('nickname'))}`;
        },
        set: setWords,
      },
    },
    {
      ...{ tableName: 'people', underscored: true, paranoid: true, version: 'revision' },
      defaultScope: { where: { archived: false }, attributes: { exclude: ['password'] } },
      validate: {
        differ(this: Person) {
          if (this.name === this.nickname) throw new Error('Choose a nickname that is not the name.');
        },
      },
      hooks: {
        beforeValidate: (person) => {
          calls.push('beforeValidate');
          // As apps make a slug: it needs the name, which the change need not have.
          person.code = person.name.toLowerCase().replaceAll(' ', '-');
        },
        beforeSave: () => void calls.push('beforeSave'),
        beforeUpdate: async (person, options) => {
          calls.push('beforeUpdate');
          // It would hash a hash that has been loaded.
          if (person.password) person.password = hashed(person.password);
          await inHook?.(person, options);
        },
        beforeCreate: () => void calls.push('beforeCreate'),
        beforeDestroy: () => void calls.push('beforeDestroy'),
      },
    },
  );
}

const columns = {
  name: 'string',
  nickname: 'string?',
  email: 'string?',
  password: 'string?',
  motto: 'string?',
  archived: 'boolean',
  deletedAt: 'date?',
  words: 'string?',
} as const;

const stored = {
  ...{ name: 'Ada', nickname: 'Countess', email: 'a@b.example', password: hashed('old'), motto: 'on' },
  archived: false,
};
const shown = { ...stored, motto: 'ON', deletedAt: null, words: 'Ada Countess' };

const teapot = Object.assign(new Error('short and stout'), { status: 418 });
const all = ['beforeValidate', 'beforeSave', 'beforeUpdate'];
/** Sequelize validates again what hooks have changed. */
const again = [...all, 'beforeValidate'];
const fails = (error: unknown) => () => {
  throw error;
};

interface Case {
  readonly what: string;
  readonly sent: Readonly<Record<string, unknown>>;
  readonly inHook?: typeof inHook;
  readonly status?: number;
  readonly errors?: readonly object[];
  /** What the database has afterwards, beside what it had. */
  readonly row?: Readonly<Record<string, unknown>>;
  /** What GET shows otherwise. */
  readonly shows?: Readonly<Record<string, unknown>>;
  readonly calls: readonly string[];
}

const cases: readonly Case[] = [
  {
    what: 'a hook hashes a password that the default scope does not read',
    sent: { password: 'new' },
    row: { password: hashed('new') },
    calls: again,
  },
  {
    what: 'it does not hash it again when another member is set',
    sent: { motto: 'off' },
    row: { motto: 'off' },
    shows: { motto: 'OFF' },
    calls: again,
  },
  {
    what: 'a setter changes what is stored',
    sent: { email: 'Grace@B.example' },
    row: { email: 'grace@b.example' },
    calls: again,
  },
  {
    what: 'a virtual setter sets two columns',
    sent: { words: 'Grace Hopper' },
    row: { name: 'Grace', nickname: 'Hopper' },
    shows: { words: 'Grace Hopper' },
    calls: again,
  },
  {
    what: 'a hook changes another member',
    sent: { name: 'Grace' },
    inHook: (person) => (person.nickname = person.name.toUpperCase()),
    row: { name: 'Grace', nickname: 'GRACE' },
    shows: { words: 'Grace GRACE' },
    calls: again,
  },
  {
    what: 'validators say which member is wrong',
    sent: { name: 'A', email: 'none' },
    status: 422,
    errors: [
      { pointer: '/name', detail: 'A name has 2 to 40 letters.' },
      { pointer: '/email', detail: 'This is not an email address.' },
    ],
    calls: ['beforeValidate'],
  },
  {
    what: 'a validator of the whole model sees what the change does not have',
    sent: { nickname: 'Ada' },
    status: 422,
    errors: [{ detail: 'Choose a nickname that is not the name.' }],
    calls: ['beforeValidate'],
  },
  {
    what: 'an error of a hook with a status',
    sent: { name: 'Grace' },
    inHook: fails(teapot),
    status: 418,
    calls: all,
  },
  {
    what: 'an error of a hook without one',
    sent: { name: 'Grace' },
    inHook: fails(new Error('The mail server is down.')),
    status: 500,
    calls: all,
  },
];

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
beforeAll(() => {
  Sequelize.useCLS(namespace);
});

for (const name of savingDatabases) {
  describeOver[name](name, () => {
    let database: TestDatabase;
    let sequelize: Sequelize;
    let Person: ReturnType<typeof definePerson>;
    beforeAll(async () => {
      database = await openDatabase(name);
      await database.sql(createPeople[name]);
      const url = database.url.replace(/^mysql:/, 'mariadb:');
      sequelize = new Sequelize(url, { logging: false, pool: { max: 4 } });
      Person = definePerson(sequelize);
    });
    afterAll(async () => {
      await sequelize.close();
      await database.close();
    });
    beforeEach(() => {
      inHook = undefined;
    });

    const openStore = (options: { readonly timeout?: number } = {}) =>
      rowStore({ ...sequelizeRows(Person), columns, key: 'slug', ...options });
    const insert = async (): Promise<string> => {
      const slug = randomUUID();
      await database.sql(insertInto('people', { slug, ...stored }));
      calls.length = 0;
      return slug;
    };
    const readRow = async (slug: string): Promise<Readonly<Record<string, unknown>>> => {
      const [row = {}] = await database.sql(`SELECT * FROM people WHERE slug = '${slug}'`);
      return { ...row, archived: Boolean(row['archived']) };
    };

    /** The row, and what has run, if the app makes the same change itself. */
    const effectsByHand = async (sent: Case['sent']) => {
      const slug = await insert();
      const person = await Person.findOne({ where: { slug }, rejectOnEmpty: true });
      person.set(sent);
      await person.save().catch(() => undefined);
      return [withoutIds(await readRow(slug)), [...calls]];
    };

    test.each(cases)('$what', async ({ sent, status = 200, errors, row, ...one }) => {
      const slug = await insert();
      inHook = one.inHook;
      const answer = await sendTo(openStore(), 'patch', slug, { sent, prefer: 'return=representation' });
      expect({ status: answer.status, errors: answer.body['errors'] }).toEqual({ status, errors });
      expect(calls).toEqual(one.calls);
      const isSaved = status === 200;
      const after = { ...stored, ...row };
      expect(await readRow(slug)).toEqual(
        expect.objectContaining({
          ...{ ...after, revision: isSaved ? 2 : 1 },
          updated_at: isSaved ? (expect.any(Date) as unknown) : null,
        }),
      );
      expect(await effectsByHand(sent)).toEqual([withoutIds(await readRow(slug)), one.calls]);
      if (!isSaved) return;
      expect(answer.body).toEqual({ ...shown, ...row, ...one.shows });
      expect((await sendTo(openStore(), 'get', slug)).body).toEqual(answer.body);
    });

    test('reading an instance runs afterFind', async () => {
      const slug = await insert();
      Person.addHook('afterFind', 'counting', () => void calls.push('afterFind'));
      await sendTo(openStore(), 'get', slug);
      Person.removeHook('afterFind', 'counting');
      expect(calls).toEqual(['afterFind', 'afterFind']); // the second reads what the default scope leaves out
    });

    test('a change that changes nothing: no hook runs, and nothing is written', async () => {
      const slug = await insert();
      const sent = { name: stored.name, words: shown.words };
      expect((await sendTo(openStore(), 'patch', slug, { sent })).status).toBe(204);
      expect(calls).toEqual([]);
      expect(await readRow(slug)).toMatchObject({ revision: 1, updated_at: null });
    });

    describe.each([
      { what: 'a default scope', sent: { archived: true } },
      { what: 'a soft delete', sent: { deletedAt: '2026-11-22T10:00:00.000Z' } },
    ])('a row that $what hides after the write', ({ sent }) => {
      test.each(preferences)('with Prefer: %s', async (prefer) => {
        const slug = await insert();
        const answer = await sendTo(openStore(), 'patch', slug, { sent, ...(prefer && { prefer }) });
        expect({ status: answer.status, text: answer.text, errors: answer.errors }).toEqual({
          ...{ status: 204, text: '', errors: [] },
        });
        expect(answer.headers).not.toHaveProperty('etag');
        const { archived, deletedAt } = { archived: false, deletedAt: undefined, ...sent };
        const deleted = deletedAt === undefined ? null : new Date(String(deletedAt));
        expect(await readRow(slug)).toMatchObject({ archived, deleted_at: deleted });
        expect((await sendTo(openStore(), 'get', slug)).status).toBe(404);
      });
    });

    test('hooks get the transaction of the write', async () => {
      const slug = await insert();
      const card = Math.floor(Math.random() * 1e9);
      inHook = async (person, { transaction }) => {
        const insertCard = `INSERT INTO cards VALUES (${card}, ${Number(person.get('id'))})`;
        await sequelize.query(insertCard, { transaction: transaction as never });
        throw teapot;
      };
      expect((await sendTo(openStore(), 'patch', slug, { sent: { name: 'Grace' } })).status).toBe(418);
      expect(await database.sql(`SELECT * FROM cards WHERE id = ${card}`)).toEqual([]);
    });

    test('a transaction of CLS is joined, and what it rolls back was not written', async () => {
      const slug = await insert();
      const joined = sequelize.transaction(async () => {
        const person = await Person.findOne({ where: { slug }, rejectOnEmpty: true });
        await person.update({ motto: 'by the app' });
        calls.length = 0;
        const store = openStore();
        const current = await store.get(slug);
        if (current === undefined) throw new Error('There is no such person.');
        const next = { ...current.value, name: 'Grace' };
        const written = await store.replace(slug, '', next, { current });
        expect(written).toMatchObject({ value: { name: 'Grace', motto: 'BY THE APP' } });
        throw teapot;
      });
      await expect(joined).rejects.toBe(teapot);
      expect(calls).toEqual(again);
      expect(await readRow(slug)).toMatchObject(stored);
    });

    test('a hook that writes the same row outside is 503 in time, and the pool answers meanwhile', async () => {
      const slug = await insert();
      let outside: Promise<unknown> | undefined;
      inHook = () => {
        const update = `UPDATE people SET motto = 'outside' WHERE slug = '${slug}'`;
        outside = sequelize.query(update, { transaction: null });
        return outside;
      };
      const begun = Date.now();
      const patching = sendTo(openStore({ timeout: 500 }), 'patch', slug, { sent: { name: 'Grace' } });
      await delay(200);
      expect(await sequelize.query('SELECT 1 AS one', { plain: true })).toEqual({ one: 1 });
      const answer = await patching;
      expect(answer.status).toBe(503);
      expect(answer.headers).toHaveProperty('retry-after');
      expect(Date.now() - begun).toBeLessThan(5_000);
      await outside;
      await delay(100); // the hook goes on, and its save must not write
      expect(await readRow(slug)).toMatchObject({ name: 'Ada', motto: 'outside', revision: 1 });
    });

    test('a version that the store counts, too, is counted once', async () => {
      const slug = await insert();
      const store = rowStore({
        ...{ ...sequelizeRows(Person), counter: 'revision' },
        ...{ columns: { name: 'string' }, key: 'slug' },
      });
      const answer = await sendTo(store, 'patch', slug, { sent: { name: 'Grace' } });
      expect({ status: answer.status, errors: answer.errors }).toEqual({ status: 204, errors: [] });
      expect(await readRow(slug)).toMatchObject({ name: 'Grace', revision: 2 });
    });

    test('PUT creates with Model.create: setters, validators and hooks', async () => {
      const slug = randomUUID();
      calls.length = 0;
      const sent = { name: 'Ada', email: 'A@B.example', archived: false, words: 'Ada Lovelace' };
      const answer = await sendTo(openStore(), 'put', slug, { sent });
      expect({ status: answer.status, errors: answer.errors }).toEqual({ status: 201, errors: [] });
      expect(calls).toEqual(['beforeValidate', 'beforeSave', 'beforeCreate']);
      const row = { name: 'Ada', email: 'a@b.example', nickname: 'Lovelace', code: 'ada' };
      expect(await readRow(slug)).toMatchObject(row);
      const refused = await sendTo(openStore(), 'put', randomUUID(), { sent: { ...sent, email: 'none' } });
      expect({ status: refused.status, errors: refused.body['errors'] }).toEqual({
        status: 422,
        errors: [{ pointer: '/email', detail: 'This is not an email address.' }],
      });
    });

    test('delete destroys the instance: its hook runs, and a paranoid one is deleted softly', async () => {
      const slug = await insert();
      expect((await sendTo(openStore(), 'delete', slug)).status).toBe(204);
      expect(calls).toEqual(['beforeDestroy']);
      expect(await readRow(slug)).toMatchObject({ ...stored, deleted_at: expect.any(Date) as unknown });
      expect((await sendTo(openStore(), 'get', slug)).status).toBe(404);
    });
  });
}
