/** A table of notes under policies of PostgreSQL, whose bodies say who may do what, and what the answers have to be. */
import express from 'express';
import supertest from 'supertest';
import { mergePatch, resource, type ResourceStore } from '../../lib';

/** SQL that gives a role rows of its own, others that it only sees, and others that it does not. */
export function createPolicies(role: string): string {
  return `
    GRANT ALL ON notes TO ${role};
    ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
    CREATE POLICY seen ON notes FOR SELECT USING (body IN ('own', 'frozen'));
    CREATE POLICY made ON notes FOR INSERT WITH CHECK (body = 'own');
    CREATE POLICY changed ON notes FOR UPDATE USING (body = 'own') WITH CHECK (body = 'own' AND title <> 'no');
    CREATE POLICY removed ON notes FOR DELETE USING (body = 'own');`;
}

export const columns = { body: 'string?', title: 'string' } as const;

/** Of a request: what it does to a row with such a body, and what comes of it. */
interface Policed {
  readonly what: string;
  readonly method: 'patch' | 'put' | 'delete';
  /** The body of the row that the owner has inserted, if there is one. */
  readonly row?: 'own' | 'frozen' | 'other';
  readonly sent?: object;
  readonly status: number;
  /** What the error handler of the app gets. */
  readonly error?: RegExp;
}

/** Of the lock, the DELETE, or, where the state is xmin, the UPDATE. */
const isDropped = /row-level security or a trigger/;
const violates = /new row violates row-level security policy for table "notes"/;

export const policed: readonly Policed[] = [
  { what: 'an UPDATE', method: 'patch', row: 'own', sent: { title: 'b' }, status: 204 },
  {
    what: 'UPDATE … USING',
    method: 'patch',
    row: 'frozen',
    sent: { title: 'b' },
    status: 500,
    error: isDropped,
  },
  {
    what: 'UPDATE … USING',
    method: 'put',
    row: 'frozen',
    sent: { title: 'b', body: 'own' },
    status: 500,
    error: isDropped,
  },
  {
    what: 'UPDATE … WITH CHECK',
    method: 'patch',
    row: 'own',
    sent: { title: 'no' },
    status: 500,
    error: violates,
  },
  {
    what: 'a row given away',
    method: 'patch',
    row: 'own',
    sent: { body: 'other' },
    status: 500,
    error: violates,
  },
  {
    what: 'INSERT … WITH CHECK',
    method: 'put',
    sent: { title: 'b', body: 'other' },
    status: 500,
    error: violates,
  },
  { what: 'DELETE … USING', method: 'delete', row: 'frozen', status: 500, error: isDropped },
  { what: 'SELECT … USING', method: 'delete', row: 'other', status: 404 },
  { what: 'SELECT … USING', method: 'put', row: 'other', sent: { title: 'b', body: 'own' }, status: 409 },
];

/** Sends such a request, and gives its status and the errors, of which an ORM's can have others within. */
export async function sendPoliced(
  store: ResourceStore,
  slug: string,
  { method, sent }: Policed,
): Promise<{ readonly status: number; readonly errors: readonly string[] }> {
  const app = express();
  const note = resource(store, [mergePatch()], { key: 'slug', create: () => ({ body: null }) });
  app.route('/:slug').put(note.put).patch(note.patch).delete(note.delete);
  const errors: string[] = [];
  const answerFaults: express.ErrorRequestHandler = (error, _req, res, next) => {
    if (res.headersSent) next(error);
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
    errors.push(`${String(error)} ${cause}`);
    res.status(500).json({});
  };
  app.use(answerFaults);
  const sending = supertest(app)[method](`/${slug}`);
  const type = method === 'put' ? 'application/json' : 'application/merge-patch+json';
  const { status } = await (sent === undefined ? sending : sending.type(type).send(JSON.stringify(sent)));
  return { status, errors };
}
