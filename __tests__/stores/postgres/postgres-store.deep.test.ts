/** The ways of setting it up that the fast tests leave out. */
import { type Engine, startPostgres } from '../../support/engines';
import { describeContract, ways } from './describe-contract';

let engine: Engine;
beforeAll(async () => {
  engine = await startPostgres();
}, 60_000);
afterAll(() => engine.close());

describeContract(ways.slice(1), () => engine);
