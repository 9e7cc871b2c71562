import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import Database from 'better-sqlite3';
import { storeConformance } from '../../lib/stores/conformance';
import type { SqliteHandle } from '../../lib/stores/sqlite-handle';
import { SqliteStore } from '../../lib/stores/sqlite-store';

/** The drivers, each as a host opens it: without a busy timeout, so that the store has to wait by itself. */
const drivers: Record<string, (file: string) => SqliteHandle & { close(): unknown }> = {
  'node:sqlite': (file) => new DatabaseSync(file),
  'better-sqlite3': (file) => new Database(file, { timeout: 0 }),
};

const folder = mkdtempSync(join(tmpdir(), 'patch-options-sqlite-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});
let files = 0;
const newFile = () => join(folder, `${files++}.db`);

describe.each(Object.entries(drivers))('SqliteStore over %s', (_, openFile) => {
  describe('keeps the contract of ResourceStore', () => {
    const cases = storeConformance(() => {
      const file = newFile();
      const handles: { close(): unknown }[] = [];
      return {
        async open() {
          const db = openFile(file);
          handles.push(db);
          db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
          const store = new SqliteStore(db, { table: 'resources' });
          await store.setup();
          return store;
        },
        close() {
          for (const db of handles) db.close();
        },
      };
    });
    test.each(cases)('$name', ({ run }) => run());
  });
});
