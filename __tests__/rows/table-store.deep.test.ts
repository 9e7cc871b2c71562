/** The same, with the contract over MariaDB. */
import './table-store.test';
