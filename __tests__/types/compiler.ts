import { join } from 'node:path';
import ts from 'typescript';

const root = join(__dirname, '../..');
const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path));
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);

/** Read and bound once, for every program: the libraries are most of what each consists of. */
const sources = new Map<string, ts.SourceFile | undefined>();

/** A program under the project's own settings and these, of files on disk and of texts that stand in none. */
export function compile(
  paths: readonly string[],
  settings: ts.CompilerOptions = {},
  texts: ReadonlyMap<string, string> = new Map(),
): ts.Program {
  const host = ts.createCompilerHost({ ...options, ...settings });
  const onDisk = ts.createCompilerHost({ ...options, ...settings });
  host.fileExists = (path) => texts.has(path) || onDisk.fileExists(path);
  host.readFile = (path) => texts.get(path) ?? onDisk.readFile(path);
  host.getSourceFile = (path, ...rest) => {
    const text = texts.get(path);
    if (text !== undefined) return ts.createSourceFile(path, text, ts.ScriptTarget.ES2022);
    if (!sources.has(path)) sources.set(path, onDisk.getSourceFile(path, ...rest));
    return sources.get(path);
  };
  return ts.createProgram(
    [...paths, ...texts.keys()],
    { ...options, ...settings, paths: { ...options.paths, ...settings.paths } },
    host,
  );
}

/**
 * What the compiler finds in texts that stand in no file, each a module beside the tests of types.
 *
 * @returns for each text, in their order, a finding for each error: the line up to it, and the whole message
 */
export function findingsIn(texts: readonly string[]): string[][] {
  const modules = new Map(
    texts.map((text, i) => [join(__dirname, `text-${i + 1}.ts`), `${text}\nexport {};\n`]),
  );
  const program = compile([], { module: ts.ModuleKind.ESNext, noUnusedLocals: false }, modules);
  return [...modules].map(([path, text]) =>
    ts.getPreEmitDiagnostics(program, program.getSourceFile(path)).map(({ messageText, start = 0 }) => {
      const line = text.slice(0, start).split('\n').pop() ?? '';
      return `${line} … ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    }),
  );
}
