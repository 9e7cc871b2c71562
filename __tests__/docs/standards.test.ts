import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const page = readFileSync(join(root, 'docs/standards.md'), 'utf8');

test('the tests that docs/standards.md names exist', () => {
  const named = [...page.matchAll(/^\| .* \| ([^|]+) \|$/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
  expect(named.length).toBeGreaterThan(10);
  const isThere = (name: string) =>
    ['.test.ts', ''].some((end) => existsSync(join(root, '__tests__', name + end)));
  expect(named.filter((name) => !isThere(name))).toEqual([]);
});
