/**
 * What is published can be built again from the same commit, byte by byte: in another folder, time zone and time. What tests,
 * or an editor, have left in the folder is not in it.
 */
import { execFile } from 'node:child_process';
import { appendFile, copyFile, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { remove, temporaryFolder } from './packed-project';

const root = join(__dirname, '../../..');
const run = promisify(execFile);

/** A repository of its own, with one commit: the last one of this repository. */
async function commitIn(folder: string): Promise<string> {
  const tree = join(folder, 'tree');
  await mkdir(tree);
  const archive = join(folder, 'commit.tar');
  await run('git', ['-c', `safe.directory=${root}`, '-C', root, 'archive', '--output', archive, 'HEAD']);
  await run('tar', ['-C', tree, '-xf', archive]);
  await copyFile(join(root, '.ci/pack'), join(tree, '.ci/pack'));
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@app.example'];
  for (const args of [
    ['init', '--quiet'],
    ['add', '--all'],
    [...author, 'commit', '--quiet', '--message', 'a'],
  ])
    await run('git', args, { cwd: tree });
  await symlink(join(root, 'node_modules'), join(tree, 'node_modules'));
  return tree;
}

test('two builds give one tarball, of the commit alone', async () => {
  const folder = await temporaryFolder();
  try {
    const tree = await commitIn(folder);
    for (const name of ['lib/left-behind.ts', 'docs/left-behind.md'])
      await writeFile(join(tree, name), 'export const leftBehind = 1;\n');
    for (const name of ['README.md', 'lib/index.ts'])
      await appendFile(join(tree, name), "\nexport const name = 'left-behind';\n");
    const out = join(folder, 'out');
    // Ends with 1 where they differ.
    const { stdout } = await run(join(tree, '.ci/pack'), [out]);
    expect(stdout).toMatch(/^[\da-f]{128} {2}patch-options-.*\.tgz\n$/m);
    const [name = '', ...others] = await readdir(out);
    expect([name, others]).toEqual([expect.stringMatching(/^patch-options-\d.*\.tgz$/), []]);
    const unpacked = join(folder, 'unpacked');
    await mkdir(unpacked);
    await run('tar', ['-C', unpacked, '-xzf', join(out, name)]);
    expect(await readdir(join(unpacked, 'package'))).toEqual(expect.arrayContaining(['dist', 'docs']));
    // Ends with 1 where nothing contains it, by name or by text.
    await expect(run('grep', ['-rl', 'left-behind\\|leftBehind', unpacked])).rejects.toMatchObject({
      code: 1,
      stdout: '',
    });
    expect(
      (await readdir(unpacked, { recursive: true })).filter((path) => path.includes('left-behind')),
    ).toEqual([]);
  } finally {
    await remove(folder);
  }
});
