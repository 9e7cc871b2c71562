/** The same, of every wrong store. */
import './row-conformance.test';
