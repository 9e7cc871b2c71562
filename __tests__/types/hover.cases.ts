/** What an editor shows of an option: what it does, its default and the clause that it follows. The pages of docs/ say the same. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { compile } from './compiler';

const root = join(__dirname, '../..');

/** Options that follow from no clause of a standard, but from what this library is. */
const ourOwn = new Set([
  ...['root', 'errors', 'cors', 'resources', 'guard', 'patch', 'onRefused', 'vary', 'originTimeout'],
  ...[
    'key',
    'represent',
    'transform',
    'may',
    'authorize',
    'dryRun',
    'outcomes',
    'keep',
    'total',
    'commandTimeout',
    'maxAge',
    'scope',
    'retries',
    'unchanged',
    'onDeleted',
    'get',
    'put',
  ],
  ...[
    'onPatched',
    'onPatchedError',
    'dangerouslyAllowPublicSuffixes',
    'bytes',
    'operations',
    'depth',
    'copied',
    'shifted',
    'changes',
    'result',
  ],
  ...['table', 'schema', 'prepare', 'prefix', 'busyTimeout', 'acceptWalResetFault', 'max'],
  ...['timeout', 'onConflict'],
  ...['carrier', 'members', 'creates', 'deletes'],
  ...['columns', 'version', 'modified', 'nulls', 'transaction', 'onWrite', 'engine', 'dbNull'],
  ...[
    'find',
    'update',
    'insert',
    'delete',
    'dialect',
    'returning',
    'columnNames',
    'kind',
    'readOnly',
    'nullable',
    'column',
  ],
]);

/** The files that the package's entry points name. */
const entries = [
  'index',
  'stores/sqlite/index',
  'stores/postgres/index',
  'stores/mysql/index',
  'stores/redis/index',
  'stores/rows/index',
  'client/index',
  'testing/index',
].map((entry) => join(root, `lib/${entry}.ts`));
const program = compile(entries);
const checker = program.getTypeChecker();

interface Option {
  readonly name: string;
  readonly required: boolean;
  readonly shown: string;
}

/** Every property of every exported type of options, those that it inherits included. */
const typesOfOptions = [...new Set(entries.flatMap(exportsOf))]
  .filter((symbol) => /Options$|^PatchLimits$|^MountedResource$|^OutcomeBounds$/.test(symbol.name))
  .filter((symbol) => resolved(symbol).flags & ts.SymbolFlags.Interface)
  .map((symbol) => ({
    type: symbol.name,
    all: checker.getDeclaredTypeOfSymbol(resolved(symbol)).getProperties().map(optionOf),
  }));

function exportsOf(file: string): ts.Symbol[] {
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  return module === undefined ? [] : checker.getExportsOfModule(module);
}

function resolved(symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function optionOf(symbol: ts.Symbol): Option {
  return {
    name: symbol.name,
    required: (symbol.flags & ts.SymbolFlags.Optional) === 0,
    shown: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
  };
}

const docs = join(root, 'docs');
const pages = readdirSync(docs)
  .filter((file) => file.endsWith('.md'))
  .map((file) => readFileSync(join(docs, file), 'utf8'))
  .join('\n');

/** What the pages say below the heading of an option, behind its type and its default; or in the last cell of a table's row. */
const said = new Set(
  [
    ...pages.matchAll(/^#{3,4} `(?:\w+\.)?(\w+)`\n\nType: .*\n\n(.*)$/gm),
    ...pages.matchAll(/^\| `(\w+)` +\|.* \| (.*?) +\|$/gm),
  ].map(([, name = '', says = '']) => `${name}: ${says}`),
);

describe.each(typesOfOptions)('$type', ({ type, all }) => {
  const names = (kept: (option: Option) => boolean): string[] => all.filter(kept).map(({ name }) => name);

  test('says what each does', () => {
    expect(all).not.toEqual([]);
    expect(names(({ shown }) => !/^[A-Z`'].{15,}\.$/s.test(shown))).toEqual([]);
  });

  test('and its default, where it may be left out', () => {
    const mustBeSaid = ({ required }: Option): boolean => !required || type === 'PatchLimits';
    expect(names((option) => mustBeSaid(option) && !/\bDefault\b|\bLeft\s+out\b/.test(option.shown))).toEqual(
      [],
    );
  });

  test('and docs/ the same, but for the default, which stands beside the type there', () => {
    const shown = all.map(
      ({ name, shown }) => `${name}: ${shown.replace(/\s*\bDefault\b.*/s, '').replace(/\n/g, ' ')}`,
    );
    expect(type === 'MountedResource' ? [] : shown.filter((text) => !said.has(text))).toEqual([]);
  });

  test('and its clause, where there is one', () => {
    const clause = /\bRFC \d+|\bFetch\b|\bdraft-ietf|\bSecure Contexts\b/;
    const isOwn = (name: string): boolean =>
      ourOwn.has(name) && !(type === 'CorsOptions' && name === 'maxAge');
    expect(names(({ name, shown }) => !isOwn(name) && !clause.test(shown))).toEqual([]);
  });
});
