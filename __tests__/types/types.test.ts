import { join } from 'node:path';
import ts from 'typescript';

const root = join(__dirname, '../..');
const usage = join(__dirname, 'usage.ts');

/** The compiler's findings for `usage.ts`, under the project's own settings and these. */
function findings(paths: Record<string, string[]>, settings: ts.CompilerOptions = {}): string[] {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram([usage], {
    ...options,
    ...settings,
    paths: { ...options.paths, ...paths },
  });
  return ts
    .getPreEmitDiagnostics(program, program.getSourceFile(usage))
    .map(({ messageText, file, start = 0 }) => {
      const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1;
      return `${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    });
}

describe('What hosts write compiles, and what is wrong does not', () => {
  test.each([
    { name: 'Express 5', paths: {} },
    { name: 'Express 4', paths: { express: ['./node_modules/@types/express4/index.d.ts'] } },
  ])('with the types of $name', ({ paths }) => {
    expect(findings(paths)).toEqual([]);
  });
});
