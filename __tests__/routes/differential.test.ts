import { compare, expectations } from './differential';
import { flavours } from './flavours';

const cases = 100_000;
const seed = Number(process.env['SEED'] ?? 1);

// Every 405 is an error, of which nobody reads the stack here.
Error.stackTraceLimit = 0;

/** The trees are those of one seed and the next ones: SEED=… repeats a run, or tries others. */
describe(`the methods of a target are those that Express dispatches (SEED=${seed})`, () => {
  it.each(flavours)(
    '$name',
    async (flavour) => {
      const census = await compare(flavour, cases, seed);
      expect(census.expected).toEqual(expectations);
      expect(census.disagreements.slice(0, 10)).toEqual([]);
      expect(census.cases).toBeGreaterThanOrEqual(cases);
    },
    60_000,
  );
});
