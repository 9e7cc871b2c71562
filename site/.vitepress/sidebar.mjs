import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const page = (text, path) => ({ text, link: `/${path}` });
const group = (text, items) => ({ text, items });

export const sidebar = [
  group('Guide', [
    page('Overview', ''),
    page('How do I …?', 'how-do-i'),
    page('Getting started', 'getting-started'),
    page('Moving an app in', 'adopting'),
    page('Leaving a hand-written PATCH', 'hand-written'),
    page('The pages that you have', 'whole-records'),
    page('OPTIONS and 405', 'options-and-405'),
    page('CORS', 'cors'),
    page('Migrating from npm cors', 'migrating-from-cors'),
    page('PATCH', 'patch'),
    page('With zod, valibot or ArkType', 'schemas'),
    page('The whole resource', 'resource'),
    page('Lists and POST', 'lists-and-post'),
    page('Security', 'security'),
    page('The client', 'client'),
    page('A form that shows conflicts', 'conflict-form'),
    page('Frameworks', 'frameworks'),
  ]),
  group('Your data', [
    page('Your data', 'your-data'),
    page('Prisma', 'orms/prisma'),
    page('Drizzle', 'orms/drizzle'),
    page('Knex', 'orms/knex'),
    page('Kysely', 'orms/kysely'),
    page('TypeORM', 'orms/typeorm'),
    page('Sequelize', 'orms/sequelize'),
    page('MikroORM', 'orms/mikro-orm'),
    page('Mongoose', 'orms/mongoose'),
    page('SQL', 'orms/sql'),
    page('Another ORM', 'orms/other'),
    page('What your ORM runs', 'orms/what-runs'),
    page('Rows: reference', 'rows'),
    page('Rows: columns', 'columns'),
    page('Rows: recipes', 'row-recipes'),
  ]),
  group('Advanced', [
    page('Lists by key', 'patch#lists-by-key'),
    page('Idempotency', 'idempotency'),
    page('Agents', 'agents'),
    page('JSON functions', 'json'),
    page('Stores', 'stores'),
    page('Your own store', 'your-own-store'),
  ]),
  group('Tools', [
    page('Why does the browser refuse?', 'cors#why-does-the-browser-refuse'),
    page('Testing your app', 'testing'),
    page('Logs, metrics and traces', 'monitoring'),
    page('TypeScript', 'typescript'),
  ]),
  group('Reference', [
    page('Errors and warnings', 'errors'),
    page('Standards', 'standards'),
    page('Performance', 'performance'),
    page('All figures', 'bench/results'),
    page('API', 'api/'),
    page('Changelog', 'changelog'),
  ]),
];

/** For each entry point: all of them, and what it exports. */
export function referenceSidebars(folder) {
  const modules = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /^patch-options\b.*index\.md$/.test(path))
    .map((path) => path.replace('/index.md', ''))
    .sort();
  const links = modules.map((module) => page(module, `api/${module}/`));
  const entries = modules.map((module) => {
    const kinds = ['functions', 'classes', 'interfaces', 'type-aliases', 'variables'];
    const exported = kinds.flatMap((kind) =>
      pagesIn(join(folder, module, kind)).map((name) => page(name, `api/${module}/${kind}/${name}`)),
    );
    const items = links.map((link) =>
      link.text === module ? { ...link, collapsed: false, items: exported } : link,
    );
    return [`/api/${module}/`, [group('API reference', items)]];
  });
  return Object.fromEntries([...entries, ['/api/', [group('API reference', links)]]]);
}

function pagesIn(folder) {
  return existsSync(folder)
    ? readdirSync(folder)
        .map((file) => file.replace('.md', ''))
        .sort()
    : [];
}
