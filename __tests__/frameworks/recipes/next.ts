import { spawnSync } from 'node:child_process';
import express from 'express';
import { existsSync } from 'node:fs';
import type { Server } from 'node:http';
import { dirname, join } from 'node:path';
import next from 'next';
import { methodNotAllowed, patchOptions } from 'patch-options';

/** Once for each installation of Next. */
export function buildSite(): { readonly dev: false; readonly dir: string } {
  const dir = join(__dirname, '../support/next-app');
  if (existsSync(join(__dirname, '../node_modules/.next-app/BUILD_ID'))) return { dev: false, dir };
  const command = join(dirname(require.resolve('next/package.json')), 'dist/bin/next');
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, 'build', dir], { env });
  if (status !== 0) throw new Error(`next build has failed: ${stdout.toString()}${stderr.toString()}`);
  return { dev: false, dir };
}

export async function start(port: number): Promise<Server> {
  const { dev, dir } = buildSite();
  // docs: Next
  const site = next({ dev, dir });
  const handle = site.getRequestHandler();
  await site.prepare();
  const app = express();

  app.use(patchOptions({ cors: { origin: 'https://app.example' } }));
  app.patch('/notes/:id', (req, res) => void res.json({ id: req.params.id }));
  app.use(methodNotAllowed());
  app.use((req, res) => handle(req, res)); // last: it answers everything
  // end
  return app.listen(port);
}
