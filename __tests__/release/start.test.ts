/** What `npm start` builds and runs. */
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startedServer } from '../examples/example-server';

const root = join(__dirname, '../..');
const run = promisify(execFile);

test('the server has a page on another origin, which may call it, and stops with a page open', async () => {
  await run('npm', ['run', '--silent', 'prestart'], { cwd: root });
  const data = mkdtempSync(join(tmpdir(), 'notes-'));
  const server = await startedServer(
    spawn(process.execPath, [join(root, 'examples/dist/notes/notes-server.js')], {
      env: { ...process.env, PORT: '0', PAGE_PORT: '0', NOTES_DATA: data },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  const [page = ''] = /(?<=^Open )\S+/m.exec(server.printed()) ?? [];
  expect(page).not.toBe(server.address);
  for (const [path, type] of [
    ['/', 'text/html'],
    ['/css/base.css', 'text/css'],
    ['/main.js', 'text/javascript'],
    ['/frame.js', 'text/javascript'],
  ] as const)
    expect((await fetch(page + path)).headers.get('content-type')).toContain(type);

  const about = await fetch(server.address, { headers: { Accept: 'text/html' } });
  expect(await about.text()).toContain(`<a href="${page}">`);

  const preflight = { Origin: page, 'Access-Control-Request-Method': 'PATCH' };
  const answer = await fetch(`${server.address}/notes/1`, { method: 'OPTIONS', headers: preflight });
  expect(answer.headers.get('access-control-allow-origin')).toBe(page);

  const stream = await fetch(`${page}/exchanges`);
  server.process.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  await expect(stream.text()).rejects.toThrow();
  rmSync(data, { recursive: true });
});
