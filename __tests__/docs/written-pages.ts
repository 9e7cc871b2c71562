/** The pages with the texts of lib/ in their places: `npm run docs` writes them, and a test asks whether that was done. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LibTexts } from './lib-texts';

const root = join(__dirname, '../..');

/** The types whose options a page has headings for. Of two with an option of one name, the first counts. */
export const optionsOfPages: ReadonlyMap<string, readonly string[]> = new Map([
  ['docs/client.md', ['ResourceClientOptions']],
  ['docs/columns.md', ['ColumnOptions']],
  ['docs/cors.md', ['CorsOptions']],
  ['docs/idempotency.md', ['PatchHandlerOptions']],
  ['docs/options-and-405.md', ['PatchOptions', 'MethodNotAllowedOptions']],
  ['docs/orms/mongoose.md', ['MongooseStoreOptions']],
  ['docs/orms/other.md', ['Rows', 'DeclaredForms']],
  ['docs/orms/prisma.md', ['PrismaRowsOptions']],
  ['docs/orms/sequelize.md', ['SequelizeRowsOptions']],
  ['docs/orms/sql.md', ['TableStoreOptions']],
  ['docs/patch.md', ['MergePatchOptions', 'PatchHandlerOptions']],
  ['docs/resource.md', ['ResourceOptions']],
  ['docs/rows.md', ['RowStoreOptions', 'LaterRowStoreOptions']],
  ['docs/stores.md', ['SqliteStoreOptions', 'PostgresStoreOptions', 'RedisStoreOptions']],
  ['docs/your-own-store.md', ['ConformanceOptions']],
]);

/** The heading of an option, and what is written below it: its type or default, and the paragraph after that. */
const section = /^(#{3,4} `([\w.]+)`\n\n)(?:(?:Type|Default): .*|Required\.)\n\n.+$/gm;

/** Every page that has texts of lib/, by its path. */
export function writtenPages(texts: LibTexts): ReadonlyMap<string, string> {
  const pages = [...optionsOfPages].map(
    ([path, types]) =>
      [
        path,
        readPage(path).replaceAll(section, (_whole, heading: string, name: string) => {
          const option = findOption(texts, types, name);
          if (option === undefined)
            throw new Error(`${path} has a heading for ${name}, which is no option of lib/`);
          return `${heading}${option.type}\n\n${option.text}`;
        }),
      ] as const,
  );
  return new Map([...pages, ['docs/errors.md', writeErrors(texts)]]);
}

/** The options that a page says something of, each as type and name. */
export function optionsOn(path: string, texts: LibTexts): string[] {
  const types = optionsOfPages.get(path) ?? [];
  return [...readPage(path).matchAll(section)].map(([, , name = '']) => {
    return `${name.replace(/^.*\./, '')}: ${findOption(texts, types, name)?.text}`;
  });
}

export function readPage(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

function findOption(texts: LibTexts, types: readonly string[], name: string) {
  return types.map((type) => texts.option(type, name)).find((option) => option !== undefined);
}

/** Where the page goes on about something that a class of errors says. */
const links: readonly (readonly [string, string])[] = [
  ['is not JSON', 'patch.md#the-body'],
  ['`timestamp` of MySQL or MariaDB', 'columns.md#timestamp-columns-of-mysql-and-mariadb'],
  ['`readOnly`', 'columns.md#kinds'],
  ['kind', 'columns.md#kinds'],
];

/** The tables of errors.md: which codes, in which order, is what the page says; the words are those of lib/. */
function writeErrors(texts: LibTexts): string {
  const cors = new Map([...texts.union('CorsRefusalCode'), ...texts.union('ExplanationCode')]);
  const errors = [...texts.errors()].map(
    ([name, [code = '', text = '']]) => [name, [code, linkFirst(text)]] as const,
  );
  const tables: Readonly<Record<string, ReadonlyMap<string, readonly string[]>>> = {
    '| code | cause and fix |': texts.union('MistakeCode'),
    '| code | status | cause | fix |': texts.problems(),
    '| code | cause | fix |': texts.union('WarningCode'),
    '| code | meaning |': cors,
    '| class | code | what happened |': new Map(errors),
  };
  let header = '';
  const lines = readPage('docs/errors.md')
    .split('\n')
    .map((line) => {
      if (!line.startsWith('|')) header = '';
      else if (line in tables) header = line;
      const [, code = ''] = /^\| `([\w-]+)`/.exec(line) ?? [];
      const cells = tables[header]?.get(code);
      if (cells === undefined) return line;
      // Some problems need no fix.
      const columns = header.split(' | ').length - 1;
      const all = [...cells, ''].slice(0, columns).map((cell) => cell.replace(/^Fix: /, ''));
      return `| \`${code}\` | ${all.join(' | ')} |`;
    });
  return lines.join('\n');
}

function linkFirst(text: string): string {
  const link = links.find(([words]) => text.includes(words));
  return link === undefined ? text : text.replace(link[0], `[${link[0]}](${link[1]})`);
}
