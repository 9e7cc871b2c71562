import { resolve } from 'node:path';
import { printedByTypescript } from '../../support/run-typescript';
import { scaled } from '../../support/deep-scale';
import { names, values } from './names';

interface Report {
  readonly asked: number;
  readonly differences: readonly { readonly names: readonly string[] }[];
}

/** @param which - whether each name is given one value, or all that are tried */
export function describePollution(which: 'one' | 'all'): void {
  describe(`a name on Object.prototype changes no answer and no mistake, with ${which} of the values`, () => {
    let report: Report;

    beforeAll(async () => {
      const tried = which === 'one' ? 1 : scaled(values.length);
      const script = resolve(__dirname, 'run.ts');
      const printed = await printedByTypescript(script, [which, String(tried)], { NODE_NO_WARNINGS: '1' });
      report = JSON.parse(printed) as Report;
    }, 1_800_000);

    const differencesOf = (name: string) => report.differences.filter((found) => found.names.includes(name));

    test('without one, all is said twice alike', () => {
      expect(report.asked).toBeGreaterThan(90);
      expect(differencesOf('nothing')).toEqual([]);
    });

    test.each(names.map((name) => ({ name })))('$name', ({ name }) => {
      expect(differencesOf(name)).toEqual([]);
    });
  });
}
