import { scaled } from '../support/deep-scale';
import { describeDifferential } from './differential';

describeDifferential(
  'the methods of a target are those that Express dispatches, at length',
  scaled(1_000_000),
  1_000_001,
);
