import { isDeep, scaled } from '../support/deep-scale';
import { describeDifferential } from './differential';

describeDifferential(
  'the methods of a target are those that Express dispatches',
  isDeep() ? scaled(1_000_000) : 4_000,
  isDeep() ? 1_000_001 : 1,
);
