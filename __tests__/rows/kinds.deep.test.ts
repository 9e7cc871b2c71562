/** The same, with more values. */
import './kinds.test';
