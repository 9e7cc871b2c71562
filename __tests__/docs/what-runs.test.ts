/** docs/orms/what-runs.md: each row of its table is a test of each ORM, by its title. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const page = readFileSync(join(root, 'docs/orms/what-runs.md'), 'utf8');
const [, , ...lines] = page.split('\n').filter((line) => line.startsWith('|'));
const rows = lines.map((line) => (line.split('|')[1] ?? '').trim());

const orms = ['prisma', 'typeorm', 'sequelize', 'mikroorm'] as const;
type Titles = Readonly<Partial<Record<(typeof orms)[number], string>>>;

/** Parts of titles of tests, or of what they check. */
const tested: Readonly<Record<string, Titles>> = {
  reading: {
    prisma: 'a computed field of a result extension',
    typeorm: 'what @AfterLoad makes of a column is shown',
    sequelize: 'a setter changes what is stored',
    mikroorm: 'the entity is loaded as the app loads it',
  },
  'a change': {
    prisma: 'update of one model, which hashes a password once',
    typeorm: '@BeforeUpdate changes what was sent',
    sequelize: 'a hook changes another member',
    mikroorm: 'a hook changes another member',
  },
  creating: {
    prisma: 'PUT creates with create',
    typeorm: 'creating runs @BeforeInsert',
    sequelize: 'PUT creates with Model.create',
    mikroorm: 'PUT creates with em.create',
  },
  DELETE: {
    prisma: 'a soft delete of an extension is what DELETE does',
    typeorm: 'deleting soft-removes an entity with a delete date',
    sequelize: 'delete destroys the instance',
    mikroorm: 'delete removes the entity',
  },
  'hooks of a change': {
    prisma: '$allModels.$allOperations, which sees each operation',
    typeorm: '@BeforeUpdate hashes a password with select: false, once',
    sequelize: 'a hook hashes a password that the default scope does not read',
    mikroorm: 'a subscriber changes what is flushed',
  },
  'hooks of creating': {
    prisma: 'PUT creates with create',
    typeorm: 'creating runs @BeforeInsert, @AfterInsert',
    sequelize: 'PUT creates with Model.create: setters, validators and hooks',
    mikroorm: 'PUT creates with em.create: hooks, onCreate and defaults',
  },
  'hooks of DELETE': {
    prisma: 'DELETE calls delete: their extensions run',
    typeorm: 'deleting soft-removes',
    sequelize: 'delete destroys the instance: its hook runs',
    mikroorm: 'delete removes the entity: its hook runs',
  },
  'hooks of reading': {
    prisma: 'a computed field of a result extension',
    typeorm: 'what @AfterLoad makes of a column is shown',
    sequelize: 'reading an instance runs afterFind',
    mikroorm: 'by its load hook',
  },
  validators: {
    prisma: 'of Zod',
    typeorm: 'what class-validator says is 422, with pointers',
    sequelize: 'a validator of the whole model sees what the change does not have',
    mikroorm: 'the list that class-validator throws',
  },
  'setters, getters': {
    prisma: 'a computed field',
    typeorm: 'a transformer converts a value',
    sequelize: 'a virtual setter sets two columns',
    mikroorm: 'a custom type converts what is written',
  },
  'time of the last write': {
    prisma: '@updatedAt is the time of the last change',
    typeorm: "UpdateDateColumn()(Note.prototype, 'updatedAt')",
    sequelize: 'updated_at: isSaved ? (expect.any(Date) as unknown) : null',
    mikroorm: 'onUpdate',
  },
  'version of the ORM': {
    typeorm: "VersionColumn()(Note.prototype, 'revision')",
    sequelize: 'a version that the store counts, too, is counted once',
    mikroorm: 'a version that the store counts, too, is counted once',
  },
  'left out of reading': {
    typeorm: 'a password that is not sent is not loaded, and not hashed again',
    sequelize: 'it does not hash it again when another member is set',
    mikroorm: 'it does not hash it again when another member is set',
  },
  'what hides a row': {
    prisma: 'return=minimal',
    typeorm: 'return=minimal',
    sequelize: 'with Prefer: %s',
    mikroorm: 'a row that a filter hides after the write',
  },
  relations: {
    prisma: 'relations are left as they are',
    typeorm: 'of a foreign key, the entity that was loaded by the old one makes no difference',
    sequelize: 'is not locked, so that a write neither waits for its row',
    mikroorm: 'its orphans go with it',
  },
};

test('each row of the table is tested', () => {
  expect(Object.keys(tested)).toEqual(rows);
});

describe.each(orms)('%s', (orm) => {
  const tests = [`saved-${orm}`, 'scopes']
    .map((name) => readFileSync(join(root, `__tests__/orms/${name}.deep.test.ts`), 'utf8'))
    .join('\n');

  test.each(rows)('%s', (row) => {
    const title = tested[row]?.[orm];
    if (title !== undefined) expect(tests).toContain(title);
  });
});
