import { createRethrow } from '../../../lib/stores/sql/missing-table';

const rethrow = createRethrow('MysqlStore', { schema: 'app', table: 'notes' }, () => true);

test.each([
  { message: 'relation "notes" does not exist', isOwn: true },
  { message: 'relation "app.notes_outcomes" does not exist', isOwn: true },
  { message: 'la relation « notes » n’existe pas', isOwn: true },
  { message: 'Relation »app.notes« existiert nicht', isOwn: true },
  { message: "Table 'app.notes' doesn't exist", isOwn: true },
  { message: "Table 'app.Notes' doesn't exist", isOwn: true },
  { message: "Tabelle 'app.notes_outcomes' existiert nicht", isOwn: true },
  { message: "Unknown database 'app'", isOwn: true },
  { message: 'no such table: notes', isOwn: true },
  { message: 'no such table: main.notes_outcomes', isOwn: true },
  { message: 'SQLITE_ERROR: no such table: main.notes', isOwn: true },
  { message: 'relation "notes_audit" does not exist', isOwn: false },
  { message: 'relation "old-notes" does not exist', isOwn: false },
  { message: 'relation "app.audit" does not exist', isOwn: false },
  { message: 'relation "my notes" does not exist', isOwn: false },
  { message: "Table 'notes.audit' doesn't exist", isOwn: false },
  { message: "Unknown database 'app_test'", isOwn: false },
  { message: 'no such table: notesé', isOwn: false },
  { message: undefined, isOwn: false },
])('$message: of the store $isOwn', ({ message, isOwn }) => {
  const cause = { message };
  const thrown: unknown = (() => {
    try {
      return rethrow(cause);
    } catch (error) {
      return error;
    }
  })();
  if (isOwn) expect(thrown).toMatchObject({ code: 'PATCH_OPTIONS_MISSING_TABLE', cause });
  else expect(thrown).toBe(cause);
});

test.each(['no such table: notes', undefined])('what is thrown is no object, but %p', (thrown) => {
  expect.assertions(1);
  try {
    rethrow(thrown);
  } catch (error) {
    expect(error).toBe(thrown);
  }
});
