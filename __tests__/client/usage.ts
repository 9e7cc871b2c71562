/**
 * What users of the client write, as the compiler sees it. A line that must not compile is marked; where it does compile, the mark is an
 * error.
 */
import {
  type ChangeResult,
  type Put,
  type Recipe,
  resourceClient,
  type ResourceClient,
} from 'patch-options/client';

interface Note {
  title: string;
  tags?: string[];
}
interface User {
  name: string;
}

declare const note: Note;
declare const user: User;
const url = '/notes/1';

export async function uses(client: ResourceClient<Note>): Promise<void> {
  // The type of the client is the type of the values.
  const put: Put<Note> = await client.put(url, note);
  await client.put(url, { title: put.value.title, tags: [] }, { create: true });
  // @ts-expect-error A note has a title.
  await client.put(url, { wrong: 1 });
  // @ts-expect-error A note has nothing else.
  await client.put(url, { title: '', wrong: 1 });
  // @ts-expect-error A user is not a note.
  await client.put(url, user);

  const saved: ChangeResult<Note> = await client.save(url, note, { ...note, title: 'b' });
  await client.save(url, note, saved.value, { onConflict: ({ withMine }) => withMine });
  // @ts-expect-error The form has lost its title.
  await client.save(url, note, { tags: [] });
  // @ts-expect-error The base is not a note.
  await client.save(url, user, note);
  // @ts-expect-error A conflict of notes is not resolved by a user.
  await client.save(url, note, note, { onConflict: () => user });

  // A recipe modifies its draft, or returns the new value.
  const changed: ChangeResult<Note> = await client.change(url, (draft) => {
    draft.title += '!';
  });
  await client.change(url, (draft) => ({ ...draft, title: changed.value.title }));
  await client.change(url, (draft) => void (draft.title = 'b'));
  await client.change(url, (draft) => (draft.title === '' ? undefined : { title: '' }));
  await client.change(url, () => note);
  await client.change(url, () => undefined);
  const rename: Recipe<Note> = (draft) => {
    draft.title = '';
  };
  await client.change(url, rename);
  const renamed = (draft: { title: string }): void => {
    draft.title = '';
  };
  await client.change(url, renamed);
  // @ts-expect-error A user is not a note.
  await client.change(url, () => user);
  // @ts-expect-error The draft is a note.
  await client.change(url, (draft: User) => draft);
  // @ts-expect-error The result of `push` is not a note.
  await client.change(url, ({ tags = [] }) => tags.push('x'));
  // @ts-expect-error A recipe is synchronous, as it can run several times.
  await client.change(url, async (draft) => {
    draft.title = await Promise.resolve('');
  });
  // @ts-expect-error Also if it returns the note.
  await client.change(url, async (draft) => Promise.resolve(draft));
  // @ts-expect-error Also without a draft.
  await client.change(url, async () => Promise.resolve());

  // A call can name another type.
  const other: ChangeResult<User> = await client.change<User>('/users/1', (draft) => ({
    name: draft.name.trim(),
  }));
  await client.put<User>('/users/1', other.value);
  await client.save<User>('/users/1', user, other.value);
  // @ts-expect-error Then that is the type of the values.
  await client.put<User>('/users/1', note);
  // @ts-expect-error And of the draft.
  await client.change<User>('/users/1', (draft) => ({ name: draft.title }));
}

type Task = { status: 'open' | 'done'; at: [number, number]; note?: string };
type Shape = { kind: 'circle'; r: number } | { kind: 'box'; w: number };

/** Literals, tuples and discriminated unions in what recipes and `onConflict` return. */
export function unions(
  [tasks, shapes, any]: [ResourceClient<Task>, ResourceClient<Shape>, ResourceClient],
  [task, shape]: [Task, Shape],
): readonly unknown[] {
  return [
    tasks.change(url, (t) => ({ ...t, status: 'done' })),
    tasks.change(url, (t) => ({ ...t, at: [1, 2] })),
    tasks.change(url, () => ({ status: 'done', at: [1, 2] })),
    tasks.change(url, (t) => void (t.status = 'done')),
    tasks.change(url, (t) => {
      t.at = [1, 2];
    }),
    shapes.change(url, (s) => (s.kind === 'circle' ? { ...s, r: 2 } : { kind: 'circle', r: 1 })),
    any.change<Task>(url, (t) => ({ ...t, status: 'done' })),
    tasks.change<Shape>(url, () => ({ kind: 'box', w: 1 })),
    tasks.save(
      url,
      task,
      { ...task, at: [1, 2] },
      { onConflict: ({ mine }) => ({ ...mine, status: 'done' }) },
    ),
    tasks.save(url, task, task, { onConflict: ({ mine }) => Promise.resolve({ ...mine, status: 'done' }) }),
    any.save<Task>(url, task, task, { onConflict: ({ theirs }) => ({ ...theirs, at: [1, 2] }) }),
    tasks.put(url, { status: 'done', at: [1, 2] }),
    resourceClient<Task>('/api', { onConflict: ({ mine }) => ({ ...mine, status: 'done' }) }),

    // @ts-expect-error No such status.
    tasks.change(url, (t) => ({ ...t, status: 'wrong' })),
    // @ts-expect-error A position has two numbers.
    tasks.change(url, (t) => ({ ...t, at: [1] })),
    // @ts-expect-error Members are missing.
    tasks.change(url, () => ({ note: '' })),
    // @ts-expect-error It is not a task.
    tasks.change(url, () => null),
    // @ts-expect-error No such status: also in the draft.
    tasks.change(url, (t) => void (t.status = 'wrong')),
    // @ts-expect-error A box has no radius.
    shapes.change(url, () => ({ kind: 'box', r: 1 })),
    // @ts-expect-error No such status: also if the call names the type.
    any.change<Task>(url, (t) => ({ ...t, status: 'wrong' })),
    // @ts-expect-error A shape is not a task.
    tasks.save(url, shape, shape),
    // @ts-expect-error No such status.
    tasks.save(url, task, task, { onConflict: ({ mine }) => ({ ...mine, status: 'wrong' }) }),
    // @ts-expect-error A number is not a task.
    tasks.save(url, task, task, { onConflict: () => 1 }),
    // @ts-expect-error No such status.
    tasks.put(url, { ...task, status: 'wrong' }),
  ];
}

/** A wrapper for any type of resource. */
export function wrapped<T>(client: ResourceClient<T>, value: T): readonly Promise<unknown>[] {
  return [
    client.change(url, () => value),
    client.change(url, (draft) => draft),
    client.save(url, value, value, { onConflict: ({ theirs }) => theirs }),
    client.put(url, value).then(({ value: stored }): T => stored),
    // @ts-expect-error A note need not be a T.
    client.put(url, note),
  ];
}

// Without a type, values are unknown: anything can be sent, and nothing can be read before it is checked.
const untyped = resourceClient('/api');
export const results = [
  untyped.put(url, { anything: 1 }),
  untyped.change(url, () => ({ anything: 1 })),
  // @ts-expect-error It is not known to be a note.
  untyped.put(url, note).then(({ value }) => value.title),
  untyped.change<Note>(url, ({ tags }) => void tags?.push('x')),
];
