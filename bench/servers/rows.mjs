import { PrismaPg } from '@prisma/adapter-pg';
import fastJsonPatch from 'fast-json-patch';
import { createHash } from 'node:crypto';
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
const list = names.map((name) => `"${name}"`).join(', ');
const declared = { columns, key: 'id' };

/** A table of this server's own, of the documents' members, in a schema of its own for Prisma. */
async function tableOf({ urls, keys }) {
  const schema = `bench_${process.pid}`;
  const pool = new Pool({ connectionString: urls.postgres, max: 10, options: `-c search_path=${schema}` });
  const table = 'rows';
  await pool.query(`CREATE SCHEMA ${schema}`);
  await pool.query(`CREATE TABLE ${table} (id text PRIMARY KEY, title text NOT NULL, body text NOT NULL, tags text[],
    author jsonb, reviewers jsonb, "createdAt" timestamptz, revision integer)`);
  for (let id = 0; id < keys; id++) {
    const { author, reviewers, ...note } = documents['1 KB'](id);
    const values = [...Object.values(note), JSON.stringify(author), JSON.stringify(reviewers)];
    const into = [...Object.keys(note), 'author', 'reviewers'].map((name) => `"${name}"`);
    await pool.query(`INSERT INTO ${table} (${into}) VALUES (${values.map((_, i) => `$${i + 1}`)})`, values);
  }
  return { pool, table, schema };
}

export async function tableOurs(options) {
  const { pool, table } = await tableOf(options);
  return patchOver(tableStore(pool, { table, ...declared }), { respond: 'representation' });
}

/** BEGIN, SELECT … FOR NO KEY UPDATE, UPDATE … RETURNING, COMMIT. */
export async function tableByHand(options) {
  const { pool, table } = await tableOf(options);
  const select = `SELECT ${list} FROM ${table} WHERE id = $1 FOR NO KEY UPDATE`;
  return lockingRoute(async (id, change) => {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      const set = withJsonAsText(change((await client.query(select, [id])).rows[0]));
      const setting = Object.keys(set).map((name, i) => `"${name}" = $${i + 2}`);
      const update = `UPDATE ${table} SET ${setting} WHERE id = $1 RETURNING ${list}`;
      const { rows } = await client.query(update, [id, ...Object.values(set)]);
      await client.query('COMMIT');
      return rows[0];
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
  });
}

export async function xminOurs(options) {
  const { pool, table } = await tableOf(options);
  const store = tableStore(pool, { table, ...declared, version: 'xmin' });
  return patchOver(store, { respond: 'representation' });
}

/** One conditional UPDATE, as one writes it by hand over a version that PostgreSQL keeps. */
export async function xminByHand(options) {
  const { pool, table } = await tableOf(options);
  return handWrittenRoute(async (req, res) => {
    const { id } = req.params;
    const [row] = (await pool.query(`SELECT ${list}, xmin FROM ${table} WHERE id = $1`, [id])).rows;
    if (row === undefined) return res.sendStatus(404);
    if (expectsOther(req, `"${row.xmin}"`)) return res.sendStatus(412);
    const { title, body } = fastJsonPatch.applyPatch(row, req.body, true, false).newDocument;
    const update = `UPDATE ${table} SET title = $3, body = $4 WHERE id = $1 AND xmin = $2 RETURNING ${list}, xmin`;
    const [written] = (await pool.query(update, [id, row.xmin, title, body])).rows;
    if (written === undefined) return res.sendStatus(409);
    const { xmin, ...answer } = written;
    return res.set('ETag', `"${xmin}"`).json(answer);
  });
}

export async function knexOurs(options) {
  const { table, schema } = await tableOf(options);
  const db = knexOf(options, schema);
  return patchOver(rowStore({ ...knexRows(db, table), ...declared }), { respond: 'representation' });
}

export async function knexByHand(options) {
  const { table, schema } = await tableOf(options);
  const db = knexOf(options, schema);
  return lockingRoute((id, change) =>
    db.transaction(async (trx) => {
      const set = change(await trx(table).where({ id }).first(names).forNoKeyUpdate());
      return (await trx(table).where({ id }).update(withJsonAsText(set), names))[0];
    }),
  );
}

const knexOf = ({ urls }, schema) =>
  knex({ client: 'pg', connection: urls.postgres, searchPath: [schema], pool: { min: 0, max: 10 } });

const prismaOf = async (options) => {
  const { schema } = await tableOf(options);
  const adapter = new PrismaPg({ connectionString: options.urls.postgres, max: 10 }, { schema });
  return { prisma: new PrismaClient({ adapter }), schema };
};

export async function prismaOurs(options) {
  const { prisma } = await prismaOf(options);
  return patchOver(rowStore({ ...prismaRows(prisma, 'row'), ...declared }), { respond: 'representation' });
}

/** Prisma has no lock of its own: the statement before is SQL. */
export async function prismaByHand(options) {
  const { prisma, schema } = await prismaOf(options);
  const lock = `SELECT 1 FROM "${schema}".rows WHERE id = $1 FOR NO KEY UPDATE`;
  return lockingRoute((id, change) =>
    prisma.$transaction(async (tx) => {
      await tx.$queryRawUnsafe(lock, id);
      const data = change(await tx.row.findUnique({ where: { id } }));
      return tx.row.update({ where: { id }, data });
    }),
  );
}

/**
 * As one writes it by hand, with the same guarantee: the row is locked while its state is compared, changed and written,
 * and a value that changes nothing has the tag that it had.
 *
 * @param write - locks the row, calls its second parameter with it, and writes what that returns; the row as it now is
 */
function lockingRoute(write) {
  return handWrittenRoute(async (req, res) => {
    try {
      const written = await write(req.params.id, (row) => {
        if (!row) throw new Refusal(404);
        if (expectsOther(req, tagOf(row))) throw new Refusal(412);
        const { newDocument } = fastJsonPatch.applyPatch(row, req.body, true, false);
        const { title, body, tags, author, reviewers, revision } = newDocument;
        return { title, body, tags, author, reviewers, revision };
      });
      return res.set('ETag', tagOf(written)).json(written);
    } catch (error) {
      if (error instanceof Refusal) return res.sendStatus(error.status);
      throw error;
    }
  });
}

class Refusal extends Error {
  constructor(status) {
    super();
    this.status = status;
  }
}

const tagOf = (row) => `"${createHash('sha1').update(JSON.stringify(row)).digest('base64url')}"`;

/** pg would make an array of PostgreSQL of a list. */
const withJsonAsText = ({ author, reviewers, ...set }) => ({
  ...set,
  author: JSON.stringify(author),
  reviewers: JSON.stringify(reviewers),
});
