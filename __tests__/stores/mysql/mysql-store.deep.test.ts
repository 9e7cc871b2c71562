/** The same, with more collations, isolation levels and pools. */
import './mysql-store.test';
