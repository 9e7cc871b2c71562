/** The same tests, whose random part runs many times more. */
import './frozen-json.test';
