/** Runs one of the examples beside it on PORT, by default 3000: `npm run example minimal`. */
import { readdirSync } from 'node:fs';
import { Server } from 'node:http';
import { join, parse } from 'node:path';

const port = Number(process.env.PORT ?? 3000);
const [, , name = ''] = process.argv;
const notServers = ['run', 'patch-once', 'node-sqlite.d'];
const names = readdirSync(__dirname)
  .filter((file) => /\.[jt]s$/.test(file) || file === 'existing-app')
  .map((file) => parse(file).name)
  .filter((example) => !notServers.includes(example));

if (names.includes(name)) {
  process.once('uncaughtException', (error) => {
    const isPortInUse = 'code' in error && error.code === 'EADDRINUSE';
    const fix = `Stop the process that uses it, or choose another port: PORT=${port + 1} npm run example ${name}`;
    console.error(isPortInUse ? `Port ${port} is already in use. ${fix}` : error);
    process.exit(1);
  });
  // The examples name the port 3000, so that each reads like the server of an app.
  const listen = Reflect.get(Server.prototype, 'listen') as (port: number, host: string) => Server;
  Server.prototype.listen = function (this: Server): Server {
    this.once('listening', () => {
      console.log(`${name} is listening on http://127.0.0.1:${port}`);
    });
    return listen.call(this, port, '127.0.0.1');
  };
  void import(join(__dirname, name));
} else {
  console.error(`${name === '' ? 'Name an example' : `There is no example ${name}`}: ${names.join(', ')}`);
  process.exitCode = 1;
}
