import { tellNotTested } from './not-tested';

/**
 * Describes what needs a program that may not be installed. Without it, CI fails; elsewhere the cases are reported as skipped, and it
 * is said what to install.
 *
 * @param missing - what to say then
 */
export function describeWhere(isThere: boolean, title: string, missing: string, cases: () => void): void {
  if (isThere) {
    describe(title, cases);
  } else if (process.env['CI'] === 'true') {
    test(title, () => {
      throw new Error(missing);
    });
  } else {
    tellNotTested(missing);
    describe.skip(title, cases);
  }
}
