import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'patch-options-api-'));
  await run(process.execPath, [join(__dirname, 'report.mjs'), folder]);
});

afterAll(() => rm(folder, { recursive: true }));

test('there is one for each entry point', async () => {
  const reports = async (path: string) => (await readdir(path)).filter((name) => name.endsWith('.api.md'));
  const checkedIn = await reports(__dirname);
  expect(checkedIn).toHaveLength(10);
  expect(await reports(folder)).toEqual(checkedIn);
});

describe.each(['index', 'sqlite', 'postgres', 'redis', 'rows', 'client', 'testing'])('%s.api.md', (name) => {
  const report = `${name}.api.md`;
  const checkedIn = (): Promise<string> => readFile(join(__dirname, report), 'utf8');

  test('is what is exported (a change that is meant, and breaks no host, is written down by: npm run api)', async () => {
    expect(await readFile(join(folder, report), 'utf8')).toBe(await checkedIn());
  });

  test('has no warning', async () => {
    expect((await checkedIn()).match(/^ *\/\/ Warning: .*/gm) ?? []).toEqual([]);
  });
});
