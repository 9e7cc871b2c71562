import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  type Model,
  Sequelize,
  Transaction,
} from 'sequelize';
import { sequelizeRows } from '../../../lib/rows';
import { naming, type Orm, type OrmUnderTest } from './orm';

interface NoteModel extends Model<InferAttributes<NoteModel>, InferCreationAttributes<NoteModel>> {
  id: CreationOptional<number>;
  slug: string;
  title: string;
  age: number | null;
}

interface AuditModel extends Model<InferAttributes<AuditModel>, InferCreationAttributes<AuditModel>> {
  id: CreationOptional<number>;
  slug: string | null;
  before: string | null;
  after: string;
}

const text = DataTypes.TEXT;
const id = { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true };

function openPostgresSequelize(url: string): Sequelize {
  return new Sequelize(url, { logging: false, pool: { max: 10 } });
}

/** By npm mariadb, or by mysql2 where the dialect is `mysql`. */
function openMariadbSequelize(url: string): Sequelize {
  return new Sequelize(url.replace(/^mysql:/, 'mariadb:'), {
    ...{ logging: false, pool: { max: 10 } },
    dialectOptions: { bigNumberStrings: true },
  });
}

/** What an app has in its models, but for members that these tests do not name in TypeScript. */
const others = {
  body: text,
  email: { type: text, unique: true },
  ratio: DataTypes.DOUBLE,
  price: DataTypes.DECIMAL(8, 2),
  serial: DataTypes.BIGINT,
  done: DataTypes.BOOLEAN,
  due: DataTypes.DATE(3),
  local: DataTypes.DATE(3),
  day: DataTypes.DATEONLY,
  clock: DataTypes.TIME,
  state: DataTypes.ENUM('draft', 'paid'),
  uid: DataTypes.UUID,
  text,
  code: DataTypes.STRING(8),
  secret: text,
  outcomes: text,
};

function modelsOf(sequelize: Sequelize) {
  const isPostgres = sequelize.getDialect() === 'postgres';
  const json = isPostgres ? DataTypes.JSONB : DataTypes.JSON;
  const Note = sequelize.define<NoteModel>(
    'Note',
    {
      id,
      slug: { type: text, allowNull: false, unique: true },
      title: { type: text, allowNull: false },
      age: DataTypes.INTEGER,
      ...{ ...others, extra: json, facts: json },
      ...(isPostgres && {
        tags: DataTypes.ARRAY(DataTypes.TEXT),
        parts: DataTypes.ARRAY(DataTypes.JSONB),
        prices: DataTypes.ARRAY(DataTypes.DECIMAL),
        days: DataTypes.ARRAY(DataTypes.DATEONLY),
        ages: DataTypes.ARRAY(DataTypes.INTEGER),
        ratios: DataTypes.ARRAY(DataTypes.DOUBLE),
        flags: DataTypes.ARRAY(DataTypes.BOOLEAN),
        dues: DataTypes.ARRAY(DataTypes.DATE(3)),
        clocks: DataTypes.ARRAY(DataTypes.TIME),
        serials: DataTypes.ARRAY(DataTypes.BIGINT),
        uids: DataTypes.ARRAY(DataTypes.UUID),
      }),
    },
    { tableName: 'notes', underscored: true },
  );
  const Audit = sequelize.define<AuditModel>(
    'Audit',
    { id, slug: text, before: text, after: { type: text, allowNull: false } },
    { tableName: 'audits', timestamps: false },
  );
  return { Note, Audit };
}

const isolations = {
  serializable: Transaction.ISOLATION_LEVELS.SERIALIZABLE,
  'repeatable read': Transaction.ISOLATION_LEVELS.REPEATABLE_READ,
};

function opened(sequelize: Sequelize): Orm {
  const { Note, Audit } = modelsOf(sequelize);
  return {
    rows: sequelizeRows(Note),
    ownTransaction: (run, isolation) =>
      sequelize.transaction({ isolationLevel: isolations[isolation ?? 'serializable'] }, (transaction) =>
        run(sequelizeRows(Note, { transaction }), transaction),
      ),
    audit: (transaction, row) => Audit.create(row, { transaction: transaction as Transaction }),
    readAudits: (transaction, slug) =>
      Audit.findAll({ where: { slug }, transaction: transaction as Transaction }),
    ownRead: (slug) => Note.findOne({ where: { slug }, rejectOnEmpty: true }),
    ownWrite: (id, set) => Note.update(set, { where: { id } }),
    ownIncrement: (slug) => Note.increment('age', { where: { slug } }),
    close: () => sequelize.close(),
  };
}

export const sequelizes: readonly OrmUnderTest[] = [
  {
    ...{ orm: 'Sequelize', database: 'PostgreSQL', names: naming.camelCase },
    open: (url) => opened(openPostgresSequelize(url)),
  },
  {
    ...{ orm: 'Sequelize', database: 'MariaDB', names: naming.camelCase },
    open: (url) => opened(openMariadbSequelize(url)),
  },
];
