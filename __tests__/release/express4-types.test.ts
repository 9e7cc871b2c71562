import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(__dirname, '../..');

test('what users write compiles with the types of Express 4, too', async () => {
  const types = join(root, 'node_modules/@types/express4/index.d.ts');
  const settings = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      typeRoots: [join(root, 'node_modules/@types')],
      paths: { express: [types], 'patch-options': [join(root, 'lib/index.ts')] },
    },
    files: ['__tests__/types/usage.ts', 'lib/express/parseurl.d.ts'].map((file) => join(root, file)),
    include: [],
  };
  const folder = await mkdtemp(join(tmpdir(), 'patch-options-express4-'));
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  const tsc = join(root, 'node_modules/@typescript/native/bin/tsc');
  const compiling = promisify(execFile)(process.execPath, [tsc, '-p', folder, '--listFiles']);
  const { stdout } = await compiling.catch((failed: { stdout: string }) => failed);
  await rm(folder, { recursive: true });
  const lines = stdout.split('\n');
  expect(lines.filter((line) => line.includes('error TS'))).toEqual([]);
  expect(lines).toContain(types);
});
