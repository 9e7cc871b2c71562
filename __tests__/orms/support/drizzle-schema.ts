import { sql } from 'drizzle-orm';
import * as mysql from 'drizzle-orm/mysql-core';
import * as pg from 'drizzle-orm/pg-core';
import * as sqlite from 'drizzle-orm/sqlite-core';

const postgresState = pg.pgEnum('State', ['draft', 'paid']);

export const postgresNotes = pg.pgTable('notes', {
  id: pg.integer().primaryKey().generatedAlwaysAsIdentity(),
  slug: pg.text().notNull().unique(),
  title: pg.text().notNull(),
  body: pg.text(),
  email: pg.text().unique(),
  age: pg.integer(),
  ratio: pg.doublePrecision(),
  price: pg.numeric({ precision: 8, scale: 2 }),
  serial: pg.bigint({ mode: 'bigint' }),
  tags: pg.text().array().notNull().default([]),
  parts: pg.jsonb().array().notNull().default([]),
  prices: pg.numeric().array().notNull().default([]),
  extra: pg.jsonb(),
  facts: pg.jsonb().notNull().default({}),
  done: pg.boolean().notNull().default(false),
  due: pg.timestamp({ withTimezone: true, precision: 3 }),
  dueText: pg.timestamp('due_text', { withTimezone: true, precision: 3, mode: 'string' }),
  day: pg.date(),
  dayAsDate: pg.date('day_as_date', { mode: 'date' }),
  clock: pg.time(),
  state: postgresState(),
  states: postgresState().array().notNull().default([]),
  days: pg.date().array().notNull().default([]),
  ages: pg.integer().array().notNull().default([]),
  ratios: pg.doublePrecision().array().notNull().default([]),
  flags: pg.boolean().array().notNull().default([]),
  dues: pg.timestamp({ withTimezone: true, precision: 3 }).array().notNull().default([]),
  clocks: pg.time().array().notNull().default([]),
  serials: pg.bigint({ mode: 'bigint' }).array().notNull().default([]),
  uids: pg.uuid().array().notNull().default([]),
  uid: pg.uuid(),
  local: pg.timestamp({ precision: 3 }),
  localText: pg.timestamp('local_text', { precision: 3, mode: 'string' }),
  text: pg.text(),
  code: pg.varchar({ length: 8 }),
  secret: pg.text().default('hidden'),
  outcomes: pg.text(),
  createdAt: pg.timestamp('created_at', { withTimezone: true, precision: 3 }).notNull().defaultNow(),
  updatedAt: pg.timestamp('updated_at', { withTimezone: true, precision: 3 }),
});

export const postgresAudits = pg.pgTable('audits', {
  id: pg.integer().primaryKey().generatedAlwaysAsIdentity(),
  slug: pg.text(),
  before: pg.text(),
  after: pg.text().notNull(),
});

export const mariadbNotes = mysql.mysqlTable('notes', {
  id: mysql.int().primaryKey().autoincrement(),
  slug: mysql.varchar({ length: 255 }).notNull().unique(),
  title: mysql.text().notNull(),
  body: mysql.text(),
  email: mysql.varchar({ length: 191 }).unique(),
  age: mysql.int(),
  ratio: mysql.double(),
  price: mysql.decimal({ precision: 8, scale: 2 }),
  serial: mysql.bigint({ mode: 'bigint' }),
  extra: mysql.json(),
  facts: mysql.json().notNull().default({}),
  done: mysql.boolean().notNull().default(false),
  due: mysql.datetime({ fsp: 3 }),
  dueText: mysql.datetime('due_text', { fsp: 3, mode: 'string' }),
  day: mysql.date({ mode: 'string' }),
  dayAsDate: mysql.date('day_as_date'),
  clock: mysql.time({ fsp: 6 }),
  state: mysql.mysqlEnum(['draft', 'paid']),
  uid: mysql.char({ length: 36 }),
  local: mysql.datetime({ fsp: 3 }),
  localText: mysql.datetime('local_text', { fsp: 3, mode: 'string' }),
  text: mysql.text(),
  code: mysql.varchar({ length: 8 }),
  secret: mysql.text().default('hidden'),
  outcomes: mysql.longtext(),
  createdAt: mysql
    .datetime('created_at', { fsp: 3 })
    .notNull()
    .default(sql`current_timestamp(3)`),
  updatedAt: mysql.datetime('updated_at', { fsp: 3 }),
});

export const mariadbAudits = mysql.mysqlTable('audits', {
  id: mysql.int().primaryKey().autoincrement(),
  slug: mysql.varchar({ length: 255 }),
  before: mysql.text(),
  after: mysql.text().notNull(),
});

export const sqliteNotes = sqlite.sqliteTable('notes', {
  id: sqlite.integer().primaryKey({ autoIncrement: true }),
  slug: sqlite.text().notNull().unique(),
  title: sqlite.text().notNull(),
  body: sqlite.text(),
  email: sqlite.text().unique(),
  age: sqlite.integer(),
  ratio: sqlite.real(),
  price: sqlite.numeric(),
  serial: sqlite.blob({ mode: 'bigint' }),
  extra: sqlite.text({ mode: 'json' }),
  facts: sqlite.text({ mode: 'json' }).notNull().default({}),
  done: sqlite.integer({ mode: 'boolean' }).notNull().default(false),
  due: sqlite.integer({ mode: 'timestamp_ms' }),
  dueText: sqlite.integer('due_text'),
  day: sqlite.text(),
  dayAsDate: sqlite.integer('day_as_date', { mode: 'timestamp' }),
  clock: sqlite.text(),
  state: sqlite.text(),
  uid: sqlite.text(),
  local: sqlite.integer({ mode: 'timestamp_ms' }),
  localText: sqlite.text('local_text'),
  text: sqlite.text(),
  code: sqlite.text(),
  secret: sqlite.text().default('hidden'),
  outcomes: sqlite.text(),
  createdAt: sqlite
    .text('created_at')
    .notNull()
    .default(sql`(strftime('%Y-%m-%dT%H:%M:%fZ'))`),
  updatedAt: sqlite.integer('updated_at', { mode: 'timestamp_ms' }),
});

export const sqliteAudits = sqlite.sqliteTable('audits', {
  id: sqlite.integer().primaryKey({ autoIncrement: true }),
  slug: sqlite.text(),
  before: sqlite.text(),
  after: sqlite.text().notNull(),
});
