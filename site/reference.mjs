/**
 * Writes the API reference to `api/`, a page for each export, from the comments in lib/. A broken link in a comment, and an
 * export without one, are errors.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Application, ReflectionKind } from 'typedoc';
import { indexOf } from './reference-index.mjs';

const root = join(import.meta.dirname, '..');
const folder = join(import.meta.dirname, 'api');
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The entry points: how each is imported, and its folder in lib/, which TypeDoc calls the module by. */
const entryPoints = Object.entries(exports)
  .filter(([, { types }]) => types !== undefined)
  .map(([name, { types }]) => ({
    imported: name.replace('.', 'patch-options'),
    folder: types.replace('./dist/', '').replace(/\/?index\.d\.ts$/, ''),
  }));

const app = await Application.bootstrapWithPlugins({
  plugin: ['typedoc-plugin-markdown'],
  entryPoints: entryPoints.map((entryPoint) => join(root, 'lib', entryPoint.folder, 'index.ts')),
  tsconfig: join(root, 'tsconfig.build.json'),
  // Types are checked by `npm run lint`.
  skipErrorChecking: true,
  logLevel: 'Warn',
  treatWarningsAsErrors: true,
  validation: { notExported: false, invalidLink: true, invalidPath: true, rewrittenLink: true },
  disableSources: true,
  excludeExternals: true,
  readme: 'none',
  entryFileName: 'index',
  parametersFormat: 'table',
  hidePageHeader: true,
  hideBreadcrumbs: true,
  name: 'API reference',
  out: folder,
  groupOrder: ['Functions', 'Classes', 'Interfaces', 'Type Aliases', 'Variables'],
  pageTitleTemplates: {
    index: () => 'API reference',
    module: ({ name }) => `\`${name}\``,
    member: ({ name, keyword }) => `${keyword ? `${keyword} ` : ''}${name}`,
  },
});

const sources = new Map();
const project = await app.convert();
if (project === undefined) throw new Error('TypeDoc could not read the entry points');
for (const module of project.children) {
  const entryPoint = entryPoints.find((each) => (each.folder || 'index') === module.name);
  if (entryPoint === undefined) throw new Error(`package.json has no entry point for lib/${module.name}`);
  module.name = entryPoint.imported;
  sources.set(module, join(root, 'lib', entryPoint.folder, 'index.ts'));
  for (const exported of module.children.filter((each) => !isDocumented(each))) {
    app.logger.error(`${module.name}: ${exported.name} has no comment.`);
  }
}
app.validate(project);
rmSync(folder, { recursive: true, force: true });
await app.generateOutputs(project);
// In place of TypeDoc's own lists, which have kinds and no sentence.
const modules = [...sources].sort(([one], [other]) => (one.name < other.name ? -1 : 1));
for (const [module, source] of modules) {
  const up = '../'.repeat(module.name.split('/').length);
  const text = `# \`${module.name}\`\n\n${indexOf(module, source, up, 2)}`;
  writeFileSync(join(folder, module.name, 'index.md'), text);
}
const all = modules.map(
  ([module, source]) =>
    `## [\`${module.name}\`](${module.name}/index.md)\n\n${indexOf(module, source, '', 3)}`,
);
writeFileSync(join(folder, 'index.md'), `# API reference\n\n${all.join('\n')}`);
if (app.logger.hasErrors() || app.logger.hasWarnings()) process.exitCode = 1;

function isDocumented(reflection) {
  // Another entry point exports it, too, and has its comment.
  const target = reflection.kindOf(ReflectionKind.Reference) ? reflection.getTargetReflection() : reflection;
  return [target, ...(target.signatures ?? [])].some((each) => each.hasComment());
}
