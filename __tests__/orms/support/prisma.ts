import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3';
import { PrismaMariaDb } from '@prisma/adapter-mariadb';
import { PrismaPg } from '@prisma/adapter-pg';
import { prismaRows } from '../../../lib/rows';
import { Prisma as MariadbPrisma, PrismaClient as MariadbClient } from '../generated/mariadb/client';
import { Prisma as PostgresPrisma, PrismaClient as PostgresClient } from '../generated/postgresql/client';
import { Prisma as SqlitePrisma, PrismaClient as SqliteClient } from '../generated/sqlite/client';
import { naming, type OrmUnderTest } from './orm';

export function openPostgresClient(url: string): PostgresClient {
  return new PostgresClient({ adapter: new PrismaPg({ connectionString: url, max: 10 }) });
}

export function openMariadbClient(url: string): MariadbClient {
  const { hostname: host, port, username: user, pathname } = new URL(url);
  const database = pathname.slice(1);
  return new MariadbClient({
    adapter: new PrismaMariaDb({ host, port: Number(port), user, database, connectionLimit: 10 }),
  });
}

export function openSqliteClient(url: string): SqliteClient {
  return new SqliteClient({ adapter: new PrismaBetterSqlite3({ url: `file:${url}` }) });
}

/** Prisma gives a transaction up that has waited two seconds for a connection, or runs for five. */
const patience = { maxWait: 60_000, timeout: 60_000 };

export const prismas: readonly OrmUnderTest[] = [
  {
    ...{ orm: 'Prisma', database: 'PostgreSQL', names: naming.camelCase },
    open: (url) => {
      const prisma = openPostgresClient(url);
      const dbNull = PostgresPrisma.DbNull;
      return {
        rows: prismaRows(prisma, 'note', { dbNull, ...patience }),
        ownTransaction: (run, isolation) =>
          prisma.$transaction((tx) => run(prismaRows(tx, 'note', { dbNull }), tx), {
            ...patience,
            isolationLevel: isolation === 'repeatable read' ? 'RepeatableRead' : 'Serializable',
          }),
        audit: (tx, data) => (tx as PostgresPrisma.TransactionClient).audit.create({ data }),
        readAudits: (tx, slug) =>
          (tx as PostgresPrisma.TransactionClient).audit.findMany({ where: { slug } }),
        ownRead: (slug) => prisma.note.findUniqueOrThrow({ where: { slug } }),
        ownWrite: (id, data) => prisma.note.update({ where: { id }, data }),
        ownIncrement: (slug) => prisma.note.update({ where: { slug }, data: { age: { increment: 1 } } }),
        close: () => prisma.$disconnect(),
      };
    },
  },
  {
    ...{ orm: 'Prisma', database: 'MariaDB', names: naming.camelCase },
    open: (url) => {
      const prisma = openMariadbClient(url);
      const dbNull = MariadbPrisma.DbNull;
      return {
        rows: prismaRows(prisma, 'note', { dbNull, ...patience }),
        ownTransaction: (run, isolation) =>
          prisma.$transaction((tx) => run(prismaRows(tx, 'note', { dbNull }), tx), {
            ...patience,
            isolationLevel: isolation === 'repeatable read' ? 'RepeatableRead' : 'Serializable',
          }),
        audit: (tx, data) => (tx as MariadbPrisma.TransactionClient).audit.create({ data }),
        readAudits: (tx, slug) => (tx as MariadbPrisma.TransactionClient).audit.findMany({ where: { slug } }),
        ownRead: (slug) => prisma.note.findUniqueOrThrow({ where: { slug } }),
        ownWrite: (id, data) => prisma.note.update({ where: { id }, data }),
        ownIncrement: (slug) => prisma.note.update({ where: { slug }, data: { age: { increment: 1 } } }),
        close: () => prisma.$disconnect(),
      };
    },
  },
  {
    ...{ orm: 'Prisma', database: 'SQLite', names: naming.camelCase },
    open: (url) => {
      const prisma = openSqliteClient(url);
      const dbNull = SqlitePrisma.DbNull;
      return {
        rows: prismaRows(prisma, 'note', { dbNull, ...patience }),
        ownTransaction: (run) =>
          prisma.$transaction((tx) => run(prismaRows(tx, 'note', { dbNull }), tx), patience),
        audit: (tx, data) => (tx as SqlitePrisma.TransactionClient).audit.create({ data }),
        readAudits: (tx, slug) => (tx as SqlitePrisma.TransactionClient).audit.findMany({ where: { slug } }),
        ownRead: (slug) => prisma.note.findUniqueOrThrow({ where: { slug } }),
        ownWrite: (id, data) => prisma.note.update({ where: { id }, data }),
        ownIncrement: (slug) => prisma.note.update({ where: { slug }, data: { age: { increment: 1 } } }),
        close: () => prisma.$disconnect(),
      };
    },
  },
];
