import { resolve } from 'node:path';
import { printedByTypescript } from '../../support/run-typescript';
import { places } from './places';

/** A run over all places, in a process of its own: what ends a process cannot be seen from inside. */
interface Run {
  readonly express: string;
  /** What DEBUG is: what is thrown is then printed, too. */
  readonly debug: string;
  /** Whether every manner of throwing is tried with everything that can be thrown. */
  readonly which: 'some' | 'all';
}

interface Report {
  readonly sent: number;
  readonly amiss: readonly { readonly place: string; readonly what: string; readonly happened: string }[];
}

export function describeThrown(runs: readonly Run[]): void {
  describe.each(runs)(
    '$express, DEBUG=$debug: what the app’s code throws or gives ends no process',
    (run) => {
      let report: Report;

      beforeAll(async () => {
        const { express, debug, which } = run;
        const env = { DEBUG: debug, NODE_NO_WARNINGS: '1' };
        report = JSON.parse(
          await printedByTypescript(resolve(__dirname, 'run.ts'), [express, which], env),
        ) as Report;
      }, 600_000);

      test('all were tried', () => {
        expect(report.sent).toBeGreaterThan(places.length * 20);
      });

      test.each(places)('$place', ({ place }) => {
        expect(report.amiss.filter((found) => found.place === place)).toEqual([]);
      });
    },
  );
}
