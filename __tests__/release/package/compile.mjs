/**
 * Compiles server.ts and consumer.ts of projects beside themselves: `node compile.mjs '[{ "project": folder, "resolution":
 * "node16", "strict": true }, …]'` writes for each what is wrong in them and in the package's declarations, as JSON.
 * A second argument names the package of another release of TypeScript.
 */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const { default: ts } = await import(process.argv[3] ?? 'typescript');

/** The ways in which apps resolve packages, and the types of package that know them. */
const resolutions = {
  node16: { types: ['module', 'commonjs'], options: { module: 'node16' } },
  bundler: { types: ['module'], options: { module: 'esnext', moduleResolution: 'bundler' } },
  // It knows no `exports`, and finds the entry points by `typesVersions`.
  node10: {
    types: ['commonjs'],
    options: { module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '6.0' },
  },
};

const strictest = { strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true };

/** Files of packages, parsed and bound once for all programs. */
const shared = new Map();

/** The two files once as ES modules, in module/, and once as CommonJS, in commonjs/. */
function sourcesIn(project, type) {
  const folder = join(project, type);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type }));
  cpSync(join(project, 'server.mjs'), join(folder, 'server.ts'));
  cpSync(join(project, 'consumer.ts'), join(folder, 'consumer.ts'));
  return [join(folder, 'server.ts'), join(folder, 'consumer.ts')];
}

function compile({ project, resolution, strict }) {
  const { types, options: resolving } = resolutions[resolution];
  const { options } = ts.convertCompilerOptionsFromJson(
    {
      target: 'es2022',
      declaration: true,
      lib: ['es2023'],
      types: ['node'],
      ...resolving,
      ...(strict ? strictest : { strict }),
    },
    project,
  );
  const host = ts.createCompilerHost(options);
  const getSourceFile = host.getSourceFile.bind(host);
  host.getCurrentDirectory = () => project;
  host.getSourceFile = (path, version, ...rest) => {
    if (!path.includes('/node_modules/')) return getSourceFile(path, version, ...rest);
    const key = `${path} ${JSON.stringify(version)}`;
    if (!shared.has(key)) shared.set(key, getSourceFile(path, version, ...rest));
    return shared.get(key);
  };
  const own = types.flatMap((type) => sourcesIn(project, type));
  const program = ts.createProgram(own, options, host);
  // One by one, for what is emitted whole is checked whole, the standard library included.
  for (const file of own) program.emit(program.getSourceFile(file));
  const checked = program
    .getSourceFiles()
    .filter(({ fileName }) => own.includes(fileName) || fileName.includes('/patch-options/dist/'));
  return [program.getOptionsDiagnostics(), ...checked.map((file) => ts.getPreEmitDiagnostics(program, file))]
    .flat()
    .map(
      ({ file, messageText }) =>
        `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    );
}

console.log(JSON.stringify(JSON.parse(process.argv[2]).map(compile)));
