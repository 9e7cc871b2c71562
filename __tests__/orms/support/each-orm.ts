import { type DatabaseName, databaseNames, describeOver, openDatabase, type TestDatabase } from './databases';
import { drizzles } from './drizzle';
import { knexes } from './knex';
import { kyselys } from './kysely';
import { mikroorms } from './mikroorm';
import type { Orm, OrmUnderTest } from './orm';
import { prismas } from './prisma';
import { sequelizes } from './sequelize';
import { typeorms } from './typeorm';

export const allOrms: readonly OrmUnderTest[] = [
  ...[...prismas, ...drizzles, ...knexes],
  ...[...kyselys, ...typeorms, ...sequelizes, ...mikroorms],
];

/** What is open while a test runs. */
export interface Opened extends Orm {
  readonly sql: TestDatabase['sql'];
  readonly url: string;
}

/** Tests of each ORM over each database, or some of them. */
export function describeEachOrm(
  body: (opened: () => Opened, about: OrmUnderTest) => void,
  databases: readonly DatabaseName[] = databaseNames,
): void {
  for (const database of databases) {
    const orms = allOrms.filter((orm) => orm.database === database);
    if (orms.length === 0) continue;
    describeOver[database](database, () => {
      let testDatabase: TestDatabase;
      beforeAll(async () => {
        testDatabase = await openDatabase(database);
      });
      afterAll(() => testDatabase.close());

      describe.each(orms)('$orm', (about) => {
        let orm: Orm;
        beforeAll(async () => {
          orm = await about.open(testDatabase.url);
        });
        afterAll(() => orm.close());
        body(() => ({ ...orm, sql: testDatabase.sql, url: testDatabase.url }), about);
      });
    });
  }
}
