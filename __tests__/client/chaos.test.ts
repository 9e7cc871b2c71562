import { MemoryStore } from '../../lib';
import { SqliteStore } from '../../lib/stores/sqlite';
import { describeChaos } from './describe-chaos';
import type { Ledger } from './ledger';
import { DatabaseSync } from '../support/sqlite';

describeChaos('MemoryStore', () => Promise.resolve({ store: new MemoryStore<Ledger>() }), 8, ['without']);

describeChaos(
  'SqliteStore',
  async () => {
    const db = new DatabaseSync(':memory:');
    const store = new SqliteStore<Ledger>(db, { table: 'ledgers' });
    await store.setup();
    return {
      store,
      close: () => {
        db.close();
      },
    };
  },
  4,
  ['with'],
);
