/** The proxies that people have, in front of a server of a test. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../examples/example-server';

export interface Program {
  readonly path: string;
  /** Of Debian and Ubuntu. */
  readonly package: string;
  readonly args: (file: string) => readonly string[];
  readonly config: (settings: {
    readonly port: number;
    readonly to: number;
    readonly folder: string;
    /** Lines for the place that passes requests on. */
    readonly more: string;
  }) => string;
}

export const nginx: Program = {
  path: '/usr/sbin/nginx',
  package: 'nginx',
  args: (file) => ['-e', 'stderr', '-c', file],
  config: ({ port, to, folder, more }) => `
    daemon off;
    master_process off;
    pid ${folder}/pid;
    events {}
    http {
      access_log off;
      ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n')}
      gzip on;
      gzip_types application/json application/problem+json;
      ${more.startsWith('map') ? more : ''}
      server {
        listen 127.0.0.1:${port};
        location / {
          proxy_pass http://127.0.0.1:${to};
          ${more.startsWith('map') ? 'proxy_set_header If-Match $strong_if_match;' : more}
        }
      }
    }`,
};

export const haproxy: Program = {
  path: '/usr/sbin/haproxy',
  package: 'haproxy',
  args: (file) => ['-db', '-f', file],
  config: ({ port, to, more }) => `
    defaults
      mode http
      timeout connect 5s
      timeout client 60s
      timeout server 60s
    listen proxy
      bind 127.0.0.1:${port}
      compression algo gzip
      compression type application/json application/problem+json
      ${more}
      server app 127.0.0.1:${to}\n`,
};

const modules = '/usr/lib/apache2/modules';
export const apache = (filter: 'DEFLATE' | 'BROTLI_COMPRESS'): Program => ({
  path: '/usr/sbin/apache2',
  package: 'apache2-bin',
  args: (file) => ['-DFOREGROUND', '-f', file],
  config: ({ port, to, folder, more }) => `
    ServerRoot ${folder}
    ServerName 127.0.0.1
    Listen 127.0.0.1:${port}
    PidFile ${folder}/pid
    ErrorLog ${folder}/errors
    User nobody
    Group nogroup
    ${['mpm_event', 'authz_core', 'proxy', 'proxy_http', 'deflate', 'brotli', 'headers'].map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`).join('\n')}
    SetOutputFilter ${filter}
    ${more}
    ProxyPass / http://127.0.0.1:${to}/\n`,
});

export interface RunningProxy {
  readonly origin: string;
  close(): Promise<void>;
}

/** What to say where it is not installed. */
export const missing = ({ path, package: name }: Program): string =>
  `There is no ${path}, so nothing was tried behind it. Install it (Debian: apt-get install ${name}).`;

/** Starts a proxy in front of a port, and waits until it answers. */
export async function startProxy(program: Program, to: number, more: string): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'proxy-'));
  const port = await freePort();
  const file = join(folder, 'config');
  writeFileSync(file, program.config({ port, to, folder, more }));
  // The proxy ends with standard input, and so also where the tests were killed.
  const keep = 'exec 3<&0; "$@" & proxy=$!; (cat <&3; kill $proxy) & wait $proxy';
  const child = spawn('/bin/sh', ['-c', keep, 'sh', program.path, ...program.args(file)]);
  const ended = once(child, 'exit');
  const origin = `http://127.0.0.1:${port}`;
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  }
  while (!(await answers(origin))) {
    if (child.exitCode !== null) throw new Error(`The proxy has ended with ${child.exitCode}: ${printed}`);
    await setTimeout(20);
  }
  return {
    origin,
    async close() {
      child.stdin.end();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answers(origin: string): Promise<boolean> {
  try {
    await fetch(origin);
    return true;
  } catch {
    return false;
  }
}
