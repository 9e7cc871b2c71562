/** The zod schema that validates the body of a POST also validates the result of a patch. */
import express from 'express';
import { jsonPatch, MemoryStore, mergePatch, patchHandler, patchOptions } from 'patch-options';
import { z } from 'zod';

// Strict, so that a misspelt member is refused rather than silently dropped.
const Task = z
  .strictObject({
    id: z.uuid(),
    title: z.string().trim().min(1, 'A task has a title.'),
    due: z.iso.date().optional(),
    done: z.boolean().default(false),
    steps: z.array(z.strictObject({ text: z.string(), minutes: z.int().positive() })).max(20),
  })
  .refine(({ done, due }) => !done || due !== undefined, {
    message: 'A task that is done must have a due date.',
    path: ['due'],
  });
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
    key: 'id',
    // Any Standard Schema, such as valibot or arktype. Errors are answered 422, each with a JSON Pointer.
    validate: Task,
    // A schema sees only the new state; members that must not change are listed here.
    readOnly: ['/id'],
    respond: 'representation',
  }),
);

app.listen(3000, '127.0.0.1');
