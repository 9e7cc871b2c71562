/** The same tests, whose random part runs many times more. */
import './apply-keyed-merge-patch.test';
