/**
 * What runs in a PATCH of an entity of TypeORM: listeners, subscribers, transformers and columns that TypeORM sets are those of the
 * app's own `findOne` and `save`, and what they say is the answer.
 */
import express, { type ErrorRequestHandler, type Express } from 'express';
import { randomUUID } from 'node:crypto';
import request from 'supertest';
import {
  AfterInsert,
  AfterLoad,
  BeforeInsert,
  BeforeRemove,
  BeforeSoftRemove,
  BeforeUpdate,
  Column,
  CreateDateColumn,
  DataSource,
  DeleteDateColumn,
  Entity,
  type EntityManager,
  type EntitySubscriberInterface,
  JoinColumn,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  type UpdateEvent,
  UpdateDateColumn,
  VersionColumn,
} from 'typeorm';
import { mergePatch, resource } from '../../lib';
import { rowStore, typeormRows } from '../../lib/rows';
import { describeOver, type Found, openDatabase, type TestDatabase } from './support/databases';
import { write } from './support/written';

/** What listeners and subscribers were called, but for those of reading. */
const calls: string[] = [];
/** Writes outside the transaction, as a listener does that knows only the data source. */
let writeOutside: (id: number) => Promise<unknown>;

const hash = (password: string) => `#${password}`;

class Owner {
  declare id: number;
  declare name: string;
  heardUpdate(): void {
    calls.push('update of an owner');
  }
}
class Comment {
  declare id: number;
  declare note: Note;
  declare text: string;
  heardUpdate(): void {
    calls.push('update of a comment');
  }
  heardRemove(): void {
    calls.push('remove of a comment');
  }
}
class Meta {
  declare lang: string;
}
class Audit {
  declare id: number;
  declare slug: string;
}
class Note {
  declare id: number;
  declare slug: string;
  declare title: string;
  declare email: string | null;
  declare password: string | null;
  declare code: string | null;
  declare tags: string[];
  kind = 'plain';
  declare meta: Meta;
  declare owner: Owner | null;
  declare ownerId: number | null;
  declare comments: Comment[];
  declare revision: number;
  declare createdAt: Date;
  declare updatedAt: Date;
  declare deletedAt: Date | null;

  heardLoad(): void {
    if (typeof this.code === 'string') this.code = this.code.toUpperCase();
  }
  async heardInsert(): Promise<void> {
    await Promise.resolve();
    calls.push(`insert of a ${this.kind} note`);
    if (typeof this.password === 'string') this.password = hash(this.password);
  }
  heardInserted(): void {
    calls.push(`inserted with ${typeof this.id} id`);
  }
  async heardUpdate(): Promise<void> {
    calls.push('update of a note');
    if (this.title === 'outside') await writeOutside(this.id);
    if (typeof this.password === 'string') this.password = hash(this.password);
    this.title = this.title.trim();
    // As validateOrReject() of class-validator rejects.
    if (this.title === 'invalid')
      throw [
        { property: 'title', constraints: { isTitle: 'title must be a title', isLength: 'title is short' } },
        { property: 'tags', children: [{ property: '0', constraints: { isTag: '0 must be a tag' } }] },
      ] as never;
    if (this.title === 'locked') throw Object.assign(new Error('The note is locked.'), { status: 409 });
    if (this.title === 'broken') throw new Error('The mail server is down.');
  }
  heardRemove(): void {
    calls.push('soft remove of a note');
  }
}

/** The decorators, as functions. */
function declareEntities(): void {
  Entity('saved_owners')(Owner);
  PrimaryColumn('integer')(Owner.prototype, 'id');
  Column('text')(Owner.prototype, 'name');
  BeforeUpdate()(Owner.prototype, 'heardUpdate');

  Entity('saved_comments')(Comment);
  PrimaryGeneratedColumn()(Comment.prototype, 'id');
  Column('text')(Comment.prototype, 'text');
  ManyToOne(() => Note, 'comments')(Comment.prototype, 'note');
  BeforeUpdate()(Comment.prototype, 'heardUpdate');
  BeforeRemove()(Comment.prototype, 'heardRemove');

  Column('varchar', { length: 8, default: 'en' })(Meta.prototype, 'lang');

  Entity('saved_audits')(Audit);
  PrimaryGeneratedColumn()(Audit.prototype, 'id');
  Column('varchar', { length: 64 })(Audit.prototype, 'slug');

  Entity('saved_notes')(Note);
  PrimaryGeneratedColumn()(Note.prototype, 'id');
  Column('varchar', { length: 64, unique: true })(Note.prototype, 'slug');
  Column('varchar', { length: 64 })(Note.prototype, 'title');
  Column('varchar', { length: 64, unique: true, nullable: true })(Note.prototype, 'email');
  Column('varchar', { length: 64, select: false, nullable: true })(Note.prototype, 'password');
  Column('varchar', { length: 64, nullable: true })(Note.prototype, 'code');
  Column('varchar', {
    ...{ length: 64, default: '' },
    transformer: {
      to: (tags?: string[]) => tags?.join(),
      from: (tags: string) => (tags === '' ? [] : tags.split(',')),
    },
  })(Note.prototype, 'tags');
  Column('varchar', { length: 8 })(Note.prototype, 'kind');
  Column(() => Meta)(Note.prototype, 'meta');
  Column('integer', { nullable: true })(Note.prototype, 'ownerId');
  ManyToOne(() => Owner, { eager: true, cascade: ['insert', 'update'] })(Note.prototype, 'owner');
  JoinColumn({ name: 'ownerId' })(Note.prototype, 'owner');
  OneToMany(() => Comment, 'note', { eager: true, cascade: ['insert', 'update'] })(
    Note.prototype,
    'comments',
  );
  VersionColumn()(Note.prototype, 'revision');
  CreateDateColumn()(Note.prototype, 'createdAt');
  UpdateDateColumn()(Note.prototype, 'updatedAt');
  DeleteDateColumn()(Note.prototype, 'deletedAt');
  AfterLoad()(Note.prototype, 'heardLoad');
  BeforeInsert()(Note.prototype, 'heardInsert');
  AfterInsert()(Note.prototype, 'heardInserted');
  BeforeUpdate()(Note.prototype, 'heardUpdate');
  BeforeSoftRemove()(Note.prototype, 'heardRemove');
}

declareEntities();

const subscriber: EntitySubscriberInterface<Note> = {
  listenTo: () => Note,
  beforeUpdate: async ({ manager, entity, updatedColumns }: UpdateEvent<Note>) => {
    const names = updatedColumns.map(({ propertyName }) => propertyName);
    const isInTransaction = manager.queryRunner?.isTransactionActive === true;
    calls.push(`subscriber: ${names.join()} ${isInTransaction ? 'in' : 'outside'} a transaction`);
    await manager.insert(Audit, { slug: String(entity?.['slug']) });
  },
};

const columns = {
  title: 'string',
  email: 'string?',
  password: { kind: 'string?', writeOnly: true },
  code: 'string?',
  tags: 'json',
  ownerId: 'integer?',
  deletedAt: 'date?',
} as const;

const timeout = 700;

interface Case {
  readonly what: string;
  readonly sent: object;
  readonly status: number;
  readonly errors?: readonly object[];
  /** What the row is then, of what it was. */
  readonly row?: object;
  readonly calls: readonly string[];
}

const updated = (names: string) => ['update of a note', `subscriber: ${names} in a transaction`];

const cases: readonly Case[] = [
  {
    what: '@BeforeUpdate hashes a password with select: false, once',
    ...{ sent: { password: 'two' }, status: 204, row: { password: '#two' }, calls: updated('password') },
  },
  {
    what: 'a password that is not sent is not loaded, and not hashed again',
    ...{ sent: { email: null, title: 'b' }, status: 204, row: { title: 'b' }, calls: updated('title') },
  },
  {
    what: '@BeforeUpdate changes what was sent',
    ...{ sent: { title: ' c ' }, status: 204, row: { title: 'c' }, calls: updated('title') },
  },
  {
    what: 'a transformer converts a value',
    ...{ sent: { tags: ['x', 'y'] }, status: 204, row: { tags: 'x,y' }, calls: updated('tags') },
  },
  {
    what: 'of a foreign key, the entity that was loaded by the old one makes no difference',
    ...{ sent: { ownerId: 2 }, status: 204, row: { ownerId: 2 }, calls: updated('ownerId') },
  },
  {
    what: 'a foreign key can be removed',
    ...{ sent: { ownerId: null }, status: 204, row: { ownerId: null }, calls: updated('ownerId') },
  },
  {
    what: 'what class-validator says is 422, with pointers',
    ...{ sent: { title: 'invalid' }, status: 422, calls: updated('title') },
    errors: [
      { pointer: '/title', detail: 'title must be a title' },
      { pointer: '/title', detail: 'title is short' },
      { pointer: '/tags/0', detail: '0 must be a tag' },
    ],
  },
  {
    what: 'an error with a status goes to Express as it is',
    ...{ sent: { title: 'locked' }, status: 409, calls: updated('title') },
  },
  {
    what: 'any other error goes to Express, too',
    ...{ sent: { title: 'broken' }, status: 500, calls: updated('title') },
  },
  {
    what: 'a PATCH that changes nothing calls nobody, and writes nothing',
    ...{ sent: { title: 'a', tags: ['z'], code: 'ABC' }, status: 204, calls: [] },
  },
];

describe.each(['PostgreSQL', 'MariaDB'] as const)('TypeORM over %s', (name) => {
  describeOver[name](`over ${name}`, () => {
    let database: TestDatabase;
    let dataSource: DataSource;
    let app: Express;
    const handled: unknown[] = [];

    beforeAll(async () => {
      database = await openDatabase(name);
      const entities = [Owner, Comment, Audit, Note];
      const { url } = database;
      dataSource = new DataSource(
        name === 'PostgreSQL'
          ? { type: 'postgres', url, entities, poolSize: 4 }
          : { type: 'mariadb', url, entities, poolSize: 4, timezone: 'Z' },
      );
      await dataSource.initialize();
      await dataSource.synchronize();
      dataSource.subscribers.push(subscriber);
      writeOutside = (id) => dataSource.getRepository(Note).update({ id }, { code: 'outside' });
      await dataSource.getRepository(Owner).insert([
        { id: 1, name: 'Ada' },
        { id: 2, name: 'Bob' },
      ]);
      const note = resource(openStore(), [mergePatch()], { key: 'slug' });
      app = express();
      app.get('/:slug', note.get);
      app.patch('/:slug', note.patch);
      const onError: ErrorRequestHandler = (error: unknown, _req, res, next) => {
        handled.push(error);
        if (res.headersSent) return next(error);
        res.status(Number(Reflect.get(Object(error) as object, 'status') ?? 500)).end();
      };
      app.use(onError);
    });
    afterAll(async () => {
      await dataSource.destroy();
      await database.close();
    });
    beforeEach(() => {
      handled.length = 0;
    });

    const openStore = () =>
      rowStore({ ...typeormRows(dataSource.getRepository(Note)), columns, key: 'slug', timeout });
    const patch = (slug: string, sent: object) =>
      request(app).patch(`/${slug}`).type('application/merge-patch+json').send(sent);
    /** A note of the first owner, with two comments. */
    const create = async (): Promise<string> => {
      const slug = randomUUID();
      const notes = dataSource.getRepository(Note);
      const note = notes.create({ slug, title: 'a', password: 'zero', code: 'abc', tags: ['z'], ownerId: 1 });
      const texts = ['first', 'second'].map((text) => dataSource.getRepository(Comment).create({ text }));
      await notes.save(Object.assign(note, { comments: texts }));
      await notes.update({ slug }, { updatedAt: new Date('2020-01-01T00:00:00Z') });
      calls.length = 0;
      return slug;
    };
    const quoted = (column: string) => (name === 'PostgreSQL' ? `"${column}"` : `\`${column}\``);
    const readRow = async (slug: string): Promise<Found> => {
      const rows = await database.sql(`SELECT * FROM saved_notes WHERE slug = '${slug}'`);
      return rows[0] ?? {};
    };
    const readRelated = async (slug: string) => [
      await database.sql('SELECT * FROM saved_owners ORDER BY id'),
      await database.sql(
        `SELECT c.* FROM saved_comments c JOIN saved_notes n ON n.id = c.${quoted('noteId')} ` +
          `WHERE n.slug = '${slug}' ORDER BY c.id`,
      ),
    ];
    const countAudits = async (slug: string) =>
      (await database.sql(`SELECT id FROM saved_audits WHERE slug = '${slug}'`)).length;

    test.each(cases)('$what', async ({ sent, status, errors, row, calls: expected }) => {
      const slug = await create();
      const [before, related] = [await readRow(slug), await readRelated(slug)];
      const answer = await patch(slug, sent);
      expect({ status: answer.status, calls, errors: (answer.body as { errors?: unknown }).errors }).toEqual({
        ...{ status, calls: expected, errors },
      });
      const { revision, updatedAt, ...after } = await readRow(slug);
      const isWritten = row !== undefined;
      expect({ ...after, revision, updatedAt: String(updatedAt) === String(before['updatedAt']) }).toEqual({
        ...{ ...before, ...row },
        ...{ revision: Number(before['revision']) + (isWritten ? 1 : 0), updatedAt: !isWritten },
      });
      expect(await readRelated(slug)).toEqual(related);
      expect(await countAudits(slug)).toBe(isWritten ? 1 : 0);
    });

    test('an error of a listener is the one that the error handler gets', async () => {
      const slug = await create();
      await patch(slug, { title: 'locked' });
      await patch(slug, { title: 'broken' });
      expect(handled.map((error) => (error as Error).message)).toEqual([
        'The note is locked.',
        'The mail server is down.',
      ]);
    });

    test('what @AfterLoad makes of a column is shown, and not written', async () => {
      const slug = await create();
      const { body } = await request(app).get(`/${slug}`);
      expect(body).toMatchObject({ title: 'a', code: 'ABC', tags: ['z'] });
      expect(body).not.toHaveProperty('password');
      await patch(slug, { title: 'b' }).expect(204);
      expect(await readRow(slug)).toMatchObject({ title: 'b', code: 'abc' });
    });

    test('a row that is deleted between the two reads of a GET is gone', async () => {
      const slug = await create();
      const deleting: EntitySubscriberInterface<Note> = {
        listenTo: () => Note,
        afterLoad: () => dataSource.getRepository(Note).softDelete({ slug }),
      };
      dataSource.subscribers.push(deleting);
      try {
        await request(app).get(`/${slug}`).expect(404);
      } finally {
        dataSource.subscribers.pop();
      }
    });

    test('what a subscriber has written is rolled back with a write that the database refuses', async () => {
      const [slug, other] = [await create(), await create()];
      await patch(other, { email: `${slug}@b.example` }).expect(204);
      await patch(slug, { email: `${slug}@b.example` }).expect(409);
      expect([await countAudits(slug), await countAudits(other)]).toEqual([0, 1]);
    });

    test.each([{ prefer: undefined }, { prefer: 'return=minimal' }, { prefer: 'return=representation' }])(
      'a PATCH that soft-deletes is 204 without ETag and body, and GET is 404, with Prefer: $prefer',
      async ({ prefer }) => {
        const slug = await create();
        const sending = patch(slug, { deletedAt: '2026-01-01T00:00:00Z' });
        const answer = await (prefer === undefined ? sending : sending.set('Prefer', prefer));
        expect([answer.status, answer.text, answer.headers['etag']]).toEqual([204, '', undefined]);
        expect(calls).toEqual(updated('deletedAt'));
        expect(await readRow(slug)).toMatchObject({ deletedAt: new Date('2026-01-01T00:00:00Z') });
        await request(app).get(`/${slug}`).expect(404);
        await patch(slug, { title: 'b' }).expect(404);
      },
    );

    test('a listener that writes to the row outside the transaction is 503, and the pool answers meanwhile', async () => {
      const slug = await create();
      const before = await readRow(slug);
      const begin = performance.now();
      const [answer, took] = await Promise.all([
        patch(slug, { title: 'outside' }),
        dataSource.query('SELECT 1').then(() => performance.now() - begin),
      ]);
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
      expect(took).toBeLessThan(timeout);
      expect(performance.now() - begin).toBeLessThan(timeout * 4);
      // The UPDATE of the listener itself goes on once the row is free.
      const { code, updatedAt, revision, ...others } = await readRow(slug);
      expect(['abc', 'outside']).toContain(code);
      expect(before).toMatchObject(others);
      expect([typeof updatedAt, typeof revision]).toEqual(['object', 'number']);
      await patch(slug, { title: 'b' }).expect(204);
    });

    test('creating runs @BeforeInsert, @AfterInsert and the defaults of the class', async () => {
      const slug = randomUUID();
      calls.length = 0;
      const sent = {
        title: 'a',
        email: null,
        password: 'one',
        code: null,
        tags: [],
        ownerId: null,
        deletedAt: null,
      };
      await write(openStore(), slug, null, sent);
      expect(calls).toEqual(['insert of a plain note', 'inserted with number id']);
      expect(await readRow(slug)).toMatchObject({
        title: 'a',
        password: '#one',
        kind: 'plain',
      });
    });

    test('creating never updates a row that another request has created', async () => {
      const slug = await create();
      const before = await readRow(slug);
      const rows = typeormRows(dataSource.getRepository(Note));
      await expect(Promise.resolve(rows.insert({ slug, title: 'mine', tags: [] }))).rejects.toThrow(
        /uplicate/,
      );
      const owners = typeormRows(dataSource.getRepository(Owner));
      await expect(Promise.resolve(owners.insert({ id: 1, name: 'mine' }))).rejects.toThrow(/uplicate/);
      const [byName] = await readRelated(slug);
      expect(byName).toMatchObject([{ name: 'Ada' }, { name: 'Bob' }]);
      expect(await readRow(slug)).toEqual(before);
    });

    test('deleting soft-removes an entity with a delete date, and removes others', async () => {
      const slug = await create();
      expect(await openStore().delete?.(slug)).toBe(true);
      expect(calls).toEqual(['soft remove of a note']);
      expect((await readRow(slug))['deletedAt']).toBeInstanceOf(Date);
      const [, comments = []] = await readRelated(slug);
      const texts = rowStore({
        ...typeormRows(dataSource.getRepository(Comment)),
        ...{ columns: { text: 'string' }, key: (id: string) => ({ id: Number(id) }) },
      });
      expect(await texts.delete?.(String(comments[0]?.['id']))).toBe(true);
      expect(calls).toEqual(['soft remove of a note', 'remove of a comment']);
      expect((await readRelated(slug))[1]).toEqual(comments.slice(1));
    });

    if (name === 'PostgreSQL') {
      test('a DELETE that the database drops is an error', async () => {
        const slug = await create();
        const [, comments = []] = await readRelated(slug);
        const texts = rowStore({
          ...typeormRows(dataSource.getRepository(Comment)),
          ...{ columns: { text: 'string' }, key: (id: string) => ({ id: Number(id) }) },
        });
        await database.sql('CREATE RULE kept AS ON DELETE TO saved_comments DO INSTEAD NOTHING');
        try {
          const deleting = texts.delete?.(String(comments[0]?.['id']));
          await expect(deleting).rejects.toThrow('The DELETE deleted no row');
        } finally {
          await database.sql('DROP RULE kept ON saved_comments');
        }
      });
    }

    test.each([
      { what: 'what another column has become', next: { title: 'b' } },
      { what: 'the old value', next: { email: null } },
    ])(
      'in a transaction of the app that has read an older state, a write keeps or sets $what',
      async ({ next }) => {
        const slug = await create();
        const store = openStore();
        await dataSource.transaction('REPEATABLE READ', async (em: EntityManager) => {
          // PostgreSQL refuses such a write, which would have to be repeated.
          if (name === 'MariaDB') await em.findOneBy(Note, { slug });
          await database.sql(`UPDATE saved_notes SET email = '${slug}' WHERE slug = '${slug}'`);
          const state = await store.get(slug);
          const inside = rowStore({ ...typeormRows(em.getRepository(Note)), columns, key: 'slug' });
          await write(inside, slug, state, { ...state?.value, ...next } as never);
        });
        expect(await readRow(slug)).toMatchObject({ email: slug, ...next });
      },
    );
  });
});
