/** What `storeConformance` is told of notes. */
import { randomUUID } from 'node:crypto';

export const columns = { title: 'string', age: 'integer?', email: 'string?' } as const;

interface Note {
  title: string;
  age: number | null;
  email: string | null;
}

export const carrier = {
  wrap: (title: string): Note => ({ title, age: null, email: null }),
  unwrap: ({ title }: Note) => title,
};
export const members = {
  clearable: { age: 7 },
  fixed: { id: 777, slug: 'stolen', revision: 7, secret: 'told' },
  unique: () => ({ email: `${randomUUID()}@b.example` }),
};
