import { describeDifferential } from './differential';

describeDifferential('the methods of a target are those that Express dispatches', 4_000, 1);
