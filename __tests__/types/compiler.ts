import { dirname, join } from 'node:path';
import ts from 'typescript';

const root = join(__dirname, '../..');
const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path));
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);

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
  const folders = new Set([...texts.keys()].map((path) => dirname(path)));
  host.directoryExists = (path) => folders.has(path) || onDisk.directoryExists?.(path) !== false;
  return ts.createProgram(
    [...paths, ...texts.keys()],
    { ...options, ...settings, paths: { ...options.paths, ...settings.paths } },
    host,
  );
}

/** Texts that stand in no file, each as a module in this folder. */
export function toModules(folder: string, texts: readonly string[]): ReadonlyMap<string, string> {
  return new Map(texts.map((text, i) => [join(folder, `text-${i + 1}.ts`), `${text}\nexport {};\n`]));
}

/** For each of these modules of a program, a finding for each error: the line up to it, and the whole message. */
export function findingsIn(program: ts.Program, modules: ReadonlyMap<string, string>): string[][] {
  return [...modules].map(([path, text]) =>
    ts.getPreEmitDiagnostics(program, program.getSourceFile(path)).map(({ messageText, start = 0 }) => {
      const line = text.slice(0, start).split('\n').pop() ?? '';
      return `${line} … ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    }),
  );
}
