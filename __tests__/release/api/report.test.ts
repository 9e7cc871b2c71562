import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
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

const reports = readdirSync(__dirname).filter((name) => name.endsWith('.api.md'));

test('there is one for each entry point', async () => {
  expect(reports).toHaveLength(10);
  expect((await readdir(folder)).filter((name) => name.endsWith('.api.md'))).toEqual(reports);
});

describe.each(reports)('%s', (report) => {
  const checkedIn = (): Promise<string> => readFile(join(__dirname, report), 'utf8');

  test('is what is exported (a change that is meant, and breaks no app, is written down by: npm run api)', async () => {
    expect(await readFile(join(folder, report), 'utf8')).toBe(await checkedIn());
  });

  test('has no warning', async () => {
    expect((await checkedIn()).match(/^ *\/\/ Warning: .*/gm) ?? []).toEqual([]);
  });
});
