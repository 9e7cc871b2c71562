/** The same, with more collations, isolation levels and pools, and the table of PATCH. */
import './mysql-store.test';
