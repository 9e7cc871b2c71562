import { compare, expectations } from './differential';
import { flavours } from './flavours';

const scale = Number(process.env['DEEP_SCALE'] ?? 1);
const cases = 1_000_000 * scale;
const seed = Number(process.env['SEED'] ?? 1_000_001);

// Every 405 is an error, of which nobody reads the stack here.
Error.stackTraceLimit = 0;

describe(`the methods of a target are those that Express dispatches, at length (SEED=${seed})`, () => {
  it.each(flavours)('$name', async (flavour) => {
    const census = await compare(flavour, cases, seed);
    expect(census.expected).toEqual(expectations);
    expect(census.disagreements.slice(0, 10)).toEqual([]);
    expect(census.cases).toBeGreaterThanOrEqual(cases);
  });
});
