/** All that asks the compiler stands in one test file, so that the libraries' types are read once. */
import { join } from 'node:path';
import ts from 'typescript';
import { compile } from './compiler';
import './examples.cases';
import './hover.cases';
import './readme.cases';
import './wrong-options.cases';

const usage = join(__dirname, 'usage.ts');

/** The compiler's findings for `usage.ts`, where these paths lead elsewhere. */
function findings(paths: Record<string, string[]>): string[] {
  const program = compile([usage], { paths });
  return ts
    .getPreEmitDiagnostics(program, program.getSourceFile(usage))
    .map(({ messageText, file, start = 0 }) => {
      const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1;
      return `${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    });
}

describe('What you write compiles, and what is wrong does not', () => {
  test.each([
    { name: 'Express 5', paths: {} },
    { name: 'Express 4', paths: { express: ['./node_modules/@types/express4/index.d.ts'] } },
  ])('with the types of $name', ({ paths }) => {
    expect(findings(paths)).toEqual([]);
  });
});
