import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findingsIn } from './compiler';

const lib = join(__dirname, '../../lib');

/** What the examples take for granted. */
const around = `
import http from 'node:http';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { Pool } from 'pg';
import { z } from 'zod';
import { cachedStore, checkPreconditions, declareMethods, declareRoutes, jsonPatch, jsonQuery, MemoryStore, mergePatch, optionsListener, patchHandler, patchOptions, queryHandler, resource, type ResourceStore, sendProblem, type Stored } from 'patch-options';
import { createJsonPatch, type ResourceClient, resourceClient } from 'patch-options/client';
import { PostgresStore } from 'patch-options/postgres';
import { type ColumnCodec, type DrizzleDatabase, drizzleRows, type KnexLike, knexRows, type KyselyLike, kyselyRows, type MikroormEntityManager, mikroormRows, type PrismaModel, prismaRows, rowStore, type SequelizeModel, sequelizeRows, tableStore, type TypeormRepository, typeormRows } from 'patch-options/rows';
import { storeConformance } from 'patch-options/testing';
interface Note { title: string }
declare const client: ResourceClient<Note>;
declare function findNotes(tag: string): Promise<Note[]>;
declare const app: express.Express;
declare const api: express.Router;
declare const authenticate: RequestHandler;
declare const pool: Pool;
declare const prisma: { readonly note: PrismaModel };
declare const db: DrizzleDatabase & KyselyLike;
declare const notesTable: object;
declare const knex: KnexLike;
declare const dataSource: { getRepository(entity: object): TypeormRepository };
declare const orm: { readonly em: MikroormEntityManager };
declare const Note: SequelizeModel;
declare const PrismaStore: new (client: object) => ResourceStore;
declare const req: Request;
declare const res: Response;
declare const stored: Stored<Note>;
declare function inTransaction(act: () => void): void;
`;

const files = readdirSync(lib, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, text: readFileSync(join(lib, file), 'utf8') }));

/** The code in comments, by where it stands. */
const examples = files.flatMap(({ file, text }) =>
  [...text.matchAll(/^ *\* ```ts\n(.*?)^ *\* ```$/gms)].map(([, code = '']) => ({
    file,
    code: code.replace(/^ *\* ?/gm, ''),
  })),
);

test('every example in a comment compiles', () => {
  // As a function's body, for that of a handler returns.
  const sources = examples.map(({ code }) => {
    const notes = /\bconst notes\b/.test(code) ? '' : 'const notes = new MemoryStore<Note>();';
    const head = /\bawait\b/.test(code)
      ? 'async function example(): Promise<unknown>'
      : 'function example(): unknown';
    return `${around}export ${head} {\n${notes}\n${code}\nreturn undefined;\n}`;
  });
  const found = findingsIn(sources).map((findings, i) => ({ file: examples[i]?.file, findings }));
  expect(found.length).toBeGreaterThanOrEqual(7);
  expect(found.filter(({ findings }) => findings.length > 0)).toEqual([]);
});

test('every @example stands in a fence', () => {
  expect(files.flatMap(({ text }) => text.match(/@example\n(?! *\* ```ts).*/g) ?? [])).toEqual([]);
});
