/**
 * A process with one server, for server-process.mjs to start: `node server.mjs <module> <maker> <options as JSON>`.
 * It ends with its parent.
 */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

const [, , module, maker, options] = process.argv;
const makers = await import(`./servers/${module}.mjs`);
const server = await makers[maker](JSON.parse(options));
server.listen(0, '127.0.0.1');
await once(server, 'listening');

const session = new Session();
const commands = {
  /** Seconds of processor time that the process has used. */
  cpu() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  },
  async startProfile() {
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: 200 });
    await session.post('Profiler.start');
  },
  async stopProfile(file) {
    const { profile } = await session.post('Profiler.stop');
    session.disconnect();
    writeFileSync(file, JSON.stringify(profile));
  },
};

process.on('disconnect', () => process.exit());
process.on('message', async ({ command, argument }) => {
  process.send({ result: await commands[command](argument) });
});
process.send({ result: server.address().port });
