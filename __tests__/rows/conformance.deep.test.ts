/** The same, over PostgreSQL too. */
import './conformance.test';
