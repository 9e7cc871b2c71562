/** PATCH over HTTP: what clients may not do is refused, nothing is a fault of the server, and answers say what is stored. */
import { randomUUID } from 'node:crypto';
import express from 'express';
import { jsonPatch, mergePatch, resource } from '../../lib';
import { serving } from '../support/serving';
import { describeEachOrm } from './support/each-orm';
import { notesOf } from './support/notes';

/** The databases whose columns have types. */
const typed = ['PostgreSQL', 'MariaDB'];

/** Each a merge patch, as bytes, and what the answer points at. */
const hostile: readonly {
  what: string;
  patch: string;
  status?: number;
  pointer?: string;
  on?: readonly string[];
  /** Where the error names the column, so that the pointer is known beside other changes. Default: everywhere. */
  named?: RegExp;
}[] = [
  { what: 'the primary key', patch: '{"id":777}', pointer: '/id' },
  { what: 'the key', patch: '{"slug":"stolen"}', pointer: '/slug' },
  { what: 'the version', patch: '{"version":"stolen"}', pointer: '/version' },
  { what: 'the outcomes', patch: '{"outcomes":"[]"}', pointer: '/outcomes' },
  { what: 'a column that is not named', patch: '{"secret":"told"}', pointer: '/secret' },
  { what: 'what is no column', patch: '{"extra1":1}', pointer: '/extra1' },
  { what: '__proto__', patch: '{"__proto__":{"title":"x"}}', pointer: '/__proto__' },
  { what: 'what the database made', patch: '{"createdAt":"2000-01-01T00:00:00Z"}', pointer: '/createdAt' },
  { what: 'null where NULL cannot be', patch: '{"title":null}', pointer: '/title' },
  { what: 'another type', patch: '{"title":{"toString":"x"}}', pointer: '/title' },
  { what: 'an operator of an ORM', patch: '{"age":{"increment":1}}', pointer: '/age' },
  { what: 'a list in place of a text', patch: '{"title":["x"]}', pointer: '/title' },
  { what: 'NUL', patch: '{"title":"a\\u0000b"}', pointer: '/title' },
  { what: 'a lone surrogate', patch: '{"title":"a\\ud800b"}', pointer: '/title' },
  { what: 'NUL within JSON', patch: '{"extra":{"a":["\\u0000"]}}', pointer: '/extra' },
  {
    what: 'a value that another row has',
    patch: '{"email":"taken@b.example"}',
    status: 409,
    pointer: '/email',
  },
  {
    what: 'the same, beside others',
    patch: '{"email":"taken@b.example","title":"b","age":9}',
    status: 409,
    pointer: '/email',
    named: /over PostgreSQL|Prisma over SQLite/,
  },
  { what: 'what a constraint refuses', patch: '{"age":200}', pointer: '/age' },
  {
    what: 'the same, beside others',
    patch: '{"age":200,"title":"b","body":"c"}',
    pointer: '/age',
    named: /(?<!Prisma) over PostgreSQL/,
  },
  { what: 'what is too long', patch: '{"code":"123456789"}', pointer: '/code' },
  { what: 'an integer out of range', patch: '{"age":-9007199254740991}', pointer: '/age', on: typed },
  { what: 'a decimal out of range', patch: '{"price":"1234567890.12"}', pointer: '/price', on: typed },
  { what: 'a bigint out of range', patch: '{"serial":"9223372036854775808"}', pointer: '/serial' },
  { what: 'a date that is none', patch: '{"due":"2026-02-30T00:00:00Z"}', pointer: '/due' },
  { what: 'two at once', patch: '{"age":200,"code":"123456789"}' },
  { what: 'no object', patch: '"text"' },
];

/** Each is 200, and what the answer says is what GET says. */
const allowed: readonly { what: string; patch: string; stored: object; on?: readonly string[] }[] = [
  { what: 'a number cleared', patch: '{"age":null}', stored: { age: null } },
  { what: 'JSON cleared', patch: '{"extra":null}', stored: { extra: null } },
  {
    what: 'a date with a zone',
    patch: '{"due":"2026-11-22T12:00:00+01:00"}',
    stored: { due: '2026-11-22T11:00:00.000Z' },
  },
  {
    what: 'a decimal that is rounded',
    patch: '{"price":"12.345"}',
    stored: { price: '12.35' },
    on: typed,
  },
  { what: 'a text that a trigger changes', patch: '{"body":"loud"}', stored: { body: 'LOUD' } },
  { what: 'nothing', patch: '{}', stored: {} },
  {
    what: 'many members',
    patch: '{"title":"b","done":true,"ratio":0.1,"serial":"9007199254740993"}',
    stored: { title: 'b', done: true, ratio: 0.1, serial: '9007199254740993' },
  },
];

const trigger = {
  PostgreSQL: `CREATE OR REPLACE FUNCTION loud() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN NEW.body := upper(NEW.body); RETURN NEW; END $$;
    CREATE OR REPLACE TRIGGER loud BEFORE UPDATE ON notes FOR EACH ROW EXECUTE FUNCTION loud()`,
  MariaDB:
    'CREATE TRIGGER IF NOT EXISTS loud BEFORE UPDATE ON notes FOR EACH ROW SET NEW.body = upper(NEW.body)',
  SQLite: `CREATE TRIGGER IF NOT EXISTS loud AFTER UPDATE OF body ON notes BEGIN
      UPDATE notes SET body = upper(NEW.body) WHERE id = NEW.id; END`,
};

describeEachOrm((opened, about) => {
  const isOn = ({ on }: { on?: readonly string[] }) => on?.includes(about.database) ?? true;
  beforeAll(async () => {
    await opened().sql(trigger[about.database]);
  });

  /** A note that has something in each column, and its app. */
  const withNote = async (use: (note: Note) => Promise<void>): Promise<void> => {
    const store = notesOf(opened(), about, { outcomes: 'outcomes', modified: about.names.updatedAt });
    const slug = randomUUID();
    const first = { title: 'a', age: 7, extra: { a: [1, null] }, facts: {}, price: '1.5' };
    await store.replace(slug, null, first as never);
    const app = express();
    const note = resource(store, [jsonPatch(), mergePatch()], { key: 'slug' });
    app.get('/:slug', note.get);
    app.patch('/:slug', note.patch);
    await serving(app, async (_server, port) => {
      const url = `http://127.0.0.1:${port}/${slug}`;
      const row = async () => (await opened().sql(`SELECT * FROM notes WHERE slug = '${slug}'`))[0];
      await use({
        row,
        get: () => fetch(url),
        patch: (body, headers = {}) =>
          fetch(url, {
            method: 'PATCH',
            body,
            headers: { 'Content-Type': 'application/merge-patch+json', ...headers },
          }),
      });
    });
  };

  test.each(hostile.filter(isOn))(
    '$what: refused, and nothing is changed',
    async ({ patch, status = 422, pointer, named = /./ }) => {
      await opened().sql(`DELETE FROM notes WHERE email = 'taken@b.example'`);
      await opened().sql(
        `INSERT INTO notes (slug, title, email) VALUES ('${randomUUID()}', 'x', 'taken@b.example')`,
      );
      await withNote(async (note) => {
        const before = await note.row();
        const answer = await note.patch(patch);
        const problem = (await answer.json()) as { pointer?: string; errors?: { pointer?: string }[] };
        expect({ status: answer.status, problem }).toMatchObject({ status });
        const pointers = status === 409 ? [problem.pointer] : problem.errors?.map((error) => error.pointer);
        const isNamed = named.test(`${about.orm} over ${about.database}`);
        if (pointer !== undefined) expect(pointers).toEqual([isNamed ? pointer : undefined]);
        expect(await note.row()).toEqual(before);
      });
    },
  );

  test.each(allowed.filter(isOn))(
    '$what: the answer is what GET says, byte for byte',
    async ({ patch, stored }) => {
      await withNote(async (note) => {
        const answer = await note.patch(patch, { Prefer: 'return=representation' });
        const body = await answer.text();
        expect({ status: answer.status, body }).toMatchObject({ status: 200 });
        expect(JSON.parse(body)).toMatchObject(stored);
        const read = await note.get();
        expect(await read.text()).toBe(body);
        expect(read.headers.get('ETag')).toBe(answer.headers.get('ETag'));
        expect(read.headers.get('ETag')).toMatch(/^"/);
        const again = await note.patch(patch, { 'If-Match': answer.headers.get('ETag') ?? '' });
        expect(again.status).toBe(204);
      });
    },
  );
});

interface Note {
  readonly row: () => Promise<unknown>;
  readonly get: () => Promise<Response>;
  readonly patch: (body: string, headers?: Record<string, string>) => Promise<Response>;
}
