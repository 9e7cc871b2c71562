/** The same tests, of many times more requests. */
import './precondition-oracle.test';
