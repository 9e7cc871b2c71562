/** docs/hand-written.md: what it says of the handlers, before and after, over PostgreSQL and MongoDB. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express, { type Express } from 'express';
import mongoose from 'mongoose';
import type { Pool } from 'pg';
import supertest from 'supertest';
import * as library from '../../lib';
import * as documents from '../../lib/mongoose';
import * as rows from '../../lib/rows';
import { connectModels } from '../mongoose/models';
import { blocksOf } from '../support/doc-blocks';
import { openPostgresPool } from '../support/engines';
import { describeMongodb } from '../support/mongodb';
import { PageModules } from '../support/page-modules';

const page = readFileSync(join(__dirname, '../../docs/hand-written.md'), 'utf8');
const modules: Readonly<Record<string, unknown>> = {
  'patch-options/mongoose': documents,
  'patch-options/rows': rows,
};

/** An app with the first or the second block of a section. */
async function appOf(heading: string, which: 'before' | 'after', names: object): Promise<Express> {
  const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const [before = '', after = ''] = blocksOf(section, 'js');
  const app = express().set('env', 'test');
  app.use(express.json());
  const { jsonPatch, mergePatch, resource } = library;
  const around = { app, jsonPatch, mergePatch, resource, ...names };
  const text = new Map([['block', which === 'before' ? before : after]]);
  await new PageModules(text, (name) => modules[name], around).run('block');
  return app;
}

const patch = (app: Express, key: string, body: object, tag?: string) => {
  const request = supertest(app).patch(`/notes/${key}`);
  return (tag === undefined ? request : request.set('If-Match', tag)).send(body);
};

describe('COALESCE($1, title)', () => {
  let pool: Pool;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ pool, close } = await openPostgresPool());
    await pool.query(
      'CREATE TABLE notes (slug text PRIMARY KEY, title text NOT NULL, body text, owner text)',
    );
  });
  beforeEach(async () => {
    await pool.query(
      `INSERT INTO notes VALUES ('a', 'Buy milk', 'Two', 'ada') ON CONFLICT (slug) DO UPDATE SET title = 'Buy milk', body = 'Two'`,
    );
  });
  afterAll(() => close());

  test.each([
    { which: 'before', patch: { title: 'x' }, body: { slug: 'a', title: 'x', body: 'Two', owner: 'ada' } },
    {
      which: 'before',
      patch: { body: null },
      body: { slug: 'a', title: 'Buy milk', body: 'Two', owner: 'ada' },
    },
    { which: 'after', patch: { title: 'x' }, body: { title: 'x', body: 'Two' } },
    { which: 'after', patch: { body: null }, body: { title: 'Buy milk', body: null } },
  ] as const)('$which, $patch: 200 $body', async ({ which, patch: change, body }) => {
    const app = await appOf('COALESCE($1, title)', which, { pool });
    await patch(app, 'a', change).expect(200, body);
  });

  test('after, whoever sends an outdated tag is told', async () => {
    const app = await appOf('COALESCE($1, title)', 'after', { pool });
    const { headers } = await supertest(app).get('/notes/a').expect(200);
    await patch(app, 'a', { title: 'y' }, headers['etag']).expect(200);
    await patch(app, 'a', { title: 'z' }, headers['etag']).expect(412);
  });
});

describeMongodb('findByIdAndUpdate', () => {
  const { model, connection } = connectModels(mongoose);
  const noteSchema = new mongoose.Schema({
    title: { type: String, minlength: 2 },
    owner: String,
    saved: Number,
  });
  noteSchema.pre('save', function () {
    this.set('saved', Number(this.get('saved') ?? 0) + 1);
  });
  const Note = model('Note', noteSchema);
  beforeAll(() => connection.init());
  afterAll(() => connection.close());
  const made = async () => String((await Note.create({ title: 'Buy milk', owner: 'ada' }))._id);
  const absent = 'ffffffffffffffffffffffff';

  test.each([
    { of: 'an operator', body: { $unset: { title: 1 } }, before: 200, after: 422, title: undefined },
    { of: 'the owner', body: { owner: 'eve' }, before: 200, after: 422, title: 'Buy milk' },
    { of: 'what a validator refuses', body: { title: 'x' }, before: 200, after: 422, title: 'x' },
  ])('$of: $before before, $after after', async ({ body, before, after, title }) => {
    const [one, two] = [await made(), await made()];
    await patch(await appOf('findByIdAndUpdate', 'before', { Note }), one, body).expect(before);
    expect((await Note.findById(one))?.title).toBe(title);
    await patch(
      await appOf('findByIdAndUpdate', 'after', { mongoose: { model: () => Note }, noteSchema }),
      two,
      body,
    ).expect(after);
    expect(await Note.findById(two)).toMatchObject({ title: 'Buy milk', owner: 'ada', saved: 1 });
  });

  test.each([
    { of: 'an id that nobody has', id: absent, before: 200, after: 404 },
    { of: 'a malformed id', id: 'x', before: 500, after: 404 },
  ])('$of: $before before, $after after', async ({ id, before, after }) => {
    await patch(await appOf('findByIdAndUpdate', 'before', { Note }), id, { title: 'xy' }).expect(before);
    await patch(
      await appOf('findByIdAndUpdate', 'after', { mongoose: { model: () => Note }, noteSchema }),
      id,
      { title: 'xy' },
    ).expect(after);
  });

  test('hooks run after, and not before', async () => {
    const id = await made();
    await patch(await appOf('findByIdAndUpdate', 'before', { Note }), id, { title: randomUUID() });
    expect((await Note.findById(id))?.saved).toBe(1);
    const app = await appOf('findByIdAndUpdate', 'after', { mongoose: { model: () => Note }, noteSchema });
    const { body } = await patch(app, id, { title: 'Buy bread' }).expect(200);
    expect(body).toMatchObject({ _id: id, title: 'Buy bread', owner: 'ada', saved: 2 });
  });
});
