import { PrismaPg } from '@prisma/adapter-pg';
import fastJsonPatch from 'fast-json-patch';
import { randomUUID } from 'node:crypto';
import knex from 'knex';
import { documents } from './documents.mjs';
import { library, requireInRoot } from '../harness/library.mjs';
import { expectsOther, handWrittenRoute, patchOver } from './patch-routes.mjs';

const { knexRows, prismaRows, rowStore, tableStore } = library('rows/index');
const { Pool } = requireInRoot('pg');
const { PrismaClient } = requireInRoot('./bench/generated/prisma');

const columns = {
  id: { kind: 'string', readOnly: true },
  title: 'string',
  body: 'string',
  tags: 'string[]',
  author: 'json',
  reviewers: 'json',
  createdAt: { kind: 'date', readOnly: true },
  revision: 'integer',
};
const names = Object.keys(columns);
const declared = { columns, key: 'id' };

/** A table of this server's own, of the documents' members, in a schema of its own for Prisma. */
async function tableOf({ urls, keys }) {
  const schema = `bench_${process.pid}`;
  const pool = new Pool({ connectionString: urls.postgres, max: 10, options: `-c search_path=${schema}` });
  const table = 'rows';
  await pool.query(`CREATE SCHEMA ${schema}`);
  await pool.query(`CREATE TABLE ${table} (id text PRIMARY KEY, title text NOT NULL, body text NOT NULL, tags text[],
    author jsonb, reviewers jsonb, "createdAt" timestamptz, revision integer, version text NOT NULL)`);
  for (let id = 0; id < keys; id++) {
    const { author, reviewers, ...note } = documents['1 KB'](id);
    const values = [...Object.values(note), JSON.stringify(author), JSON.stringify(reviewers), randomUUID()];
    const into = [...Object.keys(note), 'author', 'reviewers', 'version'].map((name) => `"${name}"`);
    await pool.query(`INSERT INTO ${table} (${into}) VALUES (${values.map((_, i) => `$${i + 1}`)})`, values);
  }
  return { pool, table, schema };
}

export async function tableOurs(options) {
  const { pool, table } = await tableOf(options);
  return patchOver(tableStore(pool, { table, ...declared }), { respond: 'representation' });
}

export async function tableByHand(options) {
  const { pool, table } = await tableOf(options);
  const list = [...names, 'version'].map((name) => `"${name}"`).join(', ');
  return route(
    async (id) => (await pool.query(`SELECT ${list} FROM ${table} WHERE id = $1`, [id])).rows[0],
    async ({ id, version }, set) => {
      const setting = Object.keys(set).map((name, i) => `"${name}" = $${i + 3}`);
      const text = `UPDATE ${table} SET ${setting} WHERE id = $1 AND version = $2 RETURNING ${list}`;
      return (await pool.query(text, [id, version, ...Object.values(set)])).rows[0];
    },
  );
}

export async function knexOurs(options) {
  const { table, schema } = await tableOf(options);
  const db = knexOf(options, schema);
  return patchOver(rowStore({ ...knexRows(db, table), ...declared }), { respond: 'representation' });
}

export async function knexByHand(options) {
  const { table, schema } = await tableOf(options);
  const db = knexOf(options, schema);
  const all = [...names, 'version'];
  return route(
    (id) => db(table).where({ id }).first(all),
    async ({ id, version }, set) => (await db(table).where({ id, version }).update(set, all))[0],
  );
}

const knexOf = ({ urls }, schema) =>
  knex({ client: 'pg', connection: urls.postgres, searchPath: [schema], pool: { min: 0, max: 10 } });

const prismaOf = async (options) => {
  const { schema } = await tableOf(options);
  const adapter = new PrismaPg({ connectionString: options.urls.postgres, max: 10 }, { schema });
  return new PrismaClient({ adapter }).row;
};

export async function prismaOurs(options) {
  const rows = prismaRows(await prismaOf(options));
  return patchOver(rowStore({ ...rows, ...declared }), { respond: 'representation' });
}

/** `updateMany`, as `update` is not conditional on every database; it gives a count, and so the row is read again. */
export async function prismaByHand(options) {
  const model = await prismaOf(options);
  return route(
    (id) => model.findFirst({ where: { id } }),
    async ({ id, version }, { author, reviewers, ...set }) => {
      const data = { ...set, author: JSON.parse(author), reviewers: JSON.parse(reviewers) };
      const { count } = await model.updateMany({ where: { id, version }, data });
      return count === 0 ? undefined : await model.findFirst({ where: { id } });
    },
  );
}

/** As one writes it by hand, with the condition in the statement; it answers the row as it now reads. */
function route(find, update) {
  return handWrittenRoute(async (req, res) => {
    const row = await find(req.params.id);
    if (!row) return res.sendStatus(404);
    if (expectsOther(req, `"${row.version}"`)) return res.sendStatus(412);
    const { newDocument } = fastJsonPatch.applyPatch(row, req.body, true, false);
    const { title, body, tags, author, reviewers, revision } = newDocument;
    const next = randomUUID();
    // pg would make an array of PostgreSQL of a list.
    const json = { author: JSON.stringify(author), reviewers: JSON.stringify(reviewers) };
    const written = await update(row, { title, body, tags, ...json, revision, version: next });
    if (written === undefined) return res.sendStatus(409);
    const { version: tag, ...answer } = written;
    return res.set('ETag', `"${tag}"`).json(answer);
  });
}
