import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const docs = join(__dirname, '../../docs');

test('the loop that docs/idempotency.md links to has the lines that it says, 15 at most', () => {
  const page = readFileSync(join(docs, 'idempotency.md'), 'utf8');
  const [, lines, path = ''] = /\[a loop in (\d+) lines\]\((.*?)\)/.exec(page) ?? [];
  const loop = readFileSync(join(docs, path), 'utf8').trim().split('\n');
  expect(String(loop.length)).toBe(lines);
  expect(loop.length).toBeLessThanOrEqual(15);
});
