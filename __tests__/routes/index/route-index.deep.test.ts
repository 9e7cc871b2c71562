/** The same tests, whose random part runs many times more. */
import './route-index.test';
