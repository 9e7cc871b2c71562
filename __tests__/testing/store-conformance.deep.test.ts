/** The same, of every wrong store, and each behind a carrier too. */
import './store-conformance.test';
