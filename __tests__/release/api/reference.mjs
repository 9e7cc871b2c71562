/**
 * Writes the API reference, one page for each entry point, from the comments in lib/: to docs/api, or to the folder that is
 * named. `npm run api` renews what is checked in. A broken link in a comment, and an export without one, are errors.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Application, ReflectionKind } from 'typedoc';
import { ModuleRouter } from 'typedoc-plugin-markdown';

const root = join(import.meta.dirname, '../../..');
const folder = resolve(process.argv[2] ?? join(root, 'docs/api'));
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The entry points, as they are imported and as they are called here. */
const pages = Object.entries(exports)
  .filter(([, { types }]) => types !== undefined)
  .map(([name, { types }]) => ({
    imported: name.replace('.', 'patch-options'),
    page: name === '.' ? 'index' : name.slice(2),
    source: join(root, types.replace('./dist/', 'lib/').replace('.d.ts', '.ts')),
  }));

/** Types that the declarations name and apps cannot import: each is either structural or made by the library alone. */
const notExported = [
  ...[
    'Answer',
    'Awaitable',
    'IoRedisClient',
    'Members',
    'MysqlStatement',
    'NodeRedisClient',
    'OnlyThese',
    'PostgresTable',
    'SchemaResult',
  ],
  ...['ValueOfColumn', 'statuses'],
];

/**
 * Anchors made of names, as in `api-corsoptions-maxage`. GitHub numbers headings that read the same, so that links to them
 * would drift with what stands above.
 */
class AnchoredByName extends ModuleRouter {
  buildPages(project) {
    const built = super.buildPages(project);
    const taken = new Set();
    for (const reflection of this.anchors.keys()) {
      const [page] = this.fullUrls.get(reflection).split('#');
      const name = anchorOf(reflection);
      // A function and the type that it returns may differ in case alone.
      const kind = ReflectionKind.singularString(reflection.kind).toLowerCase().replaceAll(' ', '-');
      const anchor = taken.has(`${page}#${name}`) ? `${name}-${kind}` : name;
      taken.add(`${page}#${anchor}`);
      this.anchors.set(reflection, anchor);
      this.fullUrls.set(reflection, `${page}#${anchor}`);
    }
    return built;
  }
}

function anchorOf(reflection) {
  const unnamed = ReflectionKind.TypeLiteral | ReflectionKind.SomeSignature;
  const names = [];
  for (let at = reflection; !at.kindOf(ReflectionKind.SomeModule); at = at.parent) {
    if (at === reflection || !at.kindOf(unnamed)) names.unshift(at.name);
  }
  const name = names.join('-').toLowerCase();
  return `api-${name.replace(/[^a-z\d-]+/g, '')}`;
}

const app = await Application.bootstrapWithPlugins({
  plugin: ['typedoc-plugin-markdown'],
  entryPoints: pages.map(({ source }) => source),
  tsconfig: join(root, 'tsconfig.build.json'),
  // Types are checked by `npm run lint`.
  skipErrorChecking: true,
  logLevel: 'Warn',
  treatWarningsAsErrors: true,
  validation: { notExported: true, invalidLink: true, invalidPath: true, rewrittenLink: true },
  intentionallyNotExported: notExported,
  // What would change without a change of the API: line numbers, and what Node's types say of Error.
  disableSources: true,
  excludeExternals: true,
  out: folder,
  readme: 'none',
  router: 'by-name',
  outputFileStrategy: 'modules',
  useHTMLAnchors: true,
  parametersFormat: 'table',
  hidePageHeader: true,
  hideBreadcrumbs: true,
  groupOrder: ['Functions', 'Classes', 'Interfaces', 'Type Aliases', 'Variables'],
  pageTitleTemplates: { module: ({ rawName }) => `\`${importedAs(rawName)}\`` },
});
app.renderer.defineRouter('by-name', AnchoredByName);

const project = await app.convert();
if (project === undefined) throw new Error('TypeDoc could not read the entry points');
for (const module of project.children) {
  // TypeDoc calls it by the path of its source.
  module.name = module.name.split('/').at(-1);
  for (const exported of module.children.filter((each) => !isDocumented(each))) {
    app.logger.error(`${importedAs(module.name)}: ${exported.name} has no comment.`);
  }
}
app.validate(project);
rmSync(folder, { recursive: true, force: true });
await app.generateOutputs(project);
writeFileSync(join(folder, 'README.md'), contents());
if (app.logger.hasErrors() || app.logger.hasWarnings()) process.exitCode = 1;

function isDocumented(reflection) {
  // Another entry point exports it, too, and has its comment.
  const target = reflection.kindOf(ReflectionKind.Reference) ? reflection.getTargetReflection() : reflection;
  return [target, ...(target.signatures ?? [])].some((each) => each.hasComment());
}

function importedAs(page) {
  return pages.find((each) => each.page === page).imported;
}

function contents() {
  const lines = pages.map(({ imported, page }) => `- [\`${imported}\`](${page}.md)`);
  return [
    ...['# API reference', ''],
    'Written by `npm run api` from the comments in `lib/`, one page for each entry point.',
    ...['', ...lines, ''],
  ].join('\n');
}
