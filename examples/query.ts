/** Notes found by a JSON query (RFC 10008) that would be too long, or too private, for a URL. */
import express from 'express';
import { jsonQuery, MemoryStore, patchOptions, queryHandler } from 'patch-options';
import { z } from 'zod';

interface Note {
  readonly title: string;
  readonly tags: readonly string[];
}

const notes = new MemoryStore<Note>();
void notes.replace('1', null, { title: 'Buy milk', tags: ['shop'] });
void notes.replace('2', null, { title: 'Buy nails', tags: ['shop', 'home'] });

const NoteQuery = z.strictObject({ tags: z.array(z.string()), limit: z.int().min(1).max(100).default(20) });

const app = express();
app.use(patchOptions({ cors: { origin: 'https://app.example' } })); // a page may send QUERY only after a preflight
app.query?.(
  '/notes',
  queryHandler([jsonQuery({ schema: NoteQuery })], ({ tags, limit }) =>
    [...notes.entries()]
      .map(([id, { value }]) => ({ id, ...value }))
      .filter((note) => tags.every((tag) => note.tags.includes(tag)))
      .slice(0, limit),
  ),
);

app.listen(3000, '127.0.0.1');
