/** Says what a run leaves out for want of something that is not installed, and how to install it: one line, however many files need it. */
export function tellNotTested(what: string, install: string): void {
  (globalThis as { tellOnce?: (line: string) => void }).tellOnce?.(`NOT TESTED: ${what}. ${install}`);
}
