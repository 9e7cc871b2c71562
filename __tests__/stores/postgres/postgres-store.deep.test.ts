/** The ways of setting it up that the fast tests leave out. */
import { type SharedEngine, sharedPostgres } from '../../support/engines';
import { describeContract, ways } from './describe-contract';

let engine: SharedEngine;
beforeAll(async () => {
  engine = await sharedPostgres();
}, 60_000);
afterAll(() => engine.close());

describeContract(ways.slice(1), () => engine);
