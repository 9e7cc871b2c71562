/** The same tests, whose random part runs many times more. */
import './writable.test';
