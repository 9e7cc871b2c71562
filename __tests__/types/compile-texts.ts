import { join } from 'node:path';
import ts from 'typescript';

const root = join(__dirname, '../..');

/**
 * What the compiler finds in texts that stand in no file, each a module beside the tests of types, under the project's
 * own settings.
 *
 * @returns for each text, in their order, a finding for each error: the line up to it, and the whole message
 */
export function findingsIn(texts: readonly string[]): string[][] {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const modules = new Map(
    texts.map((text, i) => [join(root, `__tests__/types/text-${i + 1}.ts`), `${text}\nexport {};\n`]),
  );
  const host = ts.createCompilerHost(options);
  const onDisk = ts.createCompilerHost(options);
  host.fileExists = (path) => modules.has(path) || onDisk.fileExists(path);
  host.readFile = (path) => modules.get(path) ?? onDisk.readFile(path);
  host.getSourceFile = (path, ...rest) => {
    const text = modules.get(path);
    return text === undefined
      ? onDisk.getSourceFile(path, ...rest)
      : ts.createSourceFile(path, text, ts.ScriptTarget.ES2022);
  };
  const settings = { ...options, module: ts.ModuleKind.ESNext, noUnusedLocals: false };
  const program = ts.createProgram([...modules.keys()], settings, host);
  return [...modules].map(([path, text]) =>
    ts.getPreEmitDiagnostics(program, program.getSourceFile(path)).map(({ messageText, start = 0 }) => {
      const line = text.slice(0, start).split('\n').pop() ?? '';
      return `${line} … ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    }),
  );
}
