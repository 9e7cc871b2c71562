/** The same, and every wrong store behind a carrier too. */
import './store-conformance.test';
