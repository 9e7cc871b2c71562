import { join } from 'node:path';
import ts from 'typescript';
import { compile } from '../types/compiler';

const root = join(__dirname, '../..');

test('what users write compiles with the types of Express 4, too', () => {
  const types = join(root, 'node_modules/@types/express4/index.d.ts');
  const files = ['__tests__/types/usage.ts', 'lib/express/parseurl.d.ts'].map((file) => join(root, file));
  const program = compile(files, { paths: { express: [types] } });
  const findings = ts.getPreEmitDiagnostics(program);
  expect(findings.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
  expect(program.getSourceFile(types)).toBeDefined();
});
