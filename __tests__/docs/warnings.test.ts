import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const docs = readFileSync(join(root, 'docs/errors.md'), 'utf8');

/** The codes of process warnings: all in lib but those of error classes. */
const emitted = readdirSync(join(root, 'lib'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) => {
    const text = readFileSync(join(root, 'lib', file), 'utf8').replace(/readonly code = '\w+'/g, '');
    return [...text.matchAll(/'(PATCH_OPTIONS_\w+)'/g)].map(([, code]) => code);
  });

test('docs/errors.md has a row for each warning that the process may be given, and for no other', () => {
  const [, table = ''] = /^## Warnings\n(.*?)^(?:## |Two common mistakes)/ms.exec(docs) ?? [];
  const rows = [...table.matchAll(/^\| `(PATCH_OPTIONS_\w+)` +\| [^|]{20,} \| [^|]{10,} \|$/gm)];
  const listed = rows.map(([, code]) => code);
  expect(listed.length).toBeGreaterThan(10);
  expect(listed.toSorted()).toEqual([...new Set(emitted)].sort());
});

test('whatever is emitted has a code that this test sees', () => {
  const calls = readdirSync(join(root, 'lib'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && file !== 'app-callbacks.ts')
    .map((file) => readFileSync(join(root, 'lib', file), 'utf8'))
    .flatMap((text) => text.match(/\b(?:emitWarning|tellOnce|warnOnce)\(/g) ?? []);
  expect(calls).toHaveLength(emitted.length);
});
