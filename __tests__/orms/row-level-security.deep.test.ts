/** Policies of PostgreSQL through each ORM: what they do not let a write do is an error that says so. */
import { randomUUID } from 'node:crypto';
import { rowStore } from '../../lib/rows';
import { columns, createPolicies, policed, sendPoliced } from '../rows/row-level-security';
import { describeEachOrm } from './support/each-orm';
import type { Orm } from './support/orm';

const role = `role_${randomUUID().slice(0, 8)}`;

describeEachOrm(
  (opened, about) => {
    let orm: Orm;
    beforeAll(async () => {
      const { sql, url } = opened();
      await sql(`CREATE ROLE ${role} LOGIN PASSWORD '${role}'; ${createPolicies(role)}`);
      const ofRole = Object.assign(new URL(url), { username: role, password: role });
      orm = await about.open(ofRole.href);
    });
    afterAll(async () => {
      await orm.close();
      const { sql } = opened();
      const drop = ['seen', 'made', 'changed', 'removed'].map((name) => `DROP POLICY ${name} ON notes`);
      await sql(`${drop.join(';')}; ALTER TABLE notes DISABLE ROW LEVEL SECURITY`);
      await sql(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    });

    const declared = { columns, key: 'slug' } as const;
    const hasXmin = ['Drizzle', 'Knex', 'Kysely'].includes(about.orm);
    describe.each([
      { what: 'a transaction', open: () => rowStore({ ...orm.rows, ...declared }) },
      ...(hasXmin
        ? [
            {
              what: 'one statement',
              open: () => rowStore({ ...orm.rows, ...declared, version: 'xmin' as const }),
            },
          ]
        : []),
    ])('in $what', ({ open }) => {
      test.each(policed)('$what: $method of $row with $sent is answered $status', async (policy) => {
        const { row, sent, status, error } = policy;
        const slug = randomUUID();
        const { sql } = opened();
        const read = () => sql(`SELECT body, title FROM notes WHERE slug = '${slug}'`);
        if (row !== undefined)
          await sql(`INSERT INTO notes (slug, title, body) VALUES ('${slug}', 'a', '${row}')`);
        const before = await read();
        expect(await sendPoliced(open() as never, slug, policy)).toEqual({
          status,
          errors: error === undefined ? [] : [expect.stringMatching(error)],
        });
        expect(await read()).toEqual(status === 204 ? [{ ...before[0], ...sent }] : before);
      });
    });
  },
  ['PostgreSQL'],
);
