/** A zod schema judges what a patch would make: the same that judges what POST sends. */
import express from 'express';
import { jsonPatch, MemoryStore, mergePatch, patchHandler, patchOptions } from 'patch-options';
import { z } from 'zod';

// Strict, so that a member that is misspelt is refused, and not dropped without a word.
const Task = z
  .strictObject({
    id: z.uuid(),
    title: z.string().trim().min(1, 'A task has a title.'),
    due: z.iso.date().optional(),
    done: z.boolean().default(false),
    steps: z.array(z.strictObject({ text: z.string(), minutes: z.int().positive() })).max(20),
  })
  .refine(({ done, due }) => !done || due !== undefined, { message: 'What is done was due.', path: ['due'] });
type Task = z.infer<typeof Task>;

const tasks = new MemoryStore<Task>();
const app = express();
app.use(patchOptions());

app.post('/tasks', express.json(), async (req, res) => {
  const { data: task, error } = Task.safeParse({ ...(req.body as object), id: crypto.randomUUID() });
  if (!task) {
    res.status(422).json({ errors: error.issues });
    return;
  }
  await tasks.replace(task.id, null, task);
  res.status(201).location(`/tasks/${task.id}`).json(task);
});

app.patch(
  '/tasks/:id',
  patchHandler(tasks, [jsonPatch(), mergePatch()], {
    key: (req) => req.params.id,
    // Any Standard Schema, so valibot and arktype too. What it finds is answered 422, with the pointer of each member.
    validate: Task,
    // Store what the schema returns, trimmed and with its defaults, in place of what the patch made.
    transform: true,
    // A schema sees the new state alone; what must not change is said here.
    readOnly: ['/id'],
    respond: 'representation',
  }),
);

app.listen(3000, '127.0.0.1');
