/** A release of an ORM that is too old is a mistake when the rows are made. */
import { mikroormRows, prismaRows, sequelizeRows, typeormRows } from '../../lib/rows';

const nothing = () => undefined;

describe('Prisma', () => {
  const model = { findFirst: nothing, create: nothing, update: nothing, delete: nothing };
  const clientOf = (version?: unknown) => ({
    ...{ note: model, $queryRawUnsafe: nothing, $executeRawUnsafe: nothing },
    ...(version !== undefined && { _clientVersion: version }),
  });

  test.each(['2.30.3', '4.16.2', '5.22.0', '6.0.0', '6.9.0', '6.18.0', '6.18.0-dev.1'])(
    '%s is refused',
    (version) => {
      expect(() => prismaRows(clientOf(version) as never, 'note' as never)).toThrow(
        `is Prisma ${version}. Use Prisma 6.19 or later.`,
      );
    },
  );

  test.each(['6.19.0', '6.19.1', '6.20.0-dev.3', '7.0.0-dev.3', '7.10.0', '10.0.0'])(
    '%s is taken',
    (version) => {
      expect(prismaRows(clientOf(version) as never, 'note' as never)).toHaveProperty('save');
    },
  );

  test.each([{ version: undefined }, { version: 'next' }, { version: 5 }])(
    'a mocked or wrapped client, whose version is $version, is taken',
    ({ version }) => {
      expect(prismaRows(clientOf(version) as never, 'note' as never)).toHaveProperty('save');
    },
  );

  test('a client with extensions, which inherits its version, is refused too', () => {
    const extended: object = Object.create(clientOf('5.22.0'));
    expect(() => prismaRows(extended as never, 'note' as never)).toThrow('is Prisma 5.22.0');
  });
});

test('TypeORM before 0.3, whose repository has no findOneBy', () => {
  const repository = { createQueryBuilder: nothing, metadata: {} };
  expect(() => typeormRows(repository)).toThrow('is not a repository of TypeORM 0.3 or later');
});

test('Sequelize before 6.12, whose models have no getAttributes', () => {
  const model = { name: 'Note', findOne: nothing, create: nothing, rawAttributes: {} };
  expect(() => sequelizeRows(model as never)).toThrow('is not a model of Sequelize 6.12 or later');
});

test('MikroORM before 5.6, whose entity manager has no upsertMany, and one of MongoDB, which has no execute', () => {
  const [old, ofMongodb] = [
    { fork: nothing, execute: nothing },
    { fork: nothing, upsertMany: nothing },
  ];
  const message = 'is not an EntityManager of MikroORM 5.9 or later with a SQL driver';
  expect(() => mikroormRows(old, 'Note')).toThrow(message);
  expect(() => mikroormRows(ofMongodb, 'Note')).toThrow(message);
});
