import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'patch-options-api-'));
  await run(process.execPath, [join(__dirname, 'report.mjs'), folder]);
}, 120_000);

afterAll(() => rm(folder, { recursive: true }));

describe.each(['index.api.md', 'testing.api.md'])('%s', (report) => {
  const checkedIn = (): Promise<string> => readFile(join(__dirname, report), 'utf8');

  test('is what is exported', async () => {
    const exported = await readFile(join(folder, report), 'utf8');
    try {
      expect(exported).toBe(await checkedIn());
    } catch (difference) {
      throw new Error(
        `${report} is not what is exported. Is the change meant, and does it break what hosts have written? Then write it down by: npm run api\n\n${String(difference)}`,
        { cause: difference },
      );
    }
  });

  test('has no warning', async () => {
    expect((await checkedIn()).match(/^ *\/\/ Warning: .*/gm) ?? []).toEqual([]);
  });
});
